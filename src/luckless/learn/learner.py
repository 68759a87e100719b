"""What a learner is: it sends bots into rounds, studies the rounds that they have played, and can be stored whole.

A round goes like this: `bot = learner.bot("seeker", explore=True)`; play hands with it (`matches.playing`); hand the
chunks back with `learner.learn(Lesson.of(chunks, player, seed))`. Bots are snapshots and keep no memory, so any bot
may sit in several seats. All that a learner does follows from its seed and its lessons, on any number of cores.

    learner = new_learner(settings_of("qlearn-8"), seed=7)        # `new_learner`, `settings_of`, `read_learner`,
    learner.write(path)                                           # `load_agent`: see `luckless.learn.agents`
    learner = read_learner(path)                                  # goes on to the bit as if it had never stopped
    learner.freeze(path); bot = load_agent(path, name="seeker")   # a frozen bot, for `agent:PATH` too
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import PythonBot
from luckless.learn.settings import Settings
from luckless.matches.playing import Chunk
from luckless.rules.records import Records


@dataclass(frozen=True)
class Lesson:
    """Hands that one agent has played, in one seat of each or in several."""

    records: Records
    seed: int
    """The seed that the hands were played with, and the number of the deal of each: the agent's dice lie there."""
    deals: NDArray[np.int64]
    own: NDArray[np.bool_]
    """Which seats the agent had, shape (hands, seats)."""

    @classmethod
    def of(cls, chunks: Sequence[Chunk], players: Sequence[int], seed: int) -> "Lesson":
        """The lesson of the agent that played as `players` (places in the line-up) in these chunks."""
        own = np.concatenate([np.isin(chunk.hands.players, list(players)) for chunk in chunks])
        deals = np.concatenate([chunk.hands.deals for chunk in chunks])
        return cls(Records.joined([chunk.records for chunk in chunks]), seed, deals, own)


@dataclass(frozen=True)
class Progress:
    """What came of one lesson."""

    decisions: int
    """Decisions of the agent in the lesson."""
    steps: int
    """Steps of the optimiser that were made."""
    losses: dict[str, float]
    """Mean of each loss over the steps, such as {"value": 0.012}; empty when no step was made."""
    fault: str = ""
    """Why learning has stopped, "" while it goes on."""


class Learner(ABC):
    """Networks, optimisers, replay memory, random state and settings of one agent that learns."""

    settings: Settings
    lessons: int
    """Lessons taken so far."""
    fault: str
    """Why learning has stopped ("" while it goes on). A learner whose numbers cease to be finite keeps the weights it
    had before that lesson; it still plays, and every further lesson leaves it as it is."""

    @abstractmethod
    def bot(self, name: str = "", *, explore: bool = True) -> PythonBot:
        """A bot that plays with the weights of this moment; later lessons do not change it.

        With `explore` it tries things out, as a student does; without, it plays as well as it can, as a teacher does.
        """

    @abstractmethod
    def learn(self, lesson: Lesson) -> Progress:
        """Studies hands that were played by `bot(explore=True)` of this learner since its last lesson."""

    @abstractmethod
    def freeze(self, path: Path) -> str:
        """Writes what a bot needs to play as this learner does now (safetensors); returns the file's SHA-256.

        The file appears whole or not at all. `agents.load_agent` reads it.
        """

    @abstractmethod
    def write(self, path: Path) -> None:
        """Writes everything, so that `agents.read_learner` continues to the bit; the file appears whole or not."""
