"""Where agents come from: learners and frozen clones of `learn`, baselines of the shipped bots.

The season asks here and nowhere else, and torch is loaded only when a learner is needed.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from luckless.bots.bot import Bot
from luckless.bots.catalogue import load_shipped
from luckless.bots.clocks import Clocks
from luckless.bots.rule_bot import RuleBot
from luckless.errors import InputError
from luckless.learn.learner import Learner
from luckless.rules.game import Game


def check_learner(kind: str, settings: Mapping[str, Any]) -> None:
    """Refuses an unknown kind of learner or setting."""
    from luckless.learn.agents import settings_of

    settings_of(kind, settings)


def effort_of(kind: str, settings: Mapping[str, Any]) -> float:
    """About how often a decision goes through a network while it is learned from; to be played it goes once."""
    from luckless.learn.agents import settings_of

    return settings_of(kind, settings).effort


def start_learner(kind: str, settings: Mapping[str, Any], seed: int) -> Learner:
    """A learner that knows nothing yet."""
    from luckless.learn.agents import new_learner, settings_of

    return new_learner(settings_of(kind, settings), seed)


def continue_learner(path: Path) -> Learner:
    """A learner as it was when it was written."""
    from luckless.learn.agents import read_learner

    return read_learner(path)


def frozen_clone(path: Path, name: str, sha256: str) -> Bot:
    """The bot of a frozen clone; its weights must be those that were frozen, to the bit."""
    try:
        checksum = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise InputError(f"the weights of {name} cannot be read: {path}: {error.strerror}") from None
    if checksum != sha256:
        raise InputError(f"the weights of {name} have changed since it was frozen: {path} is another file now")
    from luckless.learn.agents import load_agent

    return load_agent(path, name)


def baseline(text: str, game: Game | None = None) -> Bot:
    """A shipped bot as a teacher; nothing else is loaded, for a season's file may come from anywhere.

    `blueprint` is one too, in the games that it was made for: with a game, others are refused.
    """
    bot = load_shipped(text)
    if not isinstance(bot, RuleBot) and text != "blueprint":
        raise InputError("only shipped bots can be teachers from the start; `luckless bots` lists them")
    if game is not None:
        bot.start(game, Clocks(0.0))
    return bot
