"""A blueprint learned by external sampling with linear weights (see `sampling`), on buckets of cards.

The work is cut into pieces. A piece is shared by lanes, each with regrets of its own that start from those of all;
at the end of a piece what the lanes have added is put together. The deals of a lane, and so the result, depend on the
settings alone, not on how many threads run the lanes; two threads that write to one table would not give that.
All iterations of piece k count k times.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.hands.evaluator import strength_rows
from luckless.kernels import njit
from luckless.progress import Progress
from luckless.randomness import SPLITMIX_STEP, key_of, random_bits_at, splitmix
from luckless.rules.dealing import deal_deck
from luckless.solve.betting_tree import SHOWDOWN, BettingTree
from luckless.solve.card_buckets import Bounds, CardBuckets, bucket_of, card_buckets, river_ranks
from luckless.threads import run_chunks

_PURPOSE = 65
_DEPTH = 64
MOST_ACTIONS = 16


class Table(NamedTuple):
    """What is learned, by slot: the row of bucket b of a street begins at `start[street] + b * width[street]`."""

    start: NDArray[np.int64]
    width: NDArray[np.int64]
    regrets: NDArray[np.float32]
    average: NDArray[np.float32]


class _Lines(NamedTuple):
    """The tree as the traversal reads it: a row a decision of 4 x seat + street, number of actions, first slot and
    place; and for each ending what seat 0 wins there without a showdown, and the stake of a showdown."""

    nodes: NDArray[np.int32]
    after: NDArray[np.int32]
    folded: NDArray[np.float32]
    shown: NDArray[np.float32]

    @classmethod
    def of(cls, tree: BettingTree) -> "_Lines":
        """The lines of a tree."""
        codes = 4 * tree.player.astype(np.int32) + tree.street
        shown = tree.loser == SHOWDOWN
        return cls(
            np.stack([codes, tree.size, tree.first, tree.place], axis=1).astype(np.int32),
            tree.after,
            np.where(shown, 0.0, np.where(tree.loser == 0, -tree.stake, tree.stake)).astype(np.float32),
            np.where(shown, tree.stake, 0.0).astype(np.float32),
        )


class _Frames(NamedTuple):
    """The traverser's decisions above the one that is looked at: node, first number, action, values so far."""

    node: NDArray[np.int64]
    first: NDArray[np.int64]
    action: NDArray[np.int64]
    values: NDArray[np.float32]


@njit(cache=True, nogil=True)
def _deal_cards(
    key: NDArray[np.uint64], number: int, cards: Any, buckets: CardBuckets, table: Table, rows: NDArray[np.int64]
) -> Any:
    """Deals two hands and a board (`cards` has a row a seat), finds the rows of their buckets; returns 1, 0 or -1 for
    what seat 0 wins of a stake at the showdown."""
    pack, deck = np.empty(52, np.uint8), np.empty(9, np.uint8)
    deal_deck(pack, np.empty(0, np.uint8), key, number, deck)
    strengths = np.empty(2, np.int64)
    for seat in range(2):
        cards[seat, 0], cards[seat, 1] = deck[2 * seat], deck[2 * seat + 1]
        cards[seat, 2:] = deck[4:]
        for street in range(4):
            bucket = bucket_of(cards[seat], street, buckets)
            rows[4 * seat + street] = table.start[street] + bucket * table.width[street]
    strength_rows(cards, strengths)
    return np.sign(strengths[0] - strengths[1])


@njit(cache=True, nogil=True)
def _traverse(
    lines: _Lines, table: Table, rows: NDArray[np.int64], seat: int, won: Any, weight: Any, word: Any, frames: _Frames
) -> None:
    """Values all actions of a seat against sampled ones of the other, whose average is updated, and updates the
    seat's regrets. `won` is what the seat wins of a stake at the showdown."""
    nodes, after, regrets, average = lines.nodes, lines.after, table.regrets, table.average
    side = np.float32(1.0 if seat == 0 else -1.0)
    zero, depth, node = np.float32(0.0), 0, np.int64(0)
    while True:
        if node >= 0:
            code, count = nodes[node, 0], nodes[node, 1]
            first = rows[code] + nodes[node, 3]
            if code >> 2 == seat:
                frames.node[depth], frames.first[depth], frames.action[depth] = node, first, 0
                depth += 1
                node = np.int64(after[nodes[node, 2]])
                continue
            total = zero
            for place in range(count):
                total += max(regrets[first + place], zero)
            word += SPLITMIX_STEP
            rest = np.float32((splitmix(word) >> np.uint64(40)) * (1.0 / 16777216.0))
            chosen = -1
            scale = np.float32(1.0) / total if total > zero else np.float32(1.0) / np.float32(count)
            for place in range(count):
                chance = (max(regrets[first + place], zero) if total > zero else np.float32(1.0)) * scale
                average[first + place] += weight * chance
                if chosen < 0 and (rest < chance or place == count - 1):
                    chosen = place
                rest -= chance
            node = np.int64(after[nodes[node, 2] + chosen])
            continue
        ending = -1 - node
        value = side * lines.folded[ending] + won * lines.shown[ending]
        while depth > 0:
            above, action, first = frames.node[depth - 1], frames.action[depth - 1], frames.first[depth - 1]
            values = frames.values[depth - 1]
            values[action] = value
            count = nodes[above, 1]
            if action + 1 < count:
                frames.action[depth - 1] = action + 1
                node = np.int64(after[nodes[above, 2] + action + 1])
                break
            total, value = zero, zero
            for place in range(count):
                positive = max(regrets[first + place], zero)
                total += positive
                value += positive * values[place]
            if total > zero:
                value /= total
            else:
                for place in range(count):
                    value += values[place]
                value /= np.float32(count)
            for place in range(count):
                regrets[first + place] += weight * (values[place] - value)
            depth -= 1
        if depth == 0:
            return


@njit(cache=True, nogil=True)
def train(
    lines: _Lines, buckets: CardBuckets, table: Table, key: NDArray[np.uint64], first: int, end: int, weight: float
) -> None:
    """Iterations `first` to `end - 1`: a deal each, both seats on it."""
    cards, rows = np.empty((2, 7), np.int64), np.empty(8, np.int64)
    frames = _Frames(
        np.empty(_DEPTH, np.int64), np.empty(_DEPTH, np.int64), np.empty(_DEPTH, np.int64),
        np.empty((_DEPTH, MOST_ACTIONS), np.float32),
    )  # fmt: skip
    for iteration in range(first, end):
        won = np.float32(_deal_cards(key, iteration, cards, buckets, table, rows))
        words = random_bits_at(key, 0, iteration, _PURPOSE, 0)
        _traverse(lines, table, rows, 0, won, np.float32(weight), words[0], frames)
        _traverse(lines, table, rows, 1, -won, np.float32(weight), words[1], frames)


class BlueprintSolver:
    """Learns on a tree and bounds of buckets. `piece` iterations by each lane make a piece."""

    def __init__(
        self, tree: BettingTree, bounds: Bounds, counts: tuple[int, ...], seed: int, piece: int, lanes: int = 2,
        threads: int | None = None,
    ) -> None:  # fmt: skip
        self.tree, self.bounds, self.counts = tree, bounds, counts
        self.seed, self.piece, self.lanes, self.threads = seed, piece, lanes, threads
        self.tabled = False
        """Whether river ranks are counted at the start and kept: worth it for more than some minutes."""
        self.pieces = 0
        self._key = key_of(seed)
        self._lines = _Lines.of(tree)
        self._buckets: CardBuckets | None = None
        sizes = np.array(counts) * tree.width
        start = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        self.slots = int(sizes.sum())
        self._regrets = np.zeros(self.slots, np.float32)
        self._tables = [
            Table(start, tree.width, np.zeros(self.slots, np.float32), np.zeros(self.slots, np.float32))
            for _ in range(lanes)
        ]

    @property
    def iterations(self) -> int:
        """Iterations done."""
        return self.pieces * self.piece * self.lanes

    def run(self, pieces: int) -> None:
        """Goes on for some pieces."""
        if self._buckets is None:
            self._buckets = card_buckets(self.bounds, river_ranks() if self.tabled else None)
        for _ in range(pieces):
            self._run_piece(self._buckets)

    def _run_piece(self, buckets: CardBuckets) -> None:
        weight = float(self.pieces + 1)

        def work(lane: int, _: int) -> int:
            table = self._tables[lane]
            table.regrets[:] = self._regrets
            first = (self.pieces * self.lanes + lane) * self.piece
            train(self._lines, buckets, table, self._key, first, first + self.piece, weight)
            return 1

        with Progress(self.lanes, "lanes", show=False) as progress:
            run_chunks(self.lanes, 1, work, progress, self.threads)
        total = self._tables[0].regrets
        for table in self._tables[1:]:
            total += table.regrets
        total -= (self.lanes - 1) * self._regrets
        self._regrets[:] = total
        self.pieces += 1

    def average(self) -> NDArray[np.float32]:
        """How much each action counts in the average strategy."""
        total = self._tables[0].average.copy()
        for table in self._tables[1:]:
            total += table.average
        return total

    def state(self) -> dict[str, NDArray[Any]]:
        """All that is needed to go on."""
        arrays = {f"average.{lane}": table.average.copy() for lane, table in enumerate(self._tables)}
        return {**arrays, "regrets": self._regrets.copy(), "pieces": np.array([self.pieces])}

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Goes back to a saved state: what follows is the same to the bit."""
        for lane, table in enumerate(self._tables):
            table.average[:] = state[f"average.{lane}"]
        self._regrets[:] = state["regrets"]
        self.pieces = int(state["pieces"][0])
