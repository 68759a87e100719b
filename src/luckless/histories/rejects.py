"""Hands that could not be read: each costs only itself, and keeps its place, its reason and its text."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from luckless.errors import InputError
from luckless.whole_files import WholeFile


class BadHand(InputError):
    """A hand of a log that cannot be used; the message says why."""


MOST_REASON = 500
MOST_TEXT = 20_000
"""Characters that are kept of a reason and of the text of a hand: longer ones are no hands."""
MOST_BYTES = 64_000_000
"""How large a file of rejects grows; hands beyond that are only counted."""


@dataclass(frozen=True, slots=True)
class Reject:
    """A hand, or several for one reason, that was left out: where it stands ("line 12"), why, and what it says."""

    where: str
    reason: str
    text: str
    hands: int = 1

    def __post_init__(self) -> None:
        for name, most in (("reason", MOST_REASON), ("text", MOST_TEXT)):
            value = getattr(self, name)
            if len(value) > most:
                object.__setattr__(self, name, f"{value[:most]}... ({len(value) - most:,} more characters)")


OnReject = Callable[[Reject], None]


def refuse(source: str) -> OnReject:
    """For callers that need every hand: the first bad one is an error."""

    def on_reject(reject: Reject) -> None:
        raise BadHand(f"{source}, {reject.where}: {reject.reason}")

    return on_reject


HEADER = "# hands that luckless left out: each with its place and the reason in a comment\n"
"""Begins a file of rejects, and tells it from every other file."""


class RejectFile:
    """A file of rejects, which is made with the first of them and takes its name at the end.

    A file of rejects of an earlier run is replaced, or removed if there is nothing to reject; any other file is left
    alone.
    """

    def __init__(self, path: Path, *, keep: bool = False) -> None:
        """Refuses at once a path that cannot be written or that holds something else.

        With `keep` the file stays when the work ends in an `InputError`: then it says more than the error can.
        """
        self._keep = keep
        self.count = 0
        self.first_reason = ""
        self._path = path
        self._file: WholeFile | None = None
        self._bytes = 0
        self._untold = 0
        self._check()

    def _check(self) -> None:
        folder = self._path.absolute().parent
        if not folder.is_dir():
            raise InputError(f"{self._path}: there is no folder {folder} to write rejected hands to")
        if not os.access(folder, os.W_OK):
            raise InputError(f"{self._path}: rejected hands cannot be written there: permission denied")
        if self._path.exists() and not self._is_ours():
            raise InputError(
                f"{self._path} exists already and is not a file of rejected hands; choose another with --rejects"
            )

    def _is_ours(self) -> bool:
        if not self._path.is_file():
            return False
        with self._path.open("rb") as file:
            return file.read(len(HEADER)) == HEADER.encode()

    @property
    def path(self) -> Path | None:
        """The file, if there is anything in it."""
        return self._path if self.count else None

    def __enter__(self) -> Self:
        return self

    def add(self, reject: Reject) -> None:
        """Writes a hand that is left out: a comment with its place and the reason, then the hand itself."""
        note = f"{reject.where}: {' '.join(reject.reason.split())}"
        self.count += reject.hands
        if self._bytes > MOST_BYTES:
            self._untold += reject.hands
            return
        if self._file is None:
            self.first_reason = note
            self._write(HEADER)
        self._write(f"# {note}\n{reject.text}\n" if reject.text else f"# {note}\n")

    def _write(self, text: str) -> None:
        data = text.encode("utf-8", "surrogateescape")
        try:
            if self._file is None:
                self._file = WholeFile(self._path)
            self._file.file.write(data)
        except OSError as error:
            raise InputError(f"{self._path}: rejected hands cannot be written: {error.strerror}") from None
        self._bytes += len(data)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        whole = kind is None or (self._keep and issubclass(kind, InputError))
        if self._file is not None:
            if whole:
                if self._untold:
                    self._write(f"# {self._untold:,} more hands were left out; this file has no room for them\n")
                self._file.finish()
            else:
                self._file.discard()
        elif whole and self._path.exists():
            self._path.unlink()
