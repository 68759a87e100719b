"""Two starting hands at a time, up to a renaming of the suits: the places of the tables before the flop.

A pair of hands is ordered (seat 0's hand, seat 1's hand). Hands are numbered as in `hands.pairs.pair_number`; the
code of a pair is first hand * 1,326 + second hand, its class the set of codes that renamings turn into each other.
"""

import functools
import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.hands.pairs import PAIR_CARDS, PAIRS, pair_numbers
from luckless.kernels import njit

PAIR_CLASSES = 93_769
"""Ordered pairs of starting hands that differ by more than the names of the suits; a test counts them."""

POTS = 4
"""Investments with which a flop can be reached: 1 to 4 small bets a player."""

RUNOUTS = 17_296 * 45 * 44
"""Ways to deal flop, turn and river, in this order, to two known hands."""


@functools.cache
def renamed_hands() -> NDArray[np.int64]:
    """For each of the 24 renamings of the suits, the hand that each hand becomes."""
    suits = [np.array(names) for names in itertools.permutations(range(4))]
    return np.array([pair_numbers(PAIR_CARDS // 4 * 4 + names[PAIR_CARDS % 4]) for names in suits])


@njit(cache=True, nogil=True)
def _smallest_codes(first: NDArray[Any], second: NDArray[Any], renamed: NDArray[Any], out: NDArray[Any]) -> None:
    for place in range(len(first)):
        smallest = renamed[0, first[place]] * PAIRS + renamed[0, second[place]]
        for row in range(1, len(renamed)):
            smallest = min(smallest, renamed[row, first[place]] * PAIRS + renamed[row, second[place]])
        out[place] = smallest


def canonical_codes(first: NDArray[Any], second: NDArray[Any]) -> NDArray[np.int64]:
    """The smallest code of the class of each pair of hands."""
    codes = np.empty(len(first), np.int64)
    _smallest_codes(first, second, renamed_hands(), codes)
    return codes


@functools.cache
def class_codes() -> NDArray[np.int64]:
    """The smallest code of every class, in rising order: the places of the tables."""
    return np.unique(_all_codes()[1])


def _all_codes() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The codes of all pairs of hands without a card in common, and the smallest codes of their classes."""
    codes = np.arange(PAIRS * PAIRS)
    first, second = codes // PAIRS, codes % PAIRS
    shared = (PAIR_CARDS[first][:, :, None] == PAIR_CARDS[second][:, None, :]).any(axis=(1, 2))
    codes = codes[~shared]
    return codes, canonical_codes(first[~shared], second[~shared])


@functools.cache
def class_matrix() -> NDArray[np.int32]:
    """The class of every ordered pair of hands (1,326, 1,326), -1 where they share a card."""
    codes, smallest = _all_codes()
    matrix = np.full(PAIRS * PAIRS, -1, np.int32)
    matrix[codes] = np.searchsorted(class_codes(), smallest)
    return matrix.reshape(PAIRS, PAIRS)


def class_sizes() -> NDArray[np.int64]:
    """How many ordered pairs of hands each class holds; they add up to 1,326 x 1,225."""
    matrix = class_matrix()
    return np.bincount(matrix[matrix >= 0], minlength=len(class_codes()))


def pair_classes(first: NDArray[Any], second: NDArray[Any]) -> NDArray[np.int64]:
    """The class of each pair of hands (seat 0's, seat 1's), which must have no card in common."""
    return np.searchsorted(class_codes(), canonical_codes(first, second))
