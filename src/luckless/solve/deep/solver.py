"""A small game solved by Deep PDCFR+: its networks, and the exact exploitability of their average."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.solve.deep.learner import GROWING, DeepLearner, DeepSettings
from luckless.solve.deep.world import tree_world
from luckless.solve.flat import flatten
from luckless.solve.schedules import DEEP
from luckless.solve.sequences import Policy, normalised, spread_reach
from luckless.solve.tree_game import TreeGame
from luckless.solve.tree_solver import TreeSolver


class DeepSolver(TreeSolver):
    """A small game under solution.

    The average strategy is that of all networks that were ever played with (Steinberger, "Single deep counterfactual
    regret minimization", 2019): to play it, draw an iteration before the game, t with a weight of t ** gamma.
    """

    algorithm = DEEP
    growing = GROWING

    def __init__(self, game: TreeGame, seed: int = 0, settings: DeepSettings | None = None) -> None:
        self.game = flatten(game)
        self.seed = seed
        self._world = tree_world(game, self.game)
        self._learner = DeepLearner(self._world, seed, settings or DeepSettings())
        self._average = [np.zeros(self.game.sequence_count(player)) for player in (0, 1)]
        self._averaged = 0

    @property
    def iterations(self) -> int:
        """Iterations done."""
        return self._learner.iterations

    def run(self, iterations: int) -> None:
        """Goes on for some iterations."""
        for _ in range(iterations):
            self._learner.iterate(self._world)

    def policy(self) -> Policy:
        """The average strategy of the networks of all iterations."""
        for number in range(self._averaged + 1, self.iterations + 1):
            forget = self._learner.settings.schedule(number).forget
            for player, side in enumerate(self.game.sides):
                strategy = self._learner.strategy(self._world.seen[player], player, number - 1)
                reach = np.empty(len(strategy))
                spread_reach(side, strategy, reach)
                self._average[player] = self._average[player] * forget + reach
            self._averaged = number
        first, second = (normalised(side, sums) for side, sums in zip(self.game.sides, self._average, strict=True))
        return first, second

    def current_policy(self) -> Policy:
        """The strategy of the next iteration."""
        first, second = (
            self._learner.strategy(self._world.seen[player], player, self.iterations) for player in (0, 1)
        )
        return first, second

    def state(self) -> dict[str, NDArray[Any]]:
        """All that is needed to go on, and to play: the networks of every iteration."""
        return self._learner.state()

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Goes back to a saved state: what follows is the same to the bit."""
        self._learner.restore(state)
        self._average = [np.zeros_like(sums) for sums in self._average]
        self._averaged = 0
