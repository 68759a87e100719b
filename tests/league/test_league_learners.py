"""Seasons with the real learners, small: interrupted or not, on one process or two, they come out the same."""

from pathlib import Path

import pytest

from luckless.league import training
from luckless.league.results import fingerprint
from luckless.league.run import Run
from luckless.league.season import run_season

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
