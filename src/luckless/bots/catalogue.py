"""The shipped bots by name, each with its rule and its parameters, and how a bot is written on the command line.

`name`, `name:parameter=value,...`, `mix:call=2,pot-odds=1:risk=0.05`, or `file.py:ClassName` for a bot of your own;
`exec:COMMAND`, `acpc:PORT` and `pypoker:file.py:ClassName` for bots from elsewhere; `agent:NAME` or `agent:PATH` for
bots that have learned.
"""

import difflib
from dataclasses import dataclass

from luckless.bots import compiled
from luckless.bots.bot import Bot, MixBot, PythonBot, RuleBot
from luckless.bots.external.loading import LOADERS
from luckless.errors import InputError


@dataclass(frozen=True)
class Parameter:
    """A number that a bot can be given, with its bounds; or one of some words, which is kept as its place."""

    name: str
    default: float
    low: float
    high: float
    meaning: str
    whole: bool = False
    choices: tuple[str, ...] = ()

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


@dataclass(frozen=True)
class Entry:
    """A shipped bot: its name, its rule in words, its parameters in the order of the compiled rule."""

    name: str
    rule: int
    summary: str
    parameters: tuple[Parameter, ...] = ()
    uses_cards: bool = False
    uses_dice: bool = False


def _words(name: str, choices: tuple[str, ...], meaning: str) -> Parameter:
    return Parameter(name, 0, 0, len(choices) - 1, meaning, choices=choices)


_WIN_RATE = (
    _words(
        "win",
        ("exact", "simulate"),
        "The win rate against one opponent: exact (7cHR) or by simulation. Against several it is simulated.",
    ),
    Parameter("samples", 1000, 1, 1e6, "Deals of a simulation.", whole=True),
    _words("lock", ("0", "1"), "In sessions: 1 checks or folds once the blinds to come cannot cost the lead."),
)
_RISK = "How far above the odds it pays: costs up to (1 + risk) times what they allow."
_ODDS = (*_WIN_RATE, Parameter("risk", 0, 0, 10, _RISK))


def _odds_entry(name: str, rule: int, summary: str, parameters: tuple[Parameter, ...] = _ODDS) -> Entry:
    return Entry(name, rule, summary, parameters, uses_cards=True, uses_dice=True)


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
    _odds_entry(
        "threshold",
        compiled.THRESHOLD,
        "Folds to a bet with a win rate below `at`, otherwise checks or calls.",
        (*_WIN_RATE, Parameter("at", 0.5, 0, 1, "The win rate from which on it calls.")),
    ),
    _odds_entry(
        "pot-odds-call",
        compiled.POT_ODDS_CALL,
        "Folds when a call costs more than pot x win rate / (1 - win rate), otherwise checks or calls.",
    ),
    _odds_entry(
        "pot-odds-raise",
        compiled.POT_ODDS_RAISE,
        "As pot-odds-call, but raises whenever a raise costs less than those odds allow: the most that does.",
    ),
    _odds_entry(
        "pot-odds",
        compiled.POT_ODDS,
        "As pot-odds-raise, but raises only with a win rate above 0.5.",
    ),
    _odds_entry(
        "pot-odds-mixed",
        compiled.POT_ODDS_MIXED,
        "As pot-odds, but the cost of a raise is drawn uniformly between (1 - conserve) and (1 + risk) times what "
        "the odds allow.",
        (
            *_WIN_RATE,
            Parameter("risk", 0.05, 0, 10, _RISK),
            Parameter("preflop", 1, 0, 1, "Conserve factor before the flop."),
            Parameter("flop", 0.8, 0, 1, "Conserve factor on the flop."),
            Parameter("turn", 0.4, 0, 1, "Conserve factor on the turn."),
            Parameter("river", 0.1, 0, 1, "Conserve factor on the river."),
        ),
    ),
    _odds_entry(
        "sklansky",
        compiled.SKLANSKY,
        "Before the flop plays by the starting-hand groups of Sklansky and Malmuth: groups 1 and 2 raise by the pot "
        "(against a raise only group 1 does), others up to the loosest call, the rest checks or folds. Then as "
        "pot-odds.",
        (
            *_WIN_RATE,
            Parameter(
                "group", 8, 1, 9, "The loosest group it plays in a pot nobody has raised; 9 is any hand.", True
            ),
            Parameter("raised", 4, 1, 9, "The loosest group it plays against a raise; 9 is any hand.", True),
        ),
    ),
    Entry(
        "value-bet",
        compiled.VALUE_BET,
        "The baseline of DIVAT as a player: the effective rank of its hand says whether it folds to a bet, calls, or "
        "makes one to four bets. Where sizes are free it bets half the pot with a hand worth one bet, else the pot.",
        uses_cards=True,
    ),
)
CATALOGUE = {entry.name: entry for entry in ENTRIES}

FORMS = {
    "mix:BOT=WEIGHT,...": "A random choice among bots, made anew for each hand. mix:call=2,raise=1 plays call in two "
    "of three hands. A member's parameters follow it, each after a colon: mix:call=2,pot-odds=1:risk=0.05:lock=1.",
    "FILE.py:CLASS": "A bot of your own: a class with decide(view, dice) or decide_batch(views, dice).",
    "agent:NAME": "A bot that has learned, by its name in agents/ or runs/, or agent:PATH of its file of weights.",
    "exec:COMMAND": "Any program that speaks our protocol over its standard input and output.",
    "acpc:PORT": "A client of the Annual Computer Poker Competition's protocol that connects to this port.",
    "pypoker:FILE.py:CLASS": "A player written for PyPokerEngine.",
}
"""How bots are written that are not in the catalogue, and what they are."""


def load_bot(text: str) -> Bot:
    """The bot that a text such as `pot-odds:risk=0.05` or `my_bot.py:MyBot` names."""
    name, _, rest = text.partition(":")
    if name == "mix":
        return _mix_of(text, rest)
    if name in LOADERS:
        return LOADERS[name](text)
    return _one_of(text)


def _one_of(text: str) -> RuleBot | PythonBot:
    """A shipped rule or a bot of the user's own."""
    name, _, rest = text.partition(":")
    if name.endswith(".py") or "/" in name:
        return _python_bot_of(text)
    entry = CATALOGUE.get(name)
    if entry is None:
        raise InputError(f"unknown bot {name!r}: {_nearest(name)}")
    return RuleBot(text, entry.rule, _parameters_of(entry, rest), entry.uses_cards, entry.uses_dice)


def _nearest(name: str) -> str:
    near = difflib.get_close_matches(name, [*CATALOGUE, "mix"], n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    return f"{hint}`luckless bots` lists the shipped ones; your own is file.py:ClassName"


def _parameters_of(entry: Entry, text: str) -> tuple[float, ...]:
    """The values of a bot's parameters, in order, from `name=value,...`."""
    values = {parameter.name: parameter.default for parameter in entry.parameters}
    known = {parameter.name: parameter for parameter in entry.parameters}
    for item in filter(None, text.split(",")):
        key, _, written = item.partition("=")
        if key not in known:
            raise InputError(f"bot {entry.name}: no parameter {key!r}; it has {', '.join(known) or 'none'}")
        value = known[key].value_of(written)
        if value is None:
            raise InputError(f"bot {entry.name}: {key} is {written!r}: {known[key].allowed} is needed")
        values[key] = value
    return tuple(values.values())


def _mix_of(text: str, rest: str) -> MixBot:
    """`mix:call=2,raise=1` (weights, 1 if left out); a member's parameters follow it, each after a colon.

    `mix:call=2,pot-odds=1:risk=0.05:win=simulate,my_bot.py:MyBot=3` has three members of weights 2, 1 and 3.
    """
    members = []
    weights = []
    for item in filter(None, rest.split(",")):
        member, weight = _member_of(text, item)
        members.append(member)
        weights.append(weight)
    if not members:
        raise InputError(f"bot {text}: a mix needs bots, such as mix:call=2,raise=1")
    return MixBot(text, tuple(members), tuple(weight / sum(weights) for weight in weights))


def _member_of(mix: str, item: str) -> tuple[RuleBot | PythonBot, float]:
    """A member of a mix and its weight, from `name=weight:parameter=value:...`."""
    head, *parameters = item.split(":")
    if head.endswith(".py") and parameters:
        head = f"{head}:{parameters.pop(0)}"
    name, _, written = head.partition("=")
    if name == "mix" or name in LOADERS:
        raise InputError(f"bot {mix}: {name}: bots cannot be members of a mix")
    weight = Parameter("weight", 1, 1e-9, 1e9, "").value_of(written or "1")
    if weight is None:
        raise InputError(f"bot {mix}: the weight of {name} is {written!r}: a number above 0 is needed")
    text = f"{name}:{','.join(parameters)}" if parameters else name
    return _one_of(text), weight


def _python_bot_of(text: str) -> PythonBot:
    from luckless.bots.loading import load_python_bot

    return load_python_bot(text)
