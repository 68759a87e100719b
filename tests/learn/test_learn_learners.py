"""Learners as wholes: known exploits, faults, and results that do not depend on the number of cores."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from learn_rounds import play_round, teach, win_rate
from luckless.bots.catalogue import load_bot
from luckless.bots.python_bot import bot_of
from luckless.errors import InputError
from luckless.learn.agents import new_learner, read_learner, settings_of
from luckless.learn.decisions import Lesson, decisions_of
from luckless.learn.qlearn import QLearner, QPlayer
from luckless.learn.sac import EXPERIENCE, SacLearner
from luckless.rules.actions import FOLD
from luckless.rules.game import Game

torch = pytest.importorskip("torch")

SIX_MAX = Game.load("nolimit-6max")
SMALL = {"hidden": [64, 64], "batch": 128, "passes": 4.0}
KINDS = ("qlearn-8", "qlearn-all", "sac-low", "sac-high")
STEAL_ALL = 1250
"""Against five that fold, a raise wins the blinds: 3, 3, 3, 3, 2 or 1 chips by position; in mbb a hand."""


def a_lesson(learner: QLearner | SacLearner, seed: int, hands: int = 300) -> Lesson:
    chunk = play_round(SIX_MAX, [learner.bot(), *[load_bot("random")] * 5], hands, seed)
    return Lesson.of([chunk], [0], seed)


def a_learner(kind: str) -> QLearner | SacLearner:
    learner = new_learner(settings_of(kind, SMALL), seed=2)
    assert isinstance(learner, QLearner | SacLearner)
    return learner


def test_a_new_learner_values_all_actions_nearly_alike() -> None:
    """Else those of 200 raises that happen to start high are tried for long, and those that start low never."""
    learner = new_learner(settings_of("qlearn-all", SMALL), seed=2)
    assert isinstance(learner, QLearner)
    situations = decisions_of(a_lesson(learner, 1, hands=50))["situation"]
    values = learner.player(explore=False).ask(np.ascontiguousarray(situations))
    assert 0 < np.abs(values).max() < 0.01


def test_folds_are_not_learned_because_their_value_is_known() -> None:
    learner = a_learner("qlearn-8")
    lesson = a_lesson(learner, 1)
    folds = decisions_of(lesson)["action"] == FOLD
    learner.learn(lesson)
    assert 0 < len(learner.memory) == (~folds).sum() < len(folds)


def test_soft_actor_critic_is_paid_at_its_last_decision_of_a_hand() -> None:
    learner = a_learner("sac-low")
    lesson = a_lesson(learner, 1)
    decisions = decisions_of(lesson)
    learner.learn(lesson)
    rows = learner.memory.arrays()["rows"].view(EXPERIENCE)
    goes_on = decisions["next"] >= 0
    assert 0 < goes_on.sum() < len(decisions)
    np.testing.assert_array_equal(rows["goes_on"], goes_on)
    np.testing.assert_array_equal(rows["result"], np.where(goes_on, 0, decisions["result"]))
    following = decisions["situation"][decisions["next"][goes_on]]
    for name in ("cards", "street", "invested", "percentile"):
        np.testing.assert_array_equal(rows["situation"][name], decisions["situation"][name])
        np.testing.assert_array_equal(rows["following"][name][goes_on], following[name])


@pytest.mark.parametrize("kind", KINDS)
def test_learners_steal_from_those_who_fold(kind: str) -> None:
    sac = {"policy_rate": 0.01, "value_range": 1.0} if kind.startswith("sac") else {}
    learner = new_learner(settings_of(kind, {**SMALL, **sac}), seed=1)
    folders = [load_bot("fold")] * 5
    teach(learner, SIX_MAX, folders, rounds=8, hands=1000)
    won = win_rate(learner.bot(explore=False), SIX_MAX, folders, hands=6000)
    assert won.mean <= STEAL_ALL + 1e-6
    assert won.mean > 0.8 * STEAL_ALL


@pytest.mark.parametrize("opponent", ["call", "random"])
def test_a_little_learning_beats_simple_bots(opponent: str) -> None:
    """The short form of the proof below: a few rounds, heads-up."""
    learner = new_learner(settings_of("qlearn-8", SMALL), seed=1)
    others = [load_bot(opponent)]
    teach(learner, SIX_MAX, others, rounds=6, hands=2000)
    won = win_rate(learner.bot(explore=False), SIX_MAX, others, hands=20_000)
    assert won.ci95 is not None
    assert won.ci95[0] > 0


PROOF = {"qlearn-8": 40, "qlearn-all": 80, "sac-low": 40, "sac-high": 40}
"""Rounds of 10,000 hands: a few minutes of two cores each."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_learners_beat_call_and_random_six_handed(kind: str) -> None:
    """The settings of the thesis, tables of five alike in turn; then 100,000 hands against each."""
    learner = new_learner(settings_of(kind), seed=1)
    for number in range(PROOF[kind]):
        others = [load_bot(("call", "random")[number % 2])] * 5
        teach(learner, SIX_MAX, others, rounds=1, hands=10_000, seed=1 + number)
    for name in ("call", "random"):
        won = win_rate(learner.bot(explore=False), SIX_MAX, [load_bot(name)] * 5, hands=100_000)
        print(f"{kind} against five {name}: {won.mean:+,.0f} mbb/h, 95 % {won.ci95}")
        assert won.ci95 is not None
        assert won.ci95[0] > 0


@pytest.mark.parametrize("kind", KINDS)
def test_results_do_not_depend_on_the_number_of_cores(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def trained() -> str:
        learner = new_learner(settings_of(kind, {**SMALL, "batch": 700}), seed=2)
        assert isinstance(learner, QLearner | SacLearner)
        for seed in (1, 2):
            learner.learn(a_lesson(learner, seed))
        return learner.freeze(tmp_path / "agent")

    here = trained()
    for threads in (1, 3):
        with ThreadPoolExecutor(threads) as pool:
            monkeypatch.setattr("luckless.learn.networks.core_count", lambda threads=threads: threads)
            for module in ("networks", "network_training"):
                monkeypatch.setattr(f"luckless.learn.{module}.pool", lambda pool=pool: pool)
            assert trained() == here


def test_the_seed_decides_everything(tmp_path: Path) -> None:
    def frozen(seed: int) -> str:
        return new_learner(settings_of("qlearn-8", SMALL), seed).freeze(tmp_path / "agent")

    assert frozen(1) == frozen(1)
    assert frozen(1) != frozen(2)
    with pytest.raises(InputError, match="seed of a learner is -1"):
        new_learner(settings_of("qlearn-8"), -1)


@pytest.mark.parametrize("kind", ["qlearn-8", "sac-low"])
def test_numbers_that_are_not_finite_stop_the_learning(kind: str, tmp_path: Path) -> None:
    learner = a_learner(kind)
    assert learner.learn(a_lesson(learner, 1)).fault == ""
    good = learner.freeze(tmp_path / "good")
    learner.memory._rows["result"][:10] = np.nan
    progress = learner.learn(a_lesson(learner, 2))
    assert "became nan in lesson 2, step" in progress.fault
    assert learner.fault == progress.fault
    assert learner.freeze(tmp_path / "after") == good
    assert not play_round(SIX_MAX, [learner.bot(), *[load_bot("call")] * 5], 50, 3).faults

    later = learner.learn(a_lesson(learner, 3))
    assert (later.steps, later.losses, later.fault) == (0, {}, learner.fault)
    learner.write(tmp_path / "learner")
    assert read_learner(tmp_path / "learner").fault == learner.fault
    assert learner.freeze(tmp_path / "after") == good


def test_weights_that_are_not_finite_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    learner = a_learner("qlearn-8")
    good = learner.freeze(tmp_path / "good")

    def spoil(batch: object) -> dict[str, float]:
        with torch.no_grad():
            learner.networks["value"].parameters[0][0, 0] = float("inf")
        return {"value": 0.1}

    monkeypatch.setattr(learner, "_step", spoil)
    assert learner.learn(a_lesson(learner, 1)).fault == "weights of the value were no longer finite after lesson 1"
    assert learner.freeze(tmp_path / "after") == good


def test_learning_leaves_the_threads_of_torch_alone() -> None:
    before = torch.get_num_threads()
    learner = a_learner("qlearn-8")
    learner.learn(a_lesson(learner, 1))
    assert torch.get_num_threads() == before


def test_an_empty_lesson_teaches_nothing(tmp_path: Path) -> None:
    """Hands in which the agent had no decision: everybody folded to its big blind."""
    learner = a_learner("qlearn-8")
    good = learner.freeze(tmp_path / "good")
    chunk = play_round(SIX_MAX, [load_bot("call")] * 6, 20, 1)
    progress = learner.learn(Lesson(chunk.records, 1, chunk.hands.deals, np.zeros((20, 6), np.bool_)))
    assert (progress.decisions, progress.steps, progress.fault) == (0, 0, "")
    assert learner.freeze(tmp_path / "after") == good


def test_a_table_of_nine_is_refused_when_the_match_starts() -> None:
    player = a_learner("qlearn-8").player(explore=False)
    assert isinstance(player, QPlayer)
    with pytest.raises(InputError, match="tables of 2 to 6 seats; this one has 9"):
        play_round(Game.load("nolimit-9max"), [bot_of(player), *[load_bot("call")] * 8], 10, 1)
