"""A batch of hands in play: all of them wait for a decision at once, and decisions are answered for many at a time.

The trio of actions: `verify` raises with the reason, `can` answers yes or no, `act` does it.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from luckless.errors import InputError
from luckless.kernels import njit
from luckless.keys import Keys
from luckless.rules import engine
from luckless.rules.actions import IllegalAction, Legal
from luckless.rules.arrays import whole_numbers
from luckless.rules.dealing import check_decks, deal
from luckless.rules.game import STREETS, Game
from luckless.rules.records import Records
from luckless.rules.state import FINISHED, PUBLIC, encode
from luckless.rules.views import Past, PastAction, Views, fill_cards, fill_past, frozen, longest_of


@njit(cache=True, nogil=True, borrows=True)
def _begin_rows(
    rules: NDArray[np.void], public: NDArray[np.void], rows: NDArray[np.int64], stacks: NDArray[np.int32]
) -> None:
    for row in rows:
        engine.begin(rules[0], public[row], stacks[row])


@njit(cache=True, nogil=True, borrows=True)
def _check_rows(
    public: NDArray[np.void], rows: NDArray[np.int64], actions: NDArray[np.int64], reasons: NDArray[np.int8]
) -> int:
    """Fills the reasons; returns the first place that is not legal, or -1."""
    first = -1
    for place in range(len(rows)):
        reasons[place] = engine.check(public[rows[place]], actions[place])
        if reasons[place] != engine.LEGAL and first < 0:
            first = place
    return first


@njit(cache=True, nogil=True, borrows=True)
def _act_rows(
    rules: NDArray[np.void], public: NDArray[np.void], rows: NDArray[np.int64], actions: NDArray[np.int64], log: Any
) -> int:
    """Makes the actions and logs them; returns the largest number of actions that a hand now has."""
    longest = 0
    for place in range(len(rows)):
        row = rows[place]
        hand = public[row]
        log[0][row, hand.steps] = actions[place]
        log[1][row, hand.steps] = hand.actor
        log[2][row, hand.steps] = hand.street
        engine.act(rules[0], hand, actions[place])
        longest = max(longest, hand.steps)
    return longest


@njit(cache=True, nogil=True, borrows=True)
def _act_at_once(
    rules: NDArray[np.void], public: NDArray[np.void], rows: NDArray[np.int64], actions: NDArray[np.int64], log: Any
) -> int:
    """`_act_rows` where every row is above the one before and every action is legal; else makes none, gives -1."""
    for place in range(len(rows)):
        if rows[place] <= (rows[place - 1] if place > 0 else -1) or rows[place] >= len(public):
            return -1
        if engine.check(public[rows[place]], actions[place]) != engine.LEGAL:
            return -1
    longest: int = _act_rows(rules, public, rows, actions, log)
    return longest


@njit(cache=True, nogil=True, borrows=True)
def _settle_rows(
    rules: NDArray[np.void], public: NDArray[np.void], decks: NDArray[np.uint8], payoffs: NDArray[np.int32]
) -> None:
    for row in range(len(public)):
        engine.settle(rules[0], public[row], decks[row], payoffs[row])


class Table:
    """Hands of one game, played together; row i of every array is hand i.

    >>> table = Table.dealt("limit-hu", seed=1, deals=range(100))
    >>> while len(rows := table.waiting()):
    ...     views = table.views(rows)
    ...     table.act(rows, [0] * len(rows))  # check or call
    >>> table.records().payoffs
    """

    def __init__(self, game: Game | str, decks: ArrayLike, stacks: ArrayLike | None = None) -> None:
        """Seats the hands and posts the blinds. `stacks` (hands x seats) replaces the game's starting stacks."""
        game = _named(game)
        self._start(game, check_decks(game, decks), stacks)

    @classmethod
    def dealt(cls, game: Game | str, seed: int | Keys, deals: ArrayLike, stacks: ArrayLike | None = None) -> "Table":
        """The hands of the given deal numbers under a seed; a game may be given by its name."""
        game = _named(game)
        table = cls.__new__(cls)
        table._start(game, deal(game, seed, deals), stacks)
        return table

    @classmethod
    def resumed(cls, game: Game, decks: NDArray[np.uint8], public: NDArray[np.void], past: Past) -> "Table":
        """Hands that are under way: their cards, public records (which the table goes on with) and past actions."""
        table = cls.__new__(cls)
        table.game, table.decks, table.public, table.rules = game, decks, public, encode(game)
        table.stacks = (public["stack"] + public["invested"])[:, : game.seats]
        width = past.actions.shape[1]
        table._log = _new_log(len(decks), width + 16)
        for part, made in zip(table._log, past, strict=True):
            part[:, :width] = made
        return table

    def _start(self, game: Game, decks: NDArray[np.uint8], stacks: ArrayLike | None) -> None:
        self.game = game
        self.decks = decks
        self.stacks = _starting_stacks(game, len(decks), stacks)
        self.public = np.zeros(len(decks), PUBLIC)
        self.rules = encode(game)
        self._log = _new_log(len(decks), 32)
        _begin_rows(self.rules, self.public, np.arange(len(decks)), self.stacks)

    def __len__(self) -> int:
        return len(self.public)

    def __repr__(self) -> str:
        return f"<Table {self.game.name}: {len(self):,} hands, {len(self.waiting()):,} waiting for a decision>"

    @property
    def finished(self) -> bool:
        """Whether every hand is over."""
        return bool((self.public["actor"] == FINISHED).all())

    def waiting(self) -> NDArray[np.int64]:
        """The rows of the hands that wait for a decision."""
        return np.flatnonzero(self.public["actor"] != FINISHED)

    def views(self, rows: NDArray[np.int64]) -> Views:
        """What the seat to act sees in each of the rows."""
        public = self.public.take(rows)  # indexing would copy field by field, sixty times slower
        cards = np.empty((len(rows), 7), np.uint8)
        fill_cards(self.public, self.decks, rows, cards)
        width = longest_of(self.public, rows)
        past = tuple(np.empty((len(rows), width), part.dtype) for part in self._log)
        fill_past(self.public, self._log, rows, past)
        return Views(self.game, public, cards, Past(*map(frozen, past)))

    def history(self, row: int) -> tuple[PastAction, ...]:
        """The actions of one hand so far."""
        steps = self.public["steps"][row]
        actions, seats, streets = (part[row, :steps].tolist() for part in self._log)
        return tuple(map(PastAction, streets, seats, actions))

    def can(self, rows: NDArray[np.int64], actions: ArrayLike) -> NDArray[np.bool_]:
        """Which of the actions (one a row) are legal."""
        wanted = self._one_each(rows, actions)
        reasons = np.empty(len(rows), np.int8)
        _check_rows(self.public, rows, wanted, reasons)
        legal: NDArray[np.bool_] = reasons == engine.LEGAL
        return legal

    def verify(self, rows: NDArray[np.int64], actions: ArrayLike) -> None:
        """Raises IllegalAction with the reason if any of the actions is not legal."""
        self._verify(rows, self._one_each(rows, actions))

    def _one_each(self, rows: NDArray[np.int64], actions: ArrayLike) -> NDArray[np.int64]:
        """The actions as an array, refused unless they are one for each of some rows of this table."""
        wanted = whole_numbers(actions, "actions")
        if wanted.shape != rows.shape:
            raise InputError(f"{len(rows)} rows need one action each; {wanted.size} were given")
        if len(rows) and not 0 <= rows.min() <= rows.max() < len(self):
            raise InputError(f"rows run from {rows.min()} to {rows.max()}; allowed is 0 to {len(self) - 1}")
        return wanted

    def _verify(self, rows: NDArray[np.int64], wanted: NDArray[np.int64]) -> None:
        reasons = np.empty(len(rows), np.int8)
        bad = _check_rows(self.public, rows, wanted, reasons)
        if bad >= 0:
            raise IllegalAction(
                f"hand {rows[bad]}: {self._reason(int(rows[bad]), int(wanted[bad]), int(reasons[bad]))}"
            )

    def legal(self, row: int) -> Legal:
        """What the seat to act may do in one hand."""
        hand = self.public[row]
        return Legal(True, int(hand["to_call"]), int(hand["min_raise_to"]), int(hand["max_raise_to"]))

    def _reason(self, row: int, action: int, reason: int) -> str:
        """Why an action is refused, in words."""
        if reason == engine.OVER:
            return "the hand is over: no seat is to act"
        hand, legal = self.public[row], self.legal(row)
        what = {
            engine.NO_ACTION: f"{action} is not an action",
            engine.TOO_SMALL: f"a raise to {action} is below the minimum of {legal.min_raise_to}",
            engine.TOO_LARGE: f"a raise to {action} is above the maximum of {legal.max_raise_to}",
            engine.NO_RAISE: f"a raise to {action} is not allowed: {self._why_no_raise(hand)}",
        }[reason]
        return f"seat {hand['actor']} on the {STREETS[hand['street']]}: {what}; allowed is {legal}"

    def _why_no_raise(self, hand: np.void) -> str:
        seat, cap = hand["actor"], self.game.max_bets[hand["street"]]
        if hand["able"] == 1 << seat:
            return "no other seat has chips left to answer it"
        if hand["stack"][seat] <= hand["bet"] - hand["street_bet"][seat]:
            return f"the stack of {hand['stack'][seat]} does not exceed the call"
        if cap and hand["bets"] >= cap:
            return f"the cap of {cap} bets is reached"
        return "the seat has acted, and the short all-in since does not open the betting again"

    def act(self, rows: NDArray[np.int64], actions: ArrayLike) -> None:
        """Makes one action in each of the rows (each row at most once); if one is illegal, none is made."""
        longest = -1
        if isinstance(actions, np.ndarray) and actions.dtype == np.int64 and actions.shape == rows.shape:
            longest = _act_at_once(self.rules, self.public, rows, actions, self._log)
        if longest < 0:
            wanted = self._one_each(rows, actions)
            if len(np.unique(rows)) < len(rows):
                raise InputError("a row is given twice: a hand makes one action at a time")
            self._verify(rows, wanted)
            longest = _act_rows(self.rules, self.public, rows, wanted, self._log)
        if longest == self._log[0].shape[1]:
            wider = _new_log(len(self), 2 * longest)
            for old, new in zip(self._log, wider, strict=True):
                new[:, :longest] = old
            self._log = wider

    def deal_again(self, rows: NDArray[np.int64], seed: int | Keys, deals: ArrayLike) -> None:
        """Replaces the hands of some rows by new ones, of other deals and with the same starting stacks."""
        self.decks[rows] = deal(self.game, seed, deals)
        _begin_rows(self.rules, self.public, rows, self.stacks)

    def copies(self, rows: NDArray[np.int64]) -> "Table":
        """A table of its own with copies of some hands as they stand; a row may be given several times."""
        table = Table.__new__(Table)
        table.game, table.rules = self.game, self.rules
        table.decks, table.stacks, table.public = self.decks[rows], self.stacks[rows], self.public.take(rows)
        table._log = tuple(part[rows] for part in self._log)
        return table

    def payoffs(self, rows: NDArray[np.int64]) -> NDArray[np.int32]:
        """What each seat won or lost in some hands, all of them over; shape (rows, seats)."""
        public = self.public.take(rows)
        if (public["actor"] != FINISHED).any():
            row = rows[public["actor"] != FINISHED][0]
            raise InputError(f"hand {row} is not over: its seat {self.public['actor'][row]} is to act")
        payoffs = np.empty((len(rows), self.game.seats), np.int32)
        _settle_rows(self.rules, public, self.decks[rows], payoffs)
        return payoffs

    def records(self) -> Records:
        """The finished hands, settled."""
        payoffs = self.payoffs(np.arange(len(self)))
        steps = self.public["steps"].astype(np.int64)
        made = np.arange(self._log[0].shape[1]) < steps[:, None]
        return Records(self.game, self.decks, self.stacks, np.cumsum(steps), self._log[0][made], payoffs)


def _named(game: Game | str) -> Game:
    return Game.load(game) if isinstance(game, str) else game


def _new_log(hands: int, actions: int) -> tuple[NDArray[Any], ...]:
    """Room for the actions of each hand, who made them and on which street."""
    shape = (hands, actions)
    return np.zeros(shape, np.int32), np.zeros(shape, np.int8), np.zeros(shape, np.int8)


def _starting_stacks(game: Game, hands: int, stacks: ArrayLike | None) -> NDArray[np.int32]:
    if stacks is None:
        return np.tile(np.array(game.stacks, np.int32), (hands, 1))
    given = whole_numbers(stacks, "starting stacks", 2)
    try:
        chips = np.broadcast_to(given, (hands, game.seats))
    except ValueError:
        raise InputError(
            f"starting stacks have the shape {given.shape}; {hands} hands of {game.seats} seats need "
            f"{(hands, game.seats)}, or one row for all"
        ) from None
    if chips.size and (chips.min() < 1 or int(chips.sum(axis=1).max()) + game.pot >= 2**31):
        raise InputError("starting stacks must be 1 chip or more, and together less than 2**31")
    return np.ascontiguousarray(chips, np.int32)
