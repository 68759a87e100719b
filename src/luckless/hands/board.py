"""All hole cards on one board at once: how strong each pair is, and how many opponents it beats and ties.

Pairs are numbered densely: cards a < b have the number b * (b - 1) // 2 + a, 0 to 1,325 (`pair_number`).
The hands of a board are sorted once by strength and swept from the weakest up. Counts of the cards seen so far take
the opponents away that would share a card with the hand, so a board costs one sort and not 1,081 x 990 comparisons.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from luckless.hands.evaluator import CARD_BITS, CARD_KEYS, NO_CARDS, strength_of

PAIRS = 1326

_LOW_BITS = 7
_LOW_MASK = (1 << _LOW_BITS) - 1
_HIGH_VALUES = 64  # strengths stay below 64 << 7


@njit(cache=True, nogil=True, inline="always")
def pair_number(low: Any, high: Any) -> Any:
    """The number of the pair of cards low < high."""
    return high * (high - 1) // 2 + low


@njit(cache=True, nogil=True)
def _evaluate_pairs(board: NDArray[Any], codes: NDArray[np.uint32]) -> int:
    """Writes strength << 16 | high << 8 | low for each pair that the board leaves, and gives their number."""
    key, bits, blocked = NO_CARDS, np.uint64(0), np.uint64(0)
    for card in board:
        key += CARD_KEYS[card]
        bits |= CARD_BITS[card]
        blocked |= np.uint64(1) << np.uint64(card)
    count = 0
    for high in range(1, 52):
        if blocked >> np.uint64(high) & np.uint64(1):
            continue
        high_key, high_bits = key + CARD_KEYS[high], bits | CARD_BITS[high]
        for low in range(high):
            if blocked >> np.uint64(low) & np.uint64(1):
                continue
            strength = strength_of(high_key + CARD_KEYS[low], high_bits | CARD_BITS[low])
            codes[count] = np.uint32(strength) << np.uint32(16) | np.uint32(high << 8 | low)
            count += 1
    return count


@njit(cache=True, nogil=True)
def _sort_by_strength(codes: NDArray[np.uint32], other: NDArray[np.uint32], count: int) -> None:
    """Sorts the first `count` codes by their upper half: a radix sort of two passes, with `other` as working space."""
    low_places = np.zeros(_LOW_MASK + 2, np.int32)
    high_places = np.zeros(_HIGH_VALUES + 1, np.int32)
    for place in range(count):
        strength = codes[place] >> 16
        low_places[(strength & _LOW_MASK) + 1] += 1
        high_places[(strength >> _LOW_BITS) + 1] += 1
    for value in range(_LOW_MASK):
        low_places[value + 1] += low_places[value]
    for value in range(_HIGH_VALUES - 1):
        high_places[value + 1] += high_places[value]
    for place in range(count):
        value = (codes[place] >> 16) & _LOW_MASK
        other[low_places[value]] = codes[place]
        low_places[value] += 1
    for place in range(count):
        value = other[place] >> (16 + _LOW_BITS)
        codes[high_places[value]] = other[place]
        high_places[value] += 1


@njit(cache=True, nogil=True)
def rank_board(
    board: NDArray[Any], strengths: NDArray[np.int32], ahead: NDArray[np.int32], tied: NDArray[np.int32]
) -> None:
    """Ranks every pair of hole cards on a board of 3, 4 or 5 cards against every other pair.

    For each pair (dense number) that the board leaves, writes its strength and the number of opponents that it beats
    and that it ties, of the 1,081, 1,035 or 990 that share no card with it. Pairs that the board blocks get
    strength 0 and no opponents. The three arrays have 1,326 places.
    """
    strengths[:] = 0
    ahead[:] = 0
    tied[:] = 0
    codes, other = np.empty(PAIRS, np.uint32), np.empty(PAIRS, np.uint32)
    count = _evaluate_pairs(board, codes)
    _sort_by_strength(codes, other, count)
    seen = np.zeros(52, np.int32)  # hands swept so far that hold the card
    start = 0
    while start < count:
        strength = codes[start] >> 16
        end = start
        while end < count and codes[end] >> 16 == strength:
            high, low = np.int64(codes[end] >> 8 & 255), np.int64(codes[end] & 255)
            pair = pair_number(low, high)
            strengths[pair] = strength
            ahead[pair] = start - seen[low] - seen[high]
            end += 1
        for place in range(start, end):
            seen[codes[place] >> 8 & 255] += 1
            seen[codes[place] & 255] += 1
        for place in range(start, end):
            high, low = np.int64(codes[place] >> 8 & 255), np.int64(codes[place] & 255)
            pair = pair_number(low, high)
            # The hand itself was taken away twice, once for each of its cards.
            tied[pair] = end - seen[low] - seen[high] + 1 - ahead[pair]
        start = end
