"""Number, mean and sums of powers of the deviations: computed for a block of values, and merged without loss.

Merging follows P. Pébay, "Formulas for robust, one-pass parallel computation of covariances and arbitrary-order
statistical moments", Sandia report SAND2008-6212, 2008.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from luckless.errors import InputError

LARGEST = 1e60
"""Values beyond this are refused: their fourth powers would not fit a float."""


class Moments(NamedTuple):
    """`m2`, `m3`, `m4` are sums over the values of (value - mean) to that power."""

    samples: int = 0
    mean: float = 0.0
    m2: float = 0.0
    m3: float = 0.0
    m4: float = 0.0


def checked(values: ArrayLike, first_index: int = 0) -> NDArray[np.generic]:
    """The values as a one-dimensional array of finite numbers, or an error that names the first wrong one."""
    array = np.atleast_1d(np.asarray(values))
    if array.ndim != 1:
        raise InputError(f"results must be one list of numbers, not an array of shape {array.shape}")
    if array.dtype.kind not in "iuf":
        if array.size == 0:
            return np.empty(0)
        raise InputError(f"results must be numbers, not {array.dtype}")
    # The two ends tell without a copy; they are NaN if any value is.
    if array.size and not (array.min() >= -LARGEST and array.max() <= LARGEST):
        index = int(np.argmin(np.abs(array) <= LARGEST))
        raise InputError(
            f"result {first_index + index} (counted from 0) is {array[index]}: results must be finite numbers"
        )
    return array


def moments_of(values: NDArray[np.float64]) -> Moments:
    """The moments of one block, by two passes around its own mean."""
    if len(values) == 0:
        return Moments()
    # Counting from the first value makes a block of equal values have exactly no spread.
    deviations = values - values[0]
    offset = float(deviations.mean())
    deviations -= offset
    squares = deviations * deviations
    # What rounding has left of the mean is taken out of the squares again.
    m2 = float(squares.sum()) - float(deviations.sum()) ** 2 / len(values)
    # Not np.dot: for blocks this small its threads cost more than they give.
    m3 = float((squares * deviations).sum())
    m4 = float((squares * squares).sum())
    return Moments(len(values), float(values[0]) + offset, max(m2, 0.0), m3, m4)


def merge(a: Moments, b: Moments) -> Moments:
    """The moments of two sets of values taken together."""
    if a.samples == 0 or b.samples == 0:
        return b if a.samples == 0 else a
    n = a.samples + b.samples
    share_a, share_b = a.samples / n, b.samples / n
    gap = b.mean - a.mean
    m2 = a.m2 + b.m2 + gap**2 * share_a * b.samples
    m3 = (
        a.m3
        + b.m3
        + gap**3 * share_a * share_b * (a.samples - b.samples)
        + 3 * gap * (share_a * b.m2 - share_b * a.m2)
    )
    m4 = (
        a.m4
        + b.m4
        + gap**4 * share_a * b.samples * (share_a**2 - share_a * share_b + share_b**2)
        + 6 * gap**2 * (share_a**2 * b.m2 + share_b**2 * a.m2)
        + 4 * gap * (share_a * b.m3 - share_b * a.m3)
    )
    return Moments(n, a.mean + gap * share_b, m2, m3, m4)


def integer_sums(values: NDArray[np.generic]) -> tuple[int, int] | None:
    """Sum and sum of squares, exact; None where the values are not integers or too large for it."""
    if values.dtype.kind not in "iu":
        return None
    peak = max(int(values.max()), -int(values.min()), 1) if len(values) else 1
    if peak * peak * max(len(values), 1) >= 2**63:
        return None
    whole = values.astype(np.int64)
    return int(whole.sum()), int(np.dot(whole, whole))
