"""The engines that the rules tests drive, behind one small face. An engine added to `ENGINES` is held to them all."""

from collections.abc import Callable, Sequence
from typing import Protocol

from luckless.rules.actions import Legal
from luckless.rules.game import Game
from luckless.rules.plain import PlainHand
from table_hand import TableHand


class Hand(Protocol):
    """One hand in play. `street` and `legal` are asked for only while a seat is to act."""

    @property
    def actor(self) -> int | None: ...
    @property
    def street(self) -> int: ...
    @property
    def board(self) -> tuple[int, ...]: ...
    @property
    def finished(self) -> bool: ...
    @property
    def payoffs(self) -> tuple[int, ...]: ...
    @property
    def stacks(self) -> tuple[int, ...]: ...
    @property
    def bets(self) -> tuple[int, ...]: ...
    @property
    def pot(self) -> int: ...
    def legal(self) -> Legal: ...
    def can(self, action: int) -> bool: ...
    def verify(self, action: int) -> None: ...
    def do(self, action: int) -> object: ...


Engine = Callable[[Game, Sequence[int], Sequence[int] | None], Hand]
"""Starts a hand: the game, the deck (two cards a seat from seat 0 on, then the board), other stacks or None."""

ENGINES: dict[str, Engine] = {"plain": PlainHand, "table": TableHand}
