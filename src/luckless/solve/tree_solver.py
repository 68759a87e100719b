"""What all solvers of small games share: how good the strategy is that they have come to."""

from abc import ABC, abstractmethod

from luckless.solve.flat import FlatGame
from luckless.solve.sequences import Policy, exploitability, game_value


class TreeSolver(ABC):
    """A small game under solution."""

    game: FlatGame

    @abstractmethod
    def policy(self) -> Policy:
        """The average strategy, which is the solution."""

    def value(self) -> float:
        """The value of the game under the average strategy."""
        return game_value(self.game, self.policy())

    def exploitability(self) -> float:
        """How far the average strategy is from one that cannot be beaten, exactly: half of NashConv."""
        return exploitability(self.game, self.policy())
