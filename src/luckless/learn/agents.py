"""Learners and agents by name and by file."""

from collections.abc import Mapping
from pathlib import Path

from luckless.bots.bot import PythonBot
from luckless.learn.learner import Learner
from luckless.learn.settings import Settings

KINDS = ("qlearn-8", "qlearn-all", "sac-low", "sac-high")


def settings_of(kind: str, values: Mapping[str, object] | None = None) -> Settings:
    """The settings of a kind of learner, with some of them replaced; an unknown kind or name raises `InputError`."""
    raise NotImplementedError


def new_learner(settings: Settings, seed: int) -> Learner:
    """A learner that knows nothing yet."""
    raise NotImplementedError


def read_learner(path: Path) -> Learner:
    """The learner that `Learner.write` wrote, ready to go on; `InputError` says why a file cannot be used."""
    raise NotImplementedError


def load_agent(path: Path, name: str = "") -> PythonBot:
    """The frozen bot that `Learner.freeze` wrote; `InputError` says why a file cannot be used."""
    raise NotImplementedError
