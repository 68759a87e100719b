"""An asymptotic test that may be looked at after every set, for values that have no largest one.

Money is bounded by the stacks. Values with luck taken out are not, so the exact test of `sequential` cannot judge
them. Here two mixtures of likelihood ratios take its place. If values were normal with the standard deviation s,
exp(bet * sum(value - x0) / s - bet^2 * sets / 2) would be a fair game when the true edge is x0, and so would be its
mixture over bets from one half of a normal law (Robbins). With the measured spread for s that holds in the limit
only: error rates are as stated for tests that begin late enough. "Late enough" is `FIRST_LOOK` sets, and then as many
as Cochran's rule asks for. docs/statistics.md has the error rates that were measured.

H. Robbins, Statistical methods related to the law of the iterated logarithm, Annals of Mathematical Statistics 41,
1970.
I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy and A. Ramdas, Time-uniform central limit theory and asymptotic
confidence sequences, Annals of Statistics 52, 2024 (arXiv 2103.06476).
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from luckless.stats.estimate import SAMPLES_PER_EXCESS_KURTOSIS
from luckless.stats.stopping import Decision, StoppingTest, running

FIRST_LOOK = 1_000
"""Before so many sets nothing is decided, and no interval is given."""

TUNED_FOR = 10_000
"""The number of sets at which intervals are as narrow as they can be; a tenth and ten times as many lose little."""


@dataclass(frozen=True)
class _State:
    """What the test carries from one set to the next. Deviations are from the first value, whatever the edges are."""

    sets: int = 0
    first: float = 0.0
    deviations: float = 0.0
    squares: float = 0.0
    cubes: float = 0.0
    fourths: float = 0.0
    llr_at_least: float = 0.0
    llr_at_most: float = 0.0


class AsymptoticTest(StoppingTest):
    """Decides between "A beats B by at most `at_most`" and "A beats B by at least `at_least`".

    It is asked as `SequentialTest` is, but for a largest result: values are results of independent sets of any size,
    per hand. In the limit of many sets, the test says "at least" with probability `alpha` at most if the true edge is
    at most `at_most`, and "at most" with probability `beta` at most if it is at least `at_least`. It decides nothing
    before set 1,000, nothing while a few sets carry the result (fewer sets than 25 times the excess kurtosis), and
    nothing while all results are equal.

    >>> test = AsymptoticTest(at_most=0, at_least=100)
    >>> test.update([1500, -1000, 500])
    <Decision.UNDECIDED: 'undecided'>
    """

    kind = "asymptotic"
    told = ("kind", "at_most", "at_least", "alpha", "beta")
    begun = _State()
    _state: _State

    def __init__(self, *, at_most: float, at_least: float, alpha: float = 0.05, beta: float = 0.05) -> None:
        super().__init__(at_most, at_least, alpha, beta)
        self.bound_at_least, self.bound_at_most = -math.log(alpha), -math.log(beta)

    @property
    def interval95(self) -> tuple[float, float] | None:
        """The asymptotic 95 % confidence sequence where it stands: all its intervals hold the true edge at once.

        That is so in 95 % of matches in the limit, whenever one looks and stops. None as long as the test would not
        decide either.
        """
        state = self._state
        sums = np.array([[state.deviations], [state.squares], [state.cubes], [state.fourths]])
        spread, may_look = _spread_and_trust(np.array([state.sets]), sums)
        if not may_look[0]:
            return None
        mean = state.first + state.deviations / state.sets
        width = float(sequence_width(state.sets, spread[0]))
        return mean - width, mean + width

    def _judge(self, values: NDArray[np.float64]) -> None:
        state = self._state
        first = state.first if state.sets else float(values[0])
        counts = state.sets + np.arange(1, len(values) + 1)
        deviations = values - first
        before = (state.deviations, state.squares, state.cubes, state.fourths)
        sums = np.array([running(start, deviations**power)[1:] for power, start in enumerate(before, 1)])
        spread, may_look = _spread_and_trust(counts, sums)
        at_least = _mixture(counts, (sums[0] + counts * (first - self.at_most)) / spread, self.alpha)
        at_most = _mixture(counts, (counts * (self.at_least - first) - sums[0]) / spread, self.beta)
        more, less = may_look & (at_least >= self.bound_at_least), may_look & (at_most >= self.bound_at_most)
        crossed = more | less
        end = int(np.argmax(crossed)) if crossed.any() else len(values) - 1
        told = (float(row[end]) for row in (*sums, at_least, at_most))
        self._state = _State(int(counts[end]), first, *told)
        if crossed.any():
            # Both at one set: the edge is between the two, and no edge is claimed.
            self.decision = Decision.AT_LEAST if more[end] and not less[end] else Decision.AT_MOST


def sequence_width(sets: ArrayLike, sd: ArrayLike, error: float = 0.05) -> NDArray[np.float64]:
    """Half the width of the asymptotic confidence sequence after so many sets of this standard deviation."""
    counts = np.asarray(sets, np.float64)
    scale = counts * _bet_variance(error)
    squared = (1 + 1 / scale) * (np.log1p(scale) - 2 * math.log(error)) / counts
    return np.asarray(sd * np.sqrt(squared))


def _bet_variance(error: float) -> float:
    """The variance of the mixed bets that makes the two-sided interval narrowest at `TUNED_FOR` sets, nearly."""
    logs = -2 * math.log(error)
    return (logs + math.log1p(logs)) / TUNED_FOR


def _mixture(counts: NDArray[np.int64], sums: NDArray[np.float64], error: float) -> NDArray[np.float64]:
    """The log of the likelihood ratio, mixed over half normal bets; `sums` count in standard deviations."""
    from scipy.special import log_ndtr

    variance = _bet_variance(2 * error)
    reached = sums * np.sqrt(variance / (1 + counts * variance))
    mixed: NDArray[np.float64] = (
        math.log(2) - np.log1p(counts * variance) / 2 + reached * reached / 2 + log_ndtr(reached)
    )
    return mixed


def _spread_and_trust(
    counts: NDArray[np.int64], sums: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The standard deviation after each number of sets, and whether the sets can carry a decision by now."""
    sets = np.maximum(counts, 1)
    mean, squares, cubes, fourths = sums / sets
    variance = squares - mean * mean
    # What rounding leaves of results that are all equal is no spread.
    spreads = variance > 1e-12 * squares
    m4 = fourths - 4 * mean * cubes + 6 * mean**2 * squares - 3 * mean**4
    trusted = counts * variance**2 >= SAMPLES_PER_EXCESS_KURTOSIS * (m4 - 3 * variance**2)
    spread = np.sqrt(np.where(spreads, variance * sets / np.maximum(sets - 1, 1), 1.0))
    return spread, spreads & trusted & (counts >= FIRST_LOOK)
