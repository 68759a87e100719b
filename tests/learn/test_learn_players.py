"""Agents at the table: what exploring tries, and that nothing is drawn without it."""

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

from luckless.bots.dice import BatchDice
from luckless.learn.networks import compile_layers, new_network
from luckless.learn.qlearn import FIRST_RAISE, QLearnSettings, QPlayer
from luckless.learn.sac import SAC_ACTIONS, SacPlayer, SacSettings
from luckless.rules.actions import CALL
from luckless.rules.game import Game
from luckless.rules.table import Table

HANDS = 4_000
RAISES = (6, 10, 18, 34, 66, 102, 200)
"""What the seven amounts of the standard list make of a blind of 2 at stacks of 200."""

VIEWS = Table.dealt(Game.load("nolimit-6max"), 1, np.arange(HANDS)).views(np.arange(HANDS))


def dice(seed: int) -> BatchDice:
    return BatchDice(np.random.default_rng(seed).integers(0, 2**64, (HANDS, 4), np.uint64))


def q_player(explore: bool, exploration: float = 0.0, balanced: bool = False) -> QPlayer:
    settings = QLearnSettings(kind="qlearn-8", exploration=exploration, balanced=balanced)
    layers = new_network((8,), FIRST_RAISE + len(settings.raises), np.random.default_rng(2))
    return QPlayer(settings, compile_layers(layers), explore)


@pytest.mark.parametrize(("balanced", "calls"), [(False, 1 / 8), (True, 1 / 2)])
def test_exploring_draws_from_all_actions_alike_or_calls_as_often_as_it_raises(balanced: bool, calls: float) -> None:
    found = Counter(q_player(True, exploration=1.0, balanced=balanced).decide_batch(VIEWS, dice(3)).tolist())
    assert set(found) == {CALL, *RAISES}  # no fold
    shares = [calls, *[(1 - calls) / len(RAISES)] * len(RAISES)]
    assert chisquare([found[action] for action in (CALL, *RAISES)], HANDS * np.array(shares)).pvalue > 1e-4


def test_a_student_explores_as_often_as_it_is_told() -> None:
    """An eighth of what is explored happens to be what the network would do."""
    known = q_player(False).decide_batch(VIEWS, dice(3))
    tried = q_player(True, exploration=0.4).decide_batch(VIEWS, dice(3))
    assert np.mean(known != tried) == pytest.approx(0.4 * 7 / 8, abs=0.04)


@pytest.mark.parametrize("kind", ["q", "sac"])
def test_without_exploring_the_dice_are_nothing(kind: str) -> None:
    policy = compile_layers(new_network((8,), 2 * SAC_ACTIONS, np.random.default_rng(2)))

    def actions(explore: bool, seed: int) -> bytes:
        settings = SacSettings(kind="sac-low")
        player = SacPlayer(settings, policy, explore) if kind == "sac" else q_player(explore, exploration=0.5)
        return player.decide_batch(VIEWS, dice(seed)).tobytes()

    assert actions(False, 1) == actions(False, 2)
    assert actions(True, 1) != actions(True, 2)
