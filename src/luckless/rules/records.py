"""Finished hands as columns: all that is needed to replay them and to settle them again to the chip."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.rules.game import Game

UNKNOWN = 255
"""Stands in a deck for a card that the source does not show (it was never dealt, or never shown)."""


class HandArrays(NamedTuple):
    """Hands as kernels take them: the arrays of `Records`. While hands are written, `ends` says how far."""

    decks: NDArray[np.uint8]
    stacks: NDArray[np.int32]
    ends: NDArray[np.int64]
    actions: NDArray[np.int32]
    payoffs: NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Records:
    """Finished hands of one game; row i of every array is hand i.

    `actions[ends[i - 1] : ends[i]]` (from 0 for the first hand) are the actions of hand i.
    """

    game: Game
    decks: NDArray[np.uint8]
    """Hole cards of seat 0, 1, ..., then the five board cards: shape (n, 2 * seats + 5)."""
    stacks: NDArray[np.int32]
    """Starting stacks, shape (n, seats)."""
    ends: NDArray[np.int64]
    actions: NDArray[np.int32]
    payoffs: NDArray[np.int32]
    """Chips won less chips put in, shape (n, seats)."""

    def __len__(self) -> int:
        return len(self.decks)

    @property
    def arrays(self) -> HandArrays:
        """The hands as kernels take them."""
        return HandArrays(self.decks, self.stacks, self.ends, self.actions, self.payoffs)

    @classmethod
    def joined(cls, parts: "Sequence[Records]") -> "Records":
        """Several records of the same game as one."""
        counts = [np.diff(part.ends, prepend=0) for part in parts]
        return cls(
            parts[0].game,
            np.concatenate([part.decks for part in parts]),
            np.concatenate([part.stacks for part in parts]),
            np.cumsum(np.concatenate(counts)),
            np.concatenate([part.actions for part in parts]),
            np.concatenate([part.payoffs for part in parts]),
        )

    def actions_of(self, row: int) -> NDArray[np.int32]:
        """The actions of one hand, in order."""
        return self.actions[self.ends[row - 1] if row else 0 : self.ends[row]]
