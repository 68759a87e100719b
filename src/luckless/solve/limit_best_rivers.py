"""What a best response wins on the rivers of a turn in heads-up limit, from a bot that plays classes of hands alike.

What the responder wins by an action is a sum over the bot's hands, each by its set (see `limit_rivers`): those that
it meets, and those that it beats less those that beat it, times stakes. All of these sums are linear, so they are
made for each *outcome* at once, and for each card, by which the hands that share a card are taken out: once for all
hands. Outcome n is that of a showdown with set n and of the folds that go with it; after them come those of the
responder's own folds.

Hands of equal strength and equal class form a group. The bot's reach is summed by group and card, and what a group
adds to an outcome is that sum times a number of its class. Lines are taken sixteen at a time, side by side.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.hands.pairs import PAIRS
from luckless.kernels import njit
from luckless.lanes import LANES, add, fill, larger, load, multiply, store, subtract
from luckless.solve.limit_meeting import LIVE, aligned, set_parents
from luckless.solve.limit_policies import LimitPolicy, Played
from luckless.solve.limit_rivers import in_blocks, sets_of, sort_river, stakes_of
from luckless.solve.limit_streets import Street

_ROWS = 53
"""Sums over all hands, then over those with each card."""


class Rivers(NamedTuple):
    """The rivers of a turn, each a row. `hands` (river, place) are the live ones, by strength, then by class; group g
    ends before place `ends[g]`, and the level of equal hands that it belongs to before group `levels[g]`. `classes`
    (river, member, group); the cards of a group are those from `first[g]` on in `cards`, and `own` (river, place, 2)
    says where in that list the two cards of a hand are. `images` are the renamings by which a river stands for others
    too, those from `first_image[river]` on."""

    hands: NDArray[np.int64]
    groups: NDArray[np.int64]
    ends: NDArray[np.int64]
    levels: NDArray[np.int64]
    classes: NDArray[np.int64]
    first: NDArray[np.int64]
    cards: NDArray[np.int64]
    own: NDArray[np.int64]
    images: NDArray[np.int64]
    first_image: NDArray[np.int64]


class Bets(NamedTuple):
    """What the bot does on the river, in blocks of lines: what one of its hands adds to each outcome of a hand that
    meets it (block, class, outcome, line), and by how much more or less if it is beaten or beats (block, class, set,
    line)."""

    met: NDArray[np.float32]
    shown: NDArray[np.float32]


class Room(NamedTuple):
    """Where a block is worked out: the bot's reach (member, place, line), the same summed by group (member, group,
    line) and by card of a group (member, card, line), and the sums of all outcomes (all or card, outcome, line)."""

    reach: NDArray[np.float32]
    groups: NDArray[np.float32]
    cards: NDArray[np.float32]
    sums: NDArray[np.float32]

    @classmethod
    def of(cls, outcomes: int, members: int) -> "Room":
        """Room for so many outcomes and members."""
        sizes = (members * LIVE, members * LIVE, 2 * members * LIVE, _ROWS * outcomes)
        return cls(*(aligned((size * LANES,)) for size in sizes))


def pack_bets(street: Street, seat: int, played: Sequence[Played], columns: NDArray[np.int64]) -> Bets:
    """What the members of the bot do on the river in some lines, in blocks; spare lines hold nothing. The classes of
    a member come after those of the one before."""
    sets = sets_of(street, seat)
    most = (len(sets) - 1) // 2
    won = stakes_of(street, columns, most)
    met, shown = [], []
    for member in played:
        shares: list[NDArray[np.float32]] = []
        for (node, action), parent in zip(sets, set_parents(len(sets), seat), strict=True):
            part = member.tables[node][action][:, columns] * np.float32(member.scale)
            shares.append(part if parent < 0 else part * shares[parent])
        bets = [number if number <= most else number - most for number in range(len(sets))]
        shown.append(np.stack([part * won[level] for part, level in zip(shares, bets, strict=True)]))
        met.append(np.stack(_outcomes(shares, won, seat)))
    return Bets(*(_class_by_class(np.concatenate(part, axis=1)) for part in (met, shown)))


def _class_by_class(tables: NDArray[np.float32]) -> NDArray[np.float32]:
    """Tables (outcome, class, line) as (block, class, outcome, line)."""
    blocks = in_blocks(tables)
    out = aligned((blocks.shape[0], blocks.shape[2], blocks.shape[1], LANES))
    out[:] = blocks.swapaxes(1, 2)
    return out


def _outcomes(shares: list[NDArray[np.float32]], won: NDArray[np.float32], seat: int) -> list[NDArray[np.float32]]:
    """What one hand of the bot adds to each outcome by folding, or by being met where the responder folds."""
    most = len(won) - 1
    nothing = np.zeros_like(shares[0])
    outcomes, folds = [nothing] * len(shares), []
    for chain, first in ((0, 1), (most, 2)):
        for level in range(most - (most - first) % 2, 0, -2):
            number = chain + level
            folds.append(-shares[number] * won[level - 1])
            if level < most:
                raised = shares[number + 2] if level + 2 <= most else nothing
                outcomes[number + 1] = (shares[number] - shares[number + 1] - raised) * won[level]
    before = shares[0] + shares[1] if seat == 0 else shares[0]
    outcomes[most + 1] = (before - shares[most + 1] - shares[most + 2]) * won[0]
    return outcomes + folds


def rivers_of(
    policies: Sequence[LimitPolicy], turn: tuple[int, ...], cards: Sequence[tuple[int, list[NDArray[np.int64]]]],
    hand_cards: NDArray[np.int64],
) -> tuple[Rivers, list[Played]]:  # fmt: skip
    """The rivers that some cards make of a turn, and how the members of the bot play the last of them."""
    count, members = len(cards), len(policies)
    images = np.stack([renamed for _, part in cards for renamed in part])
    rivers = Rivers(
        np.empty((count, LIVE), np.int64), np.zeros(count, np.int64), np.empty((count, LIVE), np.int64),
        np.empty((count, LIVE), np.int64), np.empty((count, members, LIVE), np.int64),
        np.zeros((count, LIVE + 1), np.int64), np.empty((count, 2 * LIVE), np.int64),
        np.empty((count, LIVE, 2), np.int64), images, np.cumsum([0, *(len(part) for _, part in cards)]),
    )  # fmt: skip
    for row, (card, _) in enumerate(cards):
        played = [policy.on(3, (*turn, card)) for policy in policies]
        classes = np.stack([part.classes for part in played])
        classes += np.cumsum([0, *(len(part.tables[0][0]) for part in played[:-1])])[:, None]
        group_river(np.array((*turn, card), np.int64), classes, hand_cards, rivers, row)
    return rivers, played


@njit(cache=True, nogil=True)
def _order(hands: Any, ends: Any, classes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The places of hands by strength, then by the classes of all members."""
    keys = np.zeros(LIVE, np.int64)
    for member in range(len(classes)):
        for place in range(LIVE):
            keys[place] = keys[place] * 4096 + classes[member, hands[place]]
    order = np.argsort(keys, kind="mergesort")
    return order[np.argsort(ends[order], kind="mergesort")]


@njit(cache=True, nogil=True)
def group_river(
    board: NDArray[np.int64], classes: NDArray[np.int64], hand_cards: NDArray[np.int64], rivers: Rivers, row: int
) -> None:
    """Fills the row of one river; `classes` (member, hand)."""
    hands, ends, slot = np.empty(LIVE, np.int64), np.empty(LIVE, np.int64), np.empty(52, np.int64)
    sort_river(board, hands, ends)
    order = _order(hands, ends, classes)
    group, cards, level = -1, 0, 0
    for place in range(LIVE):
        hand, new = hands[order[place]], place == 0
        rivers.hands[row, place] = hand
        if place > 0:
            before = rivers.hands[row, place - 1]
            new_level = ends[order[place]] != ends[order[place - 1]]
            new = new_level or (classes[:, hand] != classes[:, before]).any()
            if new:
                rivers.ends[row, group] = place
            if new_level:
                rivers.levels[row, level : group + 1] = group + 1
                level = group + 1
        if new:
            group += 1
            rivers.classes[row, :, group], rivers.first[row, group] = classes[:, hand], cards
            slot[:] = -1
        for side in range(2):
            card = hand_cards[hand, side]
            if slot[card] < 0:
                slot[card] = cards
                rivers.cards[row, cards] = card
                cards += 1
            rivers.own[row, place, side] = slot[card]
    rivers.groups[row] = group + 1
    rivers.ends[row, group], rivers.first[row, group + 1] = LIVE, cards
    rivers.levels[row, level : group + 1] = group + 1


@njit(cache=True, nogil=True)
def _sum_reach(rivers: Rivers, row: int, reach: Any, room: Room) -> None:
    """The bot's reach, (member, hand, line) in `reach`, by place, by group and by card of a group."""
    hands, own, groups = rivers.hands[row], rivers.own[row], rivers.groups[row]
    size, nothing = 2 * LIVE, fill(room.reach, np.float32(0))
    for member in range(rivers.classes.shape[1]):
        for at in range(member * size * LANES, (member * size + rivers.first[row, groups]) * LANES, LANES):
            store(room.cards, at, nothing)
        place = 0
        for group in range(groups):
            total = nothing
            while place < rivers.ends[row, group]:
                weight = load(reach, (member * PAIRS + hands[place]) * LANES)
                store(room.reach, (member * LIVE + place) * LANES, weight)
                total = add(total, weight)
                for side in range(2):
                    at = (member * size + own[place, side]) * LANES
                    store(room.cards, at, add(load(room.cards, at), weight))
                place += 1
            store(room.groups, (member * LIVE + group) * LANES, total)


@njit(cache=True, nogil=True, inline="always")
def _start_row(met: Any, at: Any, shown: Any, shown_at: Any, sizes: Any, weight: Any, sums: Any, row: Any) -> None:
    """Adds a weight of one class to a row of sums, as if it beat every hand."""
    outcomes, sets = sizes
    for number in range(sets):
        share = subtract(load(met, at + number * LANES), load(shown, shown_at + number * LANES))
        store(sums, row + number * LANES, add(load(sums, row + number * LANES), multiply(share, weight)))
    for number in range(sets, outcomes):
        share = load(met, at + number * LANES)
        store(sums, row + number * LANES, add(load(sums, row + number * LANES), multiply(share, weight)))


@njit(cache=True, nogil=True, inline="always")
def _pass_row(shown: Any, at: Any, sets: Any, weight: Any, sums: Any, row: Any) -> None:
    """Adds a weight of one class to a row of sums: it beats half a hand less and is beaten by half a hand more."""
    for number in range(sets):
        share = load(shown, at + number * LANES)
        store(sums, row + number * LANES, add(load(sums, row + number * LANES), multiply(share, weight)))


@njit(cache=True, nogil=True)
def _start(rivers: Rivers, row: int, met: Any, shown: Any, sizes: Any, room: Room) -> None:
    """The sums of all outcomes before any level."""
    outcomes, sets = sizes
    nothing = fill(room.sums, np.float32(0))
    for at in range(0, _ROWS * outcomes * LANES, LANES):
        store(room.sums, at, nothing)
    for member in range(rivers.classes.shape[1]):
        for group in range(rivers.groups[row]):
            number = rivers.classes[row, member, group]
            at, shown_at = number * outcomes * LANES, number * sets * LANES
            weight = load(room.groups, (member * LIVE + group) * LANES)
            _start_row(met, at, shown, shown_at, sizes, weight, room.sums, 0)
            for entry in range(rivers.first[row, group], rivers.first[row, group + 1]):
                weight = load(room.cards, (member * 2 * LIVE + entry) * LANES)
                line = (1 + rivers.cards[row, entry]) * outcomes * LANES
                _start_row(met, at, shown, shown_at, sizes, weight, room.sums, line)


@njit(cache=True, nogil=True)
def _pass_level(rivers: Rivers, row: int, groups: Any, shown: Any, sizes: Any, room: Room) -> None:
    """Opens a level, so that its hands neither beat each other nor are beaten; called again, puts it below all that
    follow."""
    outcomes, sets = sizes
    for member in range(rivers.classes.shape[1]):
        for group in range(groups[0], groups[1]):
            at = rivers.classes[row, member, group] * sets * LANES
            _pass_row(shown, at, sets, load(room.groups, (member * LIVE + group) * LANES), room.sums, 0)
            for entry in range(rivers.first[row, group], rivers.first[row, group + 1]):
                weight = load(room.cards, (member * 2 * LIVE + entry) * LANES)
                _pass_row(shown, at, sets, weight, room.sums, (1 + rivers.cards[row, entry]) * outcomes * LANES)


class Hand(NamedTuple):
    """One hand of the responder: where the sums of its two cards begin, its place, and the classes of its group."""

    low: Any
    high: Any
    place: Any
    classes: Any


@njit(cache=True, nogil=True, inline="always")
def _shown(room: Room, number: Any, hand: Hand) -> Any:
    """An outcome, less what hands that share a card add to it."""
    at = number * LANES
    return subtract(load(room.sums, at), add(load(room.sums, hand.low + at), load(room.sums, hand.high + at)))


@njit(cache=True, nogil=True, inline="always")
def _outcome(room: Room, number: Any, outcomes: Any, met: Any, hand: Hand) -> Any:
    """The same where it counts hands that are met: those that are the hand itself were taken out twice."""
    value = _shown(room, number, hand)
    for member in range(len(hand.classes)):
        share = load(met, (hand.classes[member] * outcomes + number) * LANES)
        value = add(value, multiply(share, load(room.reach, (member * LIVE + hand.place) * LANES)))
    return value


@njit(cache=True, nogil=True, inline="always")
def _answered(room: Room, sizes: Any, first: Any, met: Any, hand: Hand) -> Any:
    """What the responder wins in a chain from where the bot has made bet `first`: he folds, calls or raises."""
    outcomes, sets = sizes
    most = (sets - 1) // 2
    chain, fold = (0, sets) if first == 1 else (most, sets + (most + 1) // 2)
    value = fill(room.sums, np.float32(0))
    level = most - (most - first) % 2
    while level >= first:
        number = chain + level
        best = larger(_outcome(room, fold, outcomes, met, hand), _shown(room, number, hand))
        if level < most:
            value = add(value, _outcome(room, number + 1, outcomes, met, hand))
            best = larger(best, value)
        value = best
        fold += 1
        level -= 2
    return value


@njit(cache=True, nogil=True, inline="always")
def _value(room: Room, sizes: Any, seat: int, met: Any, hand: Hand) -> Any:
    """What the responder wins with one hand, in all lines of a block."""
    outcomes, sets = sizes
    check, theirs = _shown(room, 0, hand), _answered(room, sizes, 1, met, hand)
    bet = _outcome(room, (sets + 1) // 2, outcomes, met, hand)
    bet = add(bet, _answered(room, sizes, 2, met, hand))
    if seat == 0:
        return larger(add(check, theirs), bet)
    return add(larger(check, bet), theirs)


@njit(cache=True, nogil=True)
def _respond(rivers: Rivers, row: int, seat: int, bets: Any, room: Room, cards: Any, out: Any) -> None:
    """Adds what the responder wins on one river in a block, on those that it stands for too, to `out`."""
    met, shown, sizes = bets
    outcomes, hands = sizes[0], rivers.hands[row]
    images = rivers.images[rivers.first_image[row] : rivers.first_image[row + 1]]
    first, place = 0, 0
    while first < rivers.groups[row]:
        last = rivers.levels[row, first]
        _pass_level(rivers, row, (first, last), shown, sizes, room)
        for group in range(first, last):
            classes = rivers.classes[row, :, group]
            while place < rivers.ends[row, group]:
                own = hands[place]
                low, high = (1 + cards[own, 0]) * outcomes * LANES, (1 + cards[own, 1]) * outcomes * LANES
                value = _value(room, sizes, seat, met, Hand(low, high, place, classes))
                for image in range(len(images)):
                    at = images[image, own] * LANES
                    store(out, at, add(load(out, at), value))
                place += 1
        _pass_level(rivers, row, (first, last), shown, sizes, room)
        first = last


@njit(cache=True, nogil=True)
def respond_on_rivers(
    rivers: Rivers, bets: Bets, seat: int, cards: NDArray[np.int64], reach: Any, room: Room, out: Any
) -> None:
    """Adds what the responder wins on all rivers, those that they stand for included, to `out`.

    `cards` are those of all hands, `reach` is the bot's (block, member, hand, line), `out` the responder's (block,
    hand, line).
    """
    sizes = (bets.met.shape[2], bets.shown.shape[2])
    for block in range(len(out)):
        met, shown = bets.met[block].reshape(-1), bets.shown[block].reshape(-1)
        ours, theirs = out[block].reshape(-1), reach[block].reshape(-1)
        for row in range(len(rivers.hands)):
            _sum_reach(rivers, row, theirs, room)
            _start(rivers, row, met, shown, sizes, room)
            _respond(rivers, row, seat, (met, shown, sizes), room, cards, ours)
