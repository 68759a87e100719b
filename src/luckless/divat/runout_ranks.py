"""The ranks of two hands on every turn and river of a flop, read from the built tables.

A situation's number is put together from its four suits, and a card changes one of them. So what a suit holds is
worked out once a flop and card; a river then costs putting one suit in its place among three others. All numbers of
a turn are made before the first rank is read: the reads, all over a large table, then overlap.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.divat.rollout_ranks import SIDES, RiverRanks, RolloutRanks, TurnRanks
from luckless.hands.evaluator import CARD_BITS, CARD_KEYS, NO_CARDS, bits_of, strength_of, sum_cards
from luckless.hands.isomorphism import number_of_suits, number_suit
from luckless.kernels import njit

_MOST_LIVE = 45


class Room(NamedTuple):
    """Working space for two hands on a flop.

    `cards` are those that are left, suit by suit; those of suit s begin at `starts[s]`, the last end at `starts[4]`.
    `suits[side, s]` is what suit s holds on the flop (`number_suit`), `joined[side, i]` what the suit of card i holds
    with it on the board. `on_turn` and `joined_turn` are the same of one turn and side, `numbers` the
    situations on its rivers.
    """

    cards: NDArray[np.int64]
    starts: NDArray[np.int64]
    suits: NDArray[np.int64]
    joined: NDArray[np.int64]
    on_turn: NDArray[np.int64]
    joined_turn: NDArray[np.int64]
    numbers: NDArray[np.int64]


@njit(cache=True, nogil=True)
def new_room() -> Room:
    """Room that holds nothing yet."""
    return Room(
        np.empty(_MOST_LIVE, np.int64),
        np.empty(5, np.int64),
        np.empty((SIDES, 4), np.int64),
        np.empty((SIDES, _MOST_LIVE), np.int64),
        np.empty(4, np.int64),
        np.empty(_MOST_LIVE, np.int64),
        np.empty(_MOST_LIVE, np.int64),
    )


@njit(cache=True, nogil=True, borrows=True)
def _lay_out(hole: NDArray[Any], flop: NDArray[Any], room: Room) -> None:
    """Lists the live cards suit by suit, and what every suit holds without and with each of them."""
    on_flop = bits_of(flop)
    taken = bits_of(hole[0]) | bits_of(hole[1]) | on_flop
    place = 0
    for suit in range(4):
        room.starts[suit] = place
        for card in range(suit, 52, 4):
            if not taken & CARD_BITS[card]:
                room.cards[place] = card
                place += 1
    room.starts[4] = place
    for side in range(SIDES):
        held = bits_of(hole[side])
        for suit in range(4):
            room.suits[side, suit] = number_suit(held, on_flop, suit)
        for place in range(_MOST_LIVE):
            card = room.cards[place]
            room.joined[side, place] = number_suit(held, on_flop | CARD_BITS[card], card & 3)


@njit(cache=True, nogil=True, borrows=True)
def _turn_number(held: Any, on_flop: Any, side: int, turn: int, room: Room, source: RolloutRanks) -> Any:
    """The situation of a side on a turn; notes what its suits hold there, and with each earlier card as river."""
    card = room.cards[turn]
    own = card & 3
    for suit in range(4):
        room.on_turn[suit] = room.suits[side, suit]
    room.on_turn[own] = room.joined[side, turn]
    for place in range(turn):
        room.joined_turn[place] = room.joined[side, place]
    on_turn = on_flop | CARD_BITS[card]
    for place in range(room.starts[own], turn):
        room.joined_turn[place] = number_suit(held, on_turn | CARD_BITS[room.cards[place]], own)
    a, b, c = _in_order(room.on_turn[0], room.on_turn[1], room.on_turn[2])
    a, b, c, d = _inserted(a, b, c, room.on_turn[3])
    return number_of_suits(a, b, c, d, source.turn_layout)


@njit(cache=True, nogil=True, inline="always")
def _in_order(a: Any, b: Any, c: Any) -> Any:
    a, b = max(a, b), min(a, b)
    b, c = max(b, c), min(b, c)
    return max(a, b), min(a, b), c


@njit(cache=True, nogil=True, inline="always")
def _inserted(a: Any, b: Any, c: Any, new: Any) -> Any:
    """Three numbers in order and one more, all in order: the largest first."""
    high, new = max(a, new), min(a, new)
    second, new = max(b, new), min(b, new)
    return high, second, max(c, new), min(c, new)


@njit(cache=True, nogil=True, borrows=True)
def _number_rivers(last: int, room: Room, source: RolloutRanks) -> None:
    """The situations on a turn (`room.on_turn`) with each of the first `last` live cards as river."""
    suits = room.on_turn
    for suit in range(4):
        a, b, c = _in_order(suits[(suit + 1) & 3], suits[(suit + 2) & 3], suits[(suit + 3) & 3])
        for place in range(room.starts[suit], min(room.starts[suit + 1], last)):
            first, second, third, fourth = _inserted(a, b, c, room.joined_turn[place])
            room.numbers[place] = number_of_suits(first, second, third, fourth, source.river_layout)


@njit(cache=True, nogil=True, borrows=True)
def _compare(hole: NDArray[Any], flop: NDArray[Any], turn: int, room: Room, signs: NDArray[np.int64]) -> None:
    """The sign of the showdown, for side 0, on a turn and each river before it in the list of live cards."""
    key, bits = sum_cards(flop, NO_CARDS)
    key, bits = key + CARD_KEYS[room.cards[turn]], bits | CARD_BITS[room.cards[turn]]
    first_key, first_bits = sum_cards(hole[0], key)
    second_key, second_bits = sum_cards(hole[1], key)
    first_bits, second_bits = first_bits | bits, second_bits | bits
    for place in range(turn):
        card = room.cards[place]
        first = np.int64(strength_of(first_key + CARD_KEYS[card], first_bits | CARD_BITS[card]))
        second = np.int64(strength_of(second_key + CARD_KEYS[card], second_bits | CARD_BITS[card]))
        signs[place] = np.int64(first > second) - np.int64(first < second)


@njit(cache=True, nogil=True, borrows=True)
def read_runouts(
    hole: NDArray[Any], flop: NDArray[Any], source: RolloutRanks, room: Room, turns: TurnRanks, rivers: RiverRanks
) -> None:
    """Fills in the ranks of both sides by live card: `turns.ihr[side, turn]` and so on,
    `rivers.counts[side, turn, river]`."""
    _lay_out(hole, flop, room)
    on_flop = bits_of(flop)
    for turn in range(_MOST_LIVE):
        for side in range(SIDES):
            number = _turn_number(bits_of(hole[side]), on_flop, side, turn, room, source)
            turns.ihr[side, turn], turns.hr7[side, turn] = source.turn_ihr[number], source.turn_hr7[number]
            _number_rivers(turn, room, source)
            for river in range(turn):
                count = np.int64(source.river_ihr[room.numbers[river]])
                rivers.counts[side, turn, river], rivers.counts[side, river, turn] = count, count
            rivers.counts[side, turn, turn] = 0
        _compare(hole, flop, turn, room, rivers.signs[turn])
        rivers.signs[turn, turn] = 0
        for river in range(turn):
            rivers.signs[river, turn] = rivers.signs[turn, river]
