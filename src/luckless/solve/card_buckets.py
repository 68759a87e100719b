"""Hands on boards put into buckets: hands of one bucket are played alike.

Before the flop a bucket is one of the 169 classes, which loses nothing. Later a bucket is a kind of board (how many
cards share a suit, pairs), a slice of the hand's 7cHR and, before the river, within that slice a slice of its IHR:
a draw and a made hand that win equally often at a showdown differ in how they stand now. The slices hold equally many
deals each. Everything follows from counts of whole numbers, so nothing but the bounds of the slices is kept: the flop
takes a moment on first use, turn boards are counted when they come up, the river is looked up in the rank table if
that is built, or counted.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.hands.board import add_half_counts, half_count, pool_completions
from luckless.hands.evaluator import CARD_BITS, bits_of
from luckless.hands.flop import flop_half_counts
from luckless.hands.isomorphism import canonical_boards, layout, situation_number
from luckless.hands.pairs import PAIRS
from luckless.hands.preflop import CLASSES
from luckless.hands.rank_source import class_number
from luckless.hands.tables import SITUATIONS, rank_table
from luckless.hands.tables_build import fill_table
from luckless.kernels import njit
from luckless.randomness import key_of
from luckless.rules.dealing import deal_deck

KINDS = (1, 4, 4, 5)
"""Kinds of boards on each street."""
_FLOP, _TURN, _RIVER = layout(2, 3), layout(2, 4), layout(2, 5)
_RIVER_COUNTS = 2 * 990 + 1
_SEED = 17


@dataclass(frozen=True)
class Slices:
    """How finely cards are told apart: slices of 7cHR for each kind of board, on the flop and turn each with slices
    of IHR."""

    flop: tuple[int, int] = (25, 5)
    turn: tuple[int, int] = (25, 5)
    river: int = 100

    @property
    def buckets(self) -> tuple[int, int, int, int]:
        """How many buckets each street has."""
        flop, turn = KINDS[1] * self.flop[0] * self.flop[1], KINDS[2] * self.turn[0] * self.turn[1]
        return CLASSES, flop, turn, KINDS[3] * self.river


class Bounds(NamedTuple):
    """Where slices begin, as half-counts: by kind of board those of 7cHR after the first, and for each slice those of
    IHR after the first; and the bucket of each half-count on the river."""

    flop: NDArray[np.int64]
    flop_now: NDArray[np.int64]
    turn: NDArray[np.int64]
    turn_now: NDArray[np.int64]
    river: NDArray[np.int64]


class CardBuckets(NamedTuple):
    """What buckets are looked up in. On flop and turn a place holds the bucket + 1, or 0 if it was not counted yet;
    threads may fill the same place at once: they write the same number. `ranks` is the table of river ranks, or
    empty; `turn_hr7` and `turn_ihr` those of the turn, or empty."""

    flop: NDArray[np.uint16]
    turn: NDArray[np.uint16]
    bounds: Bounds
    river: NDArray[np.uint16]
    ranks: NDArray[np.uint16]
    turn_hr7: NDArray[np.uint32]
    turn_ihr: NDArray[np.uint16]


@njit(cache=True, nogil=True)
def kind_of_board(board: NDArray[Any]) -> Any:
    """0 plain, 1 a suit twice (to come: a flush draw) or, on the river, a pair; 2 three of a suit; 3 a pair before
    the river, four of a suit on it; 4 two pairs or more on the river."""
    suits, ranks = np.zeros(4, np.int64), np.zeros(13, np.int64)
    for card in board:
        suits[card & 3] += 1
        ranks[card >> 2] += 1
    most, pairs = 0, 0
    for suit in range(4):
        most = max(most, suits[suit])
    for rank in range(13):
        pairs += max(ranks[rank] - 1, 0)
    if len(board) == 5:
        if most >= 3:
            return 3 if most >= 4 else 2
        return 4 if pairs >= 2 else pairs
    if most >= 3:
        return 2
    return 3 if pairs > 0 else np.int64(most == 2)


@njit(cache=True, nogil=True)
def _slice_of(bounds: NDArray[np.int64], value: Any) -> Any:
    """How many of some ascending bounds are at most a value."""
    low, high = 0, len(bounds)
    while low < high:
        middle = (low + high) >> 1
        if bounds[middle] <= value:
            low = middle + 1
        else:
            high = middle
    return low


@njit(cache=True, nogil=True)
def _two_slices(kind: int, ahead: NDArray[np.int64], now: NDArray[np.int64], hr7: Any, ihr: Any) -> Any:
    """The bucket of a hand by its half-counts of 7cHR and IHR; `ahead` and `now` are the bounds of all kinds."""
    first = _slice_of(ahead[kind], hr7)
    return (kind * now.shape[1] + first) * (now.shape[2] + 1) + _slice_of(now[kind, first], ihr)


@njit(cache=True, nogil=True)
def _count_board(board: NDArray[Any], buckets: CardBuckets, hr7: NDArray[np.int64]) -> None:
    """Fills the places of all hands on a board of the flop or turn; `hr7` has their half-counts by pair."""
    now = np.zeros(PAIRS, np.int64)
    add_half_counts(board, now)
    kind, board_bits = kind_of_board(board), bits_of(board)
    pair = 0
    for high in range(1, 52):
        for low in range(high):
            hole_bits = CARD_BITS[high] | CARD_BITS[low]
            if hole_bits & board_bits == 0:
                if len(board) == 3:
                    bucket = _two_slices(kind, buckets.bounds.flop, buckets.bounds.flop_now, hr7[pair], now[pair])
                    buckets.flop[situation_number(hole_bits, board_bits, _FLOP)] = bucket + 1
                else:
                    bucket = _two_slices(kind, buckets.bounds.turn, buckets.bounds.turn_now, hr7[pair], now[pair])
                    buckets.turn[situation_number(hole_bits, board_bits, _TURN)] = bucket + 1
            pair += 1


@njit(cache=True, nogil=True)
def _fill_flops(boards: NDArray[np.int64], counts: NDArray[np.uint32], buckets: CardBuckets) -> None:
    """The flop from the counts of 7cHR that are shipped."""
    hr7 = np.zeros(PAIRS, np.int64)
    for row in range(len(boards)):
        board_bits = bits_of(boards[row])
        pair = 0
        for high in range(1, 52):
            for low in range(high):
                hole_bits = CARD_BITS[high] | CARD_BITS[low]
                if hole_bits & board_bits == 0:
                    hr7[pair] = counts[situation_number(hole_bits, board_bits, _FLOP)]
                pair += 1
        _count_board(boards[row], buckets, hr7)


@njit(cache=True, nogil=True)
def turn_bucket(cards: NDArray[Any], buckets: CardBuckets) -> Any:
    """The bucket of two hole cards and four board cards; a new board is counted for all hands at once."""
    number = situation_number(bits_of(cards[:2]), bits_of(cards[2:6]), _TURN)
    if buckets.turn[number] == 0 and len(buckets.turn_hr7) > 0:
        bounds, kind = buckets.bounds, kind_of_board(cards[2:6])
        ranks = np.int64(buckets.turn_hr7[number]), np.int64(buckets.turn_ihr[number])
        buckets.turn[number] = _two_slices(kind, bounds.turn, bounds.turn_now, ranks[0], ranks[1]) + 1
    if buckets.turn[number] == 0:
        hr7 = np.zeros(PAIRS, np.int64)
        pool_completions(cards[2:6], hr7)
        _count_board(cards[2:6], buckets, hr7)
    return np.int64(buckets.turn[number]) - 1


@njit(cache=True, nogil=True)
def river_bucket(cards: NDArray[Any], buckets: CardBuckets) -> Any:
    """The bucket of two hole cards and five board cards."""
    kind = kind_of_board(cards[2:7])
    if len(buckets.ranks) > 0:
        number = situation_number(bits_of(cards[:2]), bits_of(cards[2:7]), _RIVER)
        return np.int64(buckets.river[kind * _RIVER_COUNTS + buckets.ranks[number]])
    return np.int64(buckets.river[kind * _RIVER_COUNTS + half_count(cards[:2], cards[2:7])])


@njit(cache=True, nogil=True)
def river_buckets(board: NDArray[Any], buckets: CardBuckets, out: NDArray[np.int64]) -> None:
    """The buckets of all pairs on a board of the river, by one count; those of pairs that it blocks mean nothing."""
    out[:] = 0
    add_half_counts(board, out)
    kind = kind_of_board(board)
    for pair in range(PAIRS):
        out[pair] = buckets.river[kind * _RIVER_COUNTS + out[pair]]


@njit(cache=True, nogil=True)
def bucket_of(cards: NDArray[Any], street: Any, buckets: CardBuckets) -> Any:
    """The bucket of two hole cards followed by the board of a street."""
    if street == 0:
        return np.int64(class_number(cards))
    if street == 1:
        return np.int64(buckets.flop[situation_number(bits_of(cards[:2]), bits_of(cards[2:5]), _FLOP)]) - 1
    if street == 2:
        return turn_bucket(cards, buckets)
    return river_bucket(cards, buckets)


def card_buckets(bounds: Bounds, ranks: NDArray[np.uint16] | None = None) -> CardBuckets:
    """Ready to be asked; `ranks` is the table of river ranks, by default the one on disk if it is built."""
    if ranks is None:
        table = rank_table(5)
        ranks = np.zeros(0, np.uint16) if table is None else np.asarray(table.ihr)
    on_turn = rank_table(4)
    turn_hr7: NDArray[Any] = np.zeros(0, np.uint32) if on_turn is None else np.asarray(on_turn.hr7)
    turn_ihr: NDArray[Any] = np.zeros(0, np.uint16) if on_turn is None else np.asarray(on_turn.ihr)
    ranks, turn_hr7, turn_ihr = ranks.view(), turn_hr7.view(), turn_ihr.view()
    for flags in (ranks.flags, turn_hr7.flags, turn_ihr.flags):
        flags.writeable = False  # as a table on disk is: kernels are compiled once for both
    slices = bounds.river.shape[1] + 1
    counts = np.arange(_RIVER_COUNTS)
    river = [kind * slices + np.searchsorted(bounds.river[kind], counts, side="right") for kind in range(KINDS[3])]
    flop, turn = (np.zeros(SITUATIONS[size], np.uint16) for size in (3, 4))
    buckets = CardBuckets(flop, turn, bounds, np.concatenate(river).astype(np.uint16), ranks, turn_hr7, turn_ihr)
    _fill_flops(canonical_boards(3)[0], flop_half_counts(), buckets)
    return buckets


def river_ranks() -> NDArray[np.uint16]:
    """The table of river ranks: the one on disk, or counted now, which takes 20 seconds of one core and 250 MB."""
    table = rank_table(5)
    return np.asarray(table.ihr if table is not None else fill_table(5)["ihr"])


@njit(cache=True, nogil=True)
def _sample_counts(key: NDArray[np.uint64], flop: NDArray[np.uint32], out: NDArray[np.int64]) -> None:
    """For deals 0, 1, ...: kind, 7cHR and IHR of the flop and of the turn, kind and rank of the river."""
    pack, deck, fixed = np.empty(52, np.uint8), np.empty(9, np.uint8), np.empty(0, np.uint8)
    cards = np.empty(7, np.int64)
    river = np.empty(5, np.int64)
    for row in range(len(out)):
        deal_deck(pack, fixed, key, row, deck)
        cards[:2] = deck[:2]
        cards[2:] = deck[4:]
        hole, board = cards[:2], cards[2:]
        out[row, 0], out[row, 3], out[row, 6] = (
            kind_of_board(board[:3]),
            kind_of_board(board[:4]),
            kind_of_board(board),
        )
        out[row, 1] = flop[situation_number(bits_of(hole), bits_of(board[:3]), _FLOP)]
        out[row, 2], out[row, 5] = half_count(hole, board[:3]), half_count(hole, board[:4])
        out[row, 7] = half_count(hole, board)
        total = 0
        river[:4] = board[:4]
        for card in range(52):
            if (cards[:6] != card).all():
                river[4] = card
                total += half_count(hole, river)
        out[row, 4] = total


def find_bounds(slices: Slices, samples: int) -> Bounds:
    """Bounds of equally many deals, measured on a fixed sample of deals."""
    counts = np.zeros((samples, 8), np.int64)
    _sample_counts(key_of(_SEED), flop_half_counts(), counts)
    flop = _two_bounds(counts[:, 0], counts[:, 1], counts[:, 2], *slices.flop)
    turn = _two_bounds(counts[:, 3], counts[:, 4], counts[:, 5], *slices.turn)
    river = np.zeros((KINDS[3], slices.river - 1), np.int64)
    for kind in range(KINDS[3]):
        river[kind] = _quantiles(counts[counts[:, 6] == kind, 7], slices.river)
    return Bounds(flop[0], flop[1], turn[0], turn[1], river)


def _two_bounds(
    kinds: NDArray[np.int64], hr7: NDArray[np.int64], ihr: NDArray[np.int64], ahead: int, now: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    first, second = np.zeros((KINDS[1], ahead - 1), np.int64), np.zeros((KINDS[1], ahead, now - 1), np.int64)
    for kind in range(KINDS[1]):
        own = kinds == kind
        first[kind] = _quantiles(hr7[own], ahead)
        slices = np.searchsorted(first[kind], hr7[own], side="right")
        for place in range(ahead):
            second[kind, place] = _quantiles(ihr[own][slices == place], now)
    return first, second


def _quantiles(values: NDArray[np.int64], slices: int) -> NDArray[np.int64]:
    """Where all slices but the first begin; a kind that never comes up has its bounds at 0."""
    if len(values) == 0:
        return np.zeros(slices - 1, np.int64)
    ordered = np.sort(values)
    return ordered[(np.arange(1, slices) * len(ordered)) // slices]
