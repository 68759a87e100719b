"""A mix: for each hand one of several bots is chosen at random, and plays it to the end."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import Bot, Decisions
from luckless.bots.distribution import ActionDistribution
from luckless.bots.fingerprints import checksum
from luckless.rules.rewinding import earlier_decisions
from luckless.rules.views import Views


@dataclass(eq=False, repr=False)
class MixBot(Bot):
    """A random choice among bots, made anew for each hand. It is never asked itself: one of its members is."""

    name: str
    choices: tuple[Bot, ...]
    shares: tuple[float, ...]
    spec: str = ""

    def __post_init__(self) -> None:
        self.spec = self.spec or self.name
        self.memory = any(member.memory for member in self.choices)

    @property
    def members(self) -> tuple[Bot, ...]:
        """The bots to choose from."""
        return self.choices

    @property
    def weights(self) -> tuple[float, ...]:
        """How often each is chosen; they sum to 1."""
        return self.shares

    @property
    def parameters(self) -> dict[str, Any]:
        """Its members by name, and how often each plays."""
        return {"members": [member.spec for member in self.choices], "weights": list(self.shares)}

    def answers(self, decisions: Decisions) -> Sequence[Any]:
        """Refused: which member plays is decided for a hand, not for a decision."""
        raise TypeError("a mix does not act itself; ask the member that plays the hand")

    def fingerprint(self) -> str:
        """A checksum of its members and how often each plays."""
        return checksum([repr(self.shares), *(member.fingerprint() for member in self.choices)])

    def probabilities(self, views: Views) -> ActionDistribution:
        """The law of the mix given what it has done in the hand so far: its own past says which member plays.

        A member counts by its weight times the probability that it would have made the mix's earlier actions. Where
        none of them would have, they count by their weights alone.
        """
        weights = np.tile(np.array(self.shares), (len(views), 1))
        for rows, earlier, actions in earlier_decisions(views):
            for place, member in enumerate(self.choices):
                weights[rows, place] *= member.probabilities(earlier).of(actions)
        total = weights.sum(axis=1, keepdims=True)
        posterior: NDArray[np.float64] = np.where(total > 0, weights / np.where(total > 0, total, 1), self.shares)
        return ActionDistribution.mixture(posterior, [member.probabilities(views) for member in self.choices])
