"""A plain roll-out of two known starting hands over every flop, turn and river, for the table before the flop.

Each hand meets every opponent on every board one by one, and the baseline is played card by card with the classes of
`divat_twin`'s printed table. Nothing of the table's method is used: no sorting of boards, no isomorphism, no bits.
"""

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from divat_twin import AFTER_FLOP, MAKES, OFFSETS
from luckless.hands.evaluator import CARD_BITS, CARD_KEYS, NO_CARDS, strength_of

_CHOOSE = np.array([[math.comb(n, k) for k in range(6)] for n in range(53)], np.int64)

_LINES = [row.split() for row in AFTER_FLOP.strip().splitlines()]
_BETS = np.array([[0 if line[-1] in "fF" else sum(c in "bBrR" for c in line) for line in row] for row in _LINES])
_FOLDS = np.array([[{"f": -1, "F": 1}.get(line[-1], 0) for line in row] for row in _LINES])


@njit(cache=True, nogil=True)
def _place(places: NDArray[Any]) -> Any:
    """The number of a set of places in rising order."""
    total = 0
    for index in range(len(places)):
        total += _CHOOSE[places[index], index + 1]
    return total


@njit(cache=True, nogil=True)
def _half_count(hole: NDArray[Any], board: NDArray[Any]) -> Any:
    key, bits = NO_CARDS, np.uint64(0)
    for card in board:
        key += CARD_KEYS[card]
        bits |= CARD_BITS[card]
    own_bits = CARD_BITS[hole[0]] | CARD_BITS[hole[1]]
    own = strength_of(key + CARD_KEYS[hole[0]] + CARD_KEYS[hole[1]], bits | own_bits)
    count = 0
    for high in range(52):
        if (bits | own_bits) & CARD_BITS[high]:
            continue
        for low in range(high):
            if not (bits | own_bits) & CARD_BITS[low]:
                other = strength_of(key + CARD_KEYS[high] + CARD_KEYS[low], bits | CARD_BITS[high] | CARD_BITS[low])
                count += 2 * (own > other) + (own == other)
    return count


@njit(cache=True, nogil=True)
def _count_boards(hole: NDArray[Any], deck: NDArray[Any], size: int) -> Any:
    """The half-count of a hand on every board of `size` cards of a deck, by `_place` of the board in it."""
    counts = np.empty(_CHOOSE[len(deck), size], np.int32)
    places = np.arange(size)
    while True:
        counts[_place(places)] = _half_count(hole, deck[places])
        column = 0
        while column < size - 1 and places[column] + 1 == places[column + 1]:
            places[column] = column
            column += 1
        places[column] += 1
        if places[size - 1] == len(deck):
            return counts


@njit(cache=True, nogil=True)
def _pooled(places: NDArray[Any], rivers: NDArray[Any], deck_size: int) -> Any:
    """The half-counts of all completions of a board of three or four cards, added up."""
    used = np.zeros(deck_size, np.bool_)
    used[places] = True
    total = 0
    for high in range(deck_size):
        if used[high]:
            continue
        if len(places) == 4:
            total += rivers[_place(np.sort(np.append(places, high)))]
            continue
        for low in range(high):
            if not used[low]:
                total += rivers[_place(np.sort(np.append(np.append(places, high), low)))]
    return total


def _ranks(hole: list[int], ehr: str) -> dict[int, Any]:
    """By street, EHR of a hand on every board of its 50 other cards, as whole numbers over 3,960 x completions."""
    deck = np.array([card for card in range(52) if card not in hole])
    rivers = _count_boards(np.array(hole), deck, 5)
    effective = {3: 2 * rivers.astype(np.int64)}
    for number, size, scale, completions in ((2, 4, 44, 46), (1, 3, 990, 1081)):
        now = 2 * scale * _count_boards(np.array(hole), deck, size).astype(np.int64)
        later = np.empty(len(now), np.int64)
        for places in itertools.combinations(range(50), size):
            board = np.array(places)
            later[_place(board)] = 2 * _pooled(board, rivers, 50)
        larger = np.maximum(now, later)
        weak = (now + later) // 2 if number == 1 else later
        bar = math.floor(MAKES[number][0] * 3960 * completions)
        effective[number] = larger if ehr == "max" else np.where(larger > bar, larger, weak)
    return effective


def _classes(effective: NDArray[np.int64], number: int, invested: int) -> NDArray[np.int64]:
    unit = 3960 * (1081, 46, 1)[number - 1]
    bet = 1 if number == 1 else 2
    classes = 1 + sum((effective > math.floor(make * unit)).astype(np.int64) for make in MAKES[number])
    folds = math.ceil((Fraction(bet, 2 * invested + bet) + OFFSETS[number]) * unit)
    return np.where(effective < folds, 0, classes)


@njit(cache=True, nogil=True)
def _roll_out(decks: Any, holes: Any, classes: Any, invested: int) -> Any:
    """What the first hand wins over all flops, turns and rivers.

    `classes` are [investment, board] for each street and hand in turn.
    """
    where = np.full((2, 52), -1)
    for side in range(2):
        for place in range(50):
            where[side, decks[side][place]] = place
    live = np.array([card for card in decks[0] if where[1, card] >= 0])
    total = 0
    at = np.empty((2, 5), np.int64)
    board = np.empty(5, np.int64)
    for a in range(48):
        for b in range(a):
            for c in range(b):
                board[:3] = live[a], live[b], live[c]
                for side in range(2):
                    for place in range(3):
                        at[side, place] = where[side, board[place]]
                first = classes[0][invested, _place(np.sort(at[0, :3]))]
                second = classes[1][invested, _place(np.sort(at[1, :3]))]
                if _FOLDS[first, second]:
                    total += _FOLDS[first, second] * invested * 1980
                    continue
                total += _roll_out_turns(board, at, where, live, holes, classes, invested + _BETS[first, second])
    return total


@njit(cache=True, nogil=True)
def _roll_out_turns(board: Any, at: Any, where: Any, live: Any, holes: Any, classes: Any, invested: int) -> Any:
    total = 0
    for turn in live:
        if turn == board[0] or turn == board[1] or turn == board[2]:
            continue
        board[3] = turn
        at[0, 3], at[1, 3] = where[0, turn], where[1, turn]
        first = classes[2][invested, _place(np.sort(at[0, :4]))]
        second = classes[3][invested, _place(np.sort(at[1, :4]))]
        if _FOLDS[first, second]:
            total += _FOLDS[first, second] * invested * 44
            continue
        pot = invested + 2 * _BETS[first, second]
        for river in live:
            if river == board[0] or river == board[1] or river == board[2] or river == turn:
                continue
            board[4] = river
            at[0, 4], at[1, 4] = where[0, river], where[1, river]
            first = classes[4][pot, _place(np.sort(at[0]))]
            second = classes[5][pot, _place(np.sort(at[1]))]
            if _FOLDS[first, second]:
                total += _FOLDS[first, second] * pot
            else:
                total += _showdown(holes, board) * (pot + 2 * _BETS[first, second])
    return total


@njit(cache=True, nogil=True)
def _showdown(holes: Any, board: Any) -> Any:
    key, bits = NO_CARDS, np.uint64(0)
    for card in board:
        key += CARD_KEYS[card]
        bits |= CARD_BITS[card]
    a, b = holes
    first = strength_of(key + CARD_KEYS[a[0]] + CARD_KEYS[a[1]], bits | CARD_BITS[a[0]] | CARD_BITS[a[1]])
    second = strength_of(key + CARD_KEYS[b[0]] + CARD_KEYS[b[1]], bits | CARD_BITS[b[0]] | CARD_BITS[b[1]])
    return np.int64(first > second) - np.int64(first < second)


def preflop_sums(first: list[int], second: list[int], ehr: str, pots: tuple[int, ...] = (1, 2, 3, 4)) -> list[int]:
    """What the first hand wins over all 34,246,080 runouts with so many small bets a player in before the flop."""
    ranks = [_ranks(first, ehr), _ranks(second, ehr)]
    classes = []
    for number, most in ((1, 4), (2, 8), (3, 16)):
        for effective in ranks:
            rows = [_classes(effective[number], number, max(pot, 1)) for pot in range(most + 1)]
            classes.append(np.array(rows, np.int8))
    decks = tuple(np.array([card for card in range(52) if card not in hole]) for hole in (first, second))
    holes = np.array(first), np.array(second)
    return [int(_roll_out(decks, holes, tuple(classes), pot)) for pot in pots]
