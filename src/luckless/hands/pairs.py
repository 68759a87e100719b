"""The 1,326 pairs of cards by number: cards a < b have the number b * (b - 1) // 2 + a, 0 to 1,325.

A number stays the same in any deck that is cut short above: with n cards there are the first n * (n - 1) // 2 pairs.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from luckless.cards import DECK_SIZE
from luckless.kernels import njit

PAIRS = 1326

PAIR_CARDS: NDArray[np.int64] = np.array([(low, high) for high in range(DECK_SIZE) for low in range(high)], np.int64)
"""The two cards of each pair, lower number first: the inverse of `pair_number`."""
PAIR_CARDS.flags.writeable = False


@njit(cache=True, nogil=True, inline="always")
def pair_number(first: Any, second: Any) -> Any:
    """The number of a pair of different cards, in either order."""
    low, high = np.int64(min(first, second)), np.int64(max(first, second))
    return high * (high - 1) // 2 + low


def pair_numbers(cards: ArrayLike) -> NDArray[np.int64]:
    """The numbers of many pairs, given along the last axis, in either order."""
    pairs = np.asarray(cards, np.int64)
    low, high = pairs.min(axis=-1), pairs.max(axis=-1)
    numbers: NDArray[np.int64] = high * (high - 1) // 2 + low
    return numbers
