"""The shipped bots by name, each with its rule and its parameters, and how a bot is written on the command line.

`name`, `name:parameter=value,...`, `mix:call=2,raise=1`, or `file.py:ClassName` for a bot of your own.
"""

import difflib
from dataclasses import dataclass

from luckless.bots import compiled
from luckless.bots.bot import Bot, MixBot, PythonBot, RuleBot
from luckless.errors import InputError


@dataclass(frozen=True)
class Parameter:
    """A number that a bot can be given, with its bounds."""

    name: str
    default: float
    low: float
    high: float
    meaning: str


@dataclass(frozen=True)
class Entry:
    """A shipped bot: its name, its rule in words, its parameters in the order of the compiled rule."""

    name: str
    rule: int
    summary: str
    parameters: tuple[Parameter, ...] = ()
    uses_cards: bool = False
    uses_dice: bool = False


ENTRIES: tuple[Entry, ...] = (
    Entry(
        "random",
        compiled.RANDOM,
        "Folds, calls or raises with 1/3 each, also when checking is free; the amount is uniform over what is legal.",
        uses_dice=True,
    ),
    Entry(
        "uniform",
        compiled.UNIFORM,
        "Uniform over the kinds of action that make sense (no fold when checking is free); amounts as `random`.",
        uses_dice=True,
    ),
    Entry("call", compiled.CALLER, "Always checks or calls."),
    Entry("fold", compiled.FOLDER, "Folds to any bet, otherwise checks."),
    Entry("raise", compiled.RAISER, "Always bets or raises the smallest amount, calls when raising is closed."),
    Entry("all-in", compiled.ALL_IN, "Always bets or raises the largest amount, calls when raising is closed."),
)
CATALOGUE = {entry.name: entry for entry in ENTRIES}


def load_bot(text: str) -> Bot:
    """The bot that a text such as `pot-odds:risk=0.05` or `my_bot.py:MyBot` names."""
    name, _, rest = text.partition(":")
    if name == "mix":
        return _mix_of(text, rest)
    if name.endswith(".py") or "/" in name:
        return _python_bot_of(text)
    entry = CATALOGUE.get(name)
    if entry is None:
        raise InputError(f"unknown bot {name!r}: {_nearest(name)}")
    values = _parameters_of(entry, rest)
    return RuleBot(text, entry.rule, values, entry.uses_cards, entry.uses_dice)


def _nearest(name: str) -> str:
    near = difflib.get_close_matches(name, CATALOGUE, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    return f"{hint}`luckless bots` lists the shipped ones; your own is file.py:ClassName"


def _parameters_of(entry: Entry, text: str) -> tuple[float, ...]:
    """The values of a bot's parameters, in order, from `name=value,...`."""
    values = {parameter.name: parameter.default for parameter in entry.parameters}
    known = {parameter.name: parameter for parameter in entry.parameters}
    for item in filter(None, text.split(",")):
        key, _, value = item.partition("=")
        if key not in known:
            raise InputError(f"bot {entry.name}: no parameter {key!r}; it has {', '.join(known) or 'none'}")
        values[key] = _number(f"bot {entry.name}: {key}", value, known[key].low, known[key].high)
    return tuple(values.values())


def _number(where: str, text: str, low: float, high: float) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not low <= value <= high:
        raise InputError(f"{where} is {text!r}: a number from {low:g} to {high:g} is needed")
    return value


def _mix_of(text: str, rest: str) -> MixBot:
    """`mix:call=2,raise=1` (weights), `mix:call,raise` (equal weights); members have their default parameters."""
    members: list[RuleBot | PythonBot] = []
    weights = []
    for item in filter(None, rest.split(",")):
        name, _, weight = item.partition("=")
        member = load_bot(name)
        if isinstance(member, MixBot):
            raise InputError(f"bot {text}: a mix inside a mix is not allowed")
        members.append(member)
        weights.append(_number(f"bot {text}: the weight of {name}", weight or "1", 1e-9, 1e9))
    if not members:
        raise InputError(f"bot {text}: a mix needs bots, such as mix:call=2,raise=1")
    return MixBot(text, tuple(members), tuple(weight / sum(weights) for weight in weights))


def _python_bot_of(text: str) -> PythonBot:
    from luckless.bots.loading import load_python_bot

    return load_python_bot(text)
