"""CFR-BR for limit blueprints: a player in buckets learns against one who plays each sampled river perfectly.

Learned against a player in the same buckets, a strategy may be far from safe against real opponents, who see their
hands (Johanson, Bard, Burch and Bowling, "Finding optimal abstract strategies in extensive-form games", 2012). Here
the other player has a regret for each bucket before the river, and on the river of each iteration plays a best
response with every hand. The players of the two seats learn in games of their own; what each of them has learned is
the blueprint.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.kernels import njit
from luckless.lanes import LANES, add, fill, larger, load, multiply, store, subtract, where_positive
from luckless.solve.betting_tree import BettingTree
from luckless.solve.card_buckets import Bounds
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
from luckless.solve.public_rivers import (
    RiverTables,
    RiverTree,
    add_average,
    gather_block,
    hand_out,
    learn_block,
    match_block,
    opened,
    second_chain,
)
from luckless.solve.public_sampling import HAND_CARDS, PublicSolver, match_regrets
from luckless.solve.simple_players import SimplePlayers


@njit(cache=True, nogil=True, inline="always")
def _choose(choices: Any, at: Any, folds: Any, calls: Any) -> None:
    """Notes the better of the first two actions of a decision; the first where they are equal."""
    one, zero = fill(choices, np.float32(1)), fill(choices, np.float32(0))
    second = where_positive(subtract(calls, folds), one, zero)
    store(choices, at, subtract(one, second))
    store(choices, at + LANES, second)


@njit(cache=True, nogil=True, inline="always")
def _choose_third(choices: Any, at: Any, value: Any, best: Any) -> None:
    """Notes the third action of a decision where it is better than the best of the others."""
    one, zero = fill(choices, np.float32(1)), fill(choices, np.float32(0))
    third = where_positive(subtract(value, best), one, zero)
    left = subtract(one, third)
    store(choices, at, multiply(load(choices, at), left))
    store(choices, at + LANES, multiply(load(choices, at + LANES), left))
    store(choices, at + 2 * LANES, third)


@njit(cache=True, nogil=True, inline="always")
def _answer_best(room: Room, stakes: Any, own: Any, first: Any, hand: Hand, choices: Any) -> Any:
    """What a best response wins in a chain from where the other has made bet `first`; notes what it does. `own` is
    where its decisions lie in `choices`."""
    most = len(stakes) // (2 * LANES)
    chain = 0 if first == 1 else most
    value = fill(stakes, np.float32(0))
    raised = value
    level = most - (most - first) % 2
    while level >= first:
        number, at = chain + level, own[(level - first) // 2]
        met = met_by(room, number, hand)
        stake = load(stakes, level * LANES)
        folds = multiply(met, load(stakes, (most + level) * LANES))
        calls = multiply(shown_by(room, number, hand), stake)
        _choose(choices, at, folds, calls)
        best = larger(folds, calls)
        if level < most:
            called = met_by(room, number + 1, hand)
            value = add(value, multiply(subtract(met, add(called, raised)), stake))
            value = add(value, multiply(shown_by(room, number + 1, hand), load(stakes, (level + 1) * LANES)))
            _choose_third(choices, at, value, best)
            best = larger(best, value)
        value, raised = best, met
        level -= 2
    return value


@njit(cache=True, nogil=True, inline="always")
def _play_best(room: Room, stakes: Any, own: Any, seat: int, hand: Hand, choices: Any) -> Any:
    """What a best response wins with one hand in all lines of a block; notes what it does."""
    check, bet = opened(room, stakes, seat, hand)
    theirs = _answer_best(room, stakes, own[1:], 1, hand, choices)
    bet = add(bet, _answer_best(room, stakes, own[second_chain(stakes) :], 2, hand, choices))
    if seat == 0:
        check = add(check, theirs)
    _choose(choices, own[0], check, bet)
    best = larger(check, bet)
    return best if seat == 0 else add(best, theirs)


@njit(cache=True, nogil=True)
def _answer_block(tree: RiverTree, river: River, seat: int, room: Room, stakes: Any, choices: Any, out: Any) -> None:
    """What a seat wins by best responses in a block, by place; notes what it does with each hand."""
    sets, slots = tree.sets.shape[1], tree.first[-1] + tree.size[-1]
    decisions = tree.decisions[seat] * LANES
    first = 0
    while first < LIVE:
        last = river.ends[first]
        pass_level(river, room, first, last, sets)
        for place in range(first, last):
            own = decisions + place * slots * LANES
            value = _play_best(room, stakes, own, seat, hand_at(river, place, sets), choices)
            store(out, place * LANES, value)
        pass_level(river, room, first, last, sets)
        first = last


@njit(cache=True, nogil=True)
def learn_against_best(
    tree: RiverTree, seat: int, river: River, tables: RiverTables, reach: Any, blocks: Any, weight: Any, rooms: Any
) -> None:
    """One iteration of a seat on the river against a best response, in blocks `blocks[0]` to `blocks[1] - 1`.

    `reach` (the seat's own, the other's, and the values of both that come out) are (hand, line), and that of simple
    players in place of the other is (player, line); `rooms` are that of the river and one for the choices of the
    other, by hand, followed by those of simple players.
    """
    own_reach, other_reach, values, best, simple = reach
    work, choices = rooms
    room, width = work.room, own_reach.shape[1]
    sets, slots = tree.sets.shape[1], tree.first[-1] + tree.size[-1]
    parents, best_parents = set_parents(sets, seat), set_parents(sets, 1 - seat)
    by_hand = np.empty((1 + len(simple), LIVE), np.int64)
    work.seen[:] = False
    for place in range(LIVE):
        work.seen[river.classes[0, place]] = True
        work.starts[0, place] = river.classes[0, place] * slots * LANES
        by_hand[0, place] = place * slots * LANES
        by_hand[1:, place] = (LIVE + np.arange(len(simple))) * slots * LANES
    by_class = River(river.hands, river.ends, work.starts, river.cards)
    answers = River(river.hands, river.ends, by_hand, river.cards)
    own_flat, other_flat, simple_flat = own_reach.reshape(-1), other_reach.reshape(-1), simple.reshape(-1)
    for block in range(blocks[0], blocks[1]):
        regrets, average = tables.regrets[block].reshape(-1), tables.average[block].reshape(-1)
        stakes = tree.stakes[block].reshape(-1)
        match_block(tree, work.seen, regrets, work.chances)
        gather_block(own_flat, width, block, river.classes[0], work)
        weigh_hands(by_class, work.chances, tree.sets[1 - seat], best_parents, room)
        _answer_block(tree, by_class, 1 - seat, room, stakes, choices, work.values)
        hand_out(work.values, width, block, best)
        for place in range(LIVE):
            store(room.begun, place * LANES, load(other_flat, place * width + block * LANES))
            for player in range(len(simple)):
                came = load(simple_flat, player * width + block * LANES)
                store(room.begun, ((1 + player) * LIVE + place) * LANES, came)
        weigh_hands(answers, choices, tree.sets[seat], parents, room)
        learn_block(tree, by_class, seat, work, stakes, regrets, weight)
        hand_out(work.values, width, block, values)
        add_average(tree, seat, work, average, weight)


class BestResponseSolver(PublicSolver):
    """Learns for one seat; the player of the other answers rivers as well as can be. In a share of the hands he is a
    simple player instead, who always calls or always raises."""

    def __init__(
        self, tree: BettingTree, bounds: Bounds, counts: tuple[int, ...], seed: int, piece: int,
        threads: int | None = None, seat: int = 0, simple: Mapping[str, float] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(tree, bounds, counts, seed, piece, threads)
        self.seat = seat
        self._best: NDArray[np.float32] = aligned(self._reach[2].shape)
        self._simple = SimplePlayers.of(simple or {}, self._trees, self._streets[3], seat, self._best.shape[1])
        rows, slots = LIVE + len(self._simple.reach), int(self._river.size.sum())
        self._choices = [aligned((rows * slots * LANES,)) for _ in self._shares]
        for choices in self._choices:
            choices[LIVE * slots * LANES :] = np.repeat(self._simple.choices.reshape(-1), LANES)
        room = Room.of(self._river.sets.shape[1], 1 + len(self._simple.reach))
        self._works = [work._replace(room=room.fresh()) for work in self._works]

    def _iterate(self, weight: np.float32) -> None:
        streets = list(zip(self._trees, self._learned, self._walks, self._dealt.classes, strict=False))
        for small, learned, _, classes in streets:
            match_regrets(small, classes, learned)
        self._spread_out(1 - self.seat)
        other, own, values = self._reach  # of the seat for which it was spread, of the other one
        river = River(self._dealt.hands, self._dealt.ends, self._dealt.classes[3:], HAND_CARDS)

        def work(share: int) -> None:
            learn_against_best(
                self._river, self.seat, river, self._tables, (own, other, values, self._best, self._simple.reach),
                self._shares[share], weight, (self._works[share], self._choices[share]),
            )  # fmt: skip

        self._on_all_threads(work)
        self._learn_back(1 - self.seat, self._best, weight)
        self._spread_out(self.seat)
        self._simple.meet(self._walks)
        self._learn_back(self.seat, values, weight)


class CfrBrSolver:
    """Both seats, each in its game; see `PublicSolver`, which has the same methods."""

    def __init__(
        self, tree: BettingTree, bounds: Bounds, counts: tuple[int, ...], seed: int, piece: int,
        threads: int | None = None, simple: Mapping[str, float] | None = None,
    ) -> None:  # fmt: skip
        self.tree, self.bounds, self.counts, self.seed, self.piece = tree, bounds, counts, seed, piece
        self.tabled = False
        self._games = [
            BestResponseSolver(tree, bounds, counts, seed, piece, threads, seat, simple) for seat in (0, 1)
        ]

    @property
    def pieces(self) -> int:
        """Pieces done."""
        return self._games[0].pieces

    @property
    def iterations(self) -> int:
        """Iterations done."""
        return self._games[0].iterations

    def run(self, pieces: int) -> None:
        """Goes on for some pieces."""
        for game in self._games:
            game.run(pieces)

    def average(self) -> NDArray[np.float32]:
        """How much each action counts in the average strategy, for each seat that of its own game."""
        return self.as_rows("average")

    def as_rows(self, name: str) -> NDArray[np.float32]:
        """Regrets or averages as rows of buckets, street after street."""
        both = [game.as_rows(name) for game in self._games]
        out, first = both[0].copy(), 0
        for street, (count, width) in enumerate(zip(self.counts, self.tree.width, strict=True)):
            part = slice(first, first + count * int(width))
            rows, other = out[part].reshape(count, -1), both[1][part].reshape(count, -1)
            for node in np.flatnonzero((self.tree.street == street) & (self.tree.player == 1)):
                places = slice(self.tree.place[node], self.tree.place[node] + self.tree.size[node])
                rows[:, places] = other[:, places]
            first = part.stop
        return out

    def state(self) -> dict[str, NDArray[Any]]:
        """All that is needed to go on."""
        return {
            f"{seat}.{name}": part for seat, game in enumerate(self._games) for name, part in game.state().items()
        }

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Goes back to a saved state: what follows is the same to the bit."""
        for seat, game in enumerate(self._games):
            game.restore({name[2:]: part for name, part in state.items() if name.startswith(f"{seat}.")})
