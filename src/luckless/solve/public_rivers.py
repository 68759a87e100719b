"""The river of public chance sampling: a block of sixteen lines at a time, all hands of a board against all.

What the other player's hands weigh is spread and swept as for a best response (`limit_rivers`), only that the seat
that learns does not take the best action but plays its strategy of the moment and learns what it regrets.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.kernels import njit
from luckless.lanes import LANES, add, divide, fill, larger, load, multiply, store, subtract, where_positive
from luckless.solve.limit_meeting import (
    LIVE,
    Hand,
    River,
    Room,
    aligned,
    hand_at,
    met_by,
    pass_level,
    set_parents,
    shown_by,
    weigh_hands,
)
from luckless.solve.limit_rivers import sets_of, stakes_of
from luckless.solve.limit_streets import Street


class RiverTables(NamedTuple):
    """What is learned on the river: (block, class, slot, line)."""

    regrets: NDArray[np.float32]
    average: NDArray[np.float32]


class RiverTree(NamedTuple):
    """The small tree of the river: of each decision its first slot and size; for a seat that learns the slots of the
    other's sets, and the first slots of its own decisions: the one before any bet, those that face bet 1, 2, ..., in
    the chain of the other's bets, and those in the chain of its own."""

    first: NDArray[np.int64]
    size: NDArray[np.int64]
    sets: NDArray[np.int64]
    decisions: NDArray[np.int64]
    stakes: NDArray[np.float32]

    @classmethod
    def of(cls, street: Street, order: NDArray[np.int64]) -> "RiverTree":
        """The arrays of the river, both seats in rows; its lines are some order of its beginnings."""
        sizes = np.array([len(node.branches) for node in street.nodes])
        first = np.cumsum(sizes) - sizes
        sets = np.array([[first[node] + action for node, action in sets_of(street, seat)] for seat in (0, 1)])
        decisions = np.array([[first[node] for node in own_decisions(street, seat)] for seat in (0, 1)])
        most = (sets.shape[1] - 1) // 2
        return cls(first, sizes, sets, decisions, _stakes_in_blocks(stakes_of(street, order, most)))


def _stakes_in_blocks(won: NDArray[np.float32]) -> NDArray[np.float32]:
    """Stakes in blocks of lines: what is won or lost after 0, 1, ... bets, then what is won (less than nothing) by
    folding to bet 1, 2, ...; from (bets, line)."""
    both = np.concatenate([won, -won[:-1]])
    blocks = -(-both.shape[1] // LANES)
    spare = np.zeros((len(both), blocks * LANES), np.float32)
    spare[:, : both.shape[1]] = both
    stakes = aligned((blocks, len(both), LANES))
    stakes[:] = spare.reshape(len(both), blocks, LANES).swapaxes(0, 1)
    return stakes


def own_decisions(street: Street, seat: int) -> list[int]:
    """The decisions of a seat: before any bet, then facing bets 1, 3, ... of the other's chain, then 2, 4, ..."""
    nodes = street.nodes
    checked = nodes[0].branches[0].number
    own, theirs = (0, checked) if seat == 0 else (checked, 0)
    found = [own]
    faced: int | None = nodes[theirs].branches[1].number
    for answer in (faced, _raised(street, nodes[own].branches[1].number)):
        faced = answer
        while faced is not None:
            found.append(faced)
            raised = nodes[faced].branches[2].number if len(nodes[faced].branches) > 2 else None
            faced = None if raised is None else _raised(street, raised)
    return found


def _raised(street: Street, node: int) -> int | None:
    """The decision after a raise at a decision that faces a bet."""
    branches = street.nodes[node].branches
    return branches[2].number if len(branches) > 2 else None


class RiverWork(NamedTuple):
    """Room of one thread: that of the sweeps, the strategy of the moment (class, slot, line), the seat's own reach by
    class, where the chances of each hand begin, which classes come up, and values (place, line)."""

    room: Room
    chances: NDArray[np.float32]
    reached: NDArray[np.float32]
    starts: NDArray[np.int64]
    seen: NDArray[np.bool_]
    values: NDArray[np.float32]

    @classmethod
    def of(cls, classes: int, slots: int, sets: int) -> "RiverWork":
        """Room for a river with so many classes."""
        return cls(
            Room.of(sets), aligned((classes * slots * LANES,)), aligned((classes * LANES,)),
            np.zeros((1, LIVE), np.int64), np.zeros(classes, np.bool_), aligned((LIVE * LANES,)),
        )  # fmt: skip


@njit(cache=True, nogil=True)
def match_block(tree: RiverTree, seen: NDArray[np.bool_], regrets: Any, chances: Any) -> None:
    """The strategy of the moment for the classes that come up."""
    zero, one = fill(chances, np.float32(0)), fill(chances, np.float32(1))
    slots = tree.first[-1] + tree.size[-1]
    for row in range(len(seen)):
        if not seen[row]:
            continue
        for node in range(len(tree.first)):
            start, size = (row * slots + tree.first[node]) * LANES, tree.size[node]
            total = zero
            for slot in range(size):
                total = add(total, larger(load(regrets, start + slot * LANES), zero))
            even = fill(chances, np.float32(1) / np.float32(size))
            safe = where_positive(total, total, one)
            for slot in range(size):
                share = divide(larger(load(regrets, start + slot * LANES), zero), safe)
                store(chances, start + slot * LANES, where_positive(total, share, even))


@njit(cache=True, nogil=True, inline="always")
def _learn(regrets: Any, at: Any, value: Any, mean: Any, weight: Any) -> None:
    store(regrets, at, add(load(regrets, at), multiply(subtract(value, mean), weight)))


@njit(cache=True, nogil=True, inline="always")
def _answer(work: RiverWork, stakes: Any, own: Any, first: Any, start: Any, hand: Hand, learns: Any) -> Any:
    """What the seat wins in a chain from where the other has made bet `first`, and learns at its decisions there.
    `own` are the first slots of those decisions, `start` is where the class of the hand begins; `learns` are the
    regrets and the weight."""
    regrets, weight = learns
    room = work.room
    most = len(stakes) // (2 * LANES)
    chain = 0 if first == 1 else most
    value = fill(stakes, np.float32(0))
    raised = value
    level = most - (most - first) % 2
    while level >= first:
        number, at = chain + level, start + own[(level - first) // 2] * LANES
        met = met_by(room, number, hand)
        stake = load(stakes, level * LANES)
        folds = multiply(met, load(stakes, (most + level) * LANES))
        calls = multiply(shown_by(room, number, hand), stake)
        mean = add(multiply(folds, load(work.chances, at)), multiply(calls, load(work.chances, at + LANES)))
        if level < most:
            called = met_by(room, number + 1, hand)
            value = add(value, multiply(subtract(met, add(called, raised)), stake))
            value = add(value, multiply(shown_by(room, number + 1, hand), load(stakes, (level + 1) * LANES)))
            mean = add(mean, multiply(value, load(work.chances, at + 2 * LANES)))
            _learn(regrets, at + 2 * LANES, value, mean, weight)
        _learn(regrets, at, folds, mean, weight)
        _learn(regrets, at + LANES, calls, mean, weight)
        value, raised = mean, met
        level -= 2
    return value


@njit(cache=True, nogil=True, inline="always")
def opened(room: Room, stakes: Any, seat: int, hand: Hand) -> Any:
    """What a hand wins by a check after which nobody bets, and by a bet to which the other folds or calls."""
    most = len(stakes) // (2 * LANES)
    none = load(stakes, 0)
    checked = met_by(room, 0, hand)
    check = multiply(shown_by(room, 0, hand), none)
    before = checked if seat == 1 else add(checked, met_by(room, 1, hand))
    called, raised = met_by(room, most + 1, hand), met_by(room, most + 2, hand)
    bet = multiply(subtract(before, add(called, raised)), none)
    return check, add(bet, multiply(shown_by(room, most + 1, hand), load(stakes, LANES)))


@njit(cache=True, nogil=True, inline="always")
def second_chain(stakes: Any) -> Any:
    """Where the decisions after the own bet begin among those of a seat."""
    return 1 + (len(stakes) // (2 * LANES) + 1) // 2


@njit(cache=True, nogil=True, inline="always")
def play_hand(work: RiverWork, stakes: Any, tree: RiverTree, seat: int, start: Any, hand: Hand, learns: Any) -> Any:
    """What one hand wins in all lines of a block; learns at all decisions of the seat. `start` is where its class
    begins."""
    regrets, weight = learns
    room, decisions = work.room, tree.decisions[seat]
    check, bet = opened(room, stakes, seat, hand)
    theirs = _answer(work, stakes, decisions[1:], 1, start, hand, learns)
    raised = decisions[second_chain(stakes) :]
    bet = add(bet, _answer(work, stakes, raised, 2, start, hand, learns))
    if seat == 0:
        check = add(check, theirs)
    at = start + decisions[0] * LANES
    mean = add(multiply(check, load(work.chances, at)), multiply(bet, load(work.chances, at + LANES)))
    _learn(regrets, at, check, mean, weight)
    _learn(regrets, at + LANES, bet, mean, weight)
    return mean if seat == 0 else add(mean, theirs)


@njit(cache=True, nogil=True, inline="always")
def _count(average: Any, chances: Any, at: Any, size: Any, reached: Any) -> None:
    for slot in range(size):
        place = at + slot * LANES
        store(average, place, add(load(average, place), multiply(reached, load(chances, place))))


@njit(cache=True, nogil=True)
def add_average(tree: RiverTree, seat: int, work: RiverWork, average: Any, weight: Any) -> None:
    """Counts the strategy of the moment by the seat's own reach, for the classes that come up."""
    slots, decisions = tree.first[-1] + tree.size[-1], tree.decisions[seat]
    half = 1 + len(decisions) // 2
    for row in range(len(work.seen)):
        if not work.seen[row]:
            continue
        begun = multiply(load(work.reached, row * LANES), fill(average, np.float32(weight)))
        start = row * slots * LANES
        first = start + decisions[0] * LANES
        _count(average, work.chances, first, 2, begun)
        for chain in range(2):
            own = begun
            if chain == 1:
                own = multiply(begun, load(work.chances, first + LANES))
            elif seat == 0:
                own = multiply(begun, load(work.chances, first))
            for number in range(half if chain == 1 else 1, len(decisions) if chain == 1 else half):
                node = np.searchsorted(tree.first, decisions[number])
                size, at = tree.size[node], start + decisions[number] * LANES
                _count(average, work.chances, at, size, own)
                if size > 2:
                    own = multiply(own, load(work.chances, at + 2 * LANES))


@njit(cache=True, nogil=True)
def gather_block(own: Any, width: int, block: int, classes: Any, work: RiverWork) -> None:
    """The seat's own reach in a block, (hand, line) in `own`: by place as what begins the river, and by class."""
    work.reached[:] = 0
    for place in range(LIVE):
        weights = load(own, place * width + block * LANES)
        store(work.room.begun, place * LANES, weights)
        row = classes[place] * LANES
        store(work.reached, row, add(load(work.reached, row), weights))


@njit(cache=True, nogil=True)
def hand_out(values: Any, width: int, block: int, out: Any) -> None:
    """Copies the values of a block, (place, line), to (hand, line)."""
    flat = out.reshape(-1)
    for place in range(LIVE):
        store(flat, place * width + block * LANES, load(values, place * LANES))


@njit(cache=True, nogil=True)
def learn_block(
    tree: RiverTree, river: River, seat: int, work: RiverWork, stakes: Any, regrets: Any, weight: Any
) -> None:
    """A seat plays all hands of a block against the weights in its room, and learns; values go to `work.values`."""
    room, sets, lanes = work.room, tree.sets.shape[1], fill(work.chances, np.float32(weight))
    first = 0
    while first < LIVE:
        last = river.ends[first]
        pass_level(river, room, first, last, sets)
        for place in range(first, last):
            hand, start = hand_at(river, place, sets), river.classes[0, place]
            value = play_hand(work, stakes, tree, seat, start, hand, (regrets, lanes))
            store(work.values, place * LANES, value)
        pass_level(river, room, first, last, sets)
        first = last


@njit(cache=True, nogil=True)
def learn_rivers(
    tree: RiverTree, seat: int, river: River, tables: RiverTables, reach: Any, blocks: Any, weight: Any,
    work: RiverWork,
) -> None:  # fmt: skip
    """One iteration of a seat on the river, in blocks `blocks[0]` to `blocks[1] - 1`. `reach` (the seat's own, the
    other's, and the values that come out) are (hand, line), `river.classes` are numbers of classes."""
    own_reach, other_reach, values = reach
    slots, width, classes = tree.first[-1] + tree.size[-1], own_reach.shape[1], river.classes[0]
    parents = set_parents(tree.sets.shape[1], seat)
    work.seen[:] = False
    for place in range(LIVE):
        work.seen[classes[place]] = True
        work.starts[0, place] = classes[place] * slots * LANES
    by_class = River(river.hands, river.ends, work.starts, river.cards)
    own_flat, other_flat = own_reach.reshape(-1), other_reach.reshape(-1)
    for block in range(blocks[0], blocks[1]):
        regrets, average = tables.regrets[block].reshape(-1), tables.average[block].reshape(-1)
        match_block(tree, work.seen, regrets, work.chances)
        gather_block(own_flat, width, block, classes, work)
        for place in range(LIVE):
            store(work.room.begun, place * LANES, load(other_flat, place * width + block * LANES))
        weigh_hands(by_class, work.chances, tree.sets[seat], parents, work.room)
        learn_block(tree, by_class, seat, work, tree.stakes[block].reshape(-1), regrets, weight)
        hand_out(work.values, width, block, values)
        add_average(tree, seat, work, average, weight)
