"""Hold'em solved from a given street on: a public tree with a vector of hands a player.

Regrets and averages are 32-bit numbers, on the flop 16-bit ones; values and exploitability are summed in 64 bits.
"""

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError
from luckless.hands.pairs import PAIR_CARDS
from luckless.lanes import LANES
from luckless.solve.betting import Forest, build_forests
from luckless.solve.packed import Packed, can_be_packed, climb_packed, descend_packed, shorten_board
from luckless.solve.passes import Flow, Street, climb, descend, iterate, judge_climb, judge_descend, normalise
from luckless.solve.schedules import Schedule, schedule_of, steps_from
from luckless.solve.showdown import SUMS
from luckless.solve.spot import Spot
from luckless.solve.street import DEAL, Boards, Side, build_sides
from luckless.solve.suits import streets_of
from luckless.solve.vectors import Learned, Work
from luckless.threads import core_count

_CHUNKS = 8
"""Into how many parts the boards of a street are cut: fixed, so that sums do not depend on the number of cores."""
_SHORT_POT = 64.0
"""The first pot in the units of 16-bit regrets, which end at 2^-31 and 2^32."""


@dataclass(frozen=True)
class Judgement:
    """What a pair of strategies is worth, in chips: by the strategies themselves and by best responses to them."""

    values: tuple[float, float]
    """What each player wins on average; his half of the pot at the start counts as put in by him."""
    best: tuple[float, float]
    pot: int

    @property
    def exploitability(self) -> float:
        """Half of what both could gain together, in chips."""
        return sum(max(most - value, 0.0) for most, value in zip(self.best, self.values, strict=True)) / 2

    @property
    def share(self) -> float:
        """Exploitability as a share of the pot."""
        return self.exploitability / self.pot

    @property
    def first_ev(self) -> float:
        """What the first player takes out of the pot on average."""
        return self.values[0] + self.pot / 2


def bits_of(spot: Spot, schedule: Schedule) -> int:
    """In how many bits a spot's regrets and averages are kept: 16 from the flop on, where the variant allows it."""
    return 16 if len(spot.board) == 3 and can_be_packed(schedule) else 32


class _Layer:
    """One street: its arrays for passes in the solver's numbers and in 64 bits."""

    def __init__(
        self, forest: Forest, boards: Boards, sides: tuple[Side, Side], share: float, bits: int, unit: float
    ) -> None:
        """`unit` is how many chips are one in the numbers of the solver; judgements are always in chips."""
        self.forest, self.boards, self.sides = forest, boards, sides
        self.width = tuple(side.cards.shape[1] for side in sides)
        make = _new_packed if bits == 16 else _new_learned
        learned = tuple(make(forest, boards, sides[player], player, bits) for player in (0, 1))
        parents = np.array(boards.parent, np.int32)
        self.streets = {
            dtype: Street(
                sides,
                learned,
                tuple(_stakes(side, chips).astype(dtype) for side in sides),
                parents,
                np.dtype(dtype).type(share),
            )
            for dtype, chips in ((np.float32, unit), (np.float64, 1.0))
        }
        self.learned: Any = learned
        """What each player has learned: `Learned`, or `Packed` in 16 bits."""

    def work(self, player: int, dtype: Any) -> Work:
        """Scratch for passes in which a player learns."""
        own, other = self.width[player], self.width[1 - player]
        padded = self.sides[player].padded
        rows = max(self.forest.next_row)
        largest = -(-max(len(side.sent) for side in self.sides) // LANES) * LANES
        sizes = (largest * other, padded * own, padded * own, SUMS, rows * LANES, rows * LANES, 2 * largest * LANES)
        return Work(*(np.zeros(max(size, LANES * LANES), dtype) for size in sizes))

    def chunks(self) -> list[tuple[int, int]]:
        """Runs of boards; where boards have different boards above them, those of one stay together."""
        parents = np.array(self.boards.parent)
        if len(parents) == 1:
            return [(0, 1)]
        starts = np.flatnonzero(np.append(True, parents[1:] != parents[:-1]))
        places = starts if len(starts) > 1 else np.arange(len(parents))
        ends = np.append(places, len(parents))
        cuts = np.unique(np.linspace(0, len(places), min(_CHUNKS, len(places)) + 1).astype(int))
        return [(int(ends[first]), int(ends[last])) for first, last in itertools.pairwise(cuts)]


def _stakes(side: Side, unit: float) -> NDArray[np.float64]:
    """What endings pay in a unit of chips; what streets to come are worth is in that unit already."""
    return np.where(side.ending_kind == DEAL, side.ending_stake, side.ending_stake / unit)


def _shape(forest: Forest, boards: Boards, side: Side, player: int) -> tuple[int, ...]:
    return len(boards.cards), side.cards.shape[1] // LANES, forest.slots(player), LANES


def _new_learned(forest: Forest, boards: Boards, side: Side, player: int, bits: int) -> Learned:
    """Nothing learned: every action is equally likely."""
    kind = np.float32 if bits == 32 else np.float64
    strategy = np.empty(_shape(forest, boards, side, player), kind)
    for decision in forest.decisions:
        if decision.player == player:
            first = decision.first_row - forest.entries
            strategy[:, :, first : first + len(decision.actions)] = 1 / len(decision.actions)
    return Learned(np.zeros(strategy.size, kind), np.zeros(strategy.size, kind), strategy.ravel())


def _new_packed(forest: Forest, boards: Boards, side: Side, player: int, bits: int) -> Packed:
    size = int(np.prod(_shape(forest, boards, side, player)))
    return Packed(np.zeros(size, np.uint16), np.zeros(size, np.uint16))


class HoldemSolver:
    """A spot under solution."""

    def __init__(
        self,
        spot: Spot,
        algorithm: str = "dcfr+",
        schedule: Schedule | None = None,
        threads: int | None = None,
        bits: int | None = None,
    ) -> None:
        """`bits` (16, 32 or 64) is the size of the numbers that are kept; see `bits_of`."""
        self.spot, self.algorithm, self.iterations = spot, algorithm, 0
        self._schedule = schedule or schedule_of(algorithm)
        self.bits = bits or bits_of(spot, self._schedule)
        if self.bits not in (16, 32, 64) or (self.bits == 16 and not can_be_packed(self._schedule)):
            raise InputError(f"{algorithm} cannot be kept in {self.bits} bits; allowed is 32 or 64")
        self._dtype: Any = np.float64 if self.bits == 64 else np.float32
        self._unit = spot.stakes.pot / _SHORT_POT if self.bits == 16 else 1.0
        self._threads = threads or core_count()
        held = tuple(np.flatnonzero(weight) for weight in spot.weights)
        self.layers: list[_Layer] = []
        self.hands: list[list[list[NDArray[np.int64]]]] = []
        above = [[held[0]], [held[1]]]
        forests = build_forests(spot.stakes, spot.menus, spot.trimming)
        for place, (forest, boards) in enumerate(zip(forests, streets_of(spot.board, spot.weights), strict=True)):
            sides, above = build_sides(forest, boards, (held[0], held[1]), above)
            share = 1.0 if place == 0 else 1 / (52 - len(boards.cards[0]) + 1 - 4)
            self.layers.append(_Layer(forest, boards, sides, share, self.bits, self._unit))
            self.hands.append(above)
        self._roots = tuple(spot.weights[player][held[player]] for player in (0, 1))
        self._pairs_weight = _met_weight(spot)
        self._scratch: dict[Any, Any] = {}

    def run(self, iterations: int) -> None:
        """Goes on for some iterations."""
        steps = steps_from(self._schedule, self.iterations + 1, iterations).astype(self._dtype)
        if len(self.layers) == 1 and self.bits > 16:
            street = self.layers[0].streets[self._dtype]
            iterate(street, steps, *self._river_parts())
        else:
            with ThreadPoolExecutor(self._threads) as pool:
                for step in steps:
                    for player in (0, 1):
                        self._learn(player, step, pool)
        self.iterations += iterations

    def _river_parts(self) -> tuple[Any, Any]:
        if "river" not in self._scratch:
            kind, layer = self._dtype, self.layers[0]
            above = self._tops(kind)
            works = tuple(layer.work(player, kind) for player in (0, 1))
            flows = tuple(
                Flow(above, np.zeros((1, 1, 1), kind), np.zeros((1, len(self._roots[player]), 1), kind))
                for player in (0, 1)
            )
            self._scratch["river"] = works, flows
        works, flows = self._scratch["river"]
        return works, flows

    def _tops(self, dtype: Any) -> tuple[Any, Any]:
        """Both ranges as reach at the only deal before the first street."""
        first, second = (np.ascontiguousarray(root.astype(dtype).reshape(1, -1, 1)) for root in self._roots)
        return first, second

    def _learn(self, player: int, step: NDArray[Any], pool: ThreadPoolExecutor) -> None:
        """One player's half of an iteration, street by street down and up again."""
        dtype = self._dtype
        down, up = (descend_packed, climb_packed) if self.bits == 16 else (descend, climb)
        above: list[Any] = [self._tops(dtype)]
        for layer in self.layers[:-1]:
            above.append(tuple(self._down(layer, one, above[-1][one], dtype, pool, down) for one in (0, 1)))
        deals: Any = np.zeros((1, 1, 1), dtype)
        for place in range(len(self.layers) - 1, -1, -1):
            layer, came = self.layers[place], above[place]

            def work(first: int, last: int, handed: Any, scratch: Work) -> None:
                flow = Flow(came, deals, handed)  # noqa: B023 - all are done before the next street
                up(layer.streets[dtype], player, first, last, step, scratch, flow)  # noqa: B023

            deals = self._up(place, player, came[player].shape, dtype, pool, work)

    def _down(
        self, layer: _Layer, player: int, above: Any, dtype: Any, pool: ThreadPoolExecutor, kernel: Any
    ) -> NDArray[Any]:
        """A player's reach at all deals of a street."""
        shape = (len(layer.boards.cards), layer.width[player], len(layer.forest.deals))
        dealt = self._array(("dealt", id(layer), player, dtype), shape, dtype)

        def work(number: int, chunk: tuple[int, int]) -> None:
            scratch = self._work(layer, 1 - player, dtype, number)
            kernel(layer.streets[dtype], player, *chunk, above, scratch, dealt)

        _all(pool, work, layer.chunks())
        return dealt

    def _up(
        self,
        place: int,
        player: int,
        shape: tuple[int, ...],
        dtype: Any,
        pool: ThreadPoolExecutor,
        work: Callable[[int, int, Any, Work], None],
    ) -> NDArray[Any]:
        """The values of a street as the one above takes them; chunks that share a board above add up apart."""
        layer = self.layers[place]
        chunks = layer.chunks()
        alone = shape[0] > 1
        parts = [
            self._array(("up", place, player, dtype, 0 if alone else n), shape, dtype) for n in range(len(chunks))
        ]
        for part in parts:
            part[:] = 0

        def one(number: int, chunk: tuple[int, int]) -> None:
            work(*chunk, parts[number], self._work(layer, player, dtype, number))

        _all(pool, one, chunks)
        if not alone:
            for part in parts[1:]:
                parts[0] += part
        return parts[0]

    def _array(self, key: Any, shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
        if key not in self._scratch:
            self._scratch[key] = np.zeros(shape, dtype)
        array: NDArray[Any] = self._scratch[key]
        return array

    def _work(self, layer: _Layer, player: int, dtype: Any, number: int) -> Work:
        key = ("work", id(layer), player, dtype, number)
        if key not in self._scratch:
            self._scratch[key] = layer.work(player, dtype)
        scratch: Work = self._scratch[key]
        return scratch

    def judge(self) -> Judgement:
        """The average strategy's values and best responses to it, exact up to the rounding of 64-bit sums."""
        found = []
        raked = self.spot.stakes.rake > 0
        with ThreadPoolExecutor(self._threads) as pool:
            for player in (0, 1):
                played, best = self._judge(player, pool, player == 0 or raked)
                weight = self._roots[player] / self._pairs_weight
                found.append((float(weight @ played), float(weight @ best)))
        (first, first_best), (second, second_best) = found
        second = second if raked else -first  # nothing leaves the pot: one wins what the other loses
        return Judgement((first, second), (first_best, second_best), self.spot.stakes.pot)

    def strategy(self, street: int, board: int, player: int) -> NDArray[np.float64]:
        """The average strategy on one board: (action, hand), actions in the order of the forest's rows, hands as in
        `hands[street][player][board]`."""
        layer = self.layers[street]
        side, width = layer.sides[player], layer.width[player]
        flat = np.empty(layer.forest.slots(player) * width)
        normalise(side, layer.learned[player].average, board, flat)
        blocks = flat.reshape(width // LANES, -1, LANES)
        return blocks.transpose(1, 0, 2).reshape(-1, width)[:, : side.hands[board]]

    def state(self) -> dict[str, NDArray[Any]]:
        """All that is needed to go on."""
        arrays = {
            f"{name}.{street}.{player}": getattr(layer.learned[player], name)
            for street, layer in enumerate(self.layers)
            for player in (0, 1)
            for name in layer.learned[player]._fields
        }
        return {**arrays, "iterations": np.array([self.iterations])}

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Goes back to a saved state: what follows is the same to the bit."""
        for street, layer in enumerate(self.layers):
            for player in (0, 1):
                for name, array in zip(layer.learned[player]._fields, layer.learned[player], strict=True):
                    saved = state[f"{name}.{street}.{player}"]
                    if self.bits == 16 and saved.dtype != np.uint16:  # kept in 32 bits by an earlier version
                        shorten_board(saved / np.float32(self._unit if name == "regrets" else 1), array, 0)
                    else:
                        array[:] = saved
        self.iterations = int(state["iterations"][0])

    def hand_values(self, player: int) -> NDArray[np.float64]:
        """What each of a player's hands (in the order of `held`) wins on average, times the weight it meets."""
        with ThreadPoolExecutor(self._threads) as pool:
            return self._judge(player, pool, True)[0]

    def _judge(
        self, player: int, pool: ThreadPoolExecutor, played: bool
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What each hand wins: `played` by the average strategy (else zeros), and as well as can be."""
        deals = self._judged_deals(player, pool, played)[0]
        return deals[0, 0, :, 0].copy(), deals[1, 0, :, 0].copy()

    def values_below(self, player: int) -> list[NDArray[np.float64]]:
        """What the deals at the end of each street are worth to a player by the average strategies, street by street:
        (board, hand, deal), times the weight that the hand meets there. The last street has none."""
        with ThreadPoolExecutor(self._threads) as pool:
            return [deals[0] for deals in self._judged_deals(player, pool, True)[1:]]

    def _judged_deals(self, player: int, pool: ThreadPoolExecutor, played: bool) -> list[NDArray[np.float64]]:
        """The values that each street hands up, from the first on; what is `played` comes first, then the best."""
        dtype = np.float64
        above = [self._tops(dtype)[1 - player]]
        for layer in self.layers[:-1]:
            above.append(self._down(layer, 1 - player, above[-1], dtype, pool, judge_descend))
        handed: list[Any] = [np.zeros((2, 1, 1, 1), dtype)]
        for place in range(len(self.layers) - 1, -1, -1):
            layer, came = self.layers[place], above[place]
            boards = len(self.layers[place - 1].boards.cards) if place else 1
            hands = self.layers[place - 1].width[player] if place else len(self._roots[player])
            below = handed[0]

            def work(first: int, last: int, handed: Any, scratch: Work) -> None:
                flows = tuple(Flow((came, came), below[best], handed[best]) for best in (0, 1))  # noqa: B023
                judge_climb(layer.streets[dtype], player, first, last, scratch, came, flows, played)  # noqa: B023

            shape = (2, boards, hands, came.shape[2])
            handed.insert(0, self._judge_up(place, player, shape, pool, work))
        return handed[:-1]

    def _judge_up(
        self, place: int, player: int, shape: tuple[int, ...], pool: ThreadPoolExecutor, work: Any
    ) -> NDArray[np.float64]:
        layer, chunks = self.layers[place], self.layers[place].chunks()
        alone = shape[1] > 1
        parts = [np.zeros(shape)] * len(chunks) if alone else [np.zeros(shape) for _ in chunks]

        def one(number: int, chunk: tuple[int, int]) -> None:
            work(*chunk, parts[number], self._work(layer, player, np.float64, number))

        _all(pool, one, chunks)
        return parts[0] if alone else sum(parts[1:], parts[0])


def _all(
    pool: ThreadPoolExecutor, work: Callable[[int, tuple[int, int]], None], chunks: list[tuple[int, int]]
) -> None:
    """Does all chunks; alone without threads."""
    if len(chunks) == 1:
        work(0, chunks[0])
        return
    for done in [pool.submit(work, number, chunk) for number, chunk in enumerate(chunks)]:
        done.result()


def _met_weight(spot: Spot) -> float:
    """The weight of all pairs of hands that can meet."""
    first, second = spot.weights
    by_card = [np.bincount(PAIR_CARDS.ravel(), np.repeat(weights, 2), 52) for weights in (first, second)]
    total = float(first.sum() * second.sum() - by_card[0] @ by_card[1])
    return total + float(first @ second)  # the same two cards were taken out twice
