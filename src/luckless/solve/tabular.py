"""CFR and its kin over all infosets of a flattened game: one loop, with the schedule of the variant as numbers."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.kernels import njit
from luckless.solve.flat import FlatGame, Side
from luckless.solve.schedules import Schedule, schedule_of, steps_from
from luckless.solve.sequences import Policy, meet_payoffs, normalised, spread_reach, uniform_policy
from luckless.solve.tree_solver import TreeSolver


class Table(NamedTuple):
    """What one player has learned, by sequence."""

    regrets: NDArray[np.float64]
    average: NDArray[np.float64]
    strategy: NDArray[np.float64]
    reach: NDArray[np.float64]
    values: NDArray[np.float64]


@njit(cache=True, nogil=True)
def _match_regrets(table: Table, first: int, end: int, step: NDArray[np.float64]) -> None:
    """The next strategy of an infoset: in proportion to positive regrets, as far ahead as the variant looks.

    `values` holds the regrets of this iteration; without any positive regret all actions are equally likely.
    """
    ahead, predict = step[4], step[5]
    total = 0.0
    for place in range(first, end):
        wish = max(table.regrets[place] * ahead + predict * table.values[place], 0.0)
        table.strategy[place] = wish
        total += wish
    for place in range(first, end):
        table.strategy[place] = table.strategy[place] / total if total > 0 else 1.0 / (end - first)


@njit(cache=True, nogil=True)
def _update(side: Side, other_reach: NDArray[np.float64], table: Table, step: NDArray[np.float64]) -> None:
    """One player's half of an iteration: averages, regrets, the next strategy and its reach."""
    positive, negative, weight, clip, forget, gain = step[0], step[1], step[2], step[3], step[6], step[7]
    for place in range(len(table.average)):
        table.average[place] = table.average[place] * forget + gain * table.reach[place]
    meet_payoffs(side, other_reach, table.values)
    for infoset in range(len(side.parent) - 1, -1, -1):
        first, end = side.start[infoset], side.start[infoset + 1]
        total = 0.0
        for place in range(first, end):
            total += table.strategy[place] * table.values[place]
        table.values[side.parent[infoset]] += total
        for place in range(first, end):
            table.values[place] -= total
            old = table.regrets[place]
            new = old * (positive if old > 0 else negative) + weight * table.values[place]
            table.regrets[place] = max(new, 0.0) if clip > 0 else new
        _match_regrets(table, first, end, step)
    spread_reach(side, table.strategy, table.reach)


@njit(cache=True, nogil=True)
def _iterate(sides: Any, tables: Any, steps: NDArray[np.float64]) -> None:
    """Iterations with alternating updates: the second player already meets the first one's new strategy."""
    for row in range(len(steps)):
        _update(sides[0], tables[1].reach, tables[0], steps[row])
        _update(sides[1], tables[0].reach, tables[1], steps[row])


SAVED = ("regrets", "average", "strategy")
"""Arrays from which a solver goes on to the bit."""


class TabularSolver(TreeSolver):
    """A game under solution.

    >>> from luckless.solve.flat import flatten
    >>> from luckless.solve.kuhn import Kuhn
    >>> solver = TabularSolver(flatten(Kuhn()), "pdcfr+")
    >>> solver.run(1000)
    >>> round(solver.value() * 18, 6)
    -1.0
    """

    def __init__(self, game: FlatGame, algorithm: str = "pdcfr+", schedule: Schedule | None = None) -> None:
        self.game = game
        self.algorithm = algorithm
        self.iterations = 0
        self._schedule = schedule or schedule_of(algorithm)
        start = uniform_policy(game)
        self._tables = tuple(_new_table(game.sides[player], start[player]) for player in range(2))

    def run(self, iterations: int) -> None:
        """Goes on for some iterations."""
        steps = steps_from(self._schedule, self.iterations + 1, iterations)
        _iterate(self.game.sides, self._tables, steps)
        self.iterations += iterations

    def policy(self) -> Policy:
        """The average strategy, which is the solution."""
        first, second = (
            normalised(side, table.average) for side, table in zip(self.game.sides, self._tables, strict=True)
        )
        return first, second

    def current_policy(self) -> Policy:
        """The strategy of the next iteration."""
        return self._tables[0].strategy.copy(), self._tables[1].strategy.copy()

    def state(self) -> dict[str, NDArray[Any]]:
        """All that is needed to go on."""
        arrays = {
            f"{name}.{player}": getattr(table, name).copy()
            for player, table in enumerate(self._tables)
            for name in SAVED
        }
        return {**arrays, "iterations": np.array([self.iterations])}

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Goes back to a saved state: what follows is the same to the bit."""
        for player, table in enumerate(self._tables):
            for name in SAVED:
                getattr(table, name)[:] = state[f"{name}.{player}"]
            spread_reach(self.game.sides[player], table.strategy, table.reach)
        self.iterations = int(state["iterations"][0])


def _new_table(side: Side, strategy: NDArray[np.float64]) -> Table:
    size = len(strategy)
    table = Table(np.zeros(size), np.zeros(size), strategy, np.empty(size), np.empty(size))
    spread_reach(side, strategy, table.reach)
    return table
