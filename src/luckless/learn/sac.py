"""Soft actor-critic (Haarnoja et al. 2018) as the population thesis uses it (section 3.4.3), with five networks.

The policy gives means and log spreads of four normal variables; their tanh are the scores of `sac_action`.
Two critics value a situation with such scores: output -> tanh -> times `value_range` = starting stacks won, entropy
included. They learn towards the result of the hand at the agent's last decision in it, and before that towards the
value of its next decision, for which two slow copies (polyak averages) are asked and the lower answer counts.

This file reads from top to bottom: settings, from outputs to actions, the player, what is remembered, the learner.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.bots.dice import BatchDice
from luckless.kernels import njit
from luckless.learn.decisions import Lesson, dice_of
from luckless.learn.features import SITUATION, situations
from luckless.learn.learner import NetworkLearner
from luckless.learn.memory import Memory
from luckless.learn.network_training import TorchNetwork, adam, descend
from luckless.learn.networks import Network, NetworkPlayer, compile_layers, new_network, run
from luckless.learn.registry import Algorithm
from luckless.learn.settings import Settings, number
from luckless.optional_torch import torch
from luckless.rules.actions import CALL, FOLD
from luckless.rules.views import Views

SAC_ACTIONS = 4
"""The wish to fold, to call, to raise, and how much to raise, each from -1 to 1."""

LOG_SPREAD_MIN, LOG_SPREAD_MAX = -20.0, 2.0
"""Bounds of the logarithm of the policy's standard deviation (as in SpinningUp, which the thesis builds on)."""


# Settings


@dataclass(frozen=True, kw_only=True)
class SacSettings(Settings):
    """Soft actor-critic with four continuous actions: the wish to fold, to call, to raise, and how much to raise."""

    batch: int = number(256, 1, 1e6)
    passes: float = number(1.0, 0.0, 1000)
    memory: int = number(200_000, 1, 1e9)
    temperature: float = number(0.01, 0.0, 100.0)
    """What a unit of entropy is worth, in starting stacks."""
    gamma: float = number(1.0, 0.0, 1.0)
    """Discount of the value from one own decision to the next."""
    polyak: float = number(0.999, 0.0, 1.0)
    """The share of the old target that remains at each step."""
    critic_rate: float = number(0.001, 0.0, 10.0)
    policy_rate: float = number(0.001, 0.0, 10.0)
    """The thesis names 0.1, at which each step is larger than the weights: policies collapse again and again."""

    @property
    def outputs(self) -> int:
        """See `Settings.outputs`: a mean and a log spread for each action."""
        return 2 * SAC_ACTIONS

    @property
    def effort(self) -> float:
        """See `Settings.effort`: critics 9 times (policy, targets, themselves and their gradients), the policy 6."""
        return 15 * self.passes


PRESETS = {
    "sac-low": SacSettings(kind="sac-low", temperature=0.0005),
    "sac-high": SacSettings(kind="sac-high", temperature=0.01),
}


# From outputs to actions


@njit(cache=True, nogil=True)
def sac_raw(outputs: NDArray[np.float32], noise: NDArray[np.float64], raw: NDArray[np.float32]) -> None:
    """A draw of the policy: tanh of a normal variable in each dimension; outputs are means, then log spreads."""
    for place in range(SAC_ACTIONS):
        log_spread = min(max(outputs[SAC_ACTIONS + place], LOG_SPREAD_MIN), LOG_SPREAD_MAX)
        raw[place] = math.tanh(outputs[place] + math.exp(log_spread) * noise[place])


@njit(cache=True, nogil=True)
def sac_action(raw: NDArray[np.float32], to_call: int, least: int, most: int) -> Any:
    """The strongest wish; a fold that costs nothing to avoid is a check, a raise that is closed is a call."""
    if raw[0] > raw[1] and raw[0] > raw[2]:
        return FOLD if to_call > 0 else CALL
    if raw[2] > raw[1] and most > 0:
        return least + round((raw[3] + 1) / 2 * (most - least))
    return CALL


# The player


def noise_of(dice: BatchDice) -> NDArray[np.float64]:
    """Four normal variables for each decision (Box and Muller 1958), from four draws."""
    draws = [dice.random() for _ in range(SAC_ACTIONS)]
    out = np.empty((len(dice), SAC_ACTIONS))
    for pair in (0, 2):
        radius, angle = np.sqrt(-2 * np.log1p(-draws[pair])), 2 * np.pi * draws[pair + 1]
        out[:, pair], out[:, pair + 1] = radius * np.cos(angle), radius * np.sin(angle)
    return out


@njit(cache=True, nogil=True)
def raw_rows(outputs: NDArray[np.float32], noise: NDArray[np.float64], raw: NDArray[np.float32]) -> None:
    """`sac_raw` of each row."""
    for row in range(len(outputs)):
        sac_raw(outputs[row], noise[row], raw[row])


@njit(cache=True, nogil=True)
def _act_rows(public: Any, raw: NDArray[np.float32], actions: NDArray[np.int64]) -> None:
    for row in range(len(public)):
        hand = public[row]
        actions[row] = sac_action(raw[row], hand.to_call, hand.min_raise_to, hand.max_raise_to)


def draw_raw(network: Network, rows: NDArray[np.void], dice: BatchDice | None) -> NDArray[np.float32]:
    """The policy's four numbers for each situation: drawn with the dice, or without them its middle."""
    noise = np.zeros((len(rows), SAC_ACTIONS)) if dice is None else noise_of(dice)
    raw = np.empty((len(rows), SAC_ACTIONS), np.float32)
    raw_rows(run(network, rows), noise, raw)
    return raw


class SacPlayer(NetworkPlayer[SacSettings]):
    """Takes the action its policy scores highest; with `explore` scores are drawn, else the means count."""

    def decide_batch(self, views: Views, dice: BatchDice) -> NDArray[np.int64]:
        """The actions for a batch of decisions; dice are rolled for exploring alone."""
        raw = draw_raw(self.network, situations(views), dice if self.explore else None)
        actions = np.empty(len(views), np.int64)
        _act_rows(views.public, raw, actions)
        return actions


# What is remembered of a lesson

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
"""A decision, the scores that were drawn at it, and its result."""


# The learner


class SacLearner(NetworkLearner):
    """A policy, two critics and their two targets."""

    settings: SacSettings
    playing = "policy"

    def __init__(self, settings: SacSettings, seed: int) -> None:
        super().__init__(seed)
        self.settings = settings
        policy = new_network(settings.hidden, settings.outputs, self.random)
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
        return SacPlayer(self.settings, compile_layers(self.networks[self.playing].layers()), explore)

    def _experiences(self, lesson: Lesson, decisions: NDArray[np.void]) -> NDArray[np.void]:
        """Every decision with its scores, drawn again with the same dice, and with the decision that followed."""
        rows = np.zeros(len(decisions), EXPERIENCE)
        rows["situation"] = decisions["situation"]
        network = compile_layers(self.networks[self.playing].layers())
        situations = np.ascontiguousarray(decisions["situation"])
        rows["raw"] = draw_raw(network, situations, dice_of(lesson, decisions))
        goes_on = decisions["next"] >= 0
        rows["goes_on"] = goes_on
        rows["result"] = np.where(goes_on, 0, decisions["result"])
        rows["following"][goes_on] = situations[decisions["next"][goes_on]]
        return rows

    def _step(self, batch: NDArray[np.void]) -> dict[str, float]:
        """One step of the critics, one of the policy; then the targets follow the critics."""
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
                value = self._lower(self._targets, following[block][going], action_scores, learns=False)
                wanted[going] += self.settings.gamma * (value - temperature * log_chance)
            misses = [_value(critic, situations[block], raw[block], True) - wanted for critic in self._critics]
            return (torch.square(misses[0]) + torch.square(misses[1])).sum() / len(batch)

        return descend(self.optimisers["critics"], self._critic_weights, len(batch), loss_of)

    def _step_policy(self, batch: NDArray[np.void], noise: torch.Tensor) -> float:
        situations, temperature = np.ascontiguousarray(batch["situation"]), self._temperature

        def loss_of(block: slice) -> torch.Tensor:
            action_scores, log_chance = self._draw(situations[block], noise[block])
            value = self._lower(self._critics, situations[block], action_scores, learns=False)
            return (temperature * log_chance - value).sum() / len(batch)

        return descend(self.optimisers["policy"], self.networks["policy"].parameters, len(batch), loss_of)

    @property
    def _temperature(self) -> float:
        """What a unit of entropy is worth in outputs of the critics."""
        return self.settings.temperature / self.settings.value_range

    def _draw(self, situations: NDArray[np.void], noise: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Scores of the policy, and the logarithm of their probability density.

        Of tanh(u) it is that of u less log(1 - tanh(u)^2) = 2 (log 2 - u - softplus(-2 u)) in each dimension.
        """
        middle, log_spread = self.networks["policy"](situations).chunk(2, dim=1)
        log_spread = log_spread.clamp(LOG_SPREAD_MIN, LOG_SPREAD_MAX)
        u = middle + log_spread.exp() * noise
        density = -0.5 * torch.square(noise) - log_spread - 0.5 * math.log(2 * math.pi)
        squashing = 2 * (math.log(2) - u - torch.nn.functional.softplus(-2 * u))
        return torch.tanh(u), (density - squashing).sum(dim=1)

    def _lower(
        self, critics: list[TorchNetwork], situations: NDArray[np.void], action_scores: torch.Tensor, *, learns: bool
    ) -> torch.Tensor:
        """The lower of two critics' values."""
        return torch.minimum(*(_value(critic, situations, action_scores, learns) for critic in critics))


def _value(
    critic: TorchNetwork, situations: NDArray[np.void], action_scores: torch.Tensor, learns: bool
) -> torch.Tensor:
    return torch.tanh(critic(situations, action_scores, learns=learns)[:, 0])


ALGORITHM = Algorithm(PRESETS, SacPlayer, SacLearner)
