"""What every hand of a river meets: the weights of another player's hands, set by set, in a block of sixteen lines.

The other player's hands split into few sets: those that check, and those that call or raise at each level of two
chains of bets (see `limit_rivers`). Two passes over the hands in the order of strength are enough. The first works
out all weights and, for each card, their sum. The second keeps for each card the weights below less those above,
level of equal hands by level. What lies side by side there is used together, and it all stays close to the processor.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.kernels import njit
from luckless.lanes import LANES, add, fill, load, multiply, store, subtract

LIVE = 1081
"""Hands that a river leaves."""
_SUMS = 53
"""One vector a set for all hands, then one for each card."""


class River(NamedTuple):
    """One river: `hands` are the live ones, weakest first; `ends` says for each place where its level of equal hands
    ends; `classes` (member, place) are where the chances of a hand's class begin; `cards` (hand, 2) are its cards."""

    hands: NDArray[np.int64]
    ends: NDArray[np.int64]
    classes: NDArray[np.int64]
    cards: NDArray[np.int64]


def aligned(shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Zeros that begin where a line of the processor's cache does: vectors that lie across two take twice as long."""
    size = int(np.prod(shape))
    spare = np.zeros(size + LANES, np.float32)
    first = -spare.ctypes.data % (4 * LANES) // 4
    return spare[first : first + size].reshape(shape)


class Room(NamedTuple):
    """Where a block is worked out: weights before the river (member, place, line), those of one hand on it (set,
    line), of all hands (place, set, line); sums of all weights and weights below less those above (all or card, set,
    line)."""

    begun: NDArray[np.float32]
    parts: NDArray[np.float32]
    weights: NDArray[np.float32]
    sums: NDArray[np.float32]
    sided: NDArray[np.float32]

    @classmethod
    def of(cls, sets: int, members: int = 1) -> "Room":
        """Room for so many sets of so many members."""
        return cls(
            aligned((members * LIVE * LANES,)), aligned(((sets + 1) * LANES,)), aligned((LIVE * sets * LANES,)),
            aligned((_SUMS * sets * LANES,)), aligned((_SUMS * sets * LANES,)),
        )  # fmt: skip

    def fresh(self) -> "Room":
        """Another room of this size."""
        return Room(*(aligned(part.shape) for part in self))


class Hand(NamedTuple):
    """Where the numbers of a hand begin in a room: the sums of its two cards, and its weights."""

    low: Any
    high: Any
    own: Any


@njit(cache=True, nogil=True, inline="always")
def hand_at(river: River, place: Any, sets: Any) -> Hand:
    """The hand at a place."""
    hand = river.hands[place]
    size = sets * LANES
    return Hand((1 + river.cards[hand, 0]) * size, (1 + river.cards[hand, 1]) * size, place * size)


@njit(cache=True, nogil=True, inline="always")
def met_by(room: Room, number: Any, hand: Hand) -> Any:
    """The weight of a set that a hand can meet."""
    at = number * LANES
    shared = add(load(room.sums, hand.low + at), load(room.sums, hand.high + at))
    return add(subtract(load(room.sums, at), shared), load(room.weights, hand.own + at))


@njit(cache=True, nogil=True, inline="always")
def shown_by(room: Room, number: Any, hand: Hand) -> Any:
    """What a hand wins at a showdown with a set: the weight below it less that above. Its level must be open."""
    at = number * LANES
    shared = add(load(room.sided, hand.low + at), load(room.sided, hand.high + at))
    return subtract(load(room.sided, at), shared)


@njit(cache=True, nogil=True)
def set_parents(sets: int, seat: int) -> NDArray[np.int64]:
    """The set that each set is a part of: a call or raise at a level follows the raise below; -1 are all hands."""
    parents, most = np.full(sets, -1), (sets - 1) // 2
    for number in range(2, sets):
        level = number if number <= most else number - most
        if number <= most:
            parents[number] = number - 1 if level % 2 == 0 else number - 2
        elif level <= 2:
            parents[number] = -1 if seat == 0 else 0
        else:
            parents[number] = number - 1 if level % 2 == 1 else number - 2
    return parents


@njit(cache=True, nogil=True, inline="always")
def _weigh(chances: Any, start: Any, slots: Any, parents: Any, begun: Any, out: Any, at: Any) -> None:
    """The weights of one hand in all sets, from that before the river."""
    for number in range(len(slots)):
        parent = parents[number]
        before = begun if parent < 0 else load(out, at + parent * LANES)
        store(out, at + number * LANES, multiply(before, load(chances, start + slots[number] * LANES)))


@njit(cache=True, nogil=True)
def weigh_hands(river: River, chances: Any, slots: NDArray[np.int64], parents: NDArray[np.int64], room: Room) -> None:
    """Works out the weights of all hands from those in `begun`, and all sums; no level is open yet. `slots` says
    where the chances of each set lie."""
    sets, members = len(slots), len(river.classes)
    nothing, half = fill(room.sums, np.float32(0)), fill(room.sums, np.float32(0.5))
    for at in range(0, _SUMS * sets * LANES, LANES):
        store(room.sums, at, nothing)
    for place in range(LIVE):
        hand = hand_at(river, place, sets)
        _weigh(
            chances, river.classes[0, place], slots, parents, load(room.begun, place * LANES), room.weights, hand.own
        )
        for member in range(1, members):
            begun = load(room.begun, (member * LIVE + place) * LANES)
            _weigh(chances, river.classes[member, place], slots, parents, begun, room.parts, 0)
            for at in range(0, sets * LANES, LANES):
                store(room.weights, hand.own + at, add(load(room.weights, hand.own + at), load(room.parts, at)))
        _add_to_cards(room.sums, room, hand, sets)
    for at in range(0, sets * LANES, LANES):
        total = nothing
        for card in range(1, _SUMS):
            total = add(total, load(room.sums, card * sets * LANES + at))
        store(room.sums, at, multiply(total, half))  # every hand has two cards
    for at in range(0, _SUMS * sets * LANES, LANES):
        store(room.sided, at, subtract(nothing, load(room.sums, at)))


@njit(cache=True, nogil=True, inline="always")
def _add_to_cards(sums: Any, room: Room, hand: Hand, sets: Any) -> None:
    """Adds the weights of a hand to the sums of its two cards."""
    for at in range(0, sets * LANES, LANES):
        weight = load(room.weights, hand.own + at)
        store(sums, hand.low + at, add(load(sums, hand.low + at), weight))
        store(sums, hand.high + at, add(load(sums, hand.high + at), weight))


@njit(cache=True, nogil=True)
def pass_level(river: River, room: Room, first: int, last: int, sets: int) -> None:
    """Opens a level, so that its hands count for nothing to each other; called again, puts it below all others."""
    size = sets * LANES
    for at in range(0, size, LANES):
        total = load(room.sided, at)
        for own in range(first * size + at, last * size, size):
            total = add(total, load(room.weights, own))
        store(room.sided, at, total)
    for place in range(first, last):
        _add_to_cards(room.sided, room, hand_at(river, place, sets), sets)
