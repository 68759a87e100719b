"""Seasons with the real learners, small: interrupted or not, on one process or two, they come out the same."""

from pathlib import Path

import pytest

from luckless.league import training
from luckless.league.effort import effort_of_round
from luckless.league.named_seasons import NAMED_SEASONS
from luckless.league.results import fingerprint
from luckless.league.run import Run
from luckless.league.season import run_season
from luckless.league.status import status
from luckless.league.tasks import training_tasks

pytest.importorskip("torch")

CONFIG = """\
name = "networks"
seed = 11
[training]
rounds = 6
hands = 80
clone_every = 3
[[division]]
name = "queue"
matchup = "climbing"
students = ["q", "s"]
teachers = ["random", "call"]
[[division]]
name = "crowd"
matchup = "random"
students = ["all"]
teachers = ["call"]
[[evaluation]]
name = "like rank"
matchup = "similar"
rounds = 3
hands = 60
[style]
hands = 1
[learner.q]
kind = "qlearn-8"
hidden = [16, 16]
batch = 64
[learner.all]
kind = "qlearn-all"
hidden = [16]
batch = 64
[learner.s]
kind = "sac-high"
hidden = [16, 16]
batch = 64
"""


def _begun(directory: Path) -> Path:
    config = directory.with_suffix(".toml")
    config.write_text(CONFIG)
    Run.begin(directory, config).store.close()
    return directory


def _fingerprint(directory: Path) -> str:
    run = Run.open(directory)
    found = fingerprint(run.store)
    run.store.close()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_real_students_go_on_to_the_bit(tmp_path: Path, workers: int) -> None:
    whole, cut = _begun(tmp_path / "whole"), _begun(tmp_path / "cut")
    assert run_season(whole, workers=1)
    for _ in range(3):
        run = Run.open(cut)
        division = training.TrainingDivision(run, 0)
        division.play()
        division.save()
        division.play()  # lost, but where it ends with clones
        run.store.close()
    assert run_season(cut, workers=workers)
    assert _fingerprint(cut) == _fingerprint(whole)


def test_divisions_that_take_longest_are_trained_first(tmp_path: Path) -> None:
    """What is learned from decides it, and how much of the rounds; among equals the file does."""
    run = Run.begin(tmp_path / "run", NAMED_SEASONS / "thesis.toml")
    efforts = {run.division_name(number): effort_of_round(run, number) for number in run.all_divisions}
    assert efforts["SacL-Cl"] == pytest.approx(6 + 0.8 * 15)
    assert efforts["QlnA-Rn"] == pytest.approx(6 + 2 * 3)
    assert efforts["AllAg-Cl"] == pytest.approx(6 + 0.8 * (15 + 6) / 2)
    assert efforts["direct"] == 6
    order = [run.division_name(task.division) for task in training_tasks(run)]
    assert order == ["SacL-Cl", "SacH-Cl", "AllAg-Cl", "QlnA-Rn", "Qln8-Cl", "QlnA-Cl"]
    run.store.close()


def test_a_division_that_has_not_begun_is_as_dear_as_its_students(tmp_path: Path) -> None:
    config = tmp_path / "networks.toml"
    config.write_text(CONFIG.split("[[evaluation]]")[0] + "[style]" + CONFIG.split("[style]")[1])
    run = Run.begin(tmp_path / "run", config)
    training.train(run, 0, lambda hands: None, lambda: False)
    [(seconds,)] = run.store.rows("select sum(seconds) + (select sum(seconds) from lessons) from rounds")
    [(playing, decisions)] = run.store.rows(
        "select (select sum(seconds) from rounds), sum(folds + calls + checks + raises) from entrants"
    )
    left = seconds * effort_of_round(run, 1) / effort_of_round(run, 0)
    run.store.note("workers", "1")
    assert status(run).seconds_left == pytest.approx(left + len(run.teachers) * 4_320 * playing / decisions)
    run.store.close()
