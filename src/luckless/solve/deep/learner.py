"""The iterations of Deep PDCFR+ (Xu et al., "Deep (predictive) discounted counterfactual regret minimization", 2025).

Each player has two networks. One holds cumulative regrets: in iteration t it is fitted to

    max(its own answers so far, 0) * discount of PDCFR+ + the sampled regrets of the iteration.

The other is fitted to the sampled regrets alone and predicts those of the next iteration. The strategy is in
proportion to the positive part of both together, as in PDCFR+. A third network values every node, which takes luck
out of the samples.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError
from luckless.randomness import key_of
from luckless.solve.deep.collecting import Collected, Drawn, collect
from luckless.solve.deep.networks import Lesson, Model, NetworkRegression, Regression, check_finite
from luckless.solve.deep.world import Seen, World
from luckless.solve.schedules import Schedule, pdcfr_plus
from luckless.solve.tree_game import END

GROWING = ("pairs.0", "pairs.1")
"""Arrays of the state that have one more row after each iteration."""

Strategies = tuple[NDArray[np.float64], NDArray[np.float64]]
Collect = Callable[[World, Strategies, NDArray[np.float64], Drawn], Collected]


def sampled(world: World, strategies: Strategies, baseline: NDArray[np.float64], drawn: Drawn) -> Collected:
    """Regrets of games that are played."""
    return collect(world.nodes, world.starts, strategies, baseline, drawn)


@dataclass(frozen=True)
class DeepSettings:
    """How much is sampled and how the past is weighed; alpha and gamma are those of PDCFR+."""

    games: int = 5000
    """Games that are sampled for each player in an iteration."""
    alpha: float = 2.3
    gamma: float = 2.0
    regrets: Regression = field(default_factory=NetworkRegression)
    values: Regression = field(default_factory=lambda: NetworkRegression(steps=100))
    collect: Collect = sampled

    @property
    def schedule(self) -> Schedule:
        """What each iteration forgets."""
        return partial(pdcfr_plus, alpha=self.alpha, gamma=self.gamma)


class Pair(NamedTuple):
    """One player's networks after an iteration."""

    cumulative: Model
    predicted: Model


class DeepLearner:
    """The networks of both players, all that they ever were, and the value network."""

    def __init__(self, world: World, seed: int, settings: DeepSettings) -> None:
        self.seed, self.settings, self.outputs = seed, settings, world.outputs
        self._key = key_of(seed)
        self.pairs: tuple[list[Pair], list[Pair]] = ([], [])
        for player, pairs in enumerate(self.pairs):
            random = self._random(0, player)
            width = world.seen[player].inputs.shape[1]
            pairs.append(Pair(*(settings.regrets.new(width, world.outputs, random) for _ in Pair._fields)))
        self.value_model = settings.values.new(world.histories.shape[1], 1, self._random(0, 2))

    @property
    def iterations(self) -> int:
        """Iterations done."""
        return len(self.pairs[0]) - 1

    def _random(self, iteration: int, purpose: int) -> np.random.Generator:
        """Random numbers of this address alone."""
        return np.random.default_rng([self.seed, iteration, purpose])

    def strategy(self, seen: Seen, player: int, number: int) -> NDArray[np.float64]:
        """The strategy with which a player begins the iteration after the given one, by sequence."""
        return self._strategy_of(seen, self.pairs[player][number], number)

    def _strategy_of(self, seen: Seen, pair: Pair, number: int) -> NDArray[np.float64]:
        cumulative, predicted = (self._answers(model, seen) for model in pair)
        ahead = self.settings.schedule(number).ahead if number else 0.0
        return matched(seen, np.maximum(cumulative, 0.0) * ahead + predicted)

    def _answers(self, model: Model, seen: Seen) -> NDArray[np.float64]:
        """What a network says of each row."""
        answers = self.settings.regrets.run(model, seen.inputs, self.outputs)
        check_finite(answers, "a network of regrets")
        return answers.astype(np.float64)

    def baseline(self, world: World, model: Model) -> NDArray[np.float64]:
        """What a value network expects of each node; the payoff where the game is over."""
        values = np.where(world.nodes.actor == END, world.nodes.payoff, 0.0)
        answers = self.settings.values.run(model, world.histories, 1)[:, 0]
        check_finite(answers, "the network of values")
        values[world.open_nodes] = (world.history_unit * answers)[world.history]
        return values

    def iterate(self, world: World) -> None:
        """One iteration; the second player already meets the first one's new strategy. All or nothing is kept."""
        number = self.iterations + 1
        first, second = (self.strategy(world.seen[player], player, number - 1) for player in (0, 1))
        values = self.value_model
        got = self._collect(world, 0, (first, second), values)
        new_first, values = self._learn(world, 0, got), self._learn_values(world, 0, got, values)
        met = self._strategy_of(world.seen[0], new_first, number)
        got = self._collect(world, 1, (met, second), values)
        new_second, values = self._learn(world, 1, got), self._learn_values(world, 1, got, values)
        self.pairs[0].append(new_first)
        self.pairs[1].append(new_second)
        self.value_model = values

    def _collect(self, world: World, player: int, strategies: Strategies, values: Model) -> Collected:
        drawn = Drawn(player, self._key, self.iterations + 1, self.settings.games)
        return self.settings.collect(world, strategies, self.baseline(world, values), drawn)

    def _learn(self, world: World, player: int, got: Collected) -> Pair:
        """New networks of one player from what was collected."""
        number, settings, seen = self.iterations + 1, self.settings, world.seen[player]
        regrets, weights = by_row(seen, got, self.outputs)
        old = self.pairs[player][-1]
        kept = settings.schedule(number).positive
        wanted = np.maximum(self._answers(old.cumulative, seen), 0.0) * kept + regrets
        fitted = []
        for place, (model, target) in enumerate(zip(old, (wanted, regrets), strict=True)):
            lesson = Lesson(seen.inputs, target, weights)
            random = self._random(number, 4 * player + place)
            fitted.append(settings.regrets.fit(model, lesson, self.outputs, random))
            check_finite(fitted[-1], f"a network of regrets, after iteration {number},")
        return Pair(*fitted)

    def _learn_values(self, world: World, player: int, got: Collected, model: Model) -> Model:
        """The value network moved towards what was won from each node on."""
        sums, passed = (
            np.bincount(world.history, column[world.open_nodes], len(world.histories)).astype(np.float64)
            for column in (got.values, got.passed)
        )
        wanted = sums / np.maximum(passed, 1.0) / world.history_unit
        lesson = Lesson(world.histories, wanted[:, None], passed[:, None])
        random = self._random(self.iterations + 1, 4 * player + 2)
        fitted = self.settings.values.fit(model, lesson, 1, random)
        check_finite(fitted, f"the network of values, after iteration {self.iterations + 1},")
        return fitted

    def state(self) -> dict[str, NDArray[Any]]:
        """All networks, and the number of iterations."""
        pairs = {name: np.array(self.pairs[player], np.float32) for player, name in enumerate(GROWING)}
        return {**pairs, "values": self.value_model.copy(), "iterations": np.array([self.iterations])}

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Takes over the networks of a state."""
        for name in (*GROWING, "values"):
            check_finite(state[name], f"the array {name} of the solution")
        if any(len(state[name]) != state["iterations"][0] + 1 for name in GROWING):
            raise InputError(f"the solution does not hold the networks of its {state['iterations'][0]} iterations")
        first, second = ([Pair(*pair) for pair in state[name]] for name in GROWING)
        self.pairs = (first, second)
        self.value_model = state["values"].copy()


def by_row(seen: Seen, got: Collected, outputs: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean regrets (row, output) in the rows' units, and how often each was seen."""
    shape = (len(seen.inputs), outputs)
    infoset = seen.infoset_of_sequences()
    places = seen.row[infoset], seen.output[1:]
    sums, visits = np.zeros(shape), np.zeros(shape)
    np.add.at(sums, places, got.regrets[1:])
    np.add.at(visits, places, got.visits[infoset])
    return sums / np.maximum(visits, 1e-300) / seen.unit[:, None], visits


def matched(seen: Seen, wishes: NDArray[np.float64]) -> NDArray[np.float64]:
    """The strategy by sequence in proportion to positive wishes (row, output); without any the best action is played.

    Equally good actions share.
    """
    infoset = seen.infoset_of_sequences()
    wish = wishes[seen.row[infoset], seen.output[1:]]
    first = seen.start[:-1] - 1
    total = np.add.reduceat(np.maximum(wish, 0.0), first)
    best = wish == np.maximum.reduceat(wish, first)[infoset]
    share = np.where(total[infoset] > 0, np.maximum(wish, 0.0), best)
    return np.concatenate([[1.0], share / np.add.reduceat(share, first)[infoset]])
