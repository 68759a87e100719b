"""A hand in words while it is played: only what everybody at the table sees, and nothing twice."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from luckless.histories.hand_frames import amount_text
from luckless.rules.actions import CALL, FOLD
from luckless.rules.game import STREETS, Game
from luckless.rules.views import PastAction
from luckless.visible import visible_line


class Told(NamedTuple):
    """One thing that happened: an action of a seat, or (`seat` is None) a street whose cards are dealt."""

    street: int
    seat: int | None
    text: str


class Story:
    """Keeps the bets of a hand, so that actions can be put into words."""

    def __init__(self, game: Game, names: Sequence[str]) -> None:
        self._names = [visible_line(name) for name in names]
        self._street = game.first_street
        behind = [stack - min(ante, stack) for ante, stack in zip(game.antes, game.stacks, strict=True)]
        self._bets = [min(blind, stack) for blind, stack in zip(game.blinds, behind, strict=True)]
        self._stacks = [stack - bet for stack, bet in zip(behind, self._bets, strict=True)]
        self._followed = 0

    def follow(self, history: Sequence[PastAction], street: int) -> Iterator[Told]:
        """What happened since the last call; `street` is the one that is played now."""
        for past in history[self._followed :]:
            yield from self._open_streets(past.street)
            yield Told(past.street, past.seat, f"{self._names[past.seat]} {self._act(past)}")
        self._followed = len(history)
        yield from self._open_streets(street)

    def _open_streets(self, street: int) -> Iterator[Told]:
        while self._street < street:
            self._street += 1
            self._bets = [0] * len(self._bets)
            yield Told(self._street, None, STREETS[self._street])

    def _act(self, past: PastAction) -> str:
        """Makes an action, and says what it was."""
        level, before = max(self._bets), self._bets[past.seat]
        if past.action == FOLD:
            return "folds"
        paid = min((past.action or level) - before, self._stacks[past.seat])
        self._bets[past.seat] += paid
        self._stacks[past.seat] -= paid
        if past.action == CALL:
            return f"calls {amount_text(paid)}" if level > before else "checks"
        return f"{'raises to' if level else 'bets'} {amount_text(past.action)}"
