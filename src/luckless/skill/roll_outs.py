"""Compiled: what a situation is worth to each seat if all play soundly from there on (see `sound_play`).

All hole cards are known. Boards to come are counted one by one on turn and river. Earlier, so many are drawn, by
random numbers that depend on nothing but the cards that lie there, whoever holds which: so they do not depend on what
comes, and all situations of one street are valued on the same boards.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.hands.rank_source import RankSource
from luckless.kernels import njit
from luckless.rules import engine
from luckless.rules.game import BOARD_CARDS, MAX_SEATS
from luckless.rules.state import FINISHED
from luckless.skill.sound_play import Numbers, rank_of, sound_action

NOT_RANKED = -1.0
_BOARD_CARDS = np.array(BOARD_CARDS)
_ONE = np.uint64(1)


class Boards(NamedTuple):
    """Boards on which a street's situations are played out, and the ranks of all hands on them, as far as needed.

    `ranks` goes by board, hand and street; streets up to that of the situations stand with the first board.
    """

    street: int
    cards: NDArray[np.int64]
    ranks: NDArray[np.float64]


class Ground(NamedTuple):
    """What roll-outs stand on: the play, where ranks come from, and how many boards are drawn before and on the flop
    (0 on the flop: all are counted)."""

    numbers: Numbers
    source: RankSource
    samples: int
    flop_samples: int


@njit(cache=True, nogil=True)
def _next_word(state: NDArray[np.uint64]) -> Any:
    """A step of SplitMix64 (Steele, Lea and Flood 2014)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@njit(cache=True, nogil=True)
def _known_cards(deck: NDArray[np.uint8], seats: int, board: int) -> Any:
    known = np.uint64(0)
    for place in range(2 * seats + board):
        known |= _ONE << np.uint64(deck[place])
    return known


@njit(cache=True, nogil=True)
def _drawn(known: Any, board: int, cards: NDArray[np.int64]) -> None:
    """Fills the places from `board` on with drawn cards."""
    state = np.array([known], np.uint64)
    for row in range(len(cards)):
        taken = known
        for place in range(board, 5):
            card = np.int64((_next_word(state) >> np.uint64(32)) * np.uint64(52) >> np.uint64(32))
            while taken >> np.uint64(card) & _ONE:
                card = np.int64((_next_word(state) >> np.uint64(32)) * np.uint64(52) >> np.uint64(32))
            taken |= _ONE << np.uint64(card)
            cards[row, place] = card


@njit(cache=True, nogil=True)
def _counted(known: Any, board: int, cards: NDArray[np.int64]) -> None:
    """Fills the places from `board` on, 3 or 4, with all cards that can come, in order."""
    row = 0
    for fourth in range(52):
        if known >> np.uint64(fourth) & _ONE:
            continue
        if board == 4:
            cards[row, 4] = fourth
            row += 1
            continue
        for fifth in range(52):
            if fifth != fourth and not known >> np.uint64(fifth) & _ONE:
                cards[row, 3], cards[row, 4] = fourth, fifth
                row += 1


@njit(cache=True, nogil=True)
def new_boards(deck: NDArray[np.uint8], seats: int, street: int, ground: Ground) -> Boards:
    """The boards for situations on a street, with the cards that lie there first."""
    board = _BOARD_CARDS[street]
    left = 52 - 2 * seats - board
    all_counted = street == 2 or (street == 1 and ground.flop_samples == 0)
    count = 1
    if all_counted:
        count = left if street == 2 else left * (left - 1)
    elif street < 2:
        count = ground.samples if street == 0 else ground.flop_samples
    cards = np.zeros((count, 5), np.int64)
    for place in range(board):
        cards[:, place] = deck[2 * seats + place]
    known = _known_cards(deck, seats, board)
    if all_counted:
        _counted(known, board, cards)
    elif street < 2:
        _drawn(known, board, cards)
    return Boards(street, cards, np.full((count, MAX_SEATS, 4), NOT_RANKED))


@njit(cache=True, nogil=True)
def rank_on(
    rules: Any, deck: NDArray[np.uint8], boards: Boards, row: int, hand: int, street: int, ground: Ground
) -> Any:
    """The rank of the hole cards of one hand on a street of one of the boards."""
    if street <= boards.street:
        row = 0
    if boards.ranks[row, hand, street] == NOT_RANKED:
        cards = np.empty(7, np.int64)
        cards[0], cards[1] = deck[2 * hand], deck[2 * hand + 1]
        cards[2:] = boards.cards[row]
        boards.ranks[row, hand, street] = rank_of(rules, cards, street, ground.source, ground.numbers)
    return boards.ranks[row, hand, street]


@njit(cache=True, nogil=True)
def baseline_action(
    rules: Any, hand: Any, deck: NDArray[np.uint8], boards: Boards, row: int, turned: int, ground: Ground
) -> Any:
    """What sound play does in a situation; seat s holds the hand of seat s + `turned`."""
    owner = (hand.actor + turned) % rules.seats
    rank = rank_on(rules, deck, boards, row, owner, np.int64(hand.street), ground)
    return sound_action(rules, hand, rank, ground.numbers)


@njit(cache=True, nogil=True)
def roll_out(
    rules: Any,
    situation: Any,
    deck: NDArray[np.uint8],
    boards: Boards,
    turned: int,
    ground: Ground,
    buffer: NDArray[np.void],
    out: NDArray[np.float64],
) -> None:
    """The mean result of each seat over the boards if all play soundly; seat s holds the hand of s + `turned`."""
    seats = np.int64(rules.seats)
    out[:] = 0.0
    dealt = np.empty(2 * seats + 5, np.uint8)
    for seat in range(seats):
        owner = (seat + turned) % seats
        dealt[2 * seat], dealt[2 * seat + 1] = deck[2 * owner], deck[2 * owner + 1]
    payoffs = np.zeros(seats, np.int32)
    rows = len(boards.cards)
    if situation.actor == FINISHED and situation.showdown == 0:
        rows = 1  # no card can change the result
    for row in range(rows):
        buffer[0] = situation
        hand = buffer[0]
        while hand.actor != FINISHED:
            engine.act(rules, hand, baseline_action(rules, hand, deck, boards, row, turned, ground))
        for place in range(5):
            dealt[2 * seats + place] = boards.cards[row, place]
        engine.settle(rules, hand, dealt, payoffs)
        for seat in range(seats):
            out[seat] += payoffs[seat]
    out /= rows
