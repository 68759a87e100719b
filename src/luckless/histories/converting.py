"""Hands from one format to another: streaming, a bad hand costs only itself, the output is whole or not there."""

import contextlib
import gzip
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from luckless.errors import InputError
from luckless.histories.formats import FORMATS, STORED, format_of, read_hands
from luckless.histories.rejects import BadHand, Reject, RejectFile
from luckless.progress import Progress
from luckless.rules.columns import HandColumns
from luckless.rules.game import Game
from luckless.whole_files import WholeFile, check_free_for_folder, check_writable, whole_folder

REJECTS = ".rejects"


@dataclass
class Conversion:
    """The result of a conversion."""

    source: Path
    target: Path
    hands: int = 0
    rejected: int = 0
    first_reason: str = ""
    rejects: Path | None = None
    """The file with the hands that were left out, if there are any."""
    notes: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON."""
        return {
            "source": str(self.source),
            "target": str(self.target),
            "hands": self.hands,
            "rejected": self.rejected,
            "rejects": str(self.rejects) if self.rejects else None,
            "notes": self.notes,
        }


def convert(
    source: Path,
    target: Path,
    *,
    source_format: str | None = None,
    target_format: str | None = None,
    game: Game | None = None,
    rejects: Path | None = None,
) -> Conversion:
    """Reads hands and writes them in another format (by the ends of the names, or as given).

    A hand that is bad, or that the target cannot carry, is written to the file of rejects (`TARGET.rejects` unless
    given) with its line and the reason. If no hand is left, that is an error and nothing is written.
    """
    from_name, to_name = format_of(source, source_format), format_of(target, target_format)
    done = Conversion(source, target)
    if to_name != STORED:
        done.notes.append(f"{FORMATS[to_name].title} does not carry {FORMATS[to_name].lost}")
    (check_free_for_folder if to_name == STORED else check_writable)(target)
    with RejectFile(rejects or target.with_name(target.name + REJECTS)) as bad:
        columns = _counted(read_hands(source, format=from_name, game=game, on_reject=bad.add))
        if to_name == STORED:
            _store(columns, done, bad)
        else:
            _write_text(columns, to_name, done, bad)
    done.rejected, done.first_reason, done.rejects = bad.count, bad.first_reason, bad.path
    return done


def _counted(columns: Iterable[HandColumns]) -> Iterator[HandColumns]:
    """The hands, with progress: how many there are shows only at the end."""
    with Progress(None, "hands") as progress:
        for batch in columns:
            yield batch
            progress.advance(len(batch))


def _check_any(done: Conversion, bad: RejectFile) -> None:
    """Refuses a target without hands, as long as it has not taken its name."""
    if not done.hands:
        reason = f"; the first of {bad.count:,} bad ones, {bad.first_reason}" if bad.count else ""
        raise InputError(f"{done.source}: no hand can be written{reason}")


def _store(columns: Iterable[HandColumns], done: Conversion, bad: RejectFile) -> None:
    from luckless.histories.hands_writer import HandsWriter

    with whole_folder(done.target) as folder:
        with HandsWriter.create(folder, done.source) as writer:
            for batch in columns:
                writer.add(batch)
                done.hands += len(batch)
        _check_any(done, bad)


def _write_text(columns: Iterable[HandColumns], format: str, done: Conversion, bad: RejectFile) -> None:
    from luckless.histories.hand_detail import details

    writer = FORMATS[format].writer(done.target)
    with _open_text(done.target, packed=done.target.suffix == ".gz") as stream:
        for batch in columns:
            for hand in details(batch):
                try:
                    stream.write(writer.hand(hand))
                except BadHand as error:
                    bad.add(Reject(f"hand {hand.number}", str(error), ""))
                else:
                    done.hands += 1
        stream.write(writer.closing())
        _check_any(done, bad)


@contextlib.contextmanager
def _open_text(path: Path, packed: bool) -> Iterator[IO[str]]:
    """A text file to write; packed ones carry neither name nor time, so that equal hands make equal files."""
    with WholeFile(path) as raw, contextlib.ExitStack() as stack:
        data: Any = raw
        if packed:
            data = stack.enter_context(gzip.GzipFile("", "wb", 6, raw, mtime=0))
        text = io.TextIOWrapper(data, encoding="utf-8", errors="surrogateescape", newline="\n")
        try:
            yield text
        finally:
            text.detach()  # with what it still held; the file itself is closed by its own rules
