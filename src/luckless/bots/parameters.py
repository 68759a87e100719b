"""Numbers and words that a bot can be given: `pot-odds:risk=0.05,win=simulate`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from luckless.errors import InputError


@dataclass(frozen=True)
class Parameter:
    """A number with its bounds; or one of some words, which is kept as its place among them."""

    name: str
    default: float
    low: float
    high: float
    meaning: str
    whole: bool = False
    choices: tuple[str, ...] = ()

    @classmethod
    def word(cls, name: str, choices: tuple[str, ...], meaning: str) -> "Parameter":
        """One of some words; the first is the default."""
        return cls(name, 0, 0, len(choices) - 1, meaning, choices=choices)

    @property
    def default_text(self) -> str:
        """The default as a user writes it."""
        return self.choices[int(self.default)] if self.choices else f"{self.default:g}"

    @property
    def allowed(self) -> str:
        """What a user may write."""
        if self.choices:
            return " or ".join(self.choices)
        return f"{'a whole number' if self.whole else 'a number'} from {self.low:,.12g} to {self.high:,.12g}"

    def value_of(self, text: str) -> float | None:
        """The value that a text stands for, or None if it is not allowed."""
        if self.choices:
            return float(self.choices.index(text)) if text in self.choices else None
        try:
            value = float(text)
        except ValueError:
            return None
        return value if self.low <= value <= self.high and not (self.whole and value % 1) else None


def place_of(parameters: Sequence[Parameter], name: str) -> int:
    """Where a compiled rule finds a parameter: its place in the list."""
    return [parameter.name for parameter in parameters].index(name)


def parse_parameters(who: str, parameters: Sequence[Parameter], text: str) -> tuple[float, ...]:
    """The values of a bot's parameters, in order, from `name=value,...`."""
    values = {parameter.name: parameter.default for parameter in parameters}
    known = {parameter.name: parameter for parameter in parameters}
    for item in filter(None, text.split(",")):
        key, _, written = item.partition("=")
        if key not in known:
            raise InputError(f"bot {who}: unknown parameter {key!r}; it has {', '.join(known) or 'none'}")
        value = known[key].value_of(written)
        if value is None:
            raise InputError(f"bot {who}: {key} is {written!r}; allowed is {known[key].allowed}")
        values[key] = value
    return tuple(values.values())


MOST_PARAMETERS = 8

BOT = np.dtype(
    [
        ("rule", np.int16),
        ("variant", np.int16),
        ("uses_cards", np.int8),
        ("uses_dice", np.int8),
        ("parameters", np.float64, (MOST_PARAMETERS,)),
    ],
    align=True,
)
"""One compiled bot: which rule, what the rule looks at, and its parameters in the order of its entry."""


class Entry(NamedTuple):
    """A shipped bot: its name, its rule in words, and the compiled functions that play it.

    `play(bot, rules, hand, cards, random_bits, source)` gives the action. A rule that uses dice has a `law` too:
    `law(bot, rules, hand, cards, source, out)` fills rows of `out` with lowest action, highest action and
    probability, and gives their number (see `distribution`); all other rules always do the same.
    """

    name: str
    summary: str
    play: Any
    parameters: tuple[Parameter, ...] = ()
    uses_cards: bool = False
    law: Any = None
    variant: int = 0
    """Which of several rules it is, where they share one compiled function."""

    @property
    def uses_dice(self) -> bool:
        """Whether it draws random numbers."""
        return self.law is not None
