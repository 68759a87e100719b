"""Duplicate sets among played hands: two hands with one deal, in which the players have changed seats.

A stored match numbers its deals. Other logs do not, and there a set shows in the cards: the same hole cards in the
same seats, in two logs under one hand number, or in neighbouring hands of one log.
"""

import numpy as np
from numpy.typing import NDArray

from luckless.divat.gathering import PlayedHands
from luckless.errors import InputError
from luckless.rules.columns import UNKNOWN

Pairs = NDArray[np.int64]
"""Rows of hands that belong together, shape (n, 2)."""


def find_pairs(hands: PlayedHands) -> Pairs:
    """All duplicate sets, in the order of their first hands; none unless at least half of the hands are in one.

    (A log that is not duplicate may hold two equal deals by chance.)
    """
    free = np.ones(len(hands), bool)
    parts = []
    for finder in (_by_deal, _by_number, _neighbours):
        pairs = finder(hands, np.flatnonzero(free))
        free[pairs.ravel()] = False
        parts.append(pairs)
    every = np.concatenate(parts)
    if 4 * len(every) < len(hands):
        return np.empty((0, 2), np.int64)
    return every[np.argsort(every[:, 0])]


def refuse_copies(hands: PlayedHands) -> None:
    """Two logs that share half of their hands are not two samples: refuses them by name."""
    if len(hands.sources) == 1:
        return
    whole = np.column_stack([hands.numbers, hands.seats, hands.decks, hands.lines])
    pairs = _twins(whole, np.flatnonzero(hands.holes_known))
    pairs = pairs[hands.logs[pairs[:, 0]] != hands.logs[pairs[:, 1]]]
    for first, second in np.unique(hands.logs[pairs], axis=0).tolist():
        shared = (hands.logs[pairs] == (first, second)).all(axis=1).sum()
        if 2 * shared >= min((hands.logs == first).sum(), (hands.logs == second).sum()):
            raise InputError(
                f"{hands.sources[first]} and {hands.sources[second]} hold the same hands; give each log once"
            )


def _twins(keys: NDArray[np.int64], rows: NDArray[np.int64]) -> Pairs:
    """Of the given rows, those that share their key with exactly one other, in pairs (the first comes first)."""
    order = rows[np.lexsort(keys[rows].T)]  # stable: equal keys stay in the order of their rows
    new = np.append(True, (keys[order[1:]] != keys[order[:-1]]).any(axis=1))
    starts = np.flatnonzero(new[: len(order)])
    first = starts[np.diff(starts, append=len(order)) == 2]
    return np.column_stack([order[first], order[first + 1]])


def _matching(hands: PlayedHands, pairs: Pairs) -> Pairs:
    """The pairs in which the players have changed seats and no card contradicts another."""
    first, second = pairs[:, 0], pairs[:, 1]
    unknown = (hands.decks[first] == UNKNOWN) | (hands.decks[second] == UNKNOWN)
    agree = ((hands.decks[first] == hands.decks[second]) | unknown).all(axis=1)
    matching: Pairs = pairs[agree & (hands.seats[first] != hands.seats[second])]
    return matching


def _by_deal(hands: PlayedHands, rows: NDArray[np.int64]) -> Pairs:
    return _matching(hands, _twins(np.column_stack([hands.logs, hands.deals]), rows))


def _by_number(hands: PlayedHands, rows: NDArray[np.int64]) -> Pairs:
    rows = rows[hands.holes_known[rows]] if len(hands.sources) > 1 else rows[:0]
    pairs = _twins(np.column_stack([hands.numbers, hands.decks[:, :4]]), rows)
    return _matching(hands, pairs[hands.logs[pairs[:, 0]] != hands.logs[pairs[:, 1]]])


def _neighbours(hands: PlayedHands, rows: NDArray[np.int64]) -> Pairs:
    rows = rows[hands.holes_known[rows]]
    beside = np.column_stack([rows[:-1], rows[1:]])
    beside = beside[(np.diff(rows) == 1) & (hands.logs[rows[:-1]] == hands.logs[rows[1:]])]
    pairs: list[tuple[int, int]] = []
    for first, second in _matching(hands, beside).tolist():
        if not pairs or pairs[-1][1] != first:
            pairs.append((first, second))
    return np.array(pairs, np.int64).reshape(-1, 2)
