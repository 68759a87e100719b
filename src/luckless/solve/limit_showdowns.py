"""Folds of many betting lines on one board, and how weights split: hands are rows, lines are columns.

Sums for each card take out hands that share a card with a hand. Showdowns are in `limit_rivers`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.kernels import njit

Matrix = NDArray[np.float32]


@njit(cache=True, nogil=True)
def meet_all(
    cards: NDArray[np.int64], weights: Matrix, total: NDArray[np.float32], by_card: Matrix, out: Matrix
) -> None:
    """For each hand the weight of all hands that it can meet, and in `total` and `by_card` the sums."""
    columns = weights.shape[1]
    total[:] = 0
    by_card[:] = 0
    for hand in range(len(weights)):
        first, second = cards[hand, 0], cards[hand, 1]
        for column in range(columns):
            weight = weights[hand, column]
            total[column] += weight
            by_card[first, column] += weight
            by_card[second, column] += weight
    for hand in range(len(weights)):
        first, second = cards[hand, 0], cards[hand, 1]
        for column in range(columns):
            out[hand, column] = (
                total[column] - by_card[first, column] - by_card[second, column] + weights[hand, column]
            )


@njit(cache=True, nogil=True)
def split(weights: Matrix, chances: Any, classes: NDArray[np.int64], scale: Any, out: Matrix) -> None:
    """The weight that goes on with an action: `chances` (class, line) of the hand's class, times a scale."""
    for hand in range(len(weights)):
        row = classes[hand]
        for column in range(weights.shape[1]):
            out[hand, column] = weights[hand, column] * (np.float32(chances[row, column]) * scale)


@njit(cache=True, nogil=True)
def add_rows(total: Matrix, places: NDArray[np.int64], values: Matrix) -> None:
    """Adds rows of values to those at their places."""
    for row in range(len(values)):
        place = places[row]
        for column in range(values.shape[1]):
            total[place, column] += values[row, column]
