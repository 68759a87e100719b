"""Every decision of a model, kept as it comes: prompt, answers, tokens, seconds. What is in it is not asked again."""

import json
import threading
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from luckless.errors import InputError
from luckless.plain_json import read_json


@dataclass(frozen=True)
class Entry:
    """One decision: what was asked and answered, and the action, or the fault if no answer could be used."""

    key: str
    prompt: str
    answers: tuple[str, ...]
    action: int | None
    fault: str
    tokens_in: int
    tokens_out: int
    cost: float
    seconds: float
    retries: int


def entry_of(values: Any) -> Entry:
    """The entry of a line; raises `ValueError` for anything else."""
    try:
        entry = Entry(**{**values, "answers": tuple(map(str, values["answers"]))})
        numbers = (entry.tokens_in, entry.tokens_out, entry.cost, entry.seconds, entry.retries)
    except (TypeError, KeyError, AttributeError):
        raise ValueError("not an entry") from None
    whole = entry.action is None or (isinstance(entry.action, int) and not isinstance(entry.action, bool))
    if not whole or not all(isinstance(one, int | float) and one >= 0 for one in numbers):
        raise ValueError("not an entry")
    return entry


class Ledger:
    """Entries by their key, in memory and, if it has a file, on disk as one JSON object a line."""

    def __init__(self, path: Path | None = None) -> None:
        self.entries: dict[str, Entry] = {}
        self._lock = threading.Lock()
        self._path: Path | None = None
        self._cost = 0.0
        if path is not None:
            self.move(path)

    def move(self, path: Path) -> None:
        """Uses a file from now on; what it holds is known, and a last line that a crash has cut off is dropped."""
        self._path = path
        self.entries = {entry.key: entry for entry in read_ledger(path)}
        self._cost = sum(entry.cost for entry in self.entries.values())
        if path.is_file():
            data = path.read_bytes()
            whole = data[: data.rfind(b"\n") + 1]
            if whole != data:
                with path.open("r+b") as file:
                    file.truncate(len(whole))

    def add(self, entry: Entry) -> None:
        """Keeps an entry, on disk before anything else happens."""
        with self._lock:
            self.entries[entry.key] = entry
            self._cost += entry.cost
            if self._path is not None:
                with self._path.open("ab") as file:
                    file.write(json.dumps(asdict(entry), separators=(",", ":")).encode() + b"\n")

    @property
    def cost(self) -> float:
        """Dollars spent so far."""
        with self._lock:
            return self._cost


def ledger_name(place: int) -> str:
    """The file of player number `place` in the folder of a match."""
    return f"chat-{place}.jsonl"


def read_ledger(path: Path) -> list[Entry]:
    """The entries of a file, which may not be there; damage anywhere but in the last line is an error."""
    lines: list[bytes] = []
    with suppress(FileNotFoundError):
        lines = path.read_bytes().split(b"\n")
    entries = []
    for number, line in enumerate(lines[:-1], start=1):
        try:
            entries.append(entry_of(read_json(line)))
        except ValueError:
            raise InputError(f"{path}, line {number}: not a decision of a model") from None
    return entries


def usage(entries: Iterable[Entry]) -> dict[str, Any]:
    """What some decisions took, as plain values for JSON; nothing if there are none."""
    several = list(entries)
    if not several:
        return {}
    seconds = sorted(entry.seconds for entry in several)
    return {
        "decisions": len(several),
        "unusable": sum(bool(entry.fault) for entry in several),
        "retries": sum(entry.retries for entry in several),
        "tokens_in": sum(entry.tokens_in for entry in several),
        "tokens_out": sum(entry.tokens_out for entry in several),
        "cost_usd": round(sum(entry.cost for entry in several), 6),
        "seconds_median": seconds[len(seconds) // 2],
        "seconds_p95": seconds[min(len(seconds) - 1, int(0.95 * len(seconds)))],
    }
