"""Every number of the learners, as typed dataclasses. The defaults are those of the population thesis (Kaminsky and
Liebendörfer, Population-based Poker AI, FHNW 2020, sections 3.4.2 and 3.4.3) where it names them; the rest is ours.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, get_args

from luckless.errors import InputError

Kind = Literal["qlearn-8", "qlearn-all", "sac-low", "sac-high"]
KINDS: tuple[Kind, ...] = get_args(Kind)

AmountsAre = Literal["by", "to"]
"""Whether an amount of a list of raises is added to the bet to call, or is what the raise is made to."""


def _number(default: float, low: float, high: float = math.inf) -> Any:
    return field(default=default, metadata={"low": low, "high": high})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What all learners have in common."""

    kind: Kind
    hidden: tuple[int, ...] = field(default=(256, 256, 256, 256), metadata={"low": 1, "high": 4096})
    """Widths of the hidden layers."""
    value_range: float = _number(5.0, 1.0, 100.0)
    """What an output of +-1 (tanh) stands for, in starting stacks: at six seats a hand wins up to five of them."""
    batch: int = _number(512, 1, 1e6)
    """Decisions of one step of the optimiser."""
    passes: float = _number(2.0, 0.0, 1000)
    """How many decisions are drawn from memory for each one that a lesson brings."""
    memory: int = _number(1_000_000, 1, 1e9)
    """Decisions that the replay memory holds; the oldest make room."""


@dataclass(frozen=True, kw_only=True)
class QLearnSettings(Settings):
    """Deep Q-learning towards the final result of the hand."""

    raises: tuple[int, ...] = field(default=(4, 8, 16, 32, 64, 100, 200), metadata={"low": 1, "high": 1e9})
    """Amounts of the raises, in halves of a big blind (chips at blinds 1/2), rising."""
    raises_are: AmountsAre = "by"
    exploration: float = _number(0.1, 0.0, 1.0)
    """How often a student's action is drawn at random from all but folding."""
    balanced: bool = False
    """Whether exploring calls as often as it raises; else it draws from all actions alike (thesis, section 5.3)."""
    learning_rate: float = _number(0.001, 0.0, 10.0)
    averaging: float = _number(0.998, 0.0, 1.0)
    """The share of its old weights that the network that plays keeps at each step; 0: it plays as it has learned."""


@dataclass(frozen=True, kw_only=True)
class SacSettings(Settings):
    """Soft actor-critic with four continuous actions: the wish to fold, to call, to raise, and how much to raise."""

    batch: int = _number(256, 1, 1e6)
    passes: float = _number(1.0, 0.0, 1000)
    memory: int = _number(200_000, 1, 1e9)
    temperature: float = _number(0.01, 0.0, 100.0)
    """What a unit of entropy is worth, in starting stacks."""
    gamma: float = _number(1.0, 0.0, 1.0)
    """Discount of the value from one own decision to the next."""
    polyak: float = _number(0.999, 0.0, 1.0)
    """The share of the old target that remains at each step."""
    critic_rate: float = _number(0.001, 0.0, 10.0)
    policy_rate: float = _number(0.001, 0.0, 10.0)
    """The thesis names 0.1, at which each step is larger than the weights: policies collapse again and again."""


PRESETS: dict[Kind, QLearnSettings | SacSettings] = {
    "qlearn-8": QLearnSettings(kind="qlearn-8"),
    "qlearn-all": QLearnSettings(kind="qlearn-all", raises=tuple(range(2, 201)), raises_are="to"),
    "sac-low": SacSettings(kind="sac-low", temperature=0.0005),
    "sac-high": SacSettings(kind="sac-high", temperature=0.01),
}


def settings_of(kind: str, values: Mapping[str, object] | None = None) -> QLearnSettings | SacSettings:
    """The settings of a kind of learner, with some of them replaced; wrong names and values raise `InputError`."""
    if kind not in KINDS:
        raise InputError(f"unknown kind of learner {kind!r}; there are {', '.join(KINDS)}")
    preset = next(preset for name, preset in PRESETS.items() if name == kind)
    known = {entry.name: entry for entry in fields(preset) if entry.name != "kind"}
    checked: dict[str, Any] = {}
    for name, value in (values or {}).items():
        if name not in known:
            raise InputError(f"{kind}: unknown setting {name!r}; there are {', '.join(known)}")
        checked[name] = _checked(f"{kind}: {name}", value, getattr(preset, name), known[name].metadata)
    settings = replace(preset, **checked)
    if isinstance(settings, QLearnSettings) and list(settings.raises) != sorted(set(settings.raises)):
        raise InputError(f"{kind}: raises is {list(settings.raises)}: rising numbers are needed")
    return settings


def _checked(where: str, value: object, default: object, bounds: Mapping[str, float]) -> object:
    """The value if it is of the kind of the default and within the bounds."""
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise InputError(f"{where} is {value!r}: true or false is needed")
        return value
    if isinstance(default, str):
        if value not in get_args(AmountsAre):
            raise InputError(f"{where} is {value!r}: {' or '.join(get_args(AmountsAre))} is needed")
        return value
    if isinstance(default, tuple):
        if not isinstance(value, list | tuple) or not value:
            raise InputError(f"{where} is {value!r}: a list of whole numbers is needed")
        return tuple(_checked(where, item, default[0], bounds) for item in value)
    whole = isinstance(default, int)
    if (
        not isinstance(value, int | float)
        or isinstance(value, bool)
        or (whole and isinstance(value, float))
        or not bounds["low"] <= value <= bounds["high"]
    ):
        needed = f"a {'whole ' if whole else ''}number from {bounds['low']:g} to {bounds['high']:g}"
        raise InputError(f"{where} is {value!r}: {needed} is needed")
    return value if whole else float(value)


def as_values(settings: Settings) -> dict[str, object]:
    """The settings as plain values, for JSON or TOML; `settings_of(kind, values)` reads them back."""
    values = {entry.name: getattr(settings, entry.name) for entry in fields(settings) if entry.name != "kind"}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
