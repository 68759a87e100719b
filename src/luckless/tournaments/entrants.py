"""The bots of a tournament, loaded and looked at before the first hand."""

import copy
from collections.abc import Sequence
from dataclasses import dataclass

from luckless.bots.bot import Bot
from luckless.bots.catalogue import load_bot
from luckless.bots.clocks import Clocks
from luckless.bots.python_bot import PythonBot
from luckless.errors import InputError
from luckless.tournaments.settings import BotEntry, Settings

STAND_IN = "fold"
"""What plays for a bot that cannot be started and loses for it."""


@dataclass(frozen=True)
class Entrants:
    """Bots in their order, no two of one name; those of `absent` could not be started, and `fold` plays for them."""

    bots: tuple[Bot, ...]
    absent: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """What they are called in all results."""
        return tuple(bot.name for bot in self.bots)

    def at_table(self, place: int) -> Bot:
        """A bot as it sits down at a table. Whatever is a Python object may keep something in mind, so a copy of it
        plays: it has seen no other table, and tables may be played in any order and again."""
        bot = self.bots[place]
        if not any(isinstance(member, PythonBot) for member in bot.members):
            return bot
        try:
            return copy.deepcopy(bot)
        except Exception:  # what cannot be copied must forget in its `match_starts`
            return bot

    def place(self, name: str) -> int:
        """The place of a bot by its name."""
        if name not in self.names:
            raise InputError(f"no bot is called {name!r}; there is {', '.join(self.names)}")
        return self.names.index(name)


def load_entrants(settings: Settings, given: Sequence[Bot] = ()) -> Entrants:
    """All bots, or those that are given instead.

    One that cannot be started is refused, or replaced if the settings say that it then loses.
    """
    bots, absent = list(given), []
    for entry in () if given else settings.entries:
        try:
            bot = _loaded(entry)
        except InputError:
            if settings.absent == "refuse":
                raise
            bot = load_bot(STAND_IN)
            bot.name = entry.name or _label(entry.bot)
            absent.append(bot.name)
        bots.append(bot)
    _check_names([bot.name for bot in bots])
    found = Entrants(tuple(bots), tuple(absent))
    for hero in settings.heroes:
        found.place(hero)
    for name in (name for one in settings.printed for name in (one.bot, one.opponent)):
        found.place(name)
    for known in settings.exploitability:
        found.place(known.bot)
    return found


def _loaded(entry: BotEntry) -> Bot:
    bot = load_bot(entry.bot)
    if entry.memory_mb:
        bot.limit_memory(entry.memory_mb)
    if trouble := bot.trouble():
        raise InputError(f"bot {entry.bot}: {trouble}")
    if entry.name:
        bot.name = entry.name
    clocks = (entry.decision_seconds, entry.hand_seconds, entry.match_seconds)
    if any(clocks):
        bot.own_clocks = Clocks(*clocks)
    return bot


def _label(text: str) -> str:
    """The label of `LABEL=BOT`, else the text itself."""
    label, equals, _ = text.partition("=")
    return label if equals and ":" not in label else text


def _check_names(names: Sequence[str]) -> None:
    for place, name in enumerate(names):
        if name in names[:place]:
            raise InputError(f"two bots are called {name!r}; give one of them another name, as LABEL=BOT")
