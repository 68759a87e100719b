"""Counts the comparisons of one hand with a list of opponents, on a board as it is or over all its completions."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.hands.evaluator import CARD_BITS, CARD_KEYS, NO_CARDS, strength_of, sum_cards
from luckless.kernels import njit


class _Cards(NamedTuple):
    """Sums of the keys and bits of some cards; an array of each for a list of opponents."""

    keys: Any
    bits: Any


@njit(cache=True, nogil=True)
def _compare(hand: _Cards, board: _Cards, opponents: _Cards, counts: NDArray[np.int64]) -> None:
    """Adds the opponents that the board leaves to counts of those beaten, tied and not beaten."""
    own = strength_of(board.keys + hand.keys, board.bits | hand.bits)
    for place in range(len(opponents.keys)):
        if opponents.bits[place] & board.bits == 0:
            other = strength_of(board.keys + opponents.keys[place], board.bits | opponents.bits[place])
            counts[0] += own > other
            counts[1] += own == other
            counts[2] += own < other


@njit(cache=True, nogil=True)
def _sum_opponents(opponents: NDArray[Any], known: Any) -> _Cards:
    """The opponents that hold none of the known cards."""
    keys, bits = np.empty(len(opponents), np.uint64), np.empty(len(opponents), np.uint64)
    count = 0
    for row in range(len(opponents)):
        low, high = opponents[row, 0], opponents[row, 1]
        if (CARD_BITS[low] | CARD_BITS[high]) & known == 0:
            keys[count] = CARD_KEYS[low] + CARD_KEYS[high]
            bits[count] = CARD_BITS[low] | CARD_BITS[high]
            count += 1
    return _Cards(keys[:count], bits[:count])


@njit(cache=True, nogil=True)
def count_now(hole: NDArray[Any], board: NDArray[Any], opponents: NDArray[Any]) -> NDArray[np.int64]:
    """Opponents, rows of two cards, that the hole cards beat, tie and lose to on a board of 3, 4 or 5 cards."""
    hand, table = _Cards(*sum_cards(hole, np.uint64(0))), _Cards(*sum_cards(board, NO_CARDS))
    counts = np.zeros(3, np.int64)
    _compare(hand, table, _sum_opponents(opponents, hand.bits | table.bits), counts)
    return counts


@njit(cache=True, nogil=True)
def count_completed(
    hole: NDArray[Any], board: NDArray[Any], opponents: NDArray[Any], highest: int
) -> NDArray[np.int64]:
    """The same over the completions of a board of 0 to 4 cards in which `highest` is the highest card dealt."""
    hand, table = _Cards(*sum_cards(hole, np.uint64(0))), _Cards(*sum_cards(board, NO_CARDS))
    counts = np.zeros(3, np.int64)
    known = hand.bits | table.bits
    live = np.array([card for card in range(highest + 1) if CARD_BITS[card] & known == 0])
    missing = 5 - len(board)
    if CARD_BITS[highest] & known or len(live) < missing:
        return counts
    others = _sum_opponents(opponents, known)
    dealt = np.arange(missing)  # places among the live cards, ascending; the last stays at the highest card
    dealt[missing - 1] = len(live) - 1
    while True:
        keys, bits = table.keys, table.bits
        for place in dealt:
            keys += CARD_KEYS[live[place]]
            bits |= CARD_BITS[live[place]]
        _compare(hand, _Cards(keys, bits), others, counts)
        column = 0
        while column < missing - 1 and dealt[column] + 1 == dealt[column + 1]:
            dealt[column] = column
            column += 1
        if column == missing - 1:
            return counts
        dealt[column] += 1
