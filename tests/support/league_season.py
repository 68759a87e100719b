"""Seasons for tests: tiny ones, with learners that are simple enough to check and quick enough to run often.

As a script it runs one season: `league_season.py DIRECTORY PROCESSES [CONFIG]`; the tests kill it at random moments.
"""

import hashlib
import io
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.bots.dice import BatchDice
from luckless.bots.python_bot import PythonBot, bot_of
from luckless.errors import InputError
from luckless.league import evaluation, training
from luckless.league.run import Run
from luckless.league.season import run_season
from luckless.learn import agents
from luckless.learn.decisions import Lesson
from luckless.learn.learner import Learner, LessonResult
from luckless.rules.views import Views
from luckless.runs import CATALOGUE
from luckless.whole_files import write_bytes

CONFIG = """\
name = "tiny"
seed = 7

[training]
rounds = 7
hands = 60
clone_every = 3

[[division]]
name = "up"
matchup = "climbing"
six_teachers = 0.3
students = ["nudge", "wild"]
teachers = ["random", "call"]

[[division]]
name = "any"
matchup = "random"
students = ["nudge"]
teachers = ["call"]

[[evaluation]]
name = "like rank"
matchup = "similar"
rounds = 6
hands = 60

[[evaluation]]
name = "pairs"
matchup = "direct"
meetings = 1
hands = 12

[style]
hands = 1

[learner.wild]
kind = "nudge"
step = 3.0
"""


class NudgePlayer:
    """Folds, calls or raises by three weights and its dice."""

    def __init__(self, weights: NDArray[np.float64]) -> None:
        self.weights = weights

    def decide_batch(self, views: Views, dice: BatchDice) -> NDArray[np.int64]:
        shares = np.cumsum(np.abs(self.weights) + 0.05)
        kind = np.searchsorted(shares / shares[-1], dice.random())
        raises = np.where(views.max_raise_to > 0, views.min_raise_to, 0)
        return np.where(kind == 0, np.where(views.to_call > 0, -1, 0), np.where(kind == 1, 0, raises))


class NudgeLearner(Learner):
    """Moves its weights by what it won and by chance; remembers everything, as a replay memory does."""

    def __init__(self, settings: Any, seed: int) -> None:
        self.settings = settings
        self.step, self.fails_at = float(settings.step), int(settings.fails_at)
        self.random = np.random.Generator(np.random.Philox(seed))
        self.weights = self.random.random(3)
        self.memory = np.zeros(0)
        self.lessons, self.fault = 0, ""

    def bot(self, name: str = "", *, explore: bool = True) -> PythonBot:
        noise = 0.1 if explore else 0.0
        return bot_of(NudgePlayer(self.weights + noise), name)

    def learn(self, lesson: Lesson) -> LessonResult:
        self.lessons += 1
        if self.fault or self.lessons == self.fails_at:
            self.fault = self.fault or "the weights are no longer finite"
            return LessonResult(0, 0, {}, self.fault)
        won = lesson.records.payoffs[lesson.own]
        self.memory = np.append(self.memory, won.mean())[-50:]
        self.weights = self.weights + self.step * self.random.normal(size=3) / 10 + self.memory.mean() / 1000
        return LessonResult(len(won), 1, {"value": float(np.square(won).mean())})

    def freeze(self, path: Path) -> str:
        return _write(path, weights=self.weights)

    def write(self, path: Path) -> None:
        state = repr(self.random.bit_generator.state).encode()
        facts = np.array([self.step, self.fails_at, self.lessons, bool(self.fault)])
        _write(path, weights=self.weights, memory=self.memory, facts=facts, state=np.frombuffer(state, np.uint8))


def _write(path: Path, **arrays: Any) -> str:
    content = io.BytesIO()
    np.savez(content, **arrays)
    write_bytes(path, content.getvalue())
    return hashlib.sha256(content.getvalue()).hexdigest()


def _settings_of(kind: str, values: Mapping[str, object] | None = None) -> Any:
    allowed: dict[str, object] = {"step": 1.0, "fails_at": 0}
    for key in values or {}:
        if key not in allowed:
            raise InputError(f"no setting {key!r}; it has {', '.join(allowed)}")
    if kind != "nudge":
        raise InputError(f"no learner is called {kind!r}; there is nudge")
    return SimpleNamespace(kind=kind, effort=4.0, **{**allowed, **(values or {})})


def _new_learner(settings: Any, seed: int) -> Learner:
    return NudgeLearner(settings, seed)


def _read_learner(path: Path) -> Learner:
    with np.load(path) as file:
        step, fails_at, lessons, failed = file["facts"].tolist()
        learner = NudgeLearner(SimpleNamespace(kind="nudge", step=step, fails_at=fails_at), 0)
        learner.weights, learner.memory, learner.lessons = file["weights"], file["memory"], int(lessons)
        state = eval(file["state"].tobytes().decode(), {"array": np.array, "uint64": np.uint64})
        learner.random.bit_generator.state = state
        learner.fault = "the weights are no longer finite" if failed else ""
    return learner


def _load_agent(path: Path, name: str = "") -> PythonBot:
    with np.load(path) as file:
        return bot_of(NudgePlayer(file["weights"]), name)


FAKES = {
    "settings_of": _settings_of,
    "new_learner": _new_learner,
    "read_learner": _read_learner,
    "load_agent": _load_agent,
}


def use_fakes(replace: Callable[[object, str, Any], None] = setattr) -> None:
    """Replaces the learners of `learn` in this process by the simple ones."""
    for name, fake in FAKES.items():
        replace(agents, name, fake)


def play(directory: Path, processes: int = 1, config: str = CONFIG) -> bool:
    """Begins a season or goes on with it; whether it came to its end."""
    if not (directory / CATALOGUE).exists():
        path = directory.with_suffix(".toml")
        path.write_text(config)
        Run.begin(directory, path).store.close()
    return run_season(directory, workers=processes)


if __name__ in ("__main__", "__mp_main__"):  # a process of the pool imports this file too, and needs the fakes
    use_fakes()
    training.SAVE_SECONDS = evaluation.SAVE_SECONDS = 0.0
if __name__ == "__main__":
    play(Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]).read_text() if len(sys.argv) > 3 else CONFIG)
