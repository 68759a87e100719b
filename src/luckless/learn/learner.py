"""What a learner is, and what all of ours share: lessons into memory, steps, faults, being stored whole.

A round goes like this: `bot = learner.bot("seeker", explore=True)`; play hands with it (`matches.playing`); hand the
chunks back with `learner.learn(Lesson.of(chunks, player, seed))`. Bots are snapshots and keep no memory, so any bot
may sit in several seats. All that a learner does follows from its seed and its lessons, on any number of cores.

    learner = new_learner(settings_of("qlearn-8"), seed=7)        # `new_learner`, `settings_of`, `read_learner`,
    learner.write(path)                                           # `load_agent`: see `luckless.learn.agents`
    learner = read_learner(path)                                  # goes on to the bit as if it had never stopped
    learner.freeze(path); bot = load_agent(path, name="seeker")   # a frozen bot, for `agent:PATH` too
"""

from __future__ import annotations

import json
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.bots.python_bot import PythonBot, bot_of
from luckless.errors import InputError
from luckless.learn.decisions import Lesson, decisions_of
from luckless.learn.features import FEATURES
from luckless.learn.memory import Memory
from luckless.learn.network_training import TorchNetwork
from luckless.learn.networks import NetworkPlayer
from luckless.learn.settings import Settings
from luckless.learn.weights import Arrays, layer_arrays, layers_in, write_file
from luckless.optional_torch import one_torch_thread, torch

_ADAM = ("exp_avg", "exp_avg_sq", "step")
"""What the optimiser keeps for each parameter."""


@dataclass(frozen=True)
class LessonResult:
    """The result of one lesson."""

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
    def learn(self, lesson: Lesson) -> LessonResult:
        """Studies hands that were played by `bot(explore=True)` of this learner since its last lesson."""

    @abstractmethod
    def freeze(self, path: Path) -> str:
        """Writes what a bot needs to play as this learner does now (safetensors); returns the file's SHA-256.

        The file appears whole or not at all. `agents.load_agent` reads it.
        """

    @abstractmethod
    def write(self, path: Path) -> None:
        """Writes everything, so that `agents.read_learner` continues to the bit; the file appears whole or not."""


class NetworkLearner(Learner):
    """A learner with networks: lessons into memory, steps, faults, being stored whole.

    The subclasses say what an experience is, what one step does, and which of the networks plays.
    """

    networks: dict[str, TorchNetwork]
    optimisers: dict[str, torch.optim.Adam]
    memory: Memory
    playing: str
    """The name of the network that plays."""

    def __init__(self, seed: int) -> None:
        if seed < 0:
            raise InputError(f"the seed of a learner is {seed}; allowed is a whole number, 0 or more")
        self.lessons = 0
        self.fault = ""
        self.random = np.random.Generator(np.random.PCG64(seed))

    @abstractmethod
    def player(self, explore: bool) -> NetworkPlayer[Any]:
        """Who plays with the weights of this moment."""

    @abstractmethod
    def _experiences(self, lesson: Lesson, decisions: NDArray[np.void]) -> NDArray[np.void]:
        """What is remembered of a lesson, as records of the memory."""

    @abstractmethod
    def _step(self, batch: NDArray[np.void]) -> dict[str, float]:
        """One step of the optimisers on experiences from memory; returns the losses."""

    def bot(self, name: str = "", *, explore: bool = True) -> PythonBot:
        """See `Learner.bot`."""
        return bot_of(self.player(explore), name or self.settings.kind)

    def learn(self, lesson: Lesson) -> LessonResult:
        """See `Learner.learn`."""
        decisions = decisions_of(lesson)
        self.lessons += 1
        if self.fault:
            return LessonResult(len(decisions), 0, {}, self.fault)
        self.memory.add(self._experiences(lesson, decisions))
        before = self._weights()
        steps = math.ceil(self.settings.passes * len(decisions) / self.settings.batch) if len(self.memory) else 0
        losses, self.fault = self._descend(steps)
        if self.fault:
            self._restore_weights(before)
        return LessonResult(len(decisions), len(losses), _means(losses), self.fault)

    def _descend(self, steps: int) -> tuple[list[dict[str, float]], str]:
        """Makes the steps; returns their losses, and a fault at the first number that is not finite."""
        losses: list[dict[str, float]] = []
        with one_torch_thread():
            for number in range(steps):
                losses.append(self._step(self.memory.draw(self.settings.batch, self.random)))
                for name, loss in losses[-1].items():
                    if not math.isfinite(loss):
                        return (
                            losses,
                            f"the loss of the {name} became {loss} in lesson {self.lessons}, step {number + 1}",
                        )
        for name, network in self.networks.items():
            if not all(torch.isfinite(parameter).all() for parameter in network.parameters):
                return losses, f"weights of the {name} were no longer finite after lesson {self.lessons}"
        return losses, ""

    def _weights(self) -> Arrays:
        """Copies of all weights and of what the optimisers keep, by name."""
        arrays: Arrays = {}
        for name, network in self.networks.items():
            arrays |= layer_arrays(f"network.{name}", network.layers())
        for name, optimiser in self.optimisers.items():
            for place, state in optimiser.state_dict()["state"].items():
                arrays |= {f"optimiser.{name}.{place}.{key}": state[key].numpy().copy() for key in _ADAM}
        return arrays

    def _restore_weights(self, arrays: Arrays, source: Path = Path()) -> None:
        for name, network in self.networks.items():
            shapes = [tuple(parameter.shape) for parameter in network.parameters]
            hidden, outputs = tuple(shape[0] for shape in shapes[1:-1:2]), shapes[-1][0]
            extra = shapes[0][0] - FEATURES
            network.load(layers_in(source, arrays, f"network.{name}", hidden, outputs, extra))
        for name, optimiser in self.optimisers.items():
            whole = optimiser.state_dict()
            begun = any(key.startswith(f"optimiser.{name}.") for key in arrays)
            whole["state"] = {
                place: {key: torch.from_numpy(arrays[f"optimiser.{name}.{place}.{key}"].copy()) for key in _ADAM}
                for place in (whole["param_groups"][0]["params"] if begun else ())
            }
            optimiser.load_state_dict(whole)

    def freeze(self, path: Path) -> str:
        """See `Learner.freeze`."""
        arrays = layer_arrays("network", self.networks[self.playing].layers())
        return write_file(path, "agent", self.settings, arrays, {})

    def write(self, path: Path) -> None:
        """See `Learner.write`."""
        arrays: dict[str, Any] = self._weights()
        arrays |= {f"memory.{name}": array for name, array in self.memory.arrays().items()}
        facts = {
            "lessons": str(self.lessons),
            "fault": self.fault,
            "random": json.dumps(self.random.bit_generator.state),
        }
        write_file(path, "learner", self.settings, arrays, facts)

    def restore(self, path: Path, arrays: Arrays, facts: dict[str, str]) -> None:
        """Takes over what `write` wrote."""
        try:
            self._restore_weights(arrays, path)
            self.memory.restore({name: arrays[f"memory.{name}"] for name in ("rows", "added")})
            self.lessons, self.fault = int(facts["lessons"]), facts["fault"]
            self.random.bit_generator.state = json.loads(facts["random"])
        except KeyError as error:
            raise InputError(f"{path} is not a complete learner file: it lacks {error.args[0]}") from None
        except (ValueError, TypeError) as error:
            raise InputError(f"{path} is not a complete learner file: {error}") from None


def _means(losses: list[dict[str, float]]) -> dict[str, float]:
    return {name: float(np.mean([loss[name] for loss in losses])) for name in losses[0]} if losses else {}
