"""Bits of a 64-bit word: how many are set, the n-th of them, and where a single one stands.

One machine instruction or two on processors that have them, else the plain way, with the same results.
"""

from typing import Any

import numpy as np

from luckless.kernels import INTERPRETED, njit
from luckless.numba_internals import make_bit_count, make_nth_bit, make_place_of_bit


@njit(cache=True, nogil=True)
def bit_count_plainly(word: Any) -> Any:
    """How many bits of a word are set."""
    word -= word >> np.uint64(1) & np.uint64(0x5555555555555555)
    word = (word & np.uint64(0x3333333333333333)) + (word >> np.uint64(2) & np.uint64(0x3333333333333333))
    word = word + (word >> np.uint64(4)) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return word * np.uint64(0x0101010101010101) >> np.uint64(56)


bit_count: Any = None if INTERPRETED else make_bit_count()
bit_count = bit_count or bit_count_plainly


@njit(cache=True, nogil=True)
def nth_bit_plainly(word: Any, n: Any) -> Any:
    """The set bit of a word that has n set bits below it, alone; there must be such a bit."""
    place = np.uint64(0)
    for step in range(6):
        width = np.uint64(32 >> step)
        below = bit_count(word >> place & (np.uint64(1) << width) - np.uint64(1))
        is_above = np.uint64(n >= below)  # a number, since a branch would often go wrong
        n -= below * is_above
        place += width * is_above
    return np.uint64(1) << place


@njit(cache=True, nogil=True)
def place_of_bit_plainly(bit: Any) -> Any:
    """How many places a single bit stands above the lowest."""
    return bit_count(bit - np.uint64(1))


nth_bit: Any = None if INTERPRETED else make_nth_bit()
nth_bit = nth_bit or nth_bit_plainly
place_of_bit: Any = None if INTERPRETED else make_place_of_bit()
place_of_bit = place_of_bit or place_of_bit_plainly
