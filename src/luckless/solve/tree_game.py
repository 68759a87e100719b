"""What a small game must say about itself to be solved: six functions over states of its own choice.

A state is any value (a tuple, a string). Two players play for a sum of zero; chance may deal at any time.
`docs/solving.md` builds a game step by step.
"""

from collections.abc import Sequence
from typing import Any, Protocol

CHANCE, END = -1, -2
"""What `actor` says where no player acts: chance deals, or the game is over."""


class TreeGame(Protocol):
    """A game of two players with perfect recall; player 0 is the one whose payoff is told."""

    name: str

    def start(self) -> Any:
        """The state before anything has happened."""

    def actor(self, state: Any) -> int:
        """Who acts: 0, 1, `CHANCE` or `END`."""

    def moves(self, state: Any) -> Sequence[tuple[str, float]]:
        """What may happen: each move's name and, where chance deals, its probability (for players any number)."""

    def after(self, state: Any, move: str) -> Any:
        """The state that a move leads to."""

    def infoset(self, state: Any) -> str:
        """All that the player who acts knows, as a text; equal texts are one decision."""

    def payoff(self, state: Any) -> float:
        """What player 0 wins at the end."""
