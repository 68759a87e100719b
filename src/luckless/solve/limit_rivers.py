"""The river of heads-up limit in one kernel: what a best response wins there, for all rivers of a turn at once.

Lines are taken sixteen at a time, side by side in vectors, so that all that one block needs stays close to the
processor. On the river the bot's hands split into few sets of weights: those that check behind or before, and in each
of two chains of bets those that call or raise at each level. Each set needs one sweep over the hands in the order of
strength. All that fold is what is left.

A chain is `bot bets` (the bot makes bets 1 and 3 and calls 2 and 4) or `responder bets` (it calls 1 and 3 and raises
to 2 and 4). Set 0 are the checks, sets 1 to 4 the first chain by level, sets 5 to 8 the second.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.hands.board import rank_board, sort_by_strength
from luckless.hands.pairs import PAIR_CARDS, PAIRS
from luckless.kernels import njit
from luckless.lanes import LANES, add, fill, larger, load, multiply, store, subtract
from luckless.solve.limit_policies import LimitPolicy, Played
from luckless.solve.limit_streets import Street

LIVE = 1081
"""Hands that a river leaves."""
SUMS = 53 * LANES
"""A vector for each card, and one for the total."""
_TOTAL = 52 * LANES
PLACES = np.ascontiguousarray(PAIR_CARDS * LANES)
"""Where the sums of a hand's two cards begin."""


class Rivers(NamedTuple):
    """The rivers of a turn. `hands` are the live ones, weakest first; `ends` says for each place where its level of
    equal hands ends; `classes` (river, member, place) are those of the hands, in the same order. `images` are the
    renamings by which river r stands for others too, those from `first_image[r]` on."""

    hands: NDArray[np.int64]
    ends: NDArray[np.int64]
    classes: NDArray[np.int64]
    images: NDArray[np.int64]
    first_image: NDArray[np.int64]


class River(NamedTuple):
    """One river: `classes` (member, place) are where the chances of a hand's class begin, `cards` where the sums of
    its cards do."""

    hands: NDArray[np.int64]
    ends: NDArray[np.int64]
    classes: NDArray[np.int64]
    cards: NDArray[np.int64]


class Bets(NamedTuple):
    """What the bot does on the river, in blocks of lines. `chances` (block, class, set, line): the share of a set
    among those that came to its decision. `stakes` (block, level, line): what is lost when so many bets were made,
    and after those of all levels what is won (less than nothing) by folding to bet 1, 2, ..."""

    chances: NDArray[np.float32]
    stakes: NDArray[np.float32]


def aligned(shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Zeros that begin where a line of the processor's cache does: vectors that lie across two take twice as long."""
    size = int(np.prod(shape))
    spare = np.zeros(size + LANES, np.float32)
    first = -spare.ctypes.data % (4 * LANES) // 4
    return spare[first : first + size].reshape(shape)


class Room(NamedTuple):
    """Where a block is worked out: weights of members (set, member, place, line), those before the river at the end;
    weights of all members (set, place, line); weights below plus weights up to the own level (set, place, line); sums
    of all weights (set, card, line)."""

    parts: NDArray[np.float32]
    weights: NDArray[np.float32]
    beaten: NDArray[np.float32]
    sums: NDArray[np.float32]

    @classmethod
    def of(cls, sets: int, members: int = 1) -> "Room":
        """Room for so many sets of so many members."""
        size = LIVE * LANES
        return cls(
            aligned(((sets + 1) * members * size,)), aligned((sets * size,)), aligned((sets * size,)),
            aligned((sets * SUMS,)),
        )  # fmt: skip


def sets_of(street: Street, seat: int) -> list[tuple[int, int]]:
    """The decision of the bot and its action that make each set, for a responder in a seat."""
    nodes = street.nodes
    checked = nodes[0].branches[0].number
    if seat == 0:
        decision, faced, bet_into = checked, nodes[checked].branches[1].number, nodes[0].branches[1].number
    else:
        decision, faced, bet_into = 0, nodes[0].branches[1].number, nodes[checked].branches[1].number
    return [(decision, 0), (decision, 1), *_after_raise(street, faced), *_chain(street, bet_into)]


def _chain(street: Street, node: int) -> list[tuple[int, int]]:
    """The calls and raises of the bot from a decision on that faces a bet."""
    branches = street.nodes[node].branches
    found = [(node, action) for action in range(1, len(branches))]
    return found + (_after_raise(street, branches[2].number) if len(branches) > 2 else [])


def _after_raise(street: Street, node: int) -> list[tuple[int, int]]:
    """The same after the responder's raise at a decision of his."""
    branches = street.nodes[node].branches
    return _chain(street, branches[2].number) if len(branches) > 2 else []


def pack_bets(street: Street, seat: int, played: Sequence[Played], columns: NDArray[np.int64]) -> Bets:
    """What the members of the bot do on the river in some lines, and the stakes, in blocks; spare lines hold nothing.
    The classes of a member come after those of the one before."""
    sets = sets_of(street, seat)
    blocks = -(-len(columns) // LANES)
    ends = np.cumsum([0, *(len(member.tables[0][0]) for member in played)])
    chances = aligned((blocks, int(ends[-1]), len(sets), LANES))
    for member, first, end in zip(played, ends[:-1], ends[1:], strict=True):
        for number, (node, action) in enumerate(sets):
            part = member.tables[node][action][:, columns] * np.float32(member.scale)
            for block in range(blocks):
                lines = part[:, block * LANES : (block + 1) * LANES]
                chances[block, first:end, number, : lines.shape[1]] = lines
    return Bets(chances, stakes_in_blocks(street, columns, (len(sets) - 1) // 2))


def stakes_in_blocks(street: Street, columns: NDArray[np.int64], most: int) -> NDArray[np.float32]:
    """The stakes of some lines of the river with at most so many bets, as `Bets` has them."""
    blocks = -(-len(columns) // LANES)
    first = street.nodes[street.nodes[0].branches[0].number]
    none = first.branches[0].stakes[columns]
    step = street.nodes[first.branches[1].number].branches[1].stakes[columns] - none
    won = np.stack([none + level * step for level in range(most + 1)])
    spare = np.zeros((2 * most + 1, blocks * LANES), np.float32)
    spare[:, : len(columns)] = np.concatenate([won, -won[:-1]])
    stakes = aligned((blocks, 2 * most + 1, LANES))
    stakes[:] = spare.reshape(2 * most + 1, blocks, LANES).swapaxes(0, 1)
    return stakes


def in_blocks(matrices: NDArray[np.float32]) -> NDArray[np.float32]:
    """Matrices (member, hand, line) as (block, member, hand, line)."""
    members, hands, columns = matrices.shape
    blocks = -(-columns // LANES)
    out = aligned((blocks, members, hands, LANES))
    for block in range(blocks):
        lines = matrices[:, :, block * LANES : (block + 1) * LANES]
        out[block, :, :, : lines.shape[2]] = lines
    return out


def from_blocks(blocks: NDArray[np.float32], columns: int) -> NDArray[np.float32]:
    """A matrix (hand, line) from (block, hand, line)."""
    out = np.empty((blocks.shape[1], columns), np.float32)
    for block in range(len(blocks)):
        lines = out[:, block * LANES : (block + 1) * LANES]
        lines[:] = blocks[block, :, : lines.shape[1]]
    return out


def rivers_of(
    policies: Sequence[LimitPolicy], turn: tuple[int, ...], cards: Sequence[tuple[int, list[NDArray[np.int64]]]]
) -> tuple[Rivers, list[Played]]:
    """The rivers that some cards make of a turn, and how the members of the bot play the last of them."""
    hands, ends = np.empty((len(cards), LIVE), np.int64), np.empty((len(cards), LIVE), np.int64)
    classes = np.empty((len(cards), len(policies), LIVE), np.int64)
    images = [renamed for _, part in cards for renamed in part]
    first_image = np.cumsum([0, *(len(part) for _, part in cards)])
    for row, (card, _) in enumerate(cards):
        sort_river(np.array((*turn, card), np.int64), hands[row], ends[row])
        played = [policy.on(3, (*turn, card)) for policy in policies]
        first = 0
        for member, part in enumerate(played):
            classes[row, member] = part.classes[hands[row]] + first
            first += len(part.tables[0][0])
    return Rivers(hands, ends, classes, np.stack(images), first_image), played


@njit(cache=True, nogil=True)
def sort_river(board: NDArray[np.int64], hands: NDArray[np.int64], ends: NDArray[np.int64]) -> None:
    """The live hands of a board, weakest first, and where the level of each ends."""
    strength, ahead, tied = np.zeros(PAIRS, np.int32), np.zeros(PAIRS, np.int32), np.zeros(PAIRS, np.int32)
    rank_board(board, strength, ahead, tied)
    codes, count = np.empty(PAIRS, np.uint32), 0
    for pair in range(PAIRS):
        if strength[pair] > 0:
            codes[count] = np.uint32(strength[pair]) << np.uint32(16) | np.uint32(pair)
            count += 1
    codes = sort_by_strength(codes, count)
    end = count
    for place in range(count - 1, -1, -1):
        hands[place] = codes[place] & np.uint32(0xFFFF)
        if place + 1 < count and codes[place] >> 16 != codes[place + 1] >> 16:
            end = place + 1
        ends[place] = end


@njit(cache=True, nogil=True)
def _sweep(river: River, chances: Any, parent: Any, parts: Any, own: Any, beaten: Any, sums: Any) -> None:
    """The weights of a set, those of its parent times the share that goes on with it, by member and in all. For each
    hand the weight below its level plus that up to its level, itself left out, without hands that share a card; in
    `sums` that of all."""
    hands, ends, classes, cards = river
    nothing = fill(own, np.float32(0))
    total = nothing
    for row in range(52):
        store(sums, row * LANES, total)
    first = 0
    while first < LIVE:
        last = ends[first]
        for place in range(first, last):
            hand = hands[place]
            shared = add(load(sums, cards[hand, 0]), load(sums, cards[hand, 1]))
            store(beaten, place * LANES, subtract(total, shared))
        for place in range(first, last):
            hand = hands[place]
            weight = nothing
            for member in range(len(classes)):
                at = (member * LIVE + place) * LANES
                part = multiply(load(parent, at), load(chances, classes[member, place]))
                store(parts, at, part)
                weight = add(weight, part)
            store(own, place * LANES, weight)
            total = add(total, weight)
            store(sums, cards[hand, 0], add(load(sums, cards[hand, 0]), weight))
            store(sums, cards[hand, 1], add(load(sums, cards[hand, 1]), weight))
        for place in range(first, last):
            hand = hands[place]
            shared = add(load(sums, cards[hand, 0]), load(sums, cards[hand, 1]))
            level = add(subtract(total, shared), load(own, place * LANES))
            store(beaten, place * LANES, add(load(beaten, place * LANES), level))
        first = last
    store(sums, _TOTAL, total)


@njit(cache=True, nogil=True, inline="always")
def met_by(room: Room, number: Any, place: Any, low: Any, high: Any) -> Any:
    """The weight of a set that a hand can meet."""
    sums = number * SUMS
    shared = add(load(room.sums, sums + low), load(room.sums, sums + high))
    return add(subtract(load(room.sums, sums + _TOTAL), shared), load(room.weights, (number * LIVE + place) * LANES))


@njit(cache=True, nogil=True, inline="always")
def _answered(room: Room, stakes: Any, first: Any, chain: Any, most: Any, place: Any, cards: Any) -> Any:
    """What the responder wins in a chain from where the bot has made bet `first`: he folds, calls or raises. The sets
    of the chain come after `chain`."""
    low, high = cards
    value = fill(stakes, np.float32(0))
    raised = value
    level = most - (most - first) % 2
    while level >= first:
        number = chain + level
        met = met_by(room, number, place, low, high)
        stake = load(stakes, level * LANES)
        shown = subtract(load(room.beaten, (number * LIVE + place) * LANES), met)
        best = larger(multiply(shown, stake), multiply(met, load(stakes, (most + level) * LANES)))
        if level < most:
            called = met_by(room, number + 1, place, low, high)
            shown = subtract(load(room.beaten, ((number + 1) * LIVE + place) * LANES), called)
            folded = multiply(subtract(met, add(called, raised)), stake)
            value = add(value, add(folded, multiply(shown, load(stakes, (level + 1) * LANES))))
            best = larger(best, value)
        value, raised = best, met
        level -= 2
    return value


@njit(cache=True, nogil=True, inline="always")
def _value(room: Room, stakes: Any, seat: int, place: Any, cards: Any) -> Any:
    """What the responder wins with one hand, in all lines of a block."""
    most = len(stakes) // (2 * LANES)
    low, high = cards
    none, one = load(stakes, 0), load(stakes, LANES)
    checked = met_by(room, 0, place, low, high)
    shown = multiply(subtract(load(room.beaten, place * LANES), checked), none)
    bets = _answered(room, stakes, 1, 0, most, place, cards)
    before = checked if seat == 1 else add(checked, met_by(room, 1, place, low, high))
    called, raised = met_by(room, most + 1, place, low, high), met_by(room, most + 2, place, low, high)
    folded = multiply(subtract(before, add(called, raised)), none)
    shown_called = subtract(load(room.beaten, ((most + 1) * LIVE + place) * LANES), called)
    bet = add(add(folded, multiply(shown_called, one)), _answered(room, stakes, 2, most, most, place, cards))
    if seat == 0:
        return larger(add(shown, bets), bet)
    return add(larger(shown, bet), bets)


@njit(cache=True, nogil=True)
def spread(river: River, chances: Any, slots: NDArray[np.int64], seat: int, room: Room) -> None:
    """Fills the sets, each after its parent: a call or raise at a level follows the raise below. `slots` says where
    the chances of each set lie."""
    sets = len(slots)
    most, size = (sets - 1) // 2, LIVE * LANES
    whole = size * len(river.classes)
    for number in range(sets):
        level = number if number <= most else number - most
        if number == 0 or number == 1:
            parent = sets
        elif number <= most:
            parent = number - 1 if level % 2 == 0 else number - 2
        elif level <= 2:
            parent = sets if seat == 0 else 0
        else:
            parent = number - 1 if level % 2 == 1 else number - 2
        _sweep(
            river, chances[slots[number] * LANES :], room.parts[parent * whole :], room.parts[number * whole :],
            room.weights[number * size :], room.beaten[number * size :], room.sums[number * SUMS :],
        )  # fmt: skip


@njit(cache=True, nogil=True)
def respond_on_rivers(
    rivers: Rivers, bets: Bets, seat: int, places: NDArray[np.int64], reach: Any, room: Room, out: Any
) -> None:
    """Adds what the responder wins on all rivers, those that they stand for included, to `out`.

    `reach` is the bot's (block, member, hand, line), `out` the responder's (block, hand, line).
    """
    blocks, sets, members = bets.chances.shape[0], bets.chances.shape[2], reach.shape[1]
    starts, slots = np.empty((members, LIVE), np.int64), np.arange(sets)
    for block in range(blocks):
        chances, stakes = bets.chances[block].reshape(-1), bets.stakes[block].reshape(-1)
        ours, theirs = out[block].reshape(-1), reach[block].reshape(-1)
        for number in range(len(rivers.hands)):
            hands = rivers.hands[number]
            for member in range(members):
                before = (sets * members + member) * LIVE * LANES
                for place in range(LIVE):
                    starts[member, place] = rivers.classes[number, member, place] * sets * LANES
                    source = (member * PAIRS + hands[place]) * LANES
                    store(room.parts, before + place * LANES, load(theirs, source))
            spread(River(hands, rivers.ends[number], starts, places), chances, slots, seat, room)
            images = rivers.images[rivers.first_image[number] : rivers.first_image[number + 1]]
            for place in range(LIVE):
                hand = hands[place]
                value = _value(room, stakes, seat, place, (places[hand, 0], places[hand, 1]))
                for image in range(len(images)):
                    at = images[image, hand] * LANES
                    store(ours, at, add(load(ours, at), value))
