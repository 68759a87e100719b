"""Lessons: what a replay of records finds is what the agent saw, did and won, and nothing else."""

from typing import Any

import numpy as np
import pytest

from learn_rounds import play_round
from luckless.bots.catalogue import load_bot
from luckless.bots.dice import BatchDice
from luckless.bots.python_bot import bot_of
from luckless.learn.decisions import Lesson, decisions_of, dice_of
from luckless.learn.features import situations
from luckless.learn.networks import compile_layers, new_network
from luckless.learn.qlearn import QLearnSettings, QPlayer
from luckless.learn.registry import settings_of
from luckless.learn.sac import SacPlayer, SacSettings, draw_raw
from luckless.rules.game import Game
from luckless.rules.views import Views

SIX_MAX = Game.load("nolimit-6max")


class Witness:
    """Plays as a player does and writes down what it saw."""

    def __init__(self, player: Any) -> None:
        self.player = player
        self.seen: list[tuple[bytes, int, int, int]] = []

    def decide_batch(self, views: Views, dice: BatchDice) -> Any:
        actions = self.player.decide_batch(views, dice)
        rows = situations(views)
        for row in range(len(views)):
            public = views.public[row]
            bounds = (int(public["min_raise_to"]), int(public["max_raise_to"]))
            self.seen.append((rows[row].tobytes(), int(actions[row]), *bounds))
        return actions


def q_player(explore: bool = True) -> QPlayer:
    settings = settings_of("qlearn-8", {"exploration": 0.5})
    assert isinstance(settings, QLearnSettings)
    return QPlayer(settings, compile_layers(new_network((16,), 9, np.random.default_rng(1))), explore)


def sac_player(explore: bool = True) -> SacPlayer:
    settings = settings_of("sac-high")
    assert isinstance(settings, SacSettings)
    return SacPlayer(settings, compile_layers(new_network((16,), 8, np.random.default_rng(1))), explore)


@pytest.mark.parametrize("seats", [2, 6])
def test_a_replay_finds_what_the_agent_saw_and_did(seats: int) -> None:
    witness = Witness(q_player())
    bots = [bot_of(witness), *[load_bot("random")] * (seats - 1)]
    chunk = play_round(SIX_MAX, bots, 800, seed=5)
    lesson = Lesson.of([chunk], [0], seed=5)
    decisions = decisions_of(lesson)
    found = [
        (row["situation"].tobytes(), int(row["action"]), int(row["least"]), int(row["most"])) for row in decisions
    ]
    assert sorted(found) == sorted(witness.seen)
    assert len(found) > 800


def test_results_and_next_decisions() -> None:
    chunk = play_round(SIX_MAX, [bot_of(q_player()), *[load_bot("call")] * 5], 500, seed=6)
    decisions = decisions_of(Lesson.of([chunk], [0], seed=6))
    for row, decision in enumerate(decisions):
        hand, seat = int(decision["hand"]), int(decision["seat"])
        assert chunk.hands.players[hand, seat] == 0
        assert decision["result"] == pytest.approx(chunk.records.payoffs[hand, seat] / 200)
        later = [at for at in range(row + 1, min(row + 40, len(decisions))) if decisions["hand"][at] == hand]
        assert decision["next"] == (later[0] if later else -1)


def test_an_agent_in_several_seats_is_followed_seat_by_seat() -> None:
    player = bot_of(q_player())
    chunk = play_round(SIX_MAX, [player, player, player, *[load_bot("call")] * 3], 300, seed=7)
    decisions = decisions_of(Lesson.of([chunk], [0, 1, 2], seed=7))
    following = decisions[decisions["next"] >= 0]
    after = decisions[following["next"]]
    assert (after["hand"] == following["hand"]).all()
    assert (after["seat"] == following["seat"]).all()
    assert (after["step"] > following["step"]).all()
    assert set(np.unique(decisions["seat"])) == set(range(6))


def test_the_dice_of_a_lesson_are_those_of_the_play() -> None:
    """The action_scores that a replay draws are the ones that led to the actions, in batches of another size."""
    player = sac_player()
    chunk = play_round(SIX_MAX, [bot_of(player), *[load_bot("random")] * 5], 400, seed=8)
    lesson = Lesson.of([chunk], [0], seed=8)
    decisions = decisions_of(lesson)
    raw = draw_raw(player.network, np.ascontiguousarray(decisions["situation"]), dice_of(lesson, decisions))
    action_scores = raw[:, :3].argmax(axis=1)
    assert (decisions["action"][action_scores == 1] == 0).all()
    assert (decisions["action"][action_scores == 0] <= 0).all()
    can = (action_scores == 2) & (decisions["most"] > 0)
    least, most = decisions["least"][can].astype(float), decisions["most"][can].astype(float)
    wanted = least + (raw[can, 3] + 1) / 2 * (most - least)
    assert np.abs(decisions["action"][can] - wanted).max() <= 0.5 + 1e-3
    assert can.sum() > 50


def test_a_match_does_not_depend_on_the_batches() -> None:
    """Every hand alone gives what the whole round gave: agents keep nothing and rows do not see their batch."""
    bots = [bot_of(q_player()), bot_of(sac_player()), bot_of(q_player(False)), *[load_bot("random")] * 3]
    whole = play_round(SIX_MAX, bots, 64, seed=9).records
    few = play_round(SIX_MAX, bots, 9, seed=9).records
    np.testing.assert_array_equal(few.actions, whole.actions[: few.ends[-1]])
    np.testing.assert_array_equal(few.payoffs, whole.payoffs[:9])


def test_exploring_draws_from_all_but_folding() -> None:
    """With exploration 1 nothing folds; balanced, half of the actions are calls (tolerance: five standard errors)."""
    for balanced, share in ((False, None), (True, 0.5)):
        settings = settings_of("qlearn-all", {"exploration": 1.0, "balanced": balanced})
        assert isinstance(settings, QLearnSettings)
        network = compile_layers(new_network((16,), 201, np.random.default_rng(1)))
        chunk = play_round(
            SIX_MAX, [bot_of(QPlayer(settings, network, True)), *[load_bot("call")] * 5], 3000, seed=10
        )
        decisions = decisions_of(Lesson.of([chunk], [0], seed=10))
        assert (decisions["action"] >= 0).all()
        first = decisions[(decisions["step"] <= 5) & (decisions["least"] == 4)]
        calls = float((first["action"] == 0).mean())
        expected = share or 1 / 198  # one call, and raises to 4, 5, ..., 200
        assert calls == pytest.approx(expected, abs=5 * np.sqrt(expected * (1 - expected) / len(first)))
