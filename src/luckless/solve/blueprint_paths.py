"""Where a player may stand in a blueprint's tree after the actions of a real hand, and what he does there: compiled.

Limit games are followed action by action. In no-limit a bet outside of the menu is read as one of its neighbours at
random (see `translation`, whose rules these are). So there are paths, each weighted by the probability of its coins
times the probability that the player himself would have acted as he did. The law of the next action is the mixture of
the paths by these weights: it is exact, and nothing has to be remembered between decisions.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.kernels import njit
from luckless.rules.actions import CALL, FOLD
from luckless.solve.betting_tree import BettingTree
from luckless.solve.card_buckets import CardBuckets, bucket_of

MOST_PATHS = 1024
MOST_ENTRIES = 24
"""Different actions of one decision."""

SLOTS = 4096
"""Room for the different hands of one situation, of which there are at most 1,326."""


class PlayedBlueprint(NamedTuple):
    """What a blueprint is played from. Row b of a street begins at `start[street] + b * tree.width[street]`."""

    tree: BettingTree
    buckets: CardBuckets
    chances: NDArray[np.uint8]
    start: NDArray[np.int64]
    blinds: NDArray[np.int64]
    limit: bool


class Paths(NamedTuple):
    """Nodes with weights, in two halves: those before an action and those after it."""

    node: NDArray[np.int64]
    weight: NDArray[np.float64]


@njit(cache=True, nogil=True)
def _find_rows(played: PlayedBlueprint, hand: Any, cards: NDArray[np.uint8], rows: NDArray[np.int64]) -> None:
    """Where the rows of the player's buckets begin; in limit the street that is played is enough."""
    for street in range(hand.street if played.limit else 0, hand.street + 1):
        rows[street] = played.start[street] + bucket_of(cards, street, played.buckets) * played.tree.width[street]


# The real table before an action is an array: the bets of both seats, what both put in before the street, their
# stacks at the start of the hand, and the last raise.


@njit(cache=True, nogil=True)
def begin_table(played: PlayedBlueprint, hand: Any, real: NDArray[np.int64]) -> None:
    """The real table once the blinds are posted."""
    for seat in range(2):
        real[4 + seat] = hand.stack[seat] + hand.invested[seat]
        real[seat] = min(played.blinds[seat], real[4 + seat])
        real[2 + seat] = 0
    real[6] = played.blinds[0]


@njit(cache=True, nogil=True)
def next_street(played: PlayedBlueprint, real: NDArray[np.int64]) -> None:
    """A street ends: its bets are put in."""
    for seat in range(2):
        real[2 + seat] += real[seat]
        real[seat] = 0
    real[6] = played.blinds[0]


@njit(cache=True, nogil=True)
def make_action(real: NDArray[np.int64], seat: Any, action: Any) -> None:
    """The real table after an action."""
    bet = max(real[0], real[1])
    if action > CALL:
        real[6] = max(real[6], action - bet)
        real[seat] = action
    elif action == CALL:
        real[seat] = min(bet, real[4 + seat] - real[2 + seat])


@njit(cache=True, nogil=True)
def _pot_after_call(real: NDArray[np.int64]) -> Any:
    return real[2] + real[3] + 2 * max(real[0], real[1])


@njit(cache=True, nogil=True)
def _least_and_most(real: NDArray[np.int64], seat: Any) -> Any:
    """The bounds of a raise as the rules have it; both 0 when none is possible."""
    bet, most = max(real[0], real[1]), real[4 + seat] - real[2 + seat]
    other = real[5 - seat] - real[3 - seat]
    if bet >= most or real[1 - seat] >= other:
        return 0, 0
    return min(bet + real[6], most), most


@njit(cache=True, nogil=True)
def _chips(tree: BettingTree, slot: Any, real: NDArray[np.int64], least: Any, most: Any) -> Any:
    """What an action of the tree is at the real table."""
    action, bet = np.int64(tree.action[slot]), max(real[0], real[1])
    if action == FOLD:
        return np.int64(FOLD if real[0] != real[1] else CALL)
    if action == CALL or most == 0:
        return np.int64(CALL)
    if tree.all_in[slot] == 1:
        return np.int64(most)
    wanted = bet + np.int64(np.rint(tree.share[slot] * _pot_after_call(real)))
    return np.int64(min(max(wanted, least), most))


@njit(cache=True, nogil=True)
def _call_slot(tree: BettingTree, node: Any) -> Any:
    first = tree.first[node]
    return first + (1 if tree.action[first] == FOLD else 0)


@njit(cache=True, nogil=True)
def _add(paths: Paths, place: Any, count: Any, node: Any, weight: Any) -> Any:
    """Adds a path to the half that begins at `place`; returns how many it has. Paths to one node are one."""
    if node < 0 or weight <= 0:
        return count
    for other in range(place, place + count):
        if paths.node[other] == node:
            paths.weight[other] += weight
            return count
    if count == MOST_PATHS:
        return count
    paths.node[place + count], paths.weight[place + count] = node, weight
    return count + 1


@njit(cache=True, nogil=True)
def _read(tree: BettingTree, node: Any, action: Any, real: NDArray[np.int64], seat: Any) -> Any:
    """The slots that an action is read as, and the probability of the first: slot, slot, probability."""
    call = _call_slot(tree, node)
    if action <= CALL:
        return call, call, 1.0
    first, end = call + 1, tree.first[node] + tree.size[node]
    if first == end:
        return -1, -1, 1.0
    if action >= min(real[4] - real[2], real[5] - real[3]):  # somebody's last chip
        return end - 1, end - 1, 1.0
    least, most = _least_and_most(real, seat)
    for slot in range(first, end):
        if _chips(tree, slot, real, least, most) == action:
            return slot, slot, 1.0
    share = (action - max(real[0], real[1])) / _pot_after_call(real)
    above = first
    while above < end and tree.share[above] < share:
        above += 1
    if above in (end, first) or tree.share[above] == share:
        known = min(above, end - 1)
        return known, known, 1.0
    low, high = tree.share[above - 1], tree.share[above]
    return above - 1, above, (high - share) * (1 + low) / ((high - low) * (1 + share))


@njit(cache=True, nogil=True)
def step_paths(played: PlayedBlueprint, paths: Paths, half: Any, count: Any, move: Any, state: Any) -> Any:
    """All paths after one action; `half` tells which half they are in. Returns how many there are now."""
    action, seat, own = move
    real, rows = state
    tree = played.tree
    source, target, found = half * MOST_PATHS, (1 - half) * MOST_PATHS, 0
    least, most = _least_and_most(real, seat)
    for place in range(source, source + count):
        node, weight = paths.node[place], paths.weight[place]
        if not own:
            one, two, chance = _read(tree, node, action, real, seat)
            if one >= 0:
                found = _add(paths, target, found, np.int64(tree.after[one]), weight * chance)
                found = _add(paths, target, found, np.int64(tree.after[two]), weight * (1.0 - chance))
            continue
        row = rows[tree.street[node]] + tree.place[node]
        for slot in range(tree.first[node], tree.first[node] + tree.size[node]):
            if _chips(tree, slot, real, least, most) == action:
                share = played.chances[row + slot - tree.first[node]] / 255.0
                found = _add(paths, target, found, np.int64(tree.after[slot]), weight * share)
    return found


@njit(cache=True, nogil=True)
def walk_paths(played: PlayedBlueprint, hand: Any, past: Any, strict: Any, work: Any) -> Any:
    """The paths after all actions of a hand: which half they are in, and how many. With `strict` the player's own
    actions count by their probabilities, else they are read like those of the other."""
    paths, rows, real = work
    actions, seats, streets = past
    begin_table(played, hand, real)
    paths.node[0], paths.weight[0] = 0, 1.0
    half, count, street = 0, 1, 0
    for step in range(hand.steps):
        while street < streets[step]:
            next_street(played, real)
            street += 1
        move = (actions[step], seats[step], strict and seats[step] == hand.actor)
        count = step_paths(played, paths, half, count, move, (real, rows))
        half = 1 - half
        make_action(real, seats[step], actions[step])
    while street < hand.street:
        next_street(played, real)
        street += 1
    return half, count


@njit(cache=True, nogil=True)
def mixture(played: PlayedBlueprint, hand: Any, half: Any, count: Any, work: Any, out: Any) -> None:
    """Fills actions and probabilities of a decision from the paths to it, each by its weight."""
    paths, rows, real = work
    actions, chances = out
    tree = played.tree
    chances[:] = 0.0
    actions[:] = CALL
    total = 0.0
    for place in range(half * MOST_PATHS, half * MOST_PATHS + count):
        total += paths.weight[place]
    used = 0
    for place in range(half * MOST_PATHS, half * MOST_PATHS + count):
        node = paths.node[place]
        if tree.player[node] != hand.actor or tree.street[node] != hand.street:
            total -= paths.weight[place]
            continue
        row = rows[tree.street[node]] + tree.place[node]
        for slot in range(tree.first[node], tree.first[node] + tree.size[node]):
            share = paths.weight[place] * played.chances[row + slot - tree.first[node]]
            if share <= 0:
                continue
            action = _chips(tree, slot, real, np.int64(hand.min_raise_to), np.int64(hand.max_raise_to))
            entry = 0
            while entry < used and actions[entry] != action:
                entry += 1
            entry = min(entry, MOST_ENTRIES - 1)
            used = max(used, entry + 1)
            actions[entry] = action
            chances[entry] += share
    if total <= 0:  # lost: the hand has left the tree
        chances[0] = 1.0
    else:
        chances[:used] /= 255.0 * total


@njit(cache=True, nogil=True)
def _law(played: PlayedBlueprint, hand: Any, past: Any, work: Any, out: Any) -> None:
    """Fills actions and probabilities of one decision."""
    half, count = walk_paths(played, hand, past, not played.limit, work)
    if count == 0 and not played.limit:
        half, count = walk_paths(played, hand, past, False, work)
    mixture(played, hand, half, count, work, out)


@njit(cache=True, nogil=True)
def law_rows(
    played: PlayedBlueprint, public: Any, cards: Any, past: Any, actions: NDArray[np.int64], chances: Any
) -> None:
    """The law of each decision of a batch: entries (row, entry) of actions and probabilities."""
    paths = Paths(np.empty(2 * MOST_PATHS, np.int64), np.empty(2 * MOST_PATHS))
    work = (paths, np.empty(4, np.int64), np.empty(7, np.int64))
    made, seats, streets = past
    for row in range(len(public)):
        _find_rows(played, public[row], cards[row], work[1])
        done = (made[row], seats[row], streets[row])
        _law(played, public[row], done, work, (actions[row], chances[row]))


@njit(cache=True, nogil=True)
def law_rows_of_hands(
    played: PlayedBlueprint, public: Any, cards: Any, past: Any, fresh: NDArray[np.bool_], out: Any
) -> None:
    """As `law_rows`, for rows of which many are one situation with different hands, one after the other.

    `fresh` says where a situation begins. In it hands of the same buckets do the same, and are looked at once.
    """
    paths = Paths(np.empty(2 * MOST_PATHS, np.int64), np.empty(2 * MOST_PATHS))
    work = (paths, np.empty(4, np.int64), np.empty(7, np.int64))
    made, seats, streets = past
    actions, chances = out
    found, slots = np.zeros((len(public), 4), np.int64), np.full(SLOTS, -1)
    begin = 0
    for row in range(len(public)):
        if fresh[row]:
            begin = row
        _find_rows(played, public[row], cards[row], found[row])
        slot = _slot_of(found, row, begin, slots)
        if slots[slot] >= begin:
            actions[row], chances[row] = actions[slots[slot]], chances[slots[slot]]
            continue
        slots[slot] = row
        work[1][:] = found[row]
        _law(played, public[row], (made[row], seats[row], streets[row]), work, (actions[row], chances[row]))


@njit(cache=True, nogil=True)
def _slot_of(found: NDArray[np.int64], row: int, begin: int, slots: NDArray[np.int64]) -> Any:
    """The slot of the first row since `begin` with the same buckets, or a free one."""
    mixed = np.uint64(0)
    for place in found[row]:
        mixed = (mixed ^ np.uint64(place)) * np.uint64(0x9E3779B97F4A7C15)
    slot = np.int64(mixed >> np.uint64(32)) % SLOTS
    while slots[slot] >= begin and (found[slots[slot]] != found[row]).any():
        slot = (slot + 1) % SLOTS
    return slot
