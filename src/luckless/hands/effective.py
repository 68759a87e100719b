"""Effective hand rank (EHR): one number from the rank now (IHR) and the rank after all cards (7cHR).

Streets are numbered 0 (before the flop) to 3 (river). All comparisons are exact: ranks are fractions, or whole counts
in units in which both ranks and their mean are whole.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.kernels import njit

OPPONENTS = (1225, 1081, 1035, 990)
"""Opponent hands that share no card with the hand and the board, by street."""

COMPLETIONS = (2_118_760, 1081, 46, 1)
"""Ways to complete the board of a known hand, by street; each meets 990 opponent hands."""

EHR_UNITS = tuple(4 * 990 * completions for completions in COMPLETIONS)
"""The parts of 1 that `effective_count` counts in, by street."""

_FLOP = 1
# Half-counts of all completed boards that equal one half-count of now: 1,712,304, 990, 44 and 1.
_IHR_SCALE = np.array([990 * COMPLETIONS[number] // OPPONENTS[number] for number in range(4)], np.int64)

Row = tuple[Fraction, Fraction, Fraction, Fraction]


def exact_row(*numbers: str) -> Row:
    """Four decimals as the fractions that they are."""
    first, second, third, fourth = (Fraction(number) for number in numbers)
    return first, second, third, fourth


_EARLY_MAKES = exact_row("0.58", "0.825", "0.93", "0.965")
THESIS_MAKES = (_EARLY_MAKES, _EARLY_MAKES, _EARLY_MAKES, exact_row("0.64", "0.85", "0.94", "0.97"))
"""A hand above the k-th of these, Make1 to Make4, is worth k bets, by street: Kan, Postgame Analysis of Poker
Decisions (2007), table 3.2."""

THESIS_FOLD_OFFSETS = exact_row("0", "0.075", "0.1", "0")
"""What is added to the equilibrium fold rate bet / (pot + bet), by street (the same table)."""

THESIS_MAKE1: Row = (THESIS_MAKES[0][0], THESIS_MAKES[1][0], THESIS_MAKES[2][0], THESIS_MAKES[3][0])
"""A hand above its Make1 is worth a bet."""


@dataclass(frozen=True)
class EffectiveRank:
    """How EHR is made of IHR and 7cHR.

    `make1` holds a threshold for each street. A hand whose larger rank is above it gets that larger rank; any other
    gets the mean of the two on the flop and 7cHR on the other streets (Kan 2007, section 3.1.1). Without thresholds
    EHR is the larger rank everywhere.
    """

    make1: Row | None = THESIS_MAKE1

    def of(self, street: int, ihr: Fraction, hr7: Fraction) -> Fraction:
        """EHR of a hand with these ranks."""
        larger = max(ihr, hr7)
        if self.make1 is None or larger > self.make1[street]:
            return larger
        return (ihr + hr7) / 2 if street == _FLOP else hr7

    def bars(self) -> NDArray[np.int64]:
        """The thresholds for `effective_count`: the largest count of each street that is not above Make1."""
        if self.make1 is None:
            return np.full(4, -1, np.int64)
        return np.array([math.floor(bar * unit) for bar, unit in zip(self.make1, EHR_UNITS, strict=True)], np.int64)


EHR_SETTINGS = {"thesis": EffectiveRank(), "max": EffectiveRank(make1=None)}
"""The named settings: the thesis's own, and the larger rank everywhere."""


@njit(cache=True, nogil=True)
def effective_count(street: Any, ihr: Any, hr7: Any, bars: NDArray[np.int64]) -> Any:
    """EHR against all opponents, in parts of `EHR_UNITS[street]`, from half-counts (2 x beaten + tied).

    `ihr` counts opponents now, `hr7` opponents over all completions of the board; `bars` is `EffectiveRank.bars()`.
    """
    now = 2 * _IHR_SCALE[street] * np.int64(ihr)
    later = 2 * np.int64(hr7)
    larger = max(now, later)
    if larger > bars[street]:
        return larger
    return (now + later) // 2 if street == _FLOP else later
