"""Counts every 5-, 6- or 7-card hand by strength: the exhaustive proof of the evaluator, and a benchmark of it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.hands.evaluator import CARD_BITS, CARD_KEYS, NO_CARDS, strength_of
from luckless.kernels import njit


@njit(cache=True, nogil=True)
def _count_five_more(key: Any, bits: Any, first: int, counts: NDArray[np.int64]) -> None:
    """Adds five cards from `first` on to the cards already summed, in every way, and counts the strengths."""
    for a in range(first, 52):
        key_a, bits_a = key + CARD_KEYS[a], bits | CARD_BITS[a]
        for b in range(a + 1, 52):
            key_b, bits_b = key_a + CARD_KEYS[b], bits_a | CARD_BITS[b]
            for c in range(b + 1, 52):
                key_c, bits_c = key_b + CARD_KEYS[c], bits_b | CARD_BITS[c]
                for d in range(c + 1, 52):
                    key_d, bits_d = key_c + CARD_KEYS[d], bits_c | CARD_BITS[d]
                    for e in range(d + 1, 52):
                        counts[strength_of(key_d + CARD_KEYS[e], bits_d | CARD_BITS[e])] += 1


@njit(cache=True, nogil=True)
def _count(size: int, counts: NDArray[np.int64]) -> None:
    if size == 5:
        _count_five_more(NO_CARDS, np.uint64(0), 0, counts)
        return
    for a in range(52):
        key, bits = NO_CARDS + CARD_KEYS[a], CARD_BITS[a]
        if size == 6:
            _count_five_more(key, bits, a + 1, counts)
            continue
        for b in range(a + 1, 52):
            _count_five_more(key + CARD_KEYS[b], bits | CARD_BITS[b], b + 1, counts)


def strength_census(size: int) -> NDArray[np.int64]:
    """How many of all hands of `size` (5, 6 or 7) cards have each strength; index 0 stays empty."""
    counts = np.zeros(7463, np.int64)
    _count(size, counts)
    return counts
