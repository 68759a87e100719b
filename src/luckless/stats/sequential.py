"""A sequential test: stop a match as soon as it is decided whether A beats B by enough, at stated error rates.

It is a generalised probability ratio test, as chess engines are tested, in a form that holds for every shape of
results. Two likelihood ratios grow with the sets played. If the true edge is x0, the law whose density relative to
the true one is 1 + bet * (value - x0) has the edge x1 when bet = (x1 - x0) / variance; likewise downwards from x1.
The variance is that of the sets *before* the one being judged. So each ratio is a fair game under its own hypothesis,
whatever the law of the results, and rarely grows large by luck (Ville's inequality). A ratio of normal densities with
the variance of all sets so far is no fair game, and errs far more often than stated when rare big pots go one way:
docs/statistics.md has the figures.

A. Wald, Sequential tests of statistical hypotheses, Annals of Mathematical Statistics 16, 1945.
M. Van den Bergh, The generalized sequential probability ratio test for multinomial distributions (used by fishtest).
I. Waudby-Smith and A. Ramdas, Estimating means of bounded random variables by betting, JRSS B 86, 2024.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError
from luckless.stats.moments import LARGEST
from luckless.stats.stopping import Decision, StoppingTest, running

LARGEST_STAKE = 0.5
"""No single set may take more than this share of a likelihood ratio, whatever it shows."""


@dataclass(frozen=True)
class _State:
    """What the test carries from one set to the next. Deviations are from the middle of the two hypotheses."""

    sets: int = 0
    deviations: float = 0.0
    squares: float = 0.0
    llr_at_least: float = 0.0
    llr_at_most: float = 0.0


class SequentialTest(StoppingTest):
    """Decides between "A beats B by at most `at_most`" and "A beats B by at least `at_least`".

    Values are results of independent sets, per hand; `at_most`, `at_least` and `largest` are in their unit. `largest`
    is the most that a set can win or lose per hand: the stack in heads-up no-limit, the stack for every opponent at a
    larger table. The test must know it, because nothing that was seen bounds what was not.
    If the true edge is at most `at_most`, the test says "at least" with probability `alpha`, never above
    alpha / (1 - beta); if it is at least `at_least`, it says "at most" with probability `beta`, never above
    beta / (1 - alpha).

    >>> test = SequentialTest(at_most=0, at_least=100, largest=200_000)
    >>> test.update([1500, -1000, 500])
    <Decision.UNDECIDED: 'undecided'>
    """

    kind = "exact"
    told = ("at_most", "at_least", "largest", "alpha", "beta")
    begun = _State()
    _state: _State

    def __init__(
        self, *, at_most: float, at_least: float, largest: float, alpha: float = 0.05, beta: float = 0.05
    ) -> None:
        super().__init__(at_most, at_least, alpha, beta)
        if not max(abs(at_most), abs(at_least)) < largest <= LARGEST:
            raise InputError(f"the largest result is {largest}; allowed is a finite number above both edges")
        self.largest = float(largest)
        self.bound_at_least = math.log((1 - beta) / alpha)
        self.bound_at_most = math.log((1 - alpha) / beta)

    def chance_of_at_least(self, edge: float) -> float:
        """About how likely the test ends with "at least" if this is the true edge.

        Wald's approximation: the log likelihood ratio is taken for a Brownian motion.
        """
        tilt = self._tilt(edge)
        if abs(tilt) < 1e-6:
            return self.bound_at_most / (self.bound_at_least + self.bound_at_most)
        down = math.exp(-tilt * self.bound_at_most)
        return (down - 1) / (down - math.exp(tilt * self.bound_at_least))

    def expected_sets(self, edge: float, sd: float) -> float:
        """About how many sets the test takes if this is the true edge and a set has this standard deviation.

        Wald's approximation again. The test takes longer when the largest result is many times the spread and the two
        hypotheses are far apart, for then it waits until it knows the spread.
        """
        if not (math.isfinite(sd) and sd > 0):
            raise InputError(f"the standard deviation is {sd}; allowed is a finite number above 0")
        steps = (sd / (self.at_least - self.at_most)) ** 2  # sets for a variance of 1 of the log likelihood ratio
        tilt = self._tilt(edge)
        if abs(tilt) < 1e-6:
            return self.bound_at_least * self.bound_at_most * steps
        more = self.chance_of_at_least(edge)
        return (more * self.bound_at_least - (1 - more) * self.bound_at_most) * steps / (-tilt / 2)

    def _tilt(self, edge: float) -> float:
        """1 at `at_most`, 0 in the middle, -1 at `at_least`; Wald's h. Beyond 100 the decision is certain anyway."""
        tilt = 1 - 2 * (edge - self.at_most) / (self.at_least - self.at_most)
        return min(max(tilt, -100.0), 100.0)

    def _refuse_impossible(self, values: NDArray[np.float64]) -> None:
        beyond = np.abs(values) > self.largest
        if beyond.any():
            index = int(np.argmax(beyond))
            raise InputError(
                f"result {self.sets + index} (counted from 0) is {values[index]:g}; "
                f"the largest possible result was given as {self.largest:g}"
            )

    def _judge(self, values: NDArray[np.float64]) -> None:
        self._refuse_impossible(values)
        state = self._state
        counts = state.sets + np.arange(len(values) + 1)
        deviations = values - (self.at_most + self.at_least) / 2
        sums = running(state.deviations, deviations)
        squares = running(state.squares, deviations * deviations)
        bets = self._bets(counts[:-1], sums[:-1], squares[:-1])
        llr_at_least = running(state.llr_at_least, np.log1p(bets * (values - self.at_most)))
        llr_at_most = running(state.llr_at_most, np.log1p(bets * (self.at_least - values)))
        crossed = (llr_at_least[1:] >= self.bound_at_least) | (llr_at_most[1:] >= self.bound_at_most)
        end = int(np.argmax(crossed)) + 1 if crossed.any() else len(values)
        self._state = _State(
            int(counts[end]),
            float(sums[end]),
            float(squares[end]),
            float(llr_at_least[end]),
            float(llr_at_most[end]),
        )
        if crossed.any():
            # Both can end at one set only if the results all but equal the middle; then no edge is claimed.
            more = self.llr_at_least >= self.bound_at_least and self.llr_at_most < self.bound_at_most
            self.decision = Decision.AT_LEAST if more else Decision.AT_MOST

    def _bets(
        self, counts: NDArray[np.int64], sums: NDArray[np.float64], squares: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """(x1 - x0) / variance of the earlier sets, counting one imagined set of the largest size before them all."""
        spread = squares - sums * sums / np.maximum(counts, 1)
        variance = (self.largest**2 + np.maximum(spread, 0.0)) / (counts + 1)
        farthest = self.largest + max(abs(self.at_most), abs(self.at_least))
        return np.minimum((self.at_least - self.at_most) / variance, LARGEST_STAKE / farthest)
