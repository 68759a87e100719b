"""The kinds of learner by name. A new learner is one file in this folder and one line here.

The file defines `ALGORITHM`. It is imported when one of its kinds is asked for; torch only where something
learns.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from luckless.errors import InputError
from luckless.learn.settings import Settings, changed

if TYPE_CHECKING:
    from luckless.learn.learner import NetworkLearner
    from luckless.learn.networks import NetworkPlayer

_FILES = {
    "qlearn": ("qlearn-8", "qlearn-all"),
    "sac": ("sac-low", "sac-high"),
}
"""The kinds of learner that each file defines."""

KINDS = tuple(kind for kinds in _FILES.values() for kind in kinds)


@dataclass(frozen=True)
class Algorithm:
    """A way of learning: the settings of each of its kinds, who plays by it, and who learns by it."""

    presets: Mapping[str, Settings]
    player: "Callable[[Any, Any, bool], NetworkPlayer[Any]]"
    """Settings of the algorithm, a compiled network and whether to explore give a player."""
    learner: "Callable[[Any, int], NetworkLearner]"
    """Settings of the algorithm and a seed give a learner that knows nothing yet."""


def algorithm_of(kind: str) -> Algorithm:
    """The algorithm of a kind of learner; an unknown kind raises `InputError`."""
    for file, kinds in _FILES.items():
        if kind in kinds:
            algorithm: Algorithm = import_module(f"luckless.learn.{file}").ALGORITHM
            return algorithm
    raise InputError(f"unknown kind of learner {kind!r}; there are {', '.join(KINDS)}")


def settings_of(kind: str, values: Mapping[str, object] | None = None) -> Settings:
    """The settings of a kind of learner, with some of them replaced; wrong names and values raise `InputError`."""
    return changed(algorithm_of(kind).presets[kind], values or {})
