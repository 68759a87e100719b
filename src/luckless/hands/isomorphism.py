"""Suit isomorphism: situations that differ only by a renaming of the suits share one number, without gaps.

The numbering follows the idea of Waugh, "A Fast and Optimal Hand Isomorphism Algorithm" (2013), for two groups of
cards, hole cards and board. A suit holds a pair of rank sets, numbered among all pairs of the same sizes. The suits
are put in order of their sizes; those of equal sizes form a multiset, which is numbered as such; the rest is a mixed
radix, on top of an offset for each way to share the cards out over the suits.
"""

import functools
import itertools
import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from luckless.errors import InputError
from luckless.hands.evaluator import CARD_BITS, bits_of, first_bad_row
from luckless.kernels import njit

_MAX_HOLE = 2
_MAX_BOARD = 5
_COUNT_SHIFT = 12
_PLACE_MASK = np.uint64((1 << _COUNT_SHIFT) - 1)


def _size_code(hole: int, board: int) -> int:
    """How many cards a suit has, as a number of five bits."""
    return hole * 8 + board


def _number_rank_sets() -> NDArray[np.uint16]:
    """By rank mask: the mask's place among those of as many ranks (colexicographic), and above it the count."""
    masks = np.arange(1 << 13)
    places, counts = np.zeros_like(masks), np.zeros_like(masks)
    for rank in range(13):
        ways = np.array([math.comb(rank, size) for size in range(14)])
        held = masks >> rank & 1
        counts += held
        places += held * ways[counts]
    return (places | np.minimum(counts, 15) << _COUNT_SHIFT).astype(np.uint16)


_RANK_SETS = _number_rank_sets()
_BOARD_SETS = np.zeros(32, np.uint64)  # ways to place the board's cards of a suit on the ranks the hole cards leave
_PAIRS_OF_SETS: dict[int, int] = {}  # ways to place both
for _hole, _board in itertools.product(range(_MAX_HOLE + 1), range(_MAX_BOARD + 1)):
    _ways = math.comb(13 - _hole, _board)
    _BOARD_SETS[_size_code(_hole, _board)] = _ways
    _PAIRS_OF_SETS[_size_code(_hole, _board)] = math.comb(13, _hole) * _ways


class Layout(NamedTuple):
    """The numbering of all situations of so many hole and board cards; the arrays go by way of sharing out the cards.

    `ways` finds the way by the sizes of the three largest suits, `offsets` is its first number, `strides` the weight
    of each of the four suits in the mixed radix, `repeats` how many of the suits after it have the same sizes.
    """

    ways: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    strides: NDArray[np.int64]
    repeats: NDArray[np.int64]


def _shares(hole_cards: int, board_cards: int) -> list[tuple[int, ...]]:
    """Every way to share the cards out over four suits: their size codes, largest first."""
    codes = sorted(_PAIRS_OF_SETS, reverse=True)
    total = _size_code(hole_cards, board_cards)
    return [
        share
        for share in itertools.combinations_with_replacement(codes, 4)
        if sum(code >> 3 for code in share) == hole_cards and sum(share) == total
    ]


@functools.cache
def _layout_and_count(hole_cards: int, board_cards: int) -> tuple[Layout, int]:
    shares = _shares(hole_cards, board_cards)
    layout = Layout(
        ways=np.zeros(1 << 15, np.uint8),
        offsets=np.zeros(len(shares), np.int64),
        strides=np.zeros((len(shares), 4), np.int64),
        repeats=np.zeros((len(shares), 4), np.int64),
    )
    first = 0
    for way, share in enumerate(shares):
        layout.ways[share[0] << 10 | share[1] << 5 | share[2]] = way
        layout.offsets[way] = first
        stride = 1
        for code, group in itertools.groupby(range(4), share.__getitem__):
            suits = list(group)
            layout.strides[way, suits] = stride
            layout.repeats[way, suits] = range(len(suits) - 1, -1, -1)
            stride *= math.comb(_PAIRS_OF_SETS[code] + len(suits) - 1, len(suits))
        first += stride
    return layout, first


def layout(hole_cards: int, board_cards: int) -> Layout:
    """The numbering of situations with 0 to 2 hole cards and 0 to 5 board cards, for `situation_number`."""
    return _layout_and_count(hole_cards, board_cards)[0]


def situation_count(hole_cards: int, board_cards: int) -> int:
    """How many situations with so many hole and board cards differ by more than the names of the suits.

    >>> situation_count(2, 3)
    1286792
    """
    return _layout_and_count(hole_cards, board_cards)[1]


@njit(cache=True, nogil=True, inline="always")
def _without(ranks: Any, bit: Any) -> Any:
    """The mask with the place of one bit, which it does not hold, closed up; a bit of 0 changes nothing."""
    below = bit - np.uint64(1)
    return (ranks & below) | ((ranks >> np.uint64(1)) & ~below)


@njit(cache=True, nogil=True, inline="always")
def number_suit(hole_bits: Any, board_bits: Any, suit: int) -> Any:
    """What a suit holds: its size code << 16 | the place of its pair of rank sets among those of equal sizes."""
    hole = (hole_bits >> np.uint64(16 * suit)) & np.uint64(0x1FFF)
    board = (board_bits >> np.uint64(16 * suit)) & np.uint64(0x1FFF)
    lower = hole & (~hole + np.uint64(1))
    board_set = np.uint64(_RANK_SETS[_without(_without(board, hole ^ lower), lower)])
    hole_set = np.uint64(_RANK_SETS[hole])
    code = (hole_set >> np.uint64(_COUNT_SHIFT)) << np.uint64(3) | (board_set >> np.uint64(_COUNT_SHIFT))
    place = (hole_set & _PLACE_MASK) * _BOARD_SETS[code] + (board_set & _PLACE_MASK)
    return np.int64(code << np.uint64(16) | place)


@njit(cache=True, nogil=True, inline="always")
def _multiset_term(place: Any, repeats: Any) -> Any:
    """C(place + repeats, repeats + 1): what a member adds to the number of its multiset (largest member first).

    `repeats` is at most 3. A division by a number that is known takes a tenth of the time of one that is not.
    """
    if repeats == 0:
        return place
    term = place * (place + 1) >> 1
    if repeats > 1:
        term = term * (place + 2) // 3
    if repeats > 2:
        term = term * (place + 3) >> 2
    return term


@njit(cache=True, nogil=True, borrows=True)
def situation_number(hole_bits: Any, board_bits: Any, layout: Layout) -> Any:
    """The number of a situation, from the sums of `CARD_BITS` over its hole cards and over its board."""
    a, b = number_suit(hole_bits, board_bits, 0), number_suit(hole_bits, board_bits, 1)
    c, d = number_suit(hole_bits, board_bits, 2), number_suit(hole_bits, board_bits, 3)
    a, b = max(a, b), min(a, b)
    c, d = max(c, d), min(c, d)
    a, c = max(a, c), min(a, c)
    b, d = max(b, d), min(b, d)
    b, c = max(b, c), min(b, c)
    return number_of_suits(a, b, c, d, layout)


@njit(cache=True, nogil=True, borrows=True)
def number_of_suits(a: Any, b: Any, c: Any, d: Any, layout: Layout) -> Any:
    """The same from its four suits (`number_suit`), the largest first."""
    way = layout.ways[(a >> 16) << 10 | (b >> 16) << 5 | c >> 16]
    strides, repeats = layout.strides[way], layout.repeats[way]
    return (
        layout.offsets[way]
        + strides[0] * _multiset_term(a & 0xFFFF, repeats[0])
        + strides[1] * _multiset_term(b & 0xFFFF, repeats[1])
        + strides[2] * _multiset_term(c & 0xFFFF, repeats[2])
        + strides[3] * (d & 0xFFFF)
    )


@njit(cache=True, nogil=True)
def number_rows(cards: NDArray[Any], hole_cards: int, layout: Layout, out: NDArray[np.int64]) -> None:
    """The number of each row of hole cards followed by board cards."""
    for row in range(cards.shape[0]):
        hole_bits, board_bits = np.uint64(0), np.uint64(0)
        for column in range(hole_cards):
            hole_bits |= CARD_BITS[cards[row, column]]
        for column in range(hole_cards, cards.shape[1]):
            board_bits |= CARD_BITS[cards[row, column]]
        out[row] = situation_number(hole_bits, board_bits, layout)


def situation_rows(holes: ArrayLike, boards: ArrayLike) -> NDArray[np.int64]:
    """Hole cards (n, 2) and boards (n, 0), (n, 3), (n, 4) or (n, 5) side by side; bad ones raise `InputError`."""
    hole_rows, board_rows = np.asarray(holes), np.asarray(boards)
    if hole_rows.ndim != 2 or hole_rows.shape[1] != 2:
        raise InputError(f"hole cards must be an array of shape (n, 2), not {hole_rows.shape}")
    if board_rows.ndim != 2 or board_rows.shape[1] not in (0, 3, 4, 5):
        raise InputError(f"boards must be an array of shape (n, 0), (n, 3), (n, 4) or (n, 5), not {board_rows.shape}")
    if len(hole_rows) != len(board_rows):
        raise InputError(
            f"there are {len(hole_rows)} hands but {len(board_rows)} boards: give one board for each hand"
        )
    for rows in (hole_rows, board_rows):
        if rows.size and rows.dtype.kind not in "iu":
            raise InputError(f"cards must be integers 0 to 51, not {rows.dtype}")
    cards = np.empty((len(hole_rows), 2 + board_rows.shape[1]), np.int64)
    cards[:, :2], cards[:, 2:] = hole_rows, board_rows
    bad = first_bad_row(cards)
    if bad >= 0:
        raise InputError(f"row {bad} is {cards[bad].tolist()}: cards must be different numbers from 0 to 51")
    return cards


def situation_numbers(holes: ArrayLike, boards: ArrayLike) -> NDArray[np.int64]:
    """The number of each situation of hole cards (n, 2) and boards (n, 0), (n, 3), (n, 4) or (n, 5).

    Situations get the same number exactly when a renaming of the suits turns one into the other; the order of the
    hole cards and of the board cards means nothing. Numbers run from 0 to `situation_count(2, board cards) - 1`.
    """
    cards = situation_rows(holes, boards)
    out = np.empty(len(cards), np.int64)
    number_rows(cards, 2, layout(2, cards.shape[1] - 2), out)
    return out


@njit(cache=True, nogil=True)
def _first_boards(layout: Layout, boards: NDArray[np.int64], weights: NDArray[np.int64]) -> None:
    """Writes the first board with each number, in the order of the cards, and how many boards share the number."""
    size = boards.shape[1]
    board = np.arange(size)
    while True:
        number = situation_number(np.uint64(0), bits_of(board), layout)
        if weights[number] == 0:
            boards[number] = board
        weights[number] += 1
        column = 0
        while column < size - 1 and board[column] + 1 == board[column + 1]:
            board[column] = column
            column += 1
        board[column] += 1
        if board[size - 1] == 52:
            return


def canonical_boards(size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """One board of 3, 4 or 5 cards for each of the 1,755, 16,432 or 134,459, and how many boards it stands for."""
    count = situation_count(0, size)
    boards, weights = np.zeros((count, size), np.int64), np.zeros(count, np.int64)
    _first_boards(layout(0, size), boards, weights)
    return boards, weights
