"""The compiled core of hand strength: a hand is two additive words, its strength one or two look-ups.

`CARD_KEYS[card]` adds up over the cards of a hand: the low 32 bits name the multiset of ranks (see
`strength_build.RANK_KEYS`), four nibbles above them count the cards of each suit. `CARD_BITS[card]` is the card
as a bit in four 16-bit lanes, one a suit; it is needed only when a suit counts five or more.
Start a sum of keys from `NO_CARDS`, so that a suit with five cards sets the top bit of its nibble.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.bits import place_of_bit
from luckless.hands.strength_build import RANK_KEYS, ROW_BITS, TABLES_FILE
from luckless.kernels import njit

with np.load(TABLES_FILE, allow_pickle=False) as _tables:
    _ROW_OFFSETS = _tables["row_offsets"]
    _RANK_STRENGTHS = _tables["rank_strengths"]
    _FLUSH_STRENGTHS = _tables["flush_strengths"]

CARD_KEYS: NDArray[np.uint64] = np.array(
    [RANK_KEYS[card >> 2] + (1 << (32 + 4 * (card & 3))) for card in range(52)], np.uint64
)
CARD_BITS: NDArray[np.uint64] = np.array([1 << (16 * (card & 3) + (card >> 2)) for card in range(52)], np.uint64)
NO_CARDS = np.uint64(0x3333 << 32)

_FLUSH_FLAGS = np.uint64(0x8888 << 32)
_FIRST_FLAG = np.uint64(35)
_RANK_PART = np.uint64(0xFFFFFFFF)
_ROW_SHIFT = np.uint64(ROW_BITS)
_ROW_MASK = np.uint64((1 << ROW_BITS) - 1)
_SUIT_MASK = np.uint64(0x1FFF)


@njit(cache=True, nogil=True, inline="always")
def has_flush(key: Any) -> Any:
    """Whether five or more cards of the summed keys share a suit."""
    return (key & _FLUSH_FLAGS) != 0


@njit(cache=True, nogil=True, inline="always")
def rank_strength(key: Any) -> Any:
    """Strength of 5 to 7 cards by their ranks alone: right whenever no suit has five of them."""
    ranks = key & _RANK_PART
    return _RANK_STRENGTHS[np.uint64(_ROW_OFFSETS[ranks >> _ROW_SHIFT]) + (ranks & _ROW_MASK)]


@njit(cache=True, nogil=True, inline="always")
def suited_strength(ranks: Any) -> Any:
    """Strength of 5 to 7 cards of one suit, given as a mask of ranks."""
    return _FLUSH_STRENGTHS[ranks]


@njit(cache=True, nogil=True, borrows=True)
def flush_strength(key: Any, bits: Any) -> Any:
    """Strength of 5 to 7 cards of which five or more share a suit."""
    lane = np.uint64(4) * (place_of_bit(key & _FLUSH_FLAGS) - _FIRST_FLAG)  # 16 bits a suit there, 4 bits a suit here
    return _FLUSH_STRENGTHS[(bits >> lane) & _SUIT_MASK]


@njit(cache=True, nogil=True, inline="always")
def strength_of(key: Any, bits: Any) -> Any:
    """Strength (1 to 7,462, higher is better) of 5 to 7 cards from the sums of their keys and bits."""
    if has_flush(key):
        return flush_strength(key, bits)
    return rank_strength(key)


@njit(cache=True, nogil=True, borrows=True)
def bits_of(cards: NDArray[Any]) -> Any:
    """The sum of the bits of some cards."""
    bits = np.uint64(0)
    for card in cards:
        bits |= CARD_BITS[card]
    return bits


@njit(cache=True, nogil=True, borrows=True)
def sum_cards(cards: NDArray[Any], start: Any) -> Any:
    """The sums of the keys, counted from `start`, and of the bits of some cards."""
    key, bits = start, np.uint64(0)
    for card in cards:
        key += CARD_KEYS[card]
        bits |= CARD_BITS[card]
    return key, bits


@njit(cache=True, nogil=True)
def _bits_of_row(cards: NDArray[Any], row: int) -> Any:
    bits = np.uint64(0)
    for column in range(cards.shape[1]):
        bits |= CARD_BITS[np.uint64(cards[row, column])]
    return bits


@njit(cache=True, nogil=True)
def strength_rows(cards: NDArray[Any], out: NDArray[Any]) -> None:
    """Strength of each row of 5, 6 or 7 cards."""
    for row in range(cards.shape[0]):
        key = NO_CARDS
        for column in range(cards.shape[1]):
            key += CARD_KEYS[np.uint64(cards[row, column])]
        out[row] = flush_strength(key, _bits_of_row(cards, row)) if has_flush(key) else rank_strength(key)


@njit(cache=True, nogil=True)
def first_bad_row(cards: NDArray[Any]) -> Any:
    """The first row with a number outside 0..51 or a card twice, or -1."""
    for row in range(cards.shape[0]):
        seen = np.uint64(0)
        for column in range(cards.shape[1]):
            card = cards[row, column]
            if card < 0 or card > 51:
                return row
            bit = np.uint64(1) << np.uint64(card)
            if seen & bit:
                return row
            seen |= bit
    return -1
