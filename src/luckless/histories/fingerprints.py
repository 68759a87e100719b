"""What bots of a stored match were: their parameters, and a checksum of the code or weights that played."""

import hashlib
import inspect
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import luckless.bots
from luckless.bots.bot import Bot, MixBot, PythonBot, RuleBot


def describe_bot(bot: Bot) -> dict[str, Any]:
    """A bot as the catalogue keeps it."""
    return {"name": bot.name, "parameters": _parameters(bot), "code_sha256": _digest(bot)}


def _parameters(bot: Bot) -> Any:
    if isinstance(bot, MixBot):
        return {"members": [member.name for member in bot.members], "weights": list(bot.weights)}
    return list(bot.parameters) if isinstance(bot, RuleBot) else []


def _digest(bot: Bot) -> str:
    """One checksum of all that decides how a bot plays, as far as files say it; empty for a program elsewhere."""
    if isinstance(bot, MixBot):
        return _sum(member_digest.encode() for member_digest in map(_digest, bot.members))
    if isinstance(bot, RuleBot):
        sources = sorted(Path(luckless.bots.__path__[0]).glob("*.py"))
        return _sum(source.read_bytes() for source in sources)
    contents = [path.read_bytes() for path in _named_files(bot.name)]
    if isinstance(bot, PythonBot):
        contents += _of_player(bot.player)
    return _sum(contents) if contents else ""


def _named_files(name: str) -> list[Path]:
    """The files that a bot's name mentions: `my_bot.py:MyBot`, `exec:python3 my_bot.py --fast`."""
    paths = (Path(word) for word in re.split(r"[\s:]", name) if word)
    return [path for path in paths if path.is_file()]


def _of_player(player: Any) -> list[bytes]:
    """The source of a Python bot, and the weights of one that has a method `fingerprint()`."""
    contents = []
    try:
        source = inspect.getsourcefile(type(player))
        contents.append(Path(source or "").read_bytes())
    except (OSError, TypeError):  # a class made on the fly has no file
        pass
    if callable(fingerprint := getattr(player, "fingerprint", None)):
        contents.append(str(fingerprint()).encode())
    return contents


def _sum(contents: Iterable[bytes]) -> str:
    parts = [hashlib.sha256(content).digest() for content in contents]
    return hashlib.sha256(b"".join(parts)).hexdigest()
