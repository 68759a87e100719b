"""What happens in a hand of the plain engine, as records that never change."""

from dataclasses import dataclass
from typing import Literal

from luckless.rules.plain_settlement import Pot

Move = Literal["fold", "check", "call", "bet", "raise"]


@dataclass(frozen=True, slots=True)
class Posted:
    """A seat put in an ante or a blind, or what it had of it."""

    seat: int
    what: Literal["ante", "blind"]
    chips: int


@dataclass(frozen=True, slots=True)
class Dealt:
    """Cards were laid on the board."""

    street: int
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Acted:
    """A seat acted: the action as given, what it amounts to, and the chips that it moved."""

    seat: int
    street: int
    action: int
    what: Move
    chips: int
    all_in: bool


@dataclass(frozen=True, slots=True)
class Returned:
    """The uncalled part of a bet went back."""

    seat: int
    chips: int


@dataclass(frozen=True, slots=True)
class Won:
    """A pot was paid: its contenders, what the house took, and the share of each winner."""

    pot: Pot
    rake: int
    shares: tuple[tuple[int, int], ...]


Event = Posted | Dealt | Acted | Returned | Won
