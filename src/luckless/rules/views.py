"""What one seat may see at a decision: game, public record, its own two cards, the board so far. Nothing else.

`Views` is a batch of decisions as arrays, `View` is one of them as plain Python numbers; both use the same names.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.hands.pairs import PAIR_CARDS
from luckless.kernels import njit
from luckless.rules.game import BOARD_CARDS, Game

UNSEEN = 255
"""Stands in the place of a board card that has not been dealt."""

_BOARD_CARDS = np.array(BOARD_CARDS)


class PastAction(NamedTuple):
    """One action of the hand so far: -1 fold, 0 check or call, above 0 a bet or raise to that."""

    street: int
    seat: int
    action: int


@njit(cache=True, nogil=True, borrows=True)
def see_cards(hand: Any, deck: NDArray[np.uint8], seat: int, cards: NDArray[np.uint8]) -> None:
    """Fills the seven places of `cards`: the seat's own two, then the board with `UNSEEN` for what is to come."""
    cards[0] = deck[2 * seat]
    cards[1] = deck[2 * seat + 1]
    first = len(deck) - 5
    out = _BOARD_CARDS[hand.street]
    for place in range(5):
        cards[2 + place] = deck[first + place] if place < out else UNSEEN


@njit(cache=True, nogil=True, borrows=True)
def fill_cards(
    public: NDArray[np.void], decks: NDArray[np.uint8], rows: NDArray[np.int64], cards: NDArray[np.uint8]
) -> None:
    """`see_cards` of the seat to act in each of the rows."""
    for place in range(len(rows)):
        row = rows[place]
        see_cards(public[row], decks[row], public[row].actor, cards[place])


@njit(cache=True, nogil=True, borrows=True)
def longest_of(public: NDArray[np.void], rows: NDArray[np.int64]) -> int:
    """The most actions that any of the rows has had."""
    longest = 0
    for row in rows:
        longest = max(longest, public[row].steps)
    return longest


@njit(cache=True, nogil=True, borrows=True)
def fill_past(public: NDArray[np.void], log: Any, rows: NDArray[np.int64], past: Any) -> None:
    """The actions of each of the rows so far, who made them and on which street; 0 beyond the last."""
    _fill_part(public, log[0], rows, past[0])
    _fill_part(public, log[1], rows, past[1])
    _fill_part(public, log[2], rows, past[2])


@njit(cache=True, nogil=True, borrows=True)
def _fill_part(public: NDArray[np.void], log: NDArray[Any], rows: NDArray[np.int64], part: NDArray[Any]) -> None:
    """One array of the past."""
    width = part.shape[1]
    for place in range(len(rows)):
        row = rows[place]
        steps = public[row].steps
        for step in range(width):  # a single loop, so that it takes several steps at a time
            part[place, step] = log[row, step] if step < steps else 0


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """The array as a copy that nobody can write to, and that leads to no other array.

    Its memory is a `bytes` object of its own. An array that is only marked as read-only can be made writable again by
    whoever holds it, and the `base` of a part of an array is the whole of it.
    """
    base: Any = array.base
    if isinstance(base, bytes) and len(base) == array.nbytes:
        return array  # it is one already
    return np.ndarray(array.shape, array.dtype, array.tobytes())


class Past(NamedTuple):
    """The actions of some hands so far: one hand a row, padded with 0. Nothing in it leads to other hands."""

    actions: NDArray[np.int32]
    seats: NDArray[np.int8]
    streets: NDArray[np.int8]

    @classmethod
    def of(cls, steps: NDArray[np.int32], parts: Iterable[NDArray[Any]]) -> "Past":
        """From actions, seats and streets that are padded with 0, maybe wider than the longest hand: `steps` says how
        many actions each has."""
        width = int(steps.max(initial=0))
        return cls(*(frozen(part[:, :width]) for part in parts))


@dataclass(frozen=True, slots=True)
class Views:
    """A batch of decisions, one a row.

    `public`, `cards` and the past actions are copies that cannot be written to; what the properties give are copies
    too, and so is `game`. So nothing that a bot does to them changes anything at the table or for another bot.
    """

    game: Game
    public: NDArray[np.void]
    """The public records (see `state.PUBLIC`): pot, stack, street_bet, invested, live, able, ..."""
    cards: NDArray[np.uint8]
    """Own cards and board, shape (n, 7); `UNSEEN` (255) for board cards to come."""
    past: Past

    def __post_init__(self) -> None:
        object.__setattr__(self, "game", self.game.copy())
        object.__setattr__(self, "public", frozen(self.public))
        object.__setattr__(self, "cards", frozen(self.cards))

    def __len__(self) -> int:
        return len(self.public)

    def __repr__(self) -> str:
        return f"<Views of {len(self):,} decisions in {self.game.name}>"

    @property
    def seats(self) -> int:
        """How many seats play."""
        return self.game.seats

    @property
    def big_blind(self) -> int:
        """The big blind in chips."""
        return self.game.big_blind

    @property
    def seat(self) -> NDArray[np.int8]:
        """The seat that decides: 0 acts first after the flop, `seats - 1` is the button."""
        return self._field("actor")

    @property
    def street(self) -> NDArray[np.int8]:
        """0 preflop, 1 flop, 2 turn, 3 river."""
        return self._field("street")

    @property
    def hole(self) -> NDArray[np.uint8]:
        """The seat's own two cards, shape (n, 2)."""
        return self.cards[:, :2].copy()

    @property
    def board(self) -> NDArray[np.uint8]:
        """The five board places, `UNSEEN` (255) for cards to come, shape (n, 5)."""
        return self.cards[:, 2:].copy()

    @property
    def pot(self) -> NDArray[np.int32]:
        """All chips put in so far."""
        return self._field("pot")

    @property
    def to_call(self) -> NDArray[np.int32]:
        """Chips to call; 0 means that a check is free."""
        return self._field("to_call")

    @property
    def min_raise_to(self) -> NDArray[np.int32]:
        """Smallest bet or raise, as the street's total; 0 when raising is closed."""
        return self._field("min_raise_to")

    @property
    def max_raise_to(self) -> NDArray[np.int32]:
        """Largest bet or raise, as the street's total; 0 when raising is closed."""
        return self._field("max_raise_to")

    @property
    def rounds_left(self) -> NDArray[np.int32]:
        """In a session: hands to come after this one; -1 outside of sessions."""
        return self._field("rounds_left")

    @property
    def session_stack(self) -> NDArray[np.int32]:
        """In a session: the chips that each player began it with; 0 outside of sessions."""
        return self._field("session_stack")

    @property
    def actions(self) -> NDArray[np.int32]:
        """The actions so far, padded with 0 beyond `public["steps"]`."""
        return self.past.actions

    @property
    def action_seats(self) -> NDArray[np.int8]:
        """The seats that made the actions."""
        return self.past.seats

    @property
    def action_streets(self) -> NDArray[np.int8]:
        """The streets of the actions."""
        return self.past.streets

    def _field(self, name: str) -> NDArray[Any]:
        return self.public[name].copy()

    def rows(self, which: slice | NDArray[np.int64]) -> "Views":
        """Some of the decisions, as a slice or by their numbers."""
        public = self.public[which] if isinstance(which, slice) else self.public.take(which)
        past = Past.of(public["steps"], (part[which] for part in self.past))
        return Views(self.game, public, self.cards[which], past)

    def with_all_hands(self, row: int) -> tuple["Views", NDArray[np.int64]]:
        """One situation with every hand that the seat to act could hold: the decisions, and the numbers of the hands.

        A hand's number is that of its pair of cards (`hands.pairs`). Hands that share a card
        with the board are left out.
        """
        numbers = np.flatnonzero(~np.isin(PAIR_CARDS, self.cards[row, 2:]).any(axis=1))
        return self.with_cards(np.full(len(numbers), row), PAIR_CARDS[numbers]), numbers

    def with_cards(self, which: NDArray[np.int64], cards: NDArray[Any]) -> "Views":
        """Some of the decisions, each with other cards (n, 2) in the hand of its seat; rows may come again."""
        seen = self.cards[which]
        seen[:, :2] = cards
        past = Past.of(self.public["steps"][which], (part[which] for part in self.past))
        return Views(self.game, self.public.take(which), seen, past)

    def to_bytes(self) -> bytes:
        """Everything that the seats see, as bytes: equal exactly when no difference can be seen."""
        parts = (self.public, self.cards, self.actions, self.action_seats, self.action_streets)
        return b"".join([f"{self.seats} {self.big_blind} ".encode(), *(part.tobytes() for part in parts)])

    def one(self, row: int) -> "View":
        """One decision as plain Python numbers."""
        public, seats = self.public[row], self.seats
        values = dict(zip(public.dtype.names, public.item(), strict=True))
        steps = values["steps"]
        cards = self.cards[row].tolist()
        return View(
            seat=values["actor"],
            seats=seats,
            street=values["street"],
            hole=(cards[0], cards[1]),
            board=tuple(card for card in cards[2:] if card != UNSEEN),
            big_blind=self.big_blind,
            pot=values["pot"],
            to_call=values["to_call"],
            min_raise_to=values["min_raise_to"],
            max_raise_to=values["max_raise_to"],
            rounds_left=values["rounds_left"],
            session_stack=values["session_stack"],
            stacks=tuple(public["stack"].tolist()[:seats]),
            street_bets=tuple(public["street_bet"].tolist()[:seats]),
            invested=tuple(public["invested"].tolist()[:seats]),
            live=tuple(bool(values["live"] >> seat & 1) for seat in range(seats)),
            history=tuple(
                map(
                    PastAction,
                    self.action_streets[row, :steps].tolist(),
                    self.action_seats[row, :steps].tolist(),
                    self.actions[row, :steps].tolist(),
                )
            ),
        )


@dataclass(frozen=True, slots=True)
class View:
    """One decision of one seat. Cards are numbers 0..51 (see `luckless.cards`), amounts chips."""

    seat: int
    seats: int
    street: int
    hole: tuple[int, int]
    board: tuple[int, ...]
    big_blind: int
    pot: int
    to_call: int
    min_raise_to: int
    max_raise_to: int
    rounds_left: int
    """In a session: hands to come after this one; -1 outside of sessions."""
    session_stack: int
    """In a session: the chips that each player began it with; 0 outside of sessions."""
    stacks: tuple[int, ...]
    street_bets: tuple[int, ...]
    invested: tuple[int, ...]
    live: tuple[bool, ...]
    history: tuple[PastAction, ...]

    @property
    def can_raise(self) -> bool:
        """Whether any bet or raise is legal."""
        return self.max_raise_to > 0
