"""What Deep PDCFR+ would learn from if nothing were sampled and nothing approximated: its slow, exact twins."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.solve.deep.collecting import Collected, Drawn
from luckless.solve.deep.networks import Floats, Lesson, Model
from luckless.solve.deep.world import World
from luckless.solve.tree_game import CHANCE, END


def exact_collect(
    world: World, strategies: tuple[Any, Any], baseline: NDArray[np.float64], drawn: Drawn
) -> Collected:
    """The mean of what `collect` samples, times the number of games, by a walk over the whole tree."""
    own = world.starts[drawn.player]
    size = len(world.nodes.actor)
    out = Collected(np.zeros(own[-1]), np.zeros(len(own) - 1), np.zeros(size), np.zeros(size))
    _walk(world, strategies, drawn.player, out, 0, 1.0, 1.0)
    return Collected(*(drawn.games * column for column in out))


def _walk(
    world: World, strategies: tuple[Any, Any], player: int, out: Collected, node: int, met: float, reach: float
) -> float:
    """The value of a node for the first player; `met` is how often games pass it, `reach` the others' own reach."""
    nodes = world.nodes
    actor, first, count = nodes.actor[node], nodes.first[node], nodes.children[node]
    if actor == END:
        value = float(nodes.payoff[node])
    else:
        start = world.starts[actor][nodes.infoset[node]] if actor != CHANCE else 0
        chances = nodes.chance[first : first + count]
        shares = chances if actor == CHANCE else strategies[actor][start : start + count]
        values = []
        for place, share in enumerate(shares):
            drawn = {CHANCE: share, player: 1.0}.get(actor, 1 / count)
            ahead = 1.0 if actor == player else share
            values.append(_walk(world, strategies, player, out, first + place, met * drawn, reach * ahead))
        value = float(np.dot(shares, values))
        if actor == player:
            sign = 1 if player == 0 else -1
            out.regrets[start : start + count] += sign * reach * (np.array(values) - value)
            out.visits[nodes.infoset[node]] += met
    out.passed[node] += met
    out.values[node] += met * value
    return value


class TableRegression:
    """A regression without error: the model is a table of what was wanted, row by row."""

    def __init__(self, rows: int) -> None:
        self.rows = rows

    def new(self, inputs: int, outputs: int, random: np.random.Generator) -> Model:
        return np.zeros(self.rows * outputs)

    def fit(self, model: Model, lesson: Lesson, outputs: int, random: np.random.Generator) -> Model:
        assert len(lesson.inputs) <= self.rows
        fitted = model.copy()
        fitted[: lesson.wanted.size] = np.where(lesson.weights > 0, lesson.wanted, 0.0).ravel()
        return fitted

    def run(self, model: Model, inputs: Floats, outputs: int) -> Floats:
        return model.reshape(-1, outputs)[: len(inputs)]
