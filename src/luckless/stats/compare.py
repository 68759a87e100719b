"""Is one bot better than another? z-tests on estimates: against a value, unpaired, and paired on common decks."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from luckless.errors import InputError
from luckless.stats.estimate import STUDENT_BELOW, Estimate, degrees_of, estimate, quantile
from luckless.stats.moments import checked


@dataclass(frozen=True)
class Comparison:
    """A difference with its test. Figures that the samples leave undefined are None.

    `p_value` is two-sided: how often a difference this large would show up by luck if there were none.
    `superiority` is one-sided: the confidence that the true difference is above 0.
    `degrees` are those of Student's law, used when a sample is below 100; None means the normal law.
    """

    difference: float
    stderr: float | None
    ci95: tuple[float, float] | None
    z: float | None
    p_value: float | None
    superiority: float | None
    degrees: float | None
    unit: str
    method: str
    warnings: tuple[str, ...] = ()


def compare_with_value(result: Estimate, value: float = 0.0) -> Comparison:
    """Tests one estimate against a fixed value.

    This is the test of A against B in a match between the two: there B's result is minus A's, so that the question is
    whether A's win rate differs from 0. (Comparing the two sides as if independent would count every hand twice.)
    """
    degrees = degrees_of(result.samples)
    method = f"{result.method}, against {value:g} {result.unit}"
    return _comparison(result.mean - value, result.stderr, degrees, result.unit, method, result.warnings)


def compare_independent(a: Estimate, b: Estimate) -> Comparison:
    """Tests A minus B for two bots measured on different decks, say each against the same third bot.

    z = (mean_a - mean_b) / sqrt(sd_a^2 / n_a + sd_b^2 / n_b); if a sample is below 100, the law is Student's with the
    degrees of freedom of B. L. Welch (Biometrika 34, 1947).
    """
    if a.unit != b.unit:
        raise InputError(f"the estimates have different units, {a.unit} and {b.unit}: convert one with in_unit")
    stderr = degrees = None
    if a.stderr is not None and b.stderr is not None:
        stderr = math.hypot(a.stderr, b.stderr)
        if min(a.samples, b.samples) < STUDENT_BELOW and stderr > 0:
            share_a, share_b = (a.stderr / stderr) ** 2, (b.stderr / stderr) ** 2
            degrees = 1 / (share_a**2 / (a.samples - 1) + share_b**2 / (b.samples - 1))
    warnings = tuple(dict.fromkeys(a.warnings + b.warnings))
    return _comparison(a.mean - b.mean, stderr, degrees, a.unit, f"unpaired, {a.method} v {b.method}", warnings)


def compare_paired(values_a: ArrayLike, values_b: ArrayLike, *, unit: str, method: str) -> Comparison:
    """Tests A minus B for two bots measured on common decks: value i of both comes from the same cards.

    The luck that both had in common drops out of the differences, so the test needs far fewer hands.
    """
    a, b = checked(values_a).astype(np.float64), checked(values_b).astype(np.float64)
    if len(a) != len(b):
        raise InputError(f"paired results must be equal in number: A has {len(a)}, B has {len(b)}")
    differences = estimate(a - b, unit=unit, method=method)
    method = f"paired on common decks, {method}"
    return _comparison(differences.mean, differences.stderr, degrees_of(len(a)), unit, method, differences.warnings)


def _comparison(
    difference: float,
    stderr: float | None,
    degrees: float | None,
    unit: str,
    method: str,
    warnings: tuple[str, ...],
) -> Comparison:
    if not stderr:  # one sample alone, or no spread at all: no test can be made
        ci95 = None if stderr is None else (difference, difference)
        return Comparison(difference, stderr, ci95, None, None, None, None, unit, method, warnings)
    z = difference / stderr
    width = quantile(0.975, degrees) * stderr
    return Comparison(
        difference=difference,
        stderr=stderr,
        ci95=(difference - width, difference + width),
        z=z,
        p_value=2 * _below(-abs(z), degrees),
        superiority=_below(z, degrees),
        degrees=degrees,
        unit=unit,
        method=method,
        warnings=warnings,
    )


def _below(z: float, degrees: float | None) -> float:
    """The probability of a value below z."""
    if degrees is None:
        return 0.5 * math.erfc(-z / math.sqrt(2))
    from scipy.special import stdtr

    return float(stdtr(degrees, z))
