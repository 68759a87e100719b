"""How many hands an edge needs to show, and what a match that was played could have shown.

All of it is for the two-sided test of a mean against 0, with `alpha` the chance of seeing an edge that is not there
and `power` the chance of seeing one that is.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist

from luckless.errors import InputError
from luckless.stats.estimate import Estimate

SMALLEST_EDGE = 1e-9
"""An edge below this share of the spread counts as 0: it would take 10^18 samples to see."""


def samples_needed(edge: float, sd: float, *, alpha: float = 0.05, power: float = 0.8) -> int:
    """Independent samples after which an edge of this size is seen with probability `power`.

    n = ((z_alpha + z_power) * sd / edge)^2 + z_alpha^2 / 2; the last term pays for the spread being estimated too
    (W. C. Guenther, The American Statistician 35, 1981). `edge` and `sd` are in the same unit.
    """
    if not (math.isfinite(edge) and edge != 0):
        raise InputError(f"the edge is {edge}: allowed is a finite number other than 0")
    if not (math.isfinite(sd) and sd >= 0):
        raise InputError(f"the standard deviation is {sd}; allowed is a finite number, 0 or more")
    if sd * SMALLEST_EDGE > abs(edge):
        raise InputError(f"an edge of {edge:g} is too small beside a spread of {sd:g}: no match is long enough")
    z_alpha, z_power = _quantiles(alpha, power)
    return max(2, math.ceil(((z_alpha + z_power) * sd / edge) ** 2 + z_alpha**2 / 2))


def hands_needed(
    edge: float, sd: float, *, hands_per_sample: int = 1, alpha: float = 0.05, power: float = 0.8
) -> int:
    """Hands after which an edge of this size is seen with probability `power`, by a test of level `alpha`.

    `edge` and `sd` are in the same unit; `sd` is the spread of a sample, which holds `hands_per_sample` hands.

    >>> hands_needed(100, 15_000)  # 100 mbb/h at a spread of 15 big blinds a hand
    176602
    """
    return samples_needed(edge, sd, alpha=alpha, power=power) * hands_per_sample


def detectable_edge(samples: int, sd: float, *, alpha: float = 0.05, power: float = 0.8) -> float | None:
    """The smallest edge that this many samples see with probability `power`; None if so few see none at all."""
    z_alpha, z_power = _quantiles(alpha, power)
    effective = samples - z_alpha**2 / 2
    return (z_alpha + z_power) * sd / math.sqrt(effective) if effective > 0 else None


@dataclass(frozen=True)
class Outlook:
    """What a finished match could have shown, and what it would take to show more.

    `detectable_edge` is in `unit`, None if the sample is too small for any; `more_hands` is the number of further
    hands after which the interval would leave 0 with probability `power` if the truth is what was measured: 0 if it
    has left it already, None if the measured edge is 0 or has no spread to judge by.
    """

    detectable_edge: float | None
    more_hands: int | None
    unit: str
    alpha: float
    power: float

    def __str__(self) -> str:
        if self.detectable_edge is None:
            return "The sample is too small to detect any edge."
        seen = (
            f"This sample detects an edge of {_rounded(self.detectable_edge)} {self.unit} "
            f"with {100 * self.power:g} % power at the {100 * self.alpha:g} % level"
        )
        if self.more_hands is None:
            return f"{seen}; no number of hands tells a measured edge of 0 from 0."
        if self.more_hands == 0:
            return f"{seen}; the interval already leaves 0 out."
        return f"{seen}; about {self.more_hands:,} more hands would separate the measured edge from 0."


def _rounded(edge: float) -> str:
    """Three digits, without an exponent for large numbers."""
    return f"{edge:,.0f}" if edge >= 100 else f"{edge:.3g}"


def outlook(result: Estimate, *, alpha: float = 0.05, power: float = 0.8) -> Outlook:
    """The look back and ahead after a match, from its estimate."""
    if result.sd is None or result.ci95 is None:
        return Outlook(None, None, result.unit, alpha, power)
    seen = detectable_edge(result.samples, result.sd, alpha=alpha, power=power)
    return Outlook(seen, _more_hands(result, alpha, power), result.unit, alpha, power)


def _more_hands(result: Estimate, alpha: float, power: float) -> int | None:
    if result.ci95 is None or result.sd is None or abs(result.mean) <= SMALLEST_EDGE * result.sd:
        return None
    low, high = result.ci95
    if low > 0 or high < 0:
        return 0
    missing = samples_needed(result.mean, result.sd, alpha=alpha, power=power) - result.samples
    return max(1, missing) * (result.hands // result.samples)


def _quantiles(alpha: float, power: float) -> tuple[float, float]:
    if not 0 < alpha < 1:
        raise InputError(f"alpha is {alpha}; allowed is between 0 and 1")
    if not alpha < power < 1:
        raise InputError(f"power is {power}; allowed is between alpha ({alpha:g}) and 1")
    normal = NormalDist()
    return normal.inv_cdf(1 - alpha / 2), normal.inv_cdf(power)
