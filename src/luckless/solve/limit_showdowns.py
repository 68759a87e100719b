"""Showdowns and folds of many betting lines on one board: hands are rows, lines are columns.

One sweep over hands sorted by strength compares all hands with all: a hand wins the weight below it and loses the
weight above, and running sums for each card take out hands that share a card with it.
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
def show_down(
    cards: NDArray[np.int64], strength: NDArray[np.int64], weights: Matrix, met: Matrix, stakes: Any, sums: Any,
    out: Matrix,
) -> None:  # fmt: skip
    """For each hand the weight of hands that it beats minus that of hands that beat it, times the stake of the line;
    `met` is that of `meet_all`.

    Hands come in ascending order of strength. A hand's own weight is taken out of its level: it does not meet itself.
    """
    total, by_card = sums
    columns = weights.shape[1]
    total[:] = 0
    by_card[:] = 0
    first = 0
    while first < len(weights):
        last = first
        while last < len(weights) and strength[last] == strength[first]:
            one, two = cards[last, 0], cards[last, 1]
            for column in range(columns):
                out[last, column] = total[column] - by_card[one, column] - by_card[two, column] - met[last, column]
            last += 1
        for hand in range(first, last):
            one, two = cards[hand, 0], cards[hand, 1]
            for column in range(columns):
                weight = weights[hand, column]
                total[column] += weight
                by_card[one, column] += weight
                by_card[two, column] += weight
        for hand in range(first, last):
            one, two = cards[hand, 0], cards[hand, 1]
            for column in range(columns):
                level = total[column] - by_card[one, column] - by_card[two, column] + weights[hand, column]
                out[hand, column] = (out[hand, column] + level) * stakes[column]
        first = last


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
