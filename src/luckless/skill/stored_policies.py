"""The policies of players whose bots a stored match names: they are known without asking.

A store may come from anybody, so only bots that came with the package are loaded, and only if they play as they did.
"""

from collections.abc import Iterable
from pathlib import Path

from luckless.bots.bot import Bot
from luckless.bots.catalogue import foreign_code, load_shipped
from luckless.errors import InputError
from luckless.histories.store import StoredHands
from luckless.matches.settings import player_names


def stored_policies(paths: Iterable[Path]) -> dict[str, Bot]:
    """By name the shipped bots that played the stored matches and sessions among some places.

    A player who was another bot in another match has no policy here.
    """
    found: dict[str, set[str]] = {}
    for path in paths:
        for name, spec in _specs(path).items():
            found.setdefault(name, set()).add(spec)
    return {name: load_shipped(*specs) for name, specs in found.items() if len(specs) == 1 and "" not in specs}


def _specs(path: Path) -> dict[str, str]:
    """Each player of a stored match or session and the bot behind it; empty text where it cannot be taken."""
    if not path.is_dir():
        return {}
    try:
        stored = StoredHands.open(path)
    except InputError:
        return {}
    if not (stored.is_match or stored.is_session):
        return {}
    names = player_names([bot["name"] for bot in stored.bots])
    return {
        name: _usable(bot["parameters"]["spec"], bot["code_sha256"])
        for name, bot in zip(names, stored.bots, strict=True)
    }


def _usable(spec: str, played: str) -> str:
    """The spec of a shipped bot that still plays as it did, else an empty text."""
    if foreign_code(spec):
        return ""
    try:
        return spec if load_shipped(spec).fingerprint() == played else ""
    except InputError:
        return ""
