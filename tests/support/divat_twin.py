"""A slow, obvious twin of DIVAT's values, written without any code of the package.

Hands are the best of their five-card subsets, ranks come from counting opponents one by one, thresholds are
fractions, baseline lines are read from the printed tables as text, and equity is a plain recursion over all cards.
"""

import functools
import itertools
import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

RANKS, SUITS = "23456789TJQKA", "cdhs"

CLASS_NAMES = ["F", "C", "M1", "M2", "M3", "M4"]
# Thesis, table 3.1: rows first player, columns second player; small letters act first.
AFTER_FLOP = """
kK  kK  kBf kBf  kBf  kBf
kK  kK  kBc kBc  kBc  kBc
bF  bC  bC  bRc  bRc  bRc
bF  bC  bC  bRc  bRc  bRc
bF  bC  bC  bRrC bRrC bRrRc
bF  bC  bC  bRrC bRrC bRrRc
"""
BEFORE_FLOP_POTS = """
-  -  -  -  -  -
1  1  2  2  2  2
bb 2  2  3  3  3
bb 2  2  3  3  3
bb 2  2  4  4  4
bb 2  2  4  4  4
"""
OFFSETS = [Fraction(0), Fraction(75, 1000), Fraction(1, 10), Fraction(0)]
MAKES = [[Fraction(x, 1000) for x in row] for row in 3 * [[580, 825, 930, 965]] + [[640, 850, 940, 970]]]
BETS = [1, 1, 2, 2]


def cards(text: str) -> list[int]:
    return [RANKS.index(text[i]) * 4 + SUITS.index(text[i + 1]) for i in range(0, len(text), 2)]


def score_five(hand: tuple[int, ...]) -> int:
    """A number that orders five-card hands by the rules of poker."""
    ranks = sorted((card // 4 for card in hand), reverse=True)
    by_count = sorted(set(ranks), key=lambda r: (ranks.count(r), r), reverse=True)
    shape = sorted((ranks.count(r) for r in by_count), reverse=True)
    flush = len({card % 4 for card in hand}) == 1
    straight = len(by_count) == 5 and (ranks[0] - ranks[4] == 4 or ranks == [12, 3, 2, 1, 0])
    if straight:
        by_count = [3 if ranks == [12, 3, 2, 1, 0] else ranks[0]]
    kinds = [[1, 1, 1, 1, 1], [2, 1, 1, 1], [2, 2, 1], [3, 1, 1], None, None, [3, 2], [4, 1]]
    category = 8 if straight and flush else 5 if flush else 4 if straight else kinds.index(shape)
    digits = [category, *by_count]
    return sum(digit * 13 ** (5 - place) for place, digit in enumerate(digits))


@functools.cache
def _five_card_scores() -> NDArray[np.int32]:
    """Scores of all five-card hands by C(c1,1) + C(c2,2) + ... of their cards in rising order.

    Only the ranks and whether the suits are equal count, so each pattern is scored once.
    """
    hands = np.array(list(itertools.combinations(range(52), 5)), np.int64)
    ranks = hands // 4
    flush = (hands % 4 == hands[:, :1] % 4).all(axis=1)
    patterns, inverse = np.unique(
        (ranks * 13 ** np.arange(5)).sum(axis=1) * 2 + flush, return_index=True, return_inverse=True
    )[1:]
    scores = np.array([score_five(tuple(hands[i])) for i in patterns])[inverse]
    out = np.zeros(len(hands), np.int32)
    out[_places(hands)] = scores
    return out


_CHOOSE = np.array([[math.comb(n, k) for k in range(6)] for n in range(52)])


def _places(hands: NDArray[np.int64]) -> NDArray[np.int64]:
    places: NDArray[np.int64] = np.sum([_CHOOSE[hands[:, i], i + 1] for i in range(5)], axis=0)
    return places


def scores(hands: NDArray[np.int64]) -> NDArray[np.int32]:
    """Scores of hands of 5, 6 or 7 cards: the best of all their five-card subsets."""
    in_order = np.sort(hands, axis=1)
    best = np.zeros(len(hands), np.int32)
    for subset in itertools.combinations(range(hands.shape[1]), 5):
        best = np.maximum(best, _five_card_scores()[_places(in_order[:, list(subset)])])
    return best


def half_count(hole: list[int], board: list[int]) -> tuple[int, int]:
    """2 x beaten + tied opponents, and twice the number of opponents."""
    left = [card for card in range(52) if card not in hole + board]
    pairs = np.array(list(itertools.combinations(left, 2)))
    if not board:
        own, others = sorted(card // 4 for card in hole), np.sort(pairs // 4, axis=1)
        value = np.where(others[:, 0] == others[:, 1], 1000, 0) + others[:, 1] * 20 + others[:, 0]
        mine = (1000 if own[0] == own[1] else 0) + own[1] * 20 + own[0]
    else:
        value = scores(np.hstack([pairs, np.tile(board, (len(pairs), 1))]))
        mine = int(scores(np.array([hole + board]))[0])
    return int(2 * (value < mine).sum() + (value == mine).sum()), 2 * len(pairs)


@functools.cache
def _river_rank(hole: tuple[int, ...], board: tuple[int, ...]) -> int:
    return half_count(list(hole), list(board))[0]


def ranks_of(hole: list[int], board: list[int]) -> tuple[Fraction, Fraction]:
    """IHR and 7cHR on the flop, turn or river."""
    ihr = Fraction(*half_count(hole, board))
    left = [card for card in range(52) if card not in hole + board]
    rivers = [
        _river_rank(tuple(sorted(hole)), tuple(sorted([*board, *more])))
        for more in itertools.combinations(left, 5 - len(board))
    ]
    return ihr, Fraction(sum(rivers), 1980 * len(rivers))


@functools.cache
def _effective(hole: tuple[int, ...], board: tuple[int, ...], ehr: str) -> Fraction:
    number = len(board) - 2
    ihr, hr7 = ranks_of(list(hole), list(board))
    if ehr == "max" or max(ihr, hr7) > MAKES[number][0]:
        return max(ihr, hr7)
    return (ihr + hr7) / 2 if number == 1 else hr7


def hand_class(hole: list[int], board: list[int], invested: int, ehr: str) -> str:
    number = len(board) - 2
    rank = _effective(tuple(sorted(hole)), tuple(sorted(board)), ehr)
    if rank < Fraction(BETS[number], 2 * invested + BETS[number]) + OFFSETS[number]:
        return "F"
    return CLASS_NAMES[1 + sum(rank > make for make in MAKES[number])]


def baseline(first: str, second: str) -> str:
    row = AFTER_FLOP.strip().splitlines()[CLASS_NAMES.index(first)].split()
    return row[CLASS_NAMES.index(second)]


def value_of_street(first: list[int], second: list[int], board: list[int], invested: int, ehr: str) -> Fraction:
    """What the first player wins if this street and all later ones are played by the baseline."""
    line = baseline(hand_class(first, board, invested, ehr), hand_class(second, board, invested, ehr))
    if line[-1] in "fF":
        return Fraction(invested if line[-1] == "F" else -invested)
    bets = sum(letter in "bBrR" for letter in line)
    return value_after(first, second, board, invested + bets * BETS[len(board) - 2], ehr)


def value_after(first: list[int], second: list[int], board: list[int], invested: int, ehr: str) -> Fraction:
    """ROE: what the first player wins on average when the betting of a street has ended with this investment."""
    if len(board) == 5:
        mine, other = scores(np.array([first + board, second + board]))
        return Fraction(invested * (int(mine > other) - int(mine < other)))
    left = [card for card in range(52) if card not in first + second + board]
    values = [value_of_street(first, second, [*board, card], invested, ehr) for card in left]
    return sum(values, Fraction(0)) / len(values)
