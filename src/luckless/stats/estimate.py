"""The one estimate type: what a list of independent results says about the true mean, and how sure that is.

The sample is whatever was drawn independently: a hand with fresh decks, a whole set with duplicate decks.
"""

import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from luckless.counted import counted
from luckless.errors import InputError
from luckless.stats.moments import Moments, checked, integer_sums, merge, moments_of
from luckless.stats.student import student_quantile
from luckless.stats.units import unit_factor

STUDENT_BELOW = 100
"""Below this many samples the interval is Student's; from here on the two differ by less than 1.3 % of the width."""

SAMPLES_PER_EXCESS_KURTOSIS = 25
"""W. G. Cochran's rule (Sampling Techniques, 3rd ed. 1977, section 2.15): a normal 95 % interval errs at most 6 % of
the time from 25 * skewness^2 samples on. Skewness^2 never exceeds kurtosis - 1, and kurtosis also sees what skewness
does not, big wins and big losses that balance; so the rule is asked of the excess kurtosis."""

BLOCK = 16_384
"""Values are taken in blocks of this size, which stay in the cache: ten million take about 0.05 s."""


@dataclass(frozen=True)
class Estimate:
    """A mean with its uncertainty. `dataclasses.asdict` gives plain numbers, lists and None, ready for JSON.

    `sd` is the spread of one sample, `stderr` that of the mean, `ci95` the 95 % interval of the true mean; all three
    are None when a single sample leaves them undefined. `hands` is the number of hands behind the samples.
    """

    mean: float
    stderr: float | None
    ci95: tuple[float, float] | None
    samples: int
    sd: float | None
    unit: str
    method: str
    hands: int
    warnings: tuple[str, ...] = ()

    def scaled(self, factor: float, unit: str) -> "Estimate":
        """The same estimate with every figure multiplied; a negative factor is the view of the other side."""
        size = abs(factor)
        low, high = sorted(factor * end + 0.0 for end in self.ci95) if self.ci95 else (0.0, 0.0)
        return replace(
            self,
            mean=factor * self.mean + 0.0,  # + 0.0 turns -0.0 into 0.0
            stderr=None if self.stderr is None else size * self.stderr,
            sd=None if self.sd is None else size * self.sd,
            ci95=(low, high) if self.ci95 else None,
            unit=unit,
        )

    def in_unit(self, unit: str, *, big_blind: float | None = None, small_bet: float | None = None) -> "Estimate":
        """The same estimate in another unit of `luckless.stats.units`; blinds and bets are in chips."""
        return self.scaled(unit_factor(self.unit, unit, big_blind=big_blind, small_bet=small_bet), unit)

    def __str__(self) -> str:
        interval = f"95 % interval {self.ci95[0]:+,.2f} to {self.ci95[1]:+,.2f}" if self.ci95 else "no interval"
        return f"{self.mean:+,.2f} {self.unit}, {interval} ({counted(self.hands, 'hand')})"


def estimate(values: ArrayLike, *, unit: str, method: str, hands_per_sample: int = 1, scale: float = 1.0) -> Estimate:
    """What the results of independent samples say about the true mean.

    `values` holds one result for each sample; each is multiplied by `scale` to be in `unit`. For duplicate sets give
    the set's total in chips, `hands_per_sample` the hands of a set, and
    `scale=unit_factor("chips/h", unit, big_blind=...) / hands_per_sample`: integers are then summed exactly.

    >>> print(estimate([2, -1, 3, 0], unit="bb/h", method="money"))
    +1.00 bb/h, 95 % interval -1.91 to +3.91 (4 hands)
    """
    accumulator = Accumulator()
    accumulator.update(values)
    return accumulator.estimate(unit=unit, method=method, hands_per_sample=hands_per_sample, scale=scale)


class Accumulator:
    """Takes results in pieces, keeps a few numbers, and can say the estimate at any time.

    Integers (chips) are summed exactly, so mean and spread do not depend on the pieces at all; floats agree to about
    1e-12 of the spread. One accumulator belongs to one thread; `merge` joins them.
    """

    def __init__(self) -> None:
        self._moments = Moments()
        self._sums: tuple[int, int] | None = (0, 0)  # exact sum and sum of squares; None once a float was seen

    @property
    def samples(self) -> int:
        """The number of results taken so far."""
        return self._moments.samples

    def update(self, values: ArrayLike) -> None:
        """Adds results. A value that is not a finite number is refused by its index, and nothing is added."""
        array = checked(values, self.samples)
        for start in range(0, len(array), BLOCK):
            block = array[start : start + BLOCK]
            self._add(moments_of(block.astype(np.float64)), integer_sums(block))

    def merge(self, other: "Accumulator") -> None:
        """Adds everything that another accumulator has taken."""
        self._add(other._moments, other._sums)

    def _add(self, moments: Moments, sums: tuple[int, int] | None) -> None:
        self._moments = merge(self._moments, moments)
        if self._sums is None or sums is None:
            self._sums = None
        else:
            self._sums = (self._sums[0] + sums[0], self._sums[1] + sums[1])

    def estimate(self, *, unit: str, method: str, hands_per_sample: int = 1, scale: float = 1.0) -> Estimate:
        """The estimate of everything taken so far; the parameters are those of `estimate`."""
        n = self.samples
        if n == 0:
            raise InputError("there are no results to estimate from: at least one sample is needed")
        if hands_per_sample < 1:
            raise InputError(f"hands_per_sample is {hands_per_sample}; allowed is 1 or more")
        mean, sum_of_squares = self._mean_and_m2()
        sd = math.sqrt(sum_of_squares / (n - 1)) if n > 1 else None
        stderr = None if sd is None else sd / math.sqrt(n)
        raw = Estimate(
            mean=mean,
            stderr=stderr,
            ci95=None if stderr is None else interval95(mean, stderr, n),
            samples=n,
            sd=sd,
            unit=unit,
            method=method,
            hands=n * hands_per_sample,
            warnings=tuple(warning for rule in _WARNINGS if (warning := rule(self._moments))),
        )
        return raw.scaled(scale, unit)

    def to_dict(self) -> dict[str, Any]:
        """All that it keeps, as plain values: `from_dict` goes on exactly where this one stands."""
        return {"moments": list(self._moments), "sums": None if self._sums is None else list(self._sums)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Accumulator":
        """The accumulator that `to_dict` described."""
        accumulator = cls()
        accumulator._moments = Moments(*values["moments"])
        accumulator._sums = None if values["sums"] is None else (values["sums"][0], values["sums"][1])
        return accumulator

    def _mean_and_m2(self) -> tuple[float, float]:
        if self._sums is None:
            return self._moments.mean, self._moments.m2
        total, squares = self._sums
        n = self.samples
        return total / n, (n * squares - total * total) / n


def interval95(mean: float, stderr: float, samples: int) -> tuple[float, float]:
    """The 95 % interval of a mean: normal from 100 samples on, Student's below."""
    width = quantile(0.975, degrees_of(samples)) * stderr
    return mean - width, mean + width


def best_of(rate: Estimate, players: int) -> float | None:
    """A lower bound of the true mean of a player who was picked because it came out best of so many.

    Each player's bound errs with probability 5 % / players, so any errs with at most 5 % (Bonferroni), and so does
    the one that is picked, however their results hang together. For two players whose results are opposite it is the
    lower end of the 95 % interval.
    """
    if rate.stderr is None:
        return None
    return rate.mean - quantile(1 - 0.05 / players, degrees_of(rate.samples)) * rate.stderr


def degrees_of(samples: int) -> float | None:
    """The degrees of freedom of Student's law for a mean of so many samples; None where the normal law serves."""
    return None if samples >= STUDENT_BELOW else samples - 1.0


@functools.lru_cache(maxsize=1024)
def quantile(probability: float, degrees: float | None) -> float:
    """The quantile of Student's law with these degrees of freedom, or of the normal law when they are None."""
    if degrees is None:
        return NormalDist().inv_cdf(probability)
    if degrees == int(degrees):
        return student_quantile(probability, int(degrees))
    from scipy.special import stdtrit

    return float(stdtrit(degrees, probability))


def _too_few(moments: Moments) -> str:
    n = moments.samples
    if n == 1:
        return "one sample alone has no spread: no standard error and no interval can be given"
    if n < STUDENT_BELOW:
        return (
            f"only {counted(n, 'sample')}, fewer than {STUDENT_BELOW}: the interval is Student's, "
            "which holds for bell-shaped results; rare big results may not have shown up yet"
        )
    return ""


def _no_spread(moments: Moments) -> str:
    if moments.samples > 1 and moments.m2 == 0:
        return (
            f"all {moments.samples:,} samples are equal: the interval has no width and tells nothing of other results"
        )
    return ""


def _carried_by_few(moments: Moments) -> str:
    n, m2, m4 = moments.samples, moments.m2, moments.m4
    if n < STUDENT_BELOW or m2 * m2 == 0:
        return ""
    kurtosis = n * m4 / (m2 * m2)
    needed = SAMPLES_PER_EXCESS_KURTOSIS * (kurtosis - 3)
    if n >= needed:
        return ""
    return (
        f"a few samples carry the result: the spread rests on about {max(n / kurtosis, 1):,.0f} of {n:,}; "
        f"the interval can be trusted from about {needed:,.0f} samples on"
    )


_WARNINGS: tuple[Callable[[Moments], str], ...] = (_too_few, _no_spread, _carried_by_few)
