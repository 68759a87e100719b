"""All hands on one flop, ranked on the flop, on every turn and on every river: the ground of the roll-out table.

A flop leaves 49 cards, and so 1,176 hands and as many ways to deal the two cards to come. Both are numbered alike:
the cards at two places of the 49 make the hand, or runout, of that `pair_number`.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.divat.classes import state_of
from luckless.divat.settings import FLOP, TURN, Cutoffs
from luckless.hands.board import rank_board
from luckless.hands.pairs import PAIRS, pair_number
from luckless.kernels import njit

LIVE_CARDS = 49
LIVE_HANDS = 1176

_STRENGTH_WORDS = 117  # 64 strengths a word


class FlopRanks(NamedTuple):
    """The live cards of a flop, and every live hand on every runout.

    `order` numbers the strengths of a board from the weakest up (equal means a tie), `counts` holds half-counts
    (2 x beaten + tied); both are [runout, hand], and 0 where hand and runout share a card. `hands` are the numbers
    of the live hands among all 1,326.
    """

    cards: NDArray[np.int64]
    hands: NDArray[np.int64]
    order: NDArray[np.uint8]
    counts: NDArray[np.uint16]


@njit(cache=True, nogil=True, inline="always")
def count_bits(word: Any) -> Any:
    """How many bits of a 64-bit word are set; the compiler knows this form and uses the machine's instruction."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit(cache=True, nogil=True)
def live_cards(flop: NDArray[Any]) -> Any:
    """The 49 cards that a flop leaves, in rising order."""
    cards = np.empty(LIVE_CARDS, np.int64)
    count = 0
    for card in range(52):
        if card != flop[0] and card != flop[1] and card != flop[2]:
            cards[count] = card
            count += 1
    return cards


@njit(cache=True, nogil=True)
def _number_strengths(strengths: NDArray[Any], hands: NDArray[Any], out: NDArray[np.uint8]) -> None:
    """Numbers the different strengths of the hands from 1 up; strength 0 (blocked) gets 0."""
    words = np.zeros(_STRENGTH_WORDS, np.uint64)
    for hand in hands:
        strength = strengths[hand]
        words[strength >> 6] |= np.uint64(1) << np.uint64(strength & 63)
    words[0] &= ~np.uint64(1)
    below = np.zeros(_STRENGTH_WORDS, np.int64)
    for place in range(1, _STRENGTH_WORDS):
        below[place] = below[place - 1] + count_bits(words[place - 1])
    for place in range(len(hands)):
        strength = strengths[hands[place]]
        up_to = (np.uint64(2) << np.uint64(strength & 63)) - np.uint64(1)
        number = below[strength >> 6] + count_bits(words[strength >> 6] & up_to)
        out[place] = number if strength else 0


@njit(cache=True, nogil=True)
def rank_runouts(flop: NDArray[Any]) -> FlopRanks:
    """Ranks all hands on all 1,176 runouts of a flop."""
    cards = live_cards(flop)
    hands = np.empty(LIVE_HANDS, np.int64)
    order = np.empty((LIVE_HANDS, LIVE_HANDS), np.uint8)
    counts = np.empty((LIVE_HANDS, LIVE_HANDS), np.uint16)
    strengths, ahead, tied = np.empty(PAIRS, np.int32), np.empty(PAIRS, np.int32), np.empty(PAIRS, np.int32)
    board = np.empty(5, np.int64)
    board[:3] = flop
    number = 0
    for high in range(LIVE_CARDS):
        for low in range(high):
            hands[number] = pair_number(cards[low], cards[high])
            number += 1
    number = 0
    for high in range(LIVE_CARDS):
        board[3] = cards[high]
        for low in range(high):
            board[4] = cards[low]
            rank_board(board, strengths, ahead, tied)
            _number_strengths(strengths, hands, order[number])
            for place in range(LIVE_HANDS):
                hand = hands[place]
                counts[number, place] = 2 * ahead[hand] + tied[hand]
            number += 1
    return FlopRanks(cards, hands, order, counts)


@njit(cache=True, nogil=True)
def flop_states(flop: NDArray[Any], ranks: FlopRanks, cutoffs: Cutoffs) -> Any:
    """The state of every live hand on the flop."""
    strengths, ahead, tied = np.empty(PAIRS, np.int32), np.empty(PAIRS, np.int32), np.empty(PAIRS, np.int32)
    rank_board(flop, strengths, ahead, tied)
    later = np.zeros(LIVE_HANDS, np.int64)
    for runout in range(LIVE_HANDS):
        for place in range(LIVE_HANDS):
            later[place] += ranks.counts[runout, place]
    states = np.empty(LIVE_HANDS, np.int64)
    for place in range(LIVE_HANDS):
        hand = ranks.hands[place]
        now = 2 * ahead[hand] + tied[hand]
        states[place] = state_of(FLOP, now, later[place], cutoffs)
    return states


@njit(cache=True, nogil=True)
def turn_states(flop: NDArray[Any], turn: int, ranks: FlopRanks, cutoffs: Cutoffs) -> Any:
    """The state of every live hand with the live card at the place `turn` as turn card; hands with it have none."""
    board = np.empty(4, np.int64)
    board[:3] = flop
    board[3] = ranks.cards[turn]
    strengths, ahead, tied = np.empty(PAIRS, np.int32), np.empty(PAIRS, np.int32), np.empty(PAIRS, np.int32)
    rank_board(board, strengths, ahead, tied)
    later = np.zeros(LIVE_HANDS, np.int64)
    for river in range(LIVE_CARDS):
        if river != turn:
            counts = ranks.counts[pair_number(turn, river)]
            for place in range(LIVE_HANDS):
                later[place] += counts[place]
    states = np.full(LIVE_HANDS, -1, np.int64)
    for place in range(LIVE_HANDS):
        hand = ranks.hands[place]
        if strengths[hand]:
            now = 2 * ahead[hand] + tied[hand]
            states[place] = state_of(TURN, now, later[place], cutoffs)
    return states
