"""Jobs as bytes for other machines: bots travel by what they are made of, not by the path where that lies here.

A bot of a file, an agent or a blueprint takes its files along, named by the digest of their contents. A program must
exist on the other machine. There the bot must have the same fingerprint as here, so that it plays the same.
"""

import hashlib
import io
import pickle
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from luckless.bots.bot import Bot
from luckless.bots.catalogue import load_bot
from luckless.bots.fingerprints import named_files, python_files
from luckless.errors import InputError
from luckless.hands.table_file import cache_folder
from luckless.whole_files import write_bytes

STAYS = {"acpc": "listens on a port of this machine", "chat": "counts its costs here", "person": "sits here"}
"""Bots that cannot travel, by the word before the first colon, and why."""


@dataclass(frozen=True)
class PackedBot:
    """A bot on its way: how it is written, and the files that the words of that text name."""

    spec: str
    name: str
    fingerprint: str
    files: tuple[tuple[str, str, bytes], ...] = ()
    """The word of the text that stands for the first file (empty for others), the file's name, its contents."""

    @property
    def digest(self) -> str:
        """What the folder of its files is called."""
        whole = hashlib.sha256()
        for _, name, data in self.files:
            whole.update(f"{name} {len(data)} ".encode() + data)
        return whole.hexdigest()


def packed(bot: Bot) -> PackedBot:
    """A bot with all that it needs elsewhere; refused if it is made of more than files and words."""
    kind = bot.spec.partition(":")[0]
    if kind in STAYS:
        raise InputError(f"bot {bot.name} cannot play on other machines: it {STAYS[kind]}")
    try:
        same = load_bot(bot.spec).fingerprint() == bot.fingerprint()
    except InputError:
        same = False
    if not same:
        raise InputError(f"bot {bot.name} cannot play on other machines: it cannot be loaded again as {bot.spec!r}")
    return PackedBot(bot.spec, bot.name, bot.fingerprint(), tuple(_files(bot.spec, kind)))


def _files(spec: str, kind: str) -> list[tuple[str, str, bytes]]:
    """The files that a bot's text names, Python files with those that they import from their folder."""
    if kind in ("exec", "http", "https"):
        return []
    if kind == "agent":
        from luckless.learn.agents import agent_path

        return [(spec.partition(":")[2], "agent.safetensors", agent_path(spec).read_bytes())]
    found = []
    for path in named_files(spec):
        if path.suffix != ".py":
            found.append((str(path), path.name, path.read_bytes()))
            continue
        folder = path.resolve().parent
        for place, file in enumerate(python_files(path)):
            found.append((str(path) if place == 0 else "", str(file.relative_to(folder)), file.read_bytes()))
    return found


def unpacked(bot: PackedBot) -> Bot:
    """The bot on the machine where it is to play."""
    spec = bot.spec
    if bot.files:
        folder = cache_folder() / "cargo" / bot.digest
        for word, name, data in bot.files:
            path = folder / name
            if not path.is_file() or path.read_bytes() != data:
                path.parent.mkdir(parents=True, exist_ok=True)
                write_bytes(path, data)
            if word:
                spec = spec.replace(word, str(path))
    try:
        loaded = load_bot(spec)
    except InputError as error:
        raise InputError(f"machine {socket.gethostname()}: {error}") from None
    if loaded.fingerprint() != bot.fingerprint:
        raise InputError(f"machine {socket.gethostname()}: bot {bot.name} is not the same there as here")
    loaded.name, loaded.spec = bot.name, bot.spec
    return loaded


class _Packer(pickle.Pickler):
    def reducer_override(self, value: Any) -> Any:
        return (unpacked, (packed(value),)) if isinstance(value, Bot) else NotImplemented


def dumped(value: Any) -> bytes:
    """A job or a piece as bytes."""
    out = io.BytesIO()
    _Packer(out, protocol=5).dump(value)
    return out.getvalue()


def source_digest(folder: Path | None = None) -> str:
    """A digest of the package's source: machines with another one would not play the same."""
    import luckless

    folder = folder or Path(luckless.__file__).parent
    whole = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        whole.update(f"{path.relative_to(folder)} ".encode() + hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()
