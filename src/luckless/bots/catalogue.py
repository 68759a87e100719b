"""How a bot is written on the command line, and the bot that is meant.

Shipped bots are `name` or `name:parameter=value,...`, a mix is `mix:call=2,pot-odds=1:risk=0.05`, a bot of your own
`file.py:ClassName[:key=value,...]`. `exec:COMMAND`, `acpc:PORT` and `pypoker:file.py:ClassName` come from elsewhere,
`agent:NAME` and `agent:PATH` have learned, `nash`, `nash:FILE`, `blueprint` and `blueprint:FILE` play solved games.
`LABEL=BOT` gives any of them another name.
"""

import difflib
import re

from luckless.bots.bot import Bot
from luckless.bots.external.loading import LOADERS
from luckless.bots.mix_bot import MixBot
from luckless.bots.parameters import Parameter
from luckless.bots.registry import RULES
from luckless.bots.rule_bot import RuleBot
from luckless.errors import InputError

FORMS = {
    "mix:BOT=WEIGHT,...": "A random choice among bots, made anew for each hand. mix:call=2,raise=1 plays call in two "
    "of three hands. A member's parameters follow it, each after a colon: mix:call=2,pot-odds=1:risk=0.05:lock=1.",
    "FILE.py:CLASS[:KEY=VALUE,...]": "A bot of your own: a class with decide(view, dice), decide_batch(views, dice) "
    "or probabilities(view); what follows the second colon are its parameters.",
    "agent:NAME": "A bot that has learned, by its name in agents/ or runs/, or agent:PATH of its file of weights.",
    "nash": "Plays river-hu and solves each board before its first decision: nobody wins more than 10 mbb/h (0.5 % "
    "of the pot) from it with the bet sizes that it knows. Other sizes are read as those, without that promise.",
    "nash:FILE": "Plays the board of a solution that `luckless solve --save` wrote.",
    "blueprint": "Plays limit-hu and nolimit-hu (200 big blinds) by strategies that were solved in advance and come "
    "with the package: strong, compiled, and its probabilities are known.",
    "blueprint:FILE": "Plays a blueprint of your own, which `luckless solve limit-hu --save` wrote.",
    "blueprint:resolve=river": "Plays the blueprint up to the river, and solves that exactly when it gets there; "
    "also blueprint:FILE,resolve=river.",
    "exec:COMMAND": "Any program that speaks our protocol over its standard input and output.",
    "acpc:PORT": "A client of the Annual Computer Poker Competition's protocol that connects to this port.",
    "pypoker:FILE.py:CLASS": "A player written for PyPokerEngine.",
    "http:URL": "A bot behind a server that is asked by JSON requests, such as http://localhost:8000/bot.",
    "chat:CONFIG.toml": "A language model behind a server with the chat-completions interface.",
    "LABEL=BOT": "Any bot under another name: strong=pot-odds:risk=0.05.",
}
"""How bots are written that are not in the catalogue, and what they are."""


_LABEL = re.compile(r"([^\s:=/\\][^:=/\\]{0,59})=(.+)", re.DOTALL)
"""A label is at most 60 characters without colon, equals sign and slashes, before the first equals sign."""


def load_bot(text: str) -> Bot:
    """The bot that a text such as `pot-odds:risk=0.05`, `my_bot.py:MyBot` or `LABEL=BOT` names."""
    labelled = _LABEL.fullmatch(text)
    if labelled is None:
        return _bot_of(text)
    label, spec = labelled.groups()
    if not label.isprintable():
        raise InputError(f"bot {text!r}: the label {label!r} has characters that cannot be printed")
    bot = _bot_of(spec)
    bot.name = label
    return bot


def load_shipped(text: str) -> Bot:
    """The bot that an untrusted text names, if it came with the package: nothing is imported, started or read."""
    foreign = foreign_code(text)
    if foreign:
        raise InputError(f"{text!r} is not a shipped bot: it {foreign}")
    return load_bot(text)


def foreign_code(text: str) -> str:
    """What a bot runs that did not come with the package, such as "imports my_bot.py"; "" for shipped bots.

    The text is only looked at, never loaded. A mix is shipped if all its members are.
    """
    labelled = _LABEL.fullmatch(text)
    spec = text if labelled is None else labelled[2]
    name, _, rest = spec.partition(":")
    if name == "mix":
        return ", ".join(filter(None, map(_foreign_one, filter(None, rest.split(",")))))
    return _foreign_one(spec)


_FOREIGN = {
    "exec": "starts the program {}",
    "acpc": "listens for a program on port {}",
    "pypoker": "imports {}",
    "agent": "reads the weights of {}",
    "nash": "reads the solution {}",
    "blueprint": "reads the blueprint {}",
    "http": "asks the server {}",
    "https": "asks the server {}",
    "chat": "asks the model of {}",
}
_PLAIN_WORD = re.compile(r"[A-Za-z0-9_-]*")


def _foreign_one(spec: str) -> str:
    """What one bot, or one member of a mix, runs. Plain words run nothing: they are shipped bots, or none."""
    name, _, rest = spec.partition(":")
    if spec in ("nash", "blueprint", "blueprint:resolve=river"):
        return ""
    if name in _FOREIGN:
        return _FOREIGN[name].format(rest)
    return "" if _PLAIN_WORD.fullmatch(name.partition("=")[0]) else f"imports {name}"


def _bot_of(text: str) -> Bot:
    name, _, rest = text.partition(":")
    if name == "mix":
        return _mix_of(text, rest)
    if name in LOADERS:
        return LOADERS[name](text)
    return _one_of(text)


def _one_of(text: str) -> Bot:
    """A shipped rule or a bot of the user's own."""
    name = text.partition(":")[0]
    if name.endswith(".py") or "/" in name:
        from luckless.bots.loading import load_python_bot

        return load_python_bot(text)
    if name == "person":
        raise InputError("a person is not a bot that can be loaded: `luckless sit` seats one")
    if name not in RULES:
        raise InputError(f"unknown bot {name!r}: {_nearest(name)}")
    return RuleBot.of(text)


def _nearest(name: str) -> str:
    near = difflib.get_close_matches(name, [*RULES, "mix"], n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    return f"{hint}`luckless bots` lists the shipped ones; your own is file.py:ClassName"


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


def _member_of(mix: str, item: str) -> tuple[Bot, float]:
    """A member of a mix and its weight, from `name=weight:parameter=value:...`."""
    head, *parameters = item.split(":")
    if head.endswith(".py") and parameters:
        head = f"{head}:{parameters.pop(0)}"
    name, _, written = head.partition("=")
    if name == "mix" or name in LOADERS:
        raise InputError(f"bot {mix}: {name} bots cannot be members of a mix")
    weight = Parameter("weight", 1, 1e-9, 1e9, "").value_of(written or "1")
    if weight is None:
        raise InputError(f"bot {mix}: the weight of {name} is {written!r}; allowed is a number above 0")
    text = f"{name}:{','.join(parameters)}" if parameters else name
    return _one_of(text), weight
