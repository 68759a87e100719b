"""A limit blueprint learned by public chance sampling: an iteration draws a board and plays all hands on it.

Both players' hands are vectors, so each iteration learns at every decision of every line, however rarely it is
played: lines that are full of raises are learned as well as any (Johanson, Bard, Lanctot, Gibson and Bowling,
"Efficient Nash equilibrium approximation through Monte Carlo counterfactual regret minimization", 2012). Hands are
the 1,081 that the board leaves, in the order of strength; columns are the lines with which a street begins. The river
is worked out in blocks of sixteen lines (`public_rivers`), which threads share without touching each other's numbers.
All iterations of piece k count k times.
"""

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.hands.pairs import PAIR_CARDS
from luckless.kernels import njit
from luckless.lanes import LANES, add, divide, fill, larger, load, multiply, store, subtract, where_positive
from luckless.randomness import key_of
from luckless.rules.dealing import deal_deck
from luckless.solve.betting_tree import BettingTree
from luckless.solve.card_buckets import Bounds, CardBuckets, bucket_of, card_buckets, river_buckets
from luckless.solve.limit_meeting import LIVE, River, aligned
from luckless.solve.limit_rivers import from_blocks, sort_river
from luckless.solve.limit_streets import ACTS, FOLDED, Street, streets_of
from luckless.solve.public_rivers import RiverTables, RiverTree, RiverWork, learn_rivers
from luckless.threads import core_count

FOLDS, CLOSES, GOES_ON = range(3)
HAND_CARDS: NDArray[np.int64] = PAIR_CARDS.copy()


class SmallTree(NamedTuple):
    """A street before the river as arrays. Of each decision: who acts, its first slot, how many it has, and for each
    seat the slot by which it last acted on the street (-1: not yet). Of each slot: what follows, its number, and what
    the loser loses by line. The lines of a street are ordered by how the street before closed, then by its line, so
    that what goes from street to street lies together; vectors hold sixteen of them, with spare places at the end."""

    player: NDArray[np.int64]
    first: NDArray[np.int64]
    size: NDArray[np.int64]
    acted: NDArray[np.int64]
    kind: NDArray[np.int64]
    number: NDArray[np.int64]
    stakes: NDArray[np.float32]
    lines: int

    @classmethod
    def of(cls, street: Street, order: NDArray[np.int64]) -> "SmallTree":
        """The arrays of a street whose lines are some order of its beginnings."""
        branches = [branch for node in street.nodes for branch in node.branches]
        sizes = np.array([len(node.branches) for node in street.nodes])
        first = np.cumsum(sizes) - sizes
        acted = np.full((len(sizes), 2), -1)
        for number, node in enumerate(street.nodes):
            for action, branch in enumerate(node.branches):
                if branch.kind == ACTS:
                    acted[branch.number] = acted[number]
                    acted[branch.number, node.player] = first[number] + action
        kinds = {FOLDED: FOLDS, ACTS: GOES_ON}
        stakes = aligned((len(branches), -(-street.beginnings // LANES) * LANES))
        for slot, branch in enumerate(branches):
            if len(branch.stakes):
                stakes[slot, : len(order)] = branch.stakes[order]
        return cls(
            np.array([node.player for node in street.nodes]), first, sizes, acted,
            np.array([kinds.get(branch.kind, CLOSES) for branch in branches]),
            np.array([branch.number for branch in branches]), stakes, street.beginnings,
        )  # fmt: skip


def line_orders(streets: list[Street]) -> list[NDArray[np.int64]]:
    """For each street the beginnings in the order of its lines."""
    orders = [np.zeros(1, np.int64)]
    for street in streets[:-1]:
        before = orders[-1] * street.closings
        orders.append(np.concatenate([before + closing for closing in range(street.closings)]))
    return orders


class Learned(NamedTuple):
    """What is learned on a street before the river: (class, slot, beginning), and the strategy of the moment."""

    regrets: NDArray[np.float32]
    average: NDArray[np.float32]
    chances: NDArray[np.float32]


class Walk(NamedTuple):
    """A street in work: the reach of both seats at its begin (seat, hand, line), that of the seat that acts after
    each slot (slot, hand, line), what the hands meet where somebody folds and then what slots are worth (slot, hand,
    line), and values of decisions (decision, hand, line)."""

    begun: NDArray[np.float32]
    reach: NDArray[np.float32]
    met: NDArray[np.float32]
    values: NDArray[np.float32]

    @classmethod
    def of(cls, tree: SmallTree) -> "Walk":
        """Room for a street."""
        slots, lines = tree.stakes.shape
        sizes = (2, slots, slots, len(tree.player))
        return cls(*(aligned((size, LIVE, lines)) for size in sizes))


class Dealt(NamedTuple):
    """A board: its live hands, weakest first, where the level of each ends, their cards, and their class on each
    street."""

    hands: NDArray[np.int64]
    ends: NDArray[np.int64]
    cards: NDArray[np.int64]
    classes: NDArray[np.int64]


@njit(cache=True, nogil=True)
def deal_board(key: NDArray[np.uint64], number: int, buckets: CardBuckets, pairs: Any, dealt: Dealt) -> None:
    """Draws the board of an iteration, and puts all hands that it leaves in order and into buckets."""
    pack, deck = np.empty(52, np.uint8), np.empty(9, np.uint8)
    deal_deck(pack, np.empty(0, np.uint8), key, number, deck)
    cards = np.empty(7, np.int64)
    cards[2:] = deck[4:]
    sort_river(cards[2:], dealt.hands, dealt.ends)
    river = np.empty(len(pairs), np.int64)
    river_buckets(cards[2:], buckets, river)
    for place in range(LIVE):
        hand = dealt.hands[place]
        cards[0], cards[1] = pairs[hand, 0], pairs[hand, 1]
        dealt.cards[place, 0], dealt.cards[place, 1] = cards[0], cards[1]
        for street in range(3):
            dealt.classes[street, place] = bucket_of(cards, street, buckets)
        dealt.classes[3, place] = river[hand]


@njit(cache=True, nogil=True)
def match_regrets(tree: SmallTree, classes: NDArray[np.int64], learned: Learned) -> None:
    """The strategy of the moment for the classes that come up: in proportion to positive regrets."""
    slots, width = tree.stakes.shape
    regrets, chances = learned.regrets.reshape(-1), learned.chances.reshape(-1)
    zero, one = fill(chances, np.float32(0)), fill(chances, np.float32(1))
    done = np.zeros(len(learned.regrets), np.bool_)
    for row in classes:
        if done[row]:
            continue
        done[row] = True
        for node in range(len(tree.player)):
            size = tree.size[node]
            even = fill(chances, np.float32(1) / np.float32(size))
            for column in range(0, width, LANES):
                start = (row * slots + tree.first[node]) * width + column
                total = zero
                for place in range(start, start + size * width, width):
                    total = add(total, larger(load(regrets, place), zero))
                safe = where_positive(total, total, one)
                for place in range(start, start + size * width, width):
                    share = divide(larger(load(regrets, place), zero), safe)
                    store(chances, place, where_positive(total, share, even))


@njit(cache=True, nogil=True)
def meet_hands(cards: NDArray[np.int64], width: int, weights: Any, out: Any, sums: Any) -> None:
    """For each hand the weight of all hands that it can meet, by line; all arrays are flat, `sums` is scratch."""
    for column in range(0, width, LANES):
        total = fill(sums, np.float32(0))
        for row in range(52):
            store(sums, row * LANES, total)
        for hand in range(LIVE):
            first, second, weight = cards[hand, 0], cards[hand, 1], load(weights, hand * width + column)
            total = add(total, weight)
            store(sums, first * LANES, add(load(sums, first * LANES), weight))
            store(sums, second * LANES, add(load(sums, second * LANES), weight))
        for hand in range(LIVE):
            shared = add(load(sums, cards[hand, 0] * LANES), load(sums, cards[hand, 1] * LANES))
            weight = load(weights, hand * width + column)
            store(out, hand * width + column, add(subtract(total, shared), weight))


@njit(cache=True, nogil=True)
def _reach_of(walk: Walk, seat: int, acted: Any) -> Any:
    """The reach of a seat that last acted by a slot."""
    return walk.begun[seat].reshape(-1) if acted < 0 else walk.reach[acted].reshape(-1)


@njit(cache=True, nogil=True)
def _hand_on(lines: int, width: int, reach: Any, after: Any, first: int) -> None:
    """Copies reach (hand, line) to the lines from `first` on of the next street."""
    flat, next_width = after.reshape(-1), after.shape[1]
    for hand in range(LIVE):
        for line in range(lines):
            flat[hand * next_width + first + line] = reach[hand * width + line]


@njit(cache=True, nogil=True)
def go_down(tree: SmallTree, seat: int, dealt: Dealt, classes: Any, learned: Learned, walk: Walk, after: Any) -> None:
    """From the reach at the begin to that after all slots, to that of the next street's lines (`after`: the seat's
    own, the other's), and to what is met where somebody folds."""
    slots, width = tree.stakes.shape
    chances, sums = learned.chances.reshape(-1), np.empty(52 * LANES, np.float32)
    for node in range(len(tree.player)):
        player = tree.player[node]
        came = _reach_of(walk, player, tree.acted[node, player])
        waits = _reach_of(walk, 1 - player, tree.acted[node, 1 - player])
        for slot in range(tree.first[node], tree.first[node] + tree.size[node]):
            reach = walk.reach[slot].reshape(-1)
            for hand in range(LIVE):
                place, chance = hand * width, (classes[hand] * slots + slot) * width
                for column in range(0, width, LANES):
                    share = load(chances, chance + column)
                    store(reach, place + column, multiply(load(came, place + column), share))
            if tree.kind[slot] == FOLDS:
                meet_hands(dealt.cards, width, waits if player == seat else reach, walk.met[slot].reshape(-1), sums)
            elif tree.kind[slot] == CLOSES:
                first = tree.number[slot] * tree.lines
                _hand_on(tree.lines, width, reach, after[player ^ seat], first)
                _hand_on(tree.lines, width, waits, after[1 - (player ^ seat)], first)


@njit(cache=True, nogil=True)
def _come_back(lines: int, width: int, later: Any, first: int, out: Any) -> None:
    """Copies values of the next street's lines from `first` on to (hand, line)."""
    flat, next_width = later.reshape(-1), later.shape[1]
    for hand in range(LIVE):
        for line in range(lines):
            out[hand * width + line] = flat[hand * next_width + first + line]


@njit(cache=True, nogil=True)
def go_up(tree: SmallTree, seat: int, classes: Any, learned: Learned, walk: Walk, later: Any, weight: Any) -> None:
    """From the values of the next street's lines to those of all decisions; learns at those of the seat. What is met
    at a slot becomes what the slot is worth."""
    lines = tree.stakes.shape[1]
    for node in range(len(tree.player) - 1, -1, -1):
        for slot in range(tree.first[node], tree.first[node] + tree.size[node]):
            worth = walk.met[slot].reshape(-1)
            if tree.kind[slot] == CLOSES:
                _come_back(tree.lines, lines, later, tree.number[slot] * tree.lines, worth)
            elif tree.kind[slot] == GOES_ON:
                worth[:] = walk.values[tree.number[slot]].reshape(-1)
            else:
                side = fill(worth, np.float32(-1 if tree.number[slot] == seat else 1))
                stakes = tree.stakes[slot]
                for hand in range(LIVE):
                    for column in range(0, lines, LANES):
                        place = hand * lines + column
                        stake = multiply(side, load(stakes, column))
                        store(worth, place, multiply(load(worth, place), stake))
        _decide(tree, node, tree.player[node] == seat, classes, learned, walk, weight)


@njit(cache=True, nogil=True)
def _decide(
    tree: SmallTree, node: int, learns: bool, classes: Any, learned: Learned, walk: Walk, weight: Any
) -> None:
    """The values of a decision from those of its slots; what its player learns if it is the seat that learns."""
    slots, width = tree.stakes.shape
    regrets, average, chances = learned.regrets.reshape(-1), learned.average.reshape(-1), learned.chances.reshape(-1)
    worth, reach, out = walk.met.reshape(-1), walk.reach.reshape(-1), walk.values[node].reshape(-1)
    first, end, size = tree.first[node], tree.first[node] + tree.size[node], LIVE * width
    zero, one, times = fill(out, np.float32(0)), fill(out, np.float32(1)), fill(out, np.float32(weight))
    for hand in range(LIVE):
        for column in range(0, width, LANES):
            place, start = hand * width + column, classes[hand] * slots * width + column
            mean = zero
            for slot in range(first, end):
                share = load(chances, start + slot * width) if learns else one
                mean = add(mean, multiply(share, load(worth, slot * size + place)))
            store(out, place, mean)
            if learns:
                for slot in range(first, end):
                    at = start + slot * width
                    regret = multiply(times, subtract(load(worth, slot * size + place), mean))
                    store(regrets, at, add(load(regrets, at), regret))
                    played = multiply(times, load(reach, slot * size + place))
                    store(average, at, add(load(average, at), played))


class PublicSolver:
    """Learns on a limit tree and bounds of buckets; `piece` iterations make a piece. See `BlueprintSolver`, which has
    the same methods."""

    def __init__(
        self, tree: BettingTree, bounds: Bounds, counts: tuple[int, ...], seed: int, piece: int,
        threads: int | None = None,
    ) -> None:  # fmt: skip
        self.tree, self.bounds, self.counts, self.seed, self.piece = tree, bounds, counts, seed, piece
        self.tabled = False
        """Of no use here: a river is counted once for all hands."""
        self.pieces = 0
        self._key = key_of(seed)
        self._buckets: CardBuckets | None = None
        self._streets = streets_of(tree)
        self._orders = line_orders(self._streets)
        self._trees = [SmallTree.of(*pair) for pair in zip(self._streets[:3], self._orders[:3], strict=True)]
        self._river = RiverTree.of(self._streets[3], self._orders[3])
        self._learned = [
            Learned(*(aligned((count, *small.stakes.shape)) for _ in range(3)))
            for count, small in zip(counts, self._trees, strict=False)
        ]
        slots = int(self._river.size.sum())
        shape = (len(self._river.stakes), counts[3], slots, LANES)
        self._tables = RiverTables(aligned(shape), aligned(shape))
        self._walks = [Walk.of(small) for small in self._trees]
        lines = shape[0] * LANES
        self._reach = (aligned((LIVE, lines)), aligned((LIVE, lines)), aligned((LIVE, lines)))
        self._dealt = Dealt(
            np.zeros(LIVE, np.int64), np.zeros(LIVE, np.int64), np.zeros((LIVE, 2), np.int64),
            np.zeros((4, LIVE), np.int64),
        )  # fmt: skip
        count = threads or core_count()
        edges = np.linspace(0, shape[0], count + 1).astype(np.int64)
        self._shares = [(int(first), int(end)) for first, end in itertools.pairwise(edges)]
        self._pool = ThreadPoolExecutor(len(self._shares))
        sets = self._river.sets.shape[1]
        self._works = [RiverWork.of(counts[3], slots, sets) for _ in self._shares]

    @property
    def iterations(self) -> int:
        """Iterations done."""
        return self.pieces * self.piece

    def run(self, pieces: int) -> None:
        """Goes on for some pieces."""
        if self._buckets is None:
            self._buckets = card_buckets(self.bounds)
        for _ in range(pieces):
            for number in range(self.iterations, self.iterations + self.piece):
                deal_board(self._key, number, self._buckets, HAND_CARDS, self._dealt)
                self._iterate(np.float32(self.pieces + 1))
            self.pieces += 1

    def _iterate(self, weight: np.float32) -> None:
        """Learns on the board that lies."""
        for seat in (0, 1):
            self.learn(seat, weight)

    def learn(self, seat: int, weight: np.float32) -> None:
        """One seat learns on the board that lies."""
        for small, learned, classes in zip(self._trees, self._learned, self._dealt.classes, strict=False):
            match_regrets(small, classes, learned)
        self._spread_out(seat)
        self._learn_rivers(seat, weight)
        self._learn_back(seat, self._reach[2], weight)

    def _spread_out(self, seat: int) -> None:
        """From the first decision to the lines of the river, by the strategy of the moment."""
        self._walks[0].begun[:] = 1
        for number, (small, learned, walk) in enumerate(zip(self._trees, self._learned, self._walks, strict=True)):
            after = self._reach[:2]
            if number < 2:
                begun = self._walks[number + 1].begun
                after = (begun[seat], begun[1 - seat])
            go_down(small, seat, self._dealt, self._dealt.classes[number], learned, walk, after)

    def _learn_back(self, seat: int, later: NDArray[np.float32], weight: np.float32) -> None:
        """From the values of the river's lines back to the first decision, where a seat learns."""
        for number in (2, 1, 0):
            walk = self._walks[number]
            go_up(self._trees[number], seat, self._dealt.classes[number], self._learned[number], walk, later, weight)
            later = walk.values[0]

    def _learn_rivers(self, seat: int, weight: np.float32) -> None:
        river = River(self._dealt.hands, self._dealt.ends, self._dealt.classes[3:], HAND_CARDS)

        def work(share: int) -> None:
            learn_rivers(
                self._river, seat, river, self._tables, self._reach, self._shares[share], weight, self._works[share]
            )

        self._on_all_threads(work)

    def _on_all_threads(self, work: Callable[[int], None]) -> None:
        if len(self._shares) == 1:
            work(0)
        else:
            list(self._pool.map(work, range(len(self._shares))))

    def average(self) -> NDArray[np.float32]:
        """How much each action counts in the average strategy."""
        return self.as_rows("average")

    def as_rows(self, name: str) -> NDArray[np.float32]:
        """Regrets or averages as rows of buckets, street after street."""
        rows = []
        for street, count, order in zip(self._streets, self.counts, self._orders, strict=True):
            out = np.zeros((count, int(self.tree.width[street.number])), np.float32)
            slot = 0
            for node in street.nodes:
                for action in range(len(node.branches)):
                    out[:, node.places[order] + action] = self._of_slot(street, slot, name)
                    slot += 1
            rows.append(out.reshape(-1))
        return np.concatenate(rows)

    def _of_slot(self, street: Street, slot: int, name: str) -> NDArray[np.float32]:
        """What was learned of a slot: (class, line)."""
        if street.number < 3:
            part: NDArray[np.float32] = getattr(self._learned[street.number], name)[:, slot, : street.beginnings]
            return part
        return from_blocks(getattr(self._tables, name)[:, :, slot], street.beginnings)

    def _every_street(self) -> list[Learned | RiverTables]:
        return [*self._learned, self._tables]

    def state(self) -> dict[str, NDArray[Any]]:
        """All that is needed to go on."""
        arrays: dict[str, NDArray[Any]] = {"pieces": np.array([self.pieces])}
        for number, learned in enumerate(self._every_street()):
            arrays[f"regrets.{number}"] = learned.regrets.copy()
            arrays[f"average.{number}"] = learned.average.copy()
        return arrays

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Goes back to a saved state: what follows is the same to the bit."""
        for number, learned in enumerate(self._every_street()):
            learned.regrets[:] = state[f"regrets.{number}"]
            learned.average[:] = state[f"average.{number}"]
        self.pieces = int(state["pieces"][0])
