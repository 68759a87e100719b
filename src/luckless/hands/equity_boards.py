"""Compiled: exact equity of one range against another, board by board.

On each board the hands of both ranges are sorted by strength and swept from the weakest up; the hands seen so far
that hold one of a hand's own cards are taken away. Of boards that differ only by a renaming of the suits the first is
counted for all of them. It needs renamings that leave both ranges and the known cards as they are.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.hands.board import sort_by_strength
from luckless.hands.equity_spot import SUIT_RENAMINGS, EquitySpot, numbers_of
from luckless.hands.evaluator import CARD_BITS, CARD_KEYS, NO_CARDS, strength_of, sum_cards
from luckless.hands.pairs import PAIR_CARDS
from luckless.kernels import njit

_LANE = np.uint64(0xFFFF)


class TwoRanges(NamedTuple):
    """The hands of two ranges: the cards of each with their summed keys and bits, and whether (1 or 0) it is in the
    first and in the second range.

    `deck` are the cards that may come, `board` those that have come, `suits` the renamings of the suits.
    """

    cards: NDArray[np.uint8]
    keys: NDArray[np.uint64]
    bits: NDArray[np.uint64]
    in_first: NDArray[np.uint8]
    in_second: NDArray[np.uint8]
    deck: NDArray[np.int64]
    board: NDArray[np.int64]
    suits: NDArray[np.int64]


def two_ranges_of(spot: EquitySpot) -> TwoRanges:
    """The two ranges of a spot, ready to be counted."""
    first, second = (numbers_of(hand) for hand in spot.ranges)
    both = np.union1d(first, second)
    cards = PAIR_CARDS[both].astype(np.uint8)
    return TwoRanges(
        cards=cards,
        keys=CARD_KEYS[cards].sum(axis=1, dtype=np.uint64),
        bits=CARD_BITS[cards].sum(axis=1, dtype=np.uint64),
        in_first=np.isin(both, first).astype(np.uint8),
        in_second=np.isin(both, second).astype(np.uint8),
        deck=np.setdiff1d(np.arange(52), [*spot.board, *spot.dead]),
        board=np.array(spot.board, np.int64),
        suits=SUIT_RENAMINGS[spot.suit_symmetries],
    )


@njit(cache=True, nogil=True)
def _first_choice(index: Any, places: Any) -> None:
    """The places, ascending, of the choice with this number (colexicographic: sum of C(place, position + 1))."""
    for position in range(len(places) - 1, -1, -1):
        place, ways, next_ways = position, 0, 1
        while next_ways <= index:
            place += 1
            ways = next_ways
            next_ways = ways * (place + 1) // (place - position)
        places[position] = place
        index -= ways


@njit(cache=True, nogil=True)
def _next_choice(places: Any) -> None:
    for position in range(len(places)):
        places[position] += 1
        if position + 1 == len(places) or places[position] < places[position + 1]:
            return
        places[position] = position


@njit(cache=True, nogil=True)
def _alike(bits: Any, suits: Any) -> Any:
    """How many boards renamed suits make of this one, if it is the first of them; otherwise 0."""
    unchanged = 0
    for renamed in suits:
        image = np.uint64(0)
        for suit in range(4):
            image |= ((bits >> np.uint64(16 * suit)) & _LANE) << np.uint64(16 * renamed[suit])
        if image < bits:
            return 0
        unchanged += image == bits
    return len(suits) // unchanged


@njit(cache=True, nogil=True)
def _by_strength(ranges: TwoRanges, key: Any, bits: Any, codes: Any) -> Any:
    """Codes (strength << 16 | row) of the hands that the board leaves, weakest first."""
    count = 0
    for row in range(len(ranges.cards)):
        if ranges.bits[row] & bits == 0:
            strength = strength_of(key + ranges.keys[row], bits | ranges.bits[row])
            codes[count] = np.uint32(strength) << np.uint32(16) | np.uint32(row)
            count += 1
    return sort_by_strength(codes, count)


@njit(cache=True, nogil=True)
def _sweep(ranges: TwoRanges, codes: Any) -> Any:
    """How many pairs of hands the first range wins and ties on a board."""
    seen_with = np.zeros(52, np.int64)  # hands of the second range seen so far that hold the card
    seen, wins, ties = 0, 0, 0
    start = 0
    while start < len(codes):
        end = start
        while end < len(codes) and codes[end] >> np.uint32(16) == codes[start] >> np.uint32(16):
            row = codes[end] & np.uint32(0xFFFF)
            if ranges.in_first[row]:
                weaker = seen - seen_with[ranges.cards[row, 0]] - seen_with[ranges.cards[row, 1]]
                wins += weaker
                ties -= weaker
            end += 1
        for place in range(start, end):
            row = codes[place] & np.uint32(0xFFFF)
            if ranges.in_second[row]:
                seen += 1
                seen_with[ranges.cards[row, 0]] += 1
                seen_with[ranges.cards[row, 1]] += 1
        for place in range(start, end):
            row = codes[place] & np.uint32(0xFFFF)
            if ranges.in_first[row]:
                # The same hand in the second range was taken away twice, once for each of its cards.
                ties += (
                    seen - seen_with[ranges.cards[row, 0]] - seen_with[ranges.cards[row, 1]] + ranges.in_second[row]
                )
        start = end
    return wins, ties


@njit(cache=True, nogil=True)
def count_boards(ranges: TwoRanges, first: int, end: int) -> Any:
    """Wins and ties of the first range over the boards with numbers `first` to `end`."""
    places = np.empty(5 - len(ranges.board), np.int64)
    _first_choice(first, places)
    known_key, known_bits = sum_cards(ranges.board, NO_CARDS)
    codes = np.empty(len(ranges.cards), np.uint32)
    total = np.zeros(2, np.int64)
    for _ in range(first, end):
        key, bits = known_key, known_bits
        for place in places:
            key += CARD_KEYS[ranges.deck[place]]
            bits |= CARD_BITS[ranges.deck[place]]
        alike = _alike(bits, ranges.suits)
        if alike > 0:
            wins, ties = _sweep(ranges, _by_strength(ranges, key, bits, codes))
            total[0] += alike * wins
            total[1] += alike * ties
        _next_choice(places)
    return total
