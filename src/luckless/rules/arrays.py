"""Arrays that callers hand in, checked before anything is done with them."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from luckless.errors import InputError


def whole_numbers(values: ArrayLike, what: str, most: int = 1) -> NDArray[np.int64]:
    """The values as 64-bit integers; refused when they are not whole numbers, or in rows of rows.

    `most` is how many dimensions they may have.
    """
    try:
        array = np.asarray(values)
    except ValueError:
        raise InputError(f"{what} must be rows of equal length") from None
    if array.size == 0:
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu" or array.dtype == np.uint64:
        raise InputError(f"{what} must be whole numbers that fit 64 bits; found {array.dtype.name}")
    if array.ndim > most:
        raise InputError(f"{what} must have at most {most} dimension{'s' if most > 1 else ''}; found {array.ndim}")
    return array.astype(np.int64, copy=False)
