"""Deep Q-learning towards the final result of the hand (Kaminsky and Liebendörfer 2020, section 3.4.2).

The network values every action of a list at once: output -> tanh -> times `value_range` = starting stacks won. All
decisions of a hand are trained towards what the seat won or lost in it (equation 3.5): no bootstrapping, no target
network. Folding loses what has been put in, which is known, so it is neither learned nor explored.

This file reads from top to bottom: settings, outputs and actions, the player, what is remembered, the learner.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.bots.dice import BatchDice
from luckless.kernels import njit
from luckless.learn.decisions import Lesson
from luckless.learn.features import SITUATION, situations
from luckless.learn.learner import NetworkLearner
from luckless.learn.memory import Memory
from luckless.learn.network_training import TorchNetwork, adam, descend
from luckless.learn.networks import NetworkPlayer, compile_layers, new_network
from luckless.learn.registry import Algorithm
from luckless.learn.settings import Settings, number, one_of, whole_numbers
from luckless.optional_torch import torch
from luckless.rules.actions import CALL, FOLD
from luckless.rules.views import Views

FOLD_OUTPUT, CALL_OUTPUT, FIRST_RAISE = 0, 1, 2
"""The outputs of the network: folding, calling, then one for each amount of the list of raises."""


# Settings


@dataclass(frozen=True, kw_only=True)
class QLearnSettings(Settings):
    """Deep Q-learning towards the final result of the hand."""

    raises: tuple[int, ...] = whole_numbers((4, 8, 16, 32, 64, 100, 200), 1, 1e9)
    """Amounts of the raises, in halves of a big blind (chips at blinds 1/2), rising."""
    raises_are: Literal["by", "to"] = one_of("by", "to")
    """Whether an amount is added to the bet to call, or is what the raise is made to."""
    exploration: float = number(0.1, 0.0, 1.0)
    """How often a student's action is drawn at random from all but folding."""
    balanced: bool = False
    """Whether exploring calls as often as it raises; else it draws from all actions alike (thesis, section 5.3)."""
    learning_rate: float = number(0.001, 0.0, 10.0)
    averaging: float = number(0.998, 0.0, 1.0)
    """The share of its old weights that the network that plays keeps at each step; 0: it plays as it has learned."""

    @property
    def outputs(self) -> int:
        """See `Settings.outputs`."""
        return FIRST_RAISE + len(self.raises)

    @property
    def effort(self) -> float:
        """See `Settings.effort`: once forward, and for the gradient about twice as much."""
        return 3 * self.passes

    def problem(self) -> str:
        """See `Settings.problem`."""
        rising = list(self.raises) == sorted(set(self.raises))
        return "" if rising else f"raises is {list(self.raises)}: rising numbers are needed"


PRESETS = {
    "qlearn-8": QLearnSettings(kind="qlearn-8"),
    "qlearn-all": QLearnSettings(kind="qlearn-all", raises=tuple(range(2, 201)), raises_are="to"),
}


# From outputs to actions, and from actions that were played back to outputs


class Raises(NamedTuple):
    """The raises of a list in chips of a game, by place: rising, no amount twice.

    Of the amounts the ones that are legal can be chosen; when none of them is all-in, the next larger one stands for
    that; and when all are too small, the largest stands for the smallest legal raise. Of outputs that come to the
    same chips (where the big blind is 1) only the first is used. So each action has exactly one output.
    """

    amounts: NDArray[np.int64]
    outputs: NDArray[np.int64]
    """The output of each amount."""
    by: bool
    """Whether an amount is added to the bet to call; else it is what the raise is made to."""


def raises_in(amounts: Sequence[int], by: bool) -> Raises:
    """The raises of a rising list of amounts, one for each output."""
    distinct, first = np.unique(np.array(amounts, np.int64), return_index=True)
    return Raises(distinct, FIRST_RAISE + first.astype(np.int64), by)


@lru_cache
def raises_of(settings: QLearnSettings, big_blind: int) -> Raises:
    """The raises of the settings in chips of a game."""
    return raises_in([max(1, amount * big_blind // 2) for amount in settings.raises], settings.raises_are == "by")


@njit(cache=True, nogil=True)
def _first_at_least(raises: Raises, bet: int, raise_to: int) -> int:
    """The place of the first amount that makes a raise to so much or more, or the length of the list."""
    low, high = 0, len(raises.amounts)
    wanted = raise_to - (bet if raises.by else 0)
    while low < high:
        middle = (low + high) // 2
        if raises.amounts[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@njit(cache=True, nogil=True)
def raise_places(raises: Raises, bet: int, least: int, most: int) -> Any:
    """The first place that can be chosen for a raise and the one after the last; (0, 0) when raising is closed."""
    if most == 0:
        return 0, 0
    count = len(raises.amounts)
    first = min(_first_at_least(raises, bet, least), count - 1)
    end = max(min(_first_at_least(raises, bet, most) + 1, count), first + 1)
    return first, end


@njit(cache=True, nogil=True)
def raise_at(place: int, raises: Raises, bet: int, least: int, most: int) -> Any:
    """The action that the raise at a place stands for."""
    wanted = raises.amounts[place] + (bet if raises.by else 0)
    return min(max(wanted, least), most)


@njit(cache=True, nogil=True)
def output_of(action: int, raises: Raises, bet: int) -> Any:
    """The output that an action stands for; an amount that the list does not have counts as the next larger one."""
    if action <= CALL:
        return FOLD_OUTPUT if action == FOLD else CALL_OUTPUT
    return raises.outputs[min(_first_at_least(raises, bet, action), len(raises.amounts) - 1)]


@njit(cache=True, nogil=True)
def best_raise(outputs: NDArray[np.float32], raises: Raises, first: int, end: int) -> Any:
    """The place with the highest output from first to end, or -1 if calling is worth as much; and that output."""
    best, value = -1, outputs[CALL_OUTPUT]
    for place in range(first, end):
        if outputs[raises.outputs[place]] > value:
            best, value = place, outputs[raises.outputs[place]]
    return best, value


@njit(cache=True, nogil=True)
def squashed_fold(stake: float, value_range: float) -> float:
    """The output that folding would have: its tanh is what has been put in, lost."""
    return math.atanh(max(-stake / value_range, -0.9999999))


# The player


class QPlayer(NetworkPlayer[QLearnSettings]):
    """Takes the action that its network values highest; with `explore`, sometimes a random one."""

    def decide_batch(self, views: Views, dice: BatchDice) -> NDArray[np.int64]:
        """The actions for a batch of decisions; dice are rolled for exploring alone."""
        rows = situations(views)
        outputs = self.ask(rows)
        raises = raises_of(self.settings, views.big_blind)
        actions = np.empty(len(views), np.int64)
        draws = (np.zeros(0, np.bool_), np.zeros(0), np.zeros(0))
        if self.explore and self.settings.exploration:
            draws = (dice.random() < self.settings.exploration, dice.random(), dice.random())
        numbers = (self.settings.value_range, self.settings.balanced)
        _choose_rows(views.public, rows, outputs, raises, numbers, draws, actions)
        return actions


@njit(cache=True, nogil=True)
def _choose_rows(
    public: Any, rows: Any, outputs: Any, raises: Raises, numbers: Any, draws: Any, actions: NDArray[np.int64]
) -> None:
    """`numbers` is (value range, balanced); `draws` is whether to explore, which kind, which amount, or empty."""
    value_range, balanced = numbers
    explores, kinds, places = draws
    for row in range(len(rows)):
        hand = public[row]
        first, end = raise_places(raises, hand.bet, hand.min_raise_to, hand.max_raise_to)
        folds = False
        if len(explores) and explores[row]:
            raised = end - first
            calls = kinds[row] < (0.5 if balanced or raised == 0 else 1 / (1 + raised))
            place = -1 if calls or raised == 0 else first + int(places[row] * raised)
        else:
            place, value = best_raise(outputs[row], raises, first, end)
            folds = hand.to_call > 0 and squashed_fold(rows[row].invested[rows[row].own], value_range) > value
        if folds:
            actions[row] = FOLD
        elif place < 0:
            actions[row] = CALL
        else:
            actions[row] = raise_at(place, raises, hand.bet, hand.min_raise_to, hand.max_raise_to)


# What is remembered of a lesson

EXPERIENCE = np.dtype([("situation", SITUATION), ("output", np.int16), ("result", np.float32)], align=True)
"""A decision, the output of the action that was taken, and what the hand brought."""


@njit(cache=True, nogil=True)
def _outputs_of(decisions: Any, raises: Raises, out: NDArray[np.int16]) -> None:
    for row in range(len(decisions)):
        out[row] = output_of(decisions[row].action, raises, decisions[row].bet)


# The learner

_CALM = np.float32(0.01)
"""Outputs start this much smaller than torch would start them: near 0, so that of 200 actions not the ones that
happened to start high are tried for long, and those that started low never."""


class QLearner(NetworkLearner):
    """One network that learns, and its slow copy that plays: the noise of single steps is averaged out of it."""

    settings: QLearnSettings
    playing = "average"

    def __init__(self, settings: QLearnSettings, seed: int) -> None:
        super().__init__(seed)
        self.settings = settings
        *layers, (weights, biases) = new_network(settings.hidden, settings.outputs, self.random)
        layers.append((weights * _CALM, biases * _CALM))
        self.networks = {"value": TorchNetwork(layers), "average": TorchNetwork(layers)}
        self.optimisers = {"value": adam(self.networks["value"].parameters, settings.learning_rate)}
        self.memory = Memory(EXPERIENCE, settings.memory)

    def player(self, explore: bool) -> QPlayer:
        """Who plays with the weights of this moment."""
        return QPlayer(self.settings, compile_layers(self.networks[self.playing].layers()), explore)

    def _experiences(self, lesson: Lesson, decisions: NDArray[np.void]) -> NDArray[np.void]:
        """Every decision but folds, whose value is known, with the result of its hand."""
        outputs = np.empty(len(decisions), np.int16)
        _outputs_of(decisions, raises_of(self.settings, lesson.records.game.big_blind), outputs)
        learned = outputs != FOLD_OUTPUT
        rows = np.zeros(int(learned.sum()), EXPERIENCE)
        rows["situation"] = decisions["situation"][learned]
        rows["output"] = outputs[learned]
        rows["result"] = decisions["result"][learned]
        return rows

    def _step(self, batch: NDArray[np.void]) -> dict[str, float]:
        """One step of the value network towards the results; then the network that plays follows it."""
        network, scale = self.networks["value"], np.float32(1 / self.settings.value_range)
        rows = np.ascontiguousarray(batch["situation"])
        outputs = torch.from_numpy(batch["output"].astype(np.int64))
        results = torch.from_numpy(batch["result"] * scale)

        def loss_of(block: slice) -> torch.Tensor:
            values = torch.tanh(network.chosen(rows[block], outputs[block]))
            return torch.square(values - results[block]).sum() / len(batch)

        loss = descend(self.optimisers["value"], network.parameters, len(batch), loss_of)
        self.networks["average"].follow(network, self.settings.averaging)
        return {"value": loss}


ALGORITHM = Algorithm(PRESETS, QPlayer, QLearner)
