"""Soft actor-critic (Haarnoja et al. 2018) as the population thesis uses it (section 3.4.3), with five networks.

The policy gives means and log spreads of four normal variables; their tanh are the scores of `choices.sac_action`.
Two critics value a situation with such scores: output -> tanh -> times `value_range` = starting stacks won, entropy
included. They learn towards the result of the hand at the agent's last decision in it, and before that towards the
value of its next decision, for which two slow copies (polyak averages) are asked and the lower answer counts.
"""

import math

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import softplus

from luckless.learn.choices import LOG_SPREAD_MAX, LOG_SPREAD_MIN, SAC_ACTIONS
from luckless.learn.features import SITUATION
from luckless.learn.learner import Lesson
from luckless.learn.learning import NetworkLearner
from luckless.learn.lessons import dice_of
from luckless.learn.networks import compile_layers, new_network
from luckless.learn.players import SacPlayer, draw_raw
from luckless.learn.replay import Memory
from luckless.learn.settings import SacSettings
from luckless.learn.training import TorchNetwork, adam, descend

EXPERIENCE = np.dtype(
    [
        ("situation", SITUATION),
        ("raw", np.float32, (SAC_ACTIONS,)),
        ("result", np.float32),  # at the last decision of a hand, else 0
        ("goes_on", np.bool_),  # whether the agent decides again in the hand
        ("following", SITUATION),  # its next decision
    ],
    align=True,
)


class SacLearner(NetworkLearner):
    """A policy, two critics and their two targets."""

    settings: SacSettings
    playing = "policy"

    def __init__(self, settings: SacSettings, seed: int) -> None:
        super().__init__(seed)
        self.settings = settings
        policy = new_network(settings.hidden, 2 * SAC_ACTIONS, self.random)
        critics = [new_network(settings.hidden, 1, self.random, extra=SAC_ACTIONS) for _ in range(2)]
        self.networks = {"policy": TorchNetwork(policy)}
        self.networks |= {f"critic {number}": TorchNetwork(layers) for number, layers in enumerate(critics)}
        self.networks |= {f"target {number}": TorchNetwork(layers) for number, layers in enumerate(critics)}
        self._critics = [self.networks[f"critic {number}"] for number in range(2)]
        self._targets = [self.networks[f"target {number}"] for number in range(2)]
        self._critic_weights = [parameter for critic in self._critics for parameter in critic.parameters]
        self.optimisers = {
            "critics": adam(self._critic_weights, settings.critic_rate),
            "policy": adam(self.networks["policy"].parameters, settings.policy_rate),
        }
        self.memory = Memory(EXPERIENCE, settings.memory)

    def player(self, explore: bool) -> SacPlayer:
        """Who plays with the weights of this moment."""
        return SacPlayer(self.settings, compile_layers(self.networks["policy"].layers()), explore)

    def _experiences(self, lesson: Lesson, decisions: NDArray[np.void]) -> NDArray[np.void]:
        rows = np.zeros(len(decisions), EXPERIENCE)
        rows["situation"] = decisions["situation"]
        network = compile_layers(self.networks["policy"].layers())
        situations = np.ascontiguousarray(decisions["situation"])
        rows["raw"] = draw_raw(network, situations, dice_of(lesson, decisions))
        goes_on = decisions["next"] >= 0
        rows["goes_on"] = goes_on
        rows["result"] = np.where(goes_on, 0, decisions["result"])
        rows["following"][goes_on] = situations[decisions["next"][goes_on]]
        return rows

    def _step(self, batch: NDArray[np.void]) -> dict[str, float]:
        noise = torch.from_numpy(self.random.standard_normal((2, len(batch), SAC_ACTIONS), np.float32))
        losses = {"critics": self._step_critics(batch, noise[0]), "policy": self._step_policy(batch, noise[1])}
        for critic, target in zip(self._critics, self._targets, strict=True):
            target.follow(critic, self.settings.polyak)
        return losses

    def _step_critics(self, batch: NDArray[np.void], noise: torch.Tensor) -> float:
        situations, following = (np.ascontiguousarray(batch[name]) for name in ("situation", "following"))
        raw, goes_on = torch.from_numpy(batch["raw"].copy()), batch["goes_on"]
        results = torch.from_numpy(batch["result"] * np.float32(1 / self.settings.value_range))
        temperature = self._temperature

        def loss_of(block: slice) -> torch.Tensor:
            going = np.flatnonzero(goes_on[block])
            wanted = results[block].clone()
            with torch.no_grad():
                action_scores, log_chance = self._draw(following[block][going], noise[block][going])
                value = self._lower(self._targets, following[block][going], action_scores)
                wanted[going] += self.settings.gamma * (value - temperature * log_chance)
            misses = [_value(critic, situations[block], raw[block]) - wanted for critic in self._critics]
            return (torch.square(misses[0]) + torch.square(misses[1])).sum() / len(batch)

        return descend(self.optimisers["critics"], self._critic_weights, len(batch), loss_of)

    def _step_policy(self, batch: NDArray[np.void], noise: torch.Tensor) -> float:
        situations, temperature = np.ascontiguousarray(batch["situation"]), self._temperature

        def loss_of(block: slice) -> torch.Tensor:
            action_scores, log_chance = self._draw(situations[block], noise[block])
            value = self._lower(self._critics, situations[block], action_scores)
            return (temperature * log_chance - value).sum() / len(batch)

        return descend(self.optimisers["policy"], self.networks["policy"].parameters, len(batch), loss_of)

    @property
    def _temperature(self) -> float:
        """What a unit of entropy is worth in outputs of the critics."""
        return self.settings.temperature / self.settings.value_range

    def _draw(self, situations: NDArray[np.void], noise: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Wishes of the policy, and the logarithm of their probability density.

        Of tanh(u) it is that of u less log(1 - tanh(u)^2) = 2 (log 2 - u - softplus(-2 u)) in each dimension.
        """
        middle, log_spread = self.networks["policy"](situations).chunk(2, dim=1)
        log_spread = log_spread.clamp(LOG_SPREAD_MIN, LOG_SPREAD_MAX)
        u = middle + log_spread.exp() * noise
        density = -0.5 * torch.square(noise) - log_spread - 0.5 * math.log(2 * math.pi)
        squashing = 2 * (math.log(2) - u - softplus(-2 * u))
        return torch.tanh(u), (density - squashing).sum(dim=1)

    def _lower(
        self, critics: list[TorchNetwork], situations: NDArray[np.void], action_scores: torch.Tensor
    ) -> torch.Tensor:
        """The lower of two critics' values."""
        return torch.minimum(*(_value(critic, situations, action_scores) for critic in critics))


def _value(critic: TorchNetwork, situations: NDArray[np.void], action_scores: torch.Tensor) -> torch.Tensor:
    return torch.tanh(critic(situations, action_scores)[:, 0])
