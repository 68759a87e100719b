"""The bots that a page may seat: shipped ones by name, solved strategies, and agents of seasons below the folder.

A text from a page is looked up among these and never read as a way to name a bot: no program, file or address can be
reached by it.
"""

from pathlib import Path
from typing import Any, NamedTuple

from luckless.bots.bot import Bot
from luckless.bots.catalogue import FORMS, load_shipped
from luckless.bots.registry import ENTRIES
from luckless.errors import InputError
from luckless.learn.agents import SUFFIX, load_agent
from luckless.web.finding import Finder

SOLVED = {"blueprint": ("limit-hu", "nolimit-hu"), "nash": ("river-hu",)}
"""Bots that play solved games, and which games those are."""

AGENT = "agent:"
MOST_AGENTS = 500


class Opponent(NamedTuple):
    """A bot that can be chosen. `games` are the games it plays, () for every one."""

    name: str
    kind: str
    about: str
    games: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return self._asdict()


def opponents(finder: Finder) -> list[Opponent]:
    """All that can be chosen, solved strategies first."""
    solved = [Opponent(name, "solved", FORMS[name], games) for name, games in SOLVED.items()]
    shipped = [Opponent(entry.name, "shipped", entry.summary) for entry in ENTRIES]
    agents = [Opponent(name, "agent", f"learned in {place}") for name, (place, _) in _agents(finder).items()]
    return [*solved, *reversed(shipped), *agents]


def seat_bot(finder: Finder, name: str) -> Bot:
    """The bot of a name out of `opponents`; refuses every other text."""
    if name in SOLVED or any(entry.name == name for entry in ENTRIES):
        return load_shipped(name)
    known = _agents(finder).get(name) if name.startswith(AGENT) else None
    if known is None:
        raise InputError(f"no bot of this list is called {name!r}: choose one that the page offers")
    return load_agent(known[1], name)


def _agents(finder: Finder) -> dict[str, tuple[str, Path]]:
    """Agents by name, `agent:` and the path of the weights below the folder: their season and their file."""
    found: dict[str, tuple[str, Path]] = {}
    for run in finder.runs():
        if run.kind != "season":
            continue
        for file in sorted((run.path / "agents").glob(f"*{SUFFIX}")):
            if len(found) < MOST_AGENTS and file.is_file() and not file.is_symlink():
                place = f"{run.place}/" if run.place else ""
                found[f"{AGENT}{place}agents/{file.name}"] = (run.place or "this folder", file)
    return found
