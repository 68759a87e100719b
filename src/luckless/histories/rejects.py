"""Hands that could not be read: each costs only itself, and keeps its place, its reason and its text."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Self

from luckless.errors import InputError


class BadHand(InputError):
    """A hand of a log that cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Reject:
    """A hand that was left out: where it stands ("line 12"), why, and what it says."""

    where: str
    reason: str
    text: str


OnReject = Callable[[Reject], None]


def refuse(source: str) -> OnReject:
    """For callers that want every hand: the first bad one ends the reading."""

    def on_reject(reject: Reject) -> None:
        raise BadHand(f"{source}, {reject.where}: {reject.reason}")

    return on_reject


class RejectFile:
    """A file of rejects, which is made with the first of them and takes its name at the end if all went well."""

    def __init__(self, path: Path) -> None:
        self.count = 0
        self.first_reason = ""
        self._path = path
        self._partial = path.with_name(path.name + ".partial")
        self._file: IO[str] | None = None

    @property
    def path(self) -> Path | None:
        """The file, if there is anything in it."""
        return self._path if self.count else None

    def __enter__(self) -> Self:
        return self

    def add(self, reject: Reject) -> None:
        """Writes a hand that is left out: a comment with its place and the reason, then the hand itself."""
        note = f"{reject.where}: {' '.join(reject.reason.split())}"
        if self._file is None:
            self.first_reason = note
            self._file = self._partial.open("w", encoding="utf-8", errors="surrogateescape")
        self.count += 1
        self._file.write(f"# {note}\n{reject.text}\n" if reject.text else f"# {note}\n")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._file is None:
            return
        self._file.close()
        if kind is None:
            self._partial.rename(self._path)
        else:
            self._partial.unlink()
