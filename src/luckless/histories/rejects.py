"""Hands that could not be read: each costs only itself, and keeps its place, its reason and its text."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from luckless.counted import counted
from luckless.errors import InputError
from luckless.rules.columns import HandColumns
from luckless.whole_files import WholeFile


class BadHand(InputError):
    """A hand of a log that cannot be used; the message says why."""


class NoRoom(InputError):
    """Rejected hands cannot be written down, so that the work must end."""


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
    won: float | None = None
    """What the winners of the hand won, in units of the source, if that can be known."""
    whole_file: bool = False
    """Whether the rest of a file could not be read: then nobody knows how many hands there were."""

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


@dataclass
class LeftOut:
    """Counts hands that were used and hands that were left out, and what was won in them.

    What winners won is counted in units of the source (dollars, chips): what is left out is often the biggest pots.
    """

    hands: int = 0
    won: float = 0.0
    rejected: int = 0
    rejected_won: float = 0.0
    unknown: int = 0
    """Rejected hands of which nobody knows what was won."""
    unread: int = 0
    """Files that could not be read, or not to their end; how many hands that cost nobody knows."""
    first_unread: str = ""
    first_reason: str = ""

    def use(self, columns: HandColumns) -> None:
        """Counts hands that are used."""
        self.hands += len(columns)
        self.won += won_in(columns)

    def __bool__(self) -> bool:
        """Whether anything was left out."""
        return bool(self.rejected or self.unread)

    def reject(self, reject: Reject, where: str = "") -> None:
        """Counts what was left out; `where` names its file."""
        if not self:
            self.first_reason = f"{where}{reject.where}: {' '.join(reject.reason.split())}"
        self.rejected += reject.hands
        if reject.whole_file:
            self.unread += 1
            self.first_unread = self.first_unread or f"{where}{reject.where}: {reject.reason}"
        if reject.won is None:
            self.unknown += reject.hands
        else:
            self.rejected_won += reject.won

    def drop(self, reject: Reject, where: str = "") -> None:
        """Counts hands as left out that were counted as used before."""
        self.hands -= reject.hands
        self.won -= reject.won or 0.0
        self.reject(reject, where)

    @property
    def share(self) -> float:
        """The share of hands that were left out."""
        return self.rejected / max(self.hands + self.rejected, 1)

    @property
    def won_share(self) -> float | None:
        """The share of what was won that was left out, as far as it is known."""
        total = self.won + self.rejected_won
        if not self.rejected:
            return 0.0
        return self.rejected_won / total if total > 0 and self.rejected > self.unknown else None

    def sentence(self) -> str:
        """What was left out, in words; nothing if all was used."""
        if not self:
            return ""
        parts = [self._hands_left_out()] if self.rejected else []
        if self.unread:
            parts.append(f"{counted(self.unread, 'file')} could not be read, or not to the end")
        return f"left out: {'; '.join(parts)}; if such hands are not like the others, results of the rest are biased"

    def _hands_left_out(self) -> str:
        chips = "of the chips won in them nothing is known"
        if self.won_share is not None:
            chips = f"{100 * self.won_share:.1f} % of the chips won"
            chips += f" ({counted(self.unknown, 'hand')} not counted: theirs are unknown)" if self.unknown else ""
        all_hands = counted(self.hands + self.rejected, "hand")
        return f"{self.rejected:,} of {all_hands} ({100 * self.share:.1f} %), {chips}"

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON."""
        return {
            "rejected": self.rejected,
            "rejected_share": self.share,
            "rejected_won_share": self.won_share,
            "unread_files": self.unread,
        }


def whole_or_told(path: Path, batches: Iterator[HandColumns], on_reject: OnReject) -> Iterator[HandColumns]:
    """The hands of one file of several, as far as it can be read; else `on_reject` hears why."""
    hands = 0
    try:
        for batch in batches:
            hands += len(batch)
            yield batch
    except NoRoom:
        raise
    except InputError as error:
        where = f"not read to its end, {counted(hands, 'hand')} are used" if hands else "not read"
        on_reject(Reject(where, str(error).removeprefix(f"{path}: "), "", hands=0, whole_file=True))


def won_in(columns: HandColumns, rows: Any = slice(None)) -> float:
    """What the winners of hands won, in units of their source."""
    values = columns.values()[rows]
    return float(values[values > 0].sum()) / columns.scale


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
        self.left_out = LeftOut()
        """What was used and what is in the file, counted."""
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
    def count(self) -> int:
        """Hands in the file."""
        return self.left_out.rejected

    @property
    def first_reason(self) -> str:
        """Where the first hand stands, and why it was left out."""
        return self.left_out.first_reason

    @property
    def path(self) -> Path | None:
        """The file, if there is anything in it."""
        return self._path if self.left_out else None

    def __enter__(self) -> Self:
        return self

    def add(self, reject: Reject, *, was_used: bool = False) -> None:
        """Writes a hand that is left out: a comment with its place and the reason, then the hand itself.

        `was_used` is for hands that have been counted as used before.
        """
        note = f"{reject.where}: {' '.join(reject.reason.split())}"
        (self.left_out.drop if was_used else self.left_out.reject)(reject)
        if self._bytes > MOST_BYTES:
            self._untold += reject.hands
            return
        if self._file is None:
            self._write(HEADER)
        self._write(f"# {note}\n{reject.text}\n" if reject.text else f"# {note}\n")

    def _write(self, text: str) -> None:
        data = text.encode("utf-8", "surrogateescape")
        try:
            if self._file is None:
                self._file = WholeFile(self._path)
            self._file.file.write(data)
        except OSError as error:
            raise NoRoom(f"{self._path}: rejected hands cannot be written: {error.strerror}") from None
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
            Path(os.path.realpath(self._path)).unlink()  # a symbolic link stays
