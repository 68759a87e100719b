"""All hands of one player against all of the other on a board, in 64-bit sums: the slow path's plain showdown."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.hands.board import rank_board
from luckless.hands.pairs import PAIR_CARDS, PAIRS
from luckless.kernels import njit
from luckless.solve.river_game import live_pairs


class BoardHands(NamedTuple):
    """The hands of a board: their numbers, cards and strengths, all in ascending order of strength."""

    pairs: NDArray[np.int64]
    cards: NDArray[np.int64]
    strength: NDArray[np.int64]

    @classmethod
    def of(cls, board: tuple[int, ...]) -> "BoardHands":
        """All hands that a board leaves."""
        strengths, ahead, tied = (np.zeros(PAIRS, np.int32) for _ in range(3))
        rank_board(np.array(board, np.int64), strengths, ahead, tied)
        live = live_pairs(board)
        pairs = live[np.argsort(strengths[live], kind="stable")]
        return cls(pairs, PAIR_CARDS[pairs].copy(), strengths[pairs].astype(np.int64))


@njit(cache=True, nogil=True)
def met(hands: BoardHands, weights: NDArray[np.float64], out: NDArray[np.float64]) -> None:
    """For each hand the weight of all hands that it can meet."""
    total, by_card = 0.0, np.zeros(52)
    for hand in range(len(weights)):
        total += weights[hand]
        by_card[hands.cards[hand, 0]] += weights[hand]
        by_card[hands.cards[hand, 1]] += weights[hand]
    for hand in range(len(weights)):
        first, second = hands.cards[hand]
        out[hand] = total - by_card[first] - by_card[second] + weights[hand]


@njit(cache=True, nogil=True)
def beaten(hands: BoardHands, weights: NDArray[np.float64], out: NDArray[np.float64]) -> None:
    """For each hand the weight of the hands that it beats minus that of the hands that beat it.

    That is twice the weight below plus the weight that is level minus all that it can meet.
    """
    met(hands, weights, out)
    below, by_card, level_by_card = 0.0, np.zeros(52), np.zeros(52)
    first = 0
    while first < len(weights):
        last, level = first, 0.0
        while last < len(weights) and hands.strength[last] == hands.strength[first]:
            level += weights[last]
            level_by_card[hands.cards[last, 0]] += weights[last]
            level_by_card[hands.cards[last, 1]] += weights[last]
            last += 1
        for hand in range(first, last):
            one, two = hands.cards[hand]
            under = below - by_card[one] - by_card[two]
            equal = level - level_by_card[one] - level_by_card[two] + weights[hand]
            out[hand] = 2 * under + equal - out[hand]
        below += level
        for hand in range(first, last):
            for card in hands.cards[hand]:
                by_card[card] += level_by_card[card]
                level_by_card[card] = 0.0
        first = last
