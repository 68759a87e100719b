"""What all learners have in common among their settings, and how settings are checked.

The defaults are those of the population thesis (Kaminsky and Liebendörfer, Population-based Poker AI, FHNW 2020,
sections 3.4.2 and 3.4.3) where it names them; the rest is ours. `registry.settings_of` gives the settings of a kind.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from itertools import pairwise
from typing import Any, TypeVar

from luckless.errors import InputError

MOST_LAYERS = 32
MOST_WEIGHTS = 64_000_000
"""Of a network: a learner keeps about five arrays of them, which are a gigabyte."""


def number(default: float, low: float, high: float = math.inf) -> Any:
    """A setting that is a number within bounds: a whole one if the default is."""
    return field(default=default, metadata={"low": low, "high": high})


def whole_numbers(default: tuple[int, ...], low: float, high: float) -> Any:
    """A setting that is a list of whole numbers within bounds."""
    return field(default=default, metadata={"low": low, "high": high})


def one_of(default: str, *others: str) -> Any:
    """A setting that is one of some words."""
    return field(default=default, metadata={"words": (default, *others)})


@dataclass(frozen=True, kw_only=True)
class Settings(ABC):
    """What all learners have in common."""

    kind: str
    """The kind of learner (`registry.KINDS`)."""
    hidden: tuple[int, ...] = whole_numbers((256, 256, 256, 256), 1, 4096)
    """Widths of the hidden layers."""
    value_range: float = number(5.0, 1.0, 100.0)
    """What an output of +-1 (tanh) stands for, in starting stacks: at six seats a hand wins up to five of them."""
    batch: int = number(512, 1, 1e6)
    """Decisions of one step of the optimiser."""
    passes: float = number(2.0, 0.0, 1000)
    """How many decisions are drawn from memory for each one that a lesson brings."""
    memory: int = number(1_000_000, 1, 1e9)
    """Decisions that the replay memory holds; the oldest make room."""

    @property
    @abstractmethod
    def outputs(self) -> int:
        """How many outputs the network that plays has."""

    @property
    @abstractmethod
    def effort(self) -> float:
        """About how often each decision goes through a network while it is learned from, for plans of time alone."""

    def problem(self) -> str:
        """What is wrong with settings that are right one by one, "" if nothing is."""
        return ""


Kind = TypeVar("Kind", bound=Settings)


def changed(preset: Kind, values: Mapping[str, object]) -> Kind:
    """The settings with some of them replaced; wrong names and values raise `InputError`."""
    known = {entry.name: entry for entry in fields(preset) if entry.name != "kind"}
    checked: dict[str, Any] = {}
    for name, value in values.items():
        if name not in known:
            raise InputError(f"{preset.kind}: unknown setting {name!r}; there are {', '.join(known)}")
        checked[name] = _checked(f"{preset.kind}: {name}", value, getattr(preset, name), known[name].metadata)
    settings = replace(preset, **checked)
    if problem := _size_problem(settings) or settings.problem():
        raise InputError(f"{preset.kind}: {problem}")
    return settings


def _size_problem(settings: Settings) -> str:
    """Refuses networks that do not fit into memory, before any is made."""
    layers = settings.hidden
    weights = sum(inputs * outputs for inputs, outputs in pairwise(layers))
    if len(layers) <= MOST_LAYERS and weights <= MOST_WEIGHTS:
        return ""
    allowed = f"allowed are {MOST_LAYERS} layers and {MOST_WEIGHTS:,} weights between them"
    return f"hidden has {len(layers):,} layers with {weights:,} weights between them; {allowed}"


def _checked(where: str, value: object, default: object, allowed: Mapping[str, Any]) -> object:
    """The value if it is of the kind of the default and allowed."""
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise InputError(f"{where} is {value!r}; allowed is true or false")
        return value
    if isinstance(default, str):
        if value not in allowed["words"]:
            raise InputError(f"{where} is {value!r}; allowed is {' or '.join(allowed['words'])}")
        return value
    if isinstance(default, tuple):
        if not isinstance(value, list | tuple) or not value:
            raise InputError(f"{where} is {value!r}; allowed is a list of whole numbers")
        return tuple(_checked(where, item, default[0], allowed) for item in value)
    whole = isinstance(default, int)
    if (
        not isinstance(value, int | float)
        or isinstance(value, bool)
        or (whole and isinstance(value, float))
        or not allowed["low"] <= value <= allowed["high"]
    ):
        needed = f"a {'whole ' if whole else ''}number from {allowed['low']:g} to {allowed['high']:g}"
        raise InputError(f"{where} is {value!r}; allowed is {needed}")
    return value if whole else float(value)


def as_values(settings: Settings) -> dict[str, object]:
    """The settings as plain values, for JSON or TOML; `registry.settings_of(kind, values)` reads them back."""
    values = {entry.name: getattr(settings, entry.name) for entry in fields(settings) if entry.name != "kind"}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
