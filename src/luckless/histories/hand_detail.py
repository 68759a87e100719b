"""Hands detail one by one in plain Python numbers, for everything that prints them."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError
from luckless.hands.strength import strengths
from luckless.histories.drafts import problem_text
from luckless.rules.actions import CALL, FOLD
from luckless.rules.columns import MILLION, HandColumns, Settlement
from luckless.rules.even_shares import SHARES, even_shares
from luckless.rules.game import Game
from luckless.rules.plain_settlement import returned_bet
from luckless.rules.replaying import SOUND, Replay, replay

DETAILED_AT_ONCE = 2_048
"""Hands that lie in memory as Python objects: they take far more room than columns."""


class Step(NamedTuple):
    """One action: whose, where, what; and what lay before it (see `replaying.Steps`)."""

    seat: int
    street: int
    action: int
    to_call: int
    bet: int
    pot: int
    chips: int
    behind: int

    def text(self, amount: Callable[[int], str]) -> str:
        """What was done, in words; `amount` writes chips."""
        all_in = ", all-in" if self.behind == 0 and self.action != FOLD and self.chips else ""
        if self.action == FOLD:
            return "folds" if self.to_call else "folds, though a check is free"
        if self.action == CALL:
            return f"calls {amount(self.chips)}{all_in}" if self.to_call else "checks"
        return f"{'raises to' if self.bet else 'bets'} {amount(self.action)}{all_in}"


class Show(NamedTuple):
    """A seat's turn at showdown: whether it shows its cards or throws them away."""

    seat: int
    shows: bool


class HandDetail(NamedTuple):
    """One hand. Lists run in seat order; `board` holds the cards that were dealt."""

    game: Game
    number: int
    deal: int
    names: list[str]
    order: list[int]
    """The number of each player in the source, in which they first appear."""
    stacks: list[int]
    deck: list[int]
    board: list[int]
    steps: list[Step]
    live: list[int]
    showdown: bool
    settled: bool
    pot: int
    invested: list[int]
    payoffs: list[int]
    shares: list[int]
    """What even shares of split pots would have given, in parts of a chip (`SHARES`); 0 if not `settled`."""
    strengths: list[int]
    settlement: Settlement
    scale: int
    printed: list[int] | None = None
    """What the source prints, in millionths of a chip, if that is not what the cards give."""
    key: int = 0
    """The one number of the hand in its match, store or reading."""
    file: str | None = None
    line: int | None = None
    """Where the hand of a log stands."""

    def hole(self, seat: int) -> list[int]:
        """The two cards of a seat."""
        return self.deck[2 * seat : 2 * seat + 2]

    @property
    def street(self) -> int:
        """The street of the last betting."""
        return self.steps[-1].street if self.steps else self.game.first_street

    def values(self) -> list[Fraction]:
        """What each seat won, as the source of the hand counts it."""
        if self.printed is not None:
            return [Fraction(value, MILLION) for value in self.printed]
        if self.settlement == "shared" and self.settled and self.game.rake is None:
            return [Fraction(share, SHARES) for share in self.shares]
        return [Fraction(chips) for chips in self.payoffs]

    @property
    def rake(self) -> int:
        """What the house took, in chips."""
        return -sum(self.payoffs)

    def returned(self) -> tuple[int, int]:
        """The seat that gets the uncalled part of its bet back, and the chips (0 if it was called)."""
        return returned_bet(self.game, self.stacks, self.invested, self.live)

    def show_order(self) -> list[Show]:
        """Who shows at the showdown, in turn.

        The last to bet or raise on the last street begins, else the first live seat. A seat that is beaten by a shown
        hand in every pot it contests does not show; when nobody could bet any more, all hands lie open.
        """
        raisers = [step.seat for step in self.steps if step.street == self.street and step.action > 0]
        first = self.live.index(raisers[-1]) if raisers else 0
        started = [stack + self.game.pot_share for stack in self.stacks]
        all_in = sum(started[seat] > self.invested[seat] for seat in self.live) <= 1
        turns: list[Show] = []
        for seat in self.live[first:] + self.live[:first]:
            beaten = any(
                turn.shows
                and self.strengths[turn.seat] > self.strengths[seat]
                and self.invested[turn.seat] >= self.invested[seat]
                for turn in turns
            )
            turns.append(Show(seat, all_in or not beaten))
        return turns


def details(columns: HandColumns) -> Iterator[HandDetail]:
    """The hands of a batch one by one."""
    for first in range(0, len(columns), DETAILED_AT_ONCE):
        yield from _details(columns.rows(slice(first, first + DETAILED_AT_ONCE)))


def _details(columns: HandColumns) -> Iterator[HandDetail]:
    records = columns.records
    played = replay(records)
    ends = played.ends
    bad = np.flatnonzero(ends.problem != SOUND)
    if len(bad):
        row = int(bad[0])
        stacks, actions = records.stacks[row].tolist(), records.actions_of(row).tolist()
        reason = problem_text(records.game, records.decks[row].tolist(), stacks, actions, int(ends.problem[row]))
        raise InputError(f"hand {columns.numbers[row]}: {reason}")
    steps = _steps(columns, played)
    shares = even_shares(records, ends)
    strength = _strengths(columns, played)
    board_cards = played.board_cards
    seats = records.game.seats
    for row in range(len(columns)):
        deck = records.decks[row].tolist()
        live = int(ends.live[row])
        yield HandDetail(
            game=records.game,
            number=int(columns.numbers[row]),
            deal=int(columns.deals[row]),
            names=columns.names_of(row),
            order=columns.players[row].tolist(),
            stacks=records.stacks[row].tolist(),
            deck=deck,
            board=deck[2 * seats : 2 * seats + int(board_cards[row])],
            steps=steps[int(records.ends[row - 1]) if row else 0 : int(records.ends[row])],
            live=[seat for seat in range(seats) if live >> seat & 1],
            showdown=bool(ends.showdown[row]),
            settled=bool(ends.settled[row]),
            pot=int(ends.pot[row]),
            invested=ends.invested[row].tolist(),
            payoffs=records.payoffs[row].tolist(),
            shares=shares[row].tolist(),
            strengths=strength[row].tolist(),
            settlement=columns.settlement,
            scale=columns.scale,
            key=int(columns.keys[row]),
            file=columns.origin.files[columns.origin.file[row]] if columns.origin else None,
            line=(int(columns.origin.line[row]) or None) if columns.origin else None,
            printed=None if columns.printed is None else columns.printed[row].tolist(),
        )


def _steps(columns: HandColumns, played: Replay) -> list[Step]:
    steps = played.steps
    parts: list[list[Any]] = [steps.seat.tolist(), steps.street.tolist(), columns.records.actions.tolist()]
    parts += [part.tolist() for part in (steps.to_call, steps.bet, steps.pot, steps.chips, steps.behind)]
    return list(map(Step, *parts))


def _strengths(columns: HandColumns, played: Replay) -> NDArray[np.int64]:
    """The strength of each live seat in hands that were shown down with known cards; 0 elsewhere."""
    seats, decks = columns.records.game.seats, columns.records.decks
    out = np.zeros((len(columns), seats), np.int64)
    shown = (played.ends.showdown == 1) & (played.ends.settled == 1)
    for seat in range(seats):
        rows = np.flatnonzero(shown & (played.ends.live >> seat & 1 == 1))
        if len(rows):
            out[rows, seat] = strengths(np.hstack([decks[rows, 2 * seat : 2 * seat + 2], decks[rows, 2 * seats :]]))
    return out
