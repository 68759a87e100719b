"""How long bots may think: for a decision, for a hand, for the whole match; and the watch that counts it."""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError

SHORTEST_SECONDS, LONGEST_SECONDS = 0.001, 1_000_000.0
"""Bounds of a clock; those of the timers of all systems are wider. The longest are eleven days."""

MATCH_SECONDS, SECONDS_A_HAND = 3_600.0, 5.0
"""What a bot may think in a match by default: so long, and so much more for each hand."""


def default_match_seconds(hands: int) -> float:
    """How long a bot may think in a match of so many hands, if nobody says otherwise."""
    return min(MATCH_SECONDS + SECONDS_A_HAND * hands, LONGEST_SECONDS)


@dataclass(frozen=True)
class Clocks:
    """Seconds that a bot may take; 0 is without end. Only its own thinking counts, not that of others."""

    decision: float = 10.0
    hand: float = 0.0
    match: float = 0.0

    def __post_init__(self) -> None:
        clocks = {"a decision": self.decision, "a hand": self.hand, "the match": self.match}
        for what, seconds in clocks.items():
            if seconds != 0 and not SHORTEST_SECONDS <= seconds <= LONGEST_SECONDS:
                raise InputError(
                    f"the clock of {what} is {seconds:g} s; allowed is 0 (no limit) or {SHORTEST_SECONDS:g} to "
                    f"{LONGEST_SECONDS:,.0f} s"
                )


class Stopwatch:
    """The time that one bot has used in the match and in each of the hands under way."""

    def __init__(self, clocks: Clocks) -> None:
        self.clocks = clocks
        self._match = 0.0
        self._hands: defaultdict[int, float] = defaultdict(float)

    def new_hands(self) -> None:
        """Other hands begin; hand numbers may be used anew."""
        self._hands.clear()

    def charge_match(self, seconds: float) -> None:
        """Counts thinking that belongs to no decision."""
        self._match += seconds

    def charge(self, hand: int, seconds: float) -> None:
        """Counts thinking about a decision of a hand."""
        self._match += seconds
        if self.clocks.hand:
            self._hands[hand] += seconds

    @property
    def match_over(self) -> bool:
        """Whether the time for the whole match is used up."""
        return bool(self.clocks.match) and self._match >= self.clocks.match

    def run_out(self, hand: int) -> str:
        """Which clock has run out before the next decision of a hand, in words, or nothing."""
        if self.match_over:
            return f"the {self.clocks.match:,.12g} s for the match are used up"
        if self.clocks.hand and self._hands[hand] >= self.clocks.hand:
            return f"the {self.clocks.hand:g} s for the hand are used up"
        return ""

    def allowance(self, hand: int) -> float:
        """Seconds until the first of the clocks runs out during the next decision of a hand; may be infinite."""
        left = self.clocks.decision or math.inf
        if self.clocks.hand:
            left = min(left, self.clocks.hand - self._hands[hand])
        if self.clocks.match:
            left = min(left, self.clocks.match - self._match)
        return left


class HandNumbers(Sequence[int]):
    """Whole numbers that are rarely looked at: Python's own are made of an array's only where they are."""

    def __init__(self, numbers: NDArray[np.int64]) -> None:
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, which: int) -> int: ...

    @overload
    def __getitem__(self, which: slice) -> list[int]: ...

    def __getitem__(self, which: int | slice) -> int | list[int]:
        found: int | list[int] = self._numbers[which].tolist()
        return found


class Timing(NamedTuple):
    """The watch of the bot that is asked, and the hand of each decision, by any number that tells hands apart."""

    watch: Stopwatch
    hands: Sequence[int]
