"""Student's law for whole degrees of freedom: loading SciPy for it takes a fifth of a short command."""

import math
from statistics import NormalDist


def student_below(value: float, degrees: int) -> float:
    """The probability of a value below this one: finite sums (Abramowitz and Stegun 1964, 26.7.3 and 26.7.4)."""
    angle = math.atan(value / math.sqrt(degrees))
    squared = degrees / (degrees + value * value)  # of the angle's cosine
    sine, odd = math.sin(angle), degrees % 2
    term = total = math.sqrt(squared) if odd else 1.0
    for power in range(2 + odd, degrees - 1, 2):
        term *= squared * (power - 1) / power
        total += term
    if odd:
        return 0.5 + (angle + (sine * total if degrees > 1 else 0.0)) / math.pi
    return 0.5 + sine * total / 2


def student_quantile(probability: float, degrees: int) -> float:
    """The value below which a share of the law lies; from the normal one on, Newton's steps never go too far."""
    if probability < 0.5:
        return -student_quantile(1 - probability, degrees)
    value, step = NormalDist().inv_cdf(probability), math.inf
    while step > 1e-15 * value:  # the law is concave above 0, so each step ends below the quantile
        missing = probability - student_below(value, degrees)
        step = missing / _density(value, degrees)
        value += step
    return value


def _density(value: float, degrees: int) -> float:
    scale = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(math.pi * degrees)
    return scale * math.pow(1 + value * value / degrees, -(degrees + 1) / 2)
