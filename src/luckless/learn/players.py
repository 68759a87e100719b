"""Agents at the table: bots that ask a network. They keep no memory, and torch is not needed to play."""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.bots.dice import BatchDice
from luckless.kernels import njit
from luckless.learn.choices import (
    SAC_ACTIONS,
    Raises,
    best_raise,
    raise_at,
    raise_places,
    raises_in,
    sac_action,
    sac_raw,
    squashed_fold,
)
from luckless.learn.features import check_seats, situations
from luckless.learn.networks import Network, run
from luckless.learn.settings import QLearnSettings, SacSettings
from luckless.rules.actions import CALL, FOLD
from luckless.rules.game import Game
from luckless.rules.views import Views


@lru_cache
def raises_of(settings: QLearnSettings, big_blind: int) -> Raises:
    """The raises of the settings in chips of a game."""
    return raises_in([max(1, amount * big_blind // 2) for amount in settings.raises], settings.raises_are == "by")


class QPlayer:
    """Takes the action that its network values highest; with `explore`, sometimes a random one."""

    def __init__(self, settings: QLearnSettings, network: Network, explore: bool) -> None:
        self.settings = settings
        self.network = network
        self.exploration = settings.exploration if explore else 0.0

    def match_starts(self, game: Game) -> None:
        """Refuses tables that it has no features for."""
        check_seats(game.seats)

    def decide_batch(self, views: Views, dice: BatchDice) -> NDArray[np.int64]:
        """The actions for a batch of decisions."""
        rows = situations(views)
        outputs = self.ask(rows)
        raises = raises_of(self.settings, views.big_blind)
        actions = np.empty(len(views), np.int64)
        draws = (dice.random() < self.exploration, dice.random(), dice.random()) if self.exploration else None
        if draws is None:
            nothing = np.zeros(0)
            draws = (np.zeros(0, np.bool_), nothing, nothing)
        numbers = (self.settings.value_range, self.settings.balanced)
        _choose_rows(views.public, rows, outputs, raises, numbers, draws, actions)
        return actions

    def ask(self, rows: NDArray[np.void]) -> NDArray[np.float32]:
        """What the network says of each situation."""
        return run(self.network, rows)


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
def _wish_rows(public: Any, raw: NDArray[np.float32], actions: NDArray[np.int64]) -> None:
    for row in range(len(public)):
        hand = public[row]
        actions[row] = sac_action(raw[row], hand.to_call, hand.min_raise_to, hand.max_raise_to)


def draw_raw(network: Network, rows: NDArray[np.void], dice: BatchDice | None) -> NDArray[np.float32]:
    """The policy's four numbers for each situation: drawn with the dice, or without them its middle."""
    noise = np.zeros((len(rows), SAC_ACTIONS)) if dice is None else noise_of(dice)
    raw = np.empty((len(rows), SAC_ACTIONS), np.float32)
    raw_rows(run(network, rows), noise, raw)
    return raw


class SacPlayer:
    """Takes the action its policy scores highest; with `explore` scores are drawn, else the means count."""

    def __init__(self, settings: SacSettings, network: Network, explore: bool) -> None:
        self.settings = settings
        self.network = network
        self.explore = explore

    def match_starts(self, game: Game) -> None:
        """Refuses tables that it has no features for."""
        check_seats(game.seats)

    def decide_batch(self, views: Views, dice: BatchDice) -> NDArray[np.int64]:
        """The actions for a batch of decisions."""
        raw = draw_raw(self.network, situations(views), dice if self.explore else None)
        actions = np.empty(len(views), np.int64)
        _wish_rows(views.public, raw, actions)
        return actions
