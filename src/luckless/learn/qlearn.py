"""Deep Q-learning towards the final result of the hand (Kaminsky and Liebendörfer 2020, section 3.4.2).

The network values every action of a list at once: output -> tanh -> times `value_range` = starting stacks won. All
decisions of a hand are trained towards what the seat won or lost in it (equation 3.5): no bootstrapping, no target
network. Folding loses what has been put in, which is known, so it is neither learned nor explored.
"""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from luckless.kernels import njit
from luckless.learn.choices import FIRST_RAISE, FOLD_OUTPUT, Raises, output_of
from luckless.learn.features import SITUATION
from luckless.learn.learner import Lesson
from luckless.learn.learning import NetworkLearner
from luckless.learn.networks import compile_layers, new_network
from luckless.learn.players import QPlayer, raises_of
from luckless.learn.replay import Memory
from luckless.learn.settings import QLearnSettings
from luckless.learn.training import TorchNetwork, adam, descend

EXPERIENCE = np.dtype([("situation", SITUATION), ("output", np.int16), ("result", np.float32)], align=True)

_CALM = np.float32(0.01)
"""Outputs start this much smaller than torch would start them: near 0, so that of 200 actions not the ones that
happened to start high are tried for long, and those that started low never."""


@njit(cache=True, nogil=True)
def _outputs_of(decisions: Any, raises: Raises, out: NDArray[np.int16]) -> None:
    for row in range(len(decisions)):
        out[row] = output_of(decisions[row].action, raises, decisions[row].bet)


class QLearner(NetworkLearner):
    """One network that learns, and its slow copy that plays: the noise of single steps is averaged out of it."""

    settings: QLearnSettings
    playing = "average"

    def __init__(self, settings: QLearnSettings, seed: int) -> None:
        super().__init__(seed)
        self.settings = settings
        *layers, (weights, biases) = new_network(settings.hidden, FIRST_RAISE + len(settings.raises), self.random)
        layers.append((weights * _CALM, biases * _CALM))
        self.networks = {"value": TorchNetwork(layers), "average": TorchNetwork(layers)}
        self.optimisers = {"value": adam(self.networks["value"].parameters, settings.learning_rate)}
        self.memory = Memory(EXPERIENCE, settings.memory)

    def player(self, explore: bool) -> QPlayer:
        """Who plays with the weights of this moment."""
        return QPlayer(self.settings, compile_layers(self.networks["average"].layers()), explore)

    def _experiences(self, lesson: Lesson, decisions: NDArray[np.void]) -> NDArray[np.void]:
        outputs = np.empty(len(decisions), np.int16)
        _outputs_of(decisions, raises_of(self.settings, lesson.records.game.big_blind), outputs)
        learned = outputs != FOLD_OUTPUT
        rows = np.zeros(int(learned.sum()), EXPERIENCE)
        rows["situation"] = decisions["situation"][learned]
        rows["output"] = outputs[learned]
        rows["result"] = decisions["result"][learned]
        return rows

    def _step(self, batch: NDArray[np.void]) -> dict[str, float]:
        network, scale = self.networks["value"], np.float32(1 / self.settings.value_range)
        situations = np.ascontiguousarray(batch["situation"])
        outputs = torch.from_numpy(batch["output"].astype(np.int64))
        results = torch.from_numpy(batch["result"] * scale)

        def loss_of(block: slice) -> torch.Tensor:
            values = torch.tanh(network.chosen(situations[block], outputs[block]))
            return torch.square(values - results[block]).sum() / len(batch)

        loss = descend(self.optimisers["value"], network.parameters, len(batch), loss_of)
        self.networks["average"].follow(network, self.settings.averaging)
        return {"value": loss}
