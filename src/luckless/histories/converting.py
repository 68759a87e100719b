"""Hands from one format to another: streaming, a bad hand costs only itself, the output is whole or not there."""

import contextlib
import gzip
import io
import os
import shutil
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

PARTIAL = ".partial"
REJECTS = ".rejects"


@dataclass
class Conversion:
    """What came of a conversion."""

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
    _check_target(target)
    bad = RejectFile(rejects or target.with_name(target.name + REJECTS))
    with bad, _replacing(target) as partial:
        columns = _counted(read_hands(source, format=from_name, game=game, on_reject=bad.add))
        if to_name == STORED:
            _store(columns, partial, done)
        else:
            _write_text(columns, partial, to_name, done, bad)
        if not done.hands:
            reason = f"; the first of {bad.count:,} bad ones, {bad.first_reason}" if bad.count else ""
            raise InputError(f"{source}: there is no hand to write{reason}")
    done.rejected, done.first_reason, done.rejects = bad.count, bad.first_reason, bad.path
    return done


def _counted(columns: Iterable[HandColumns]) -> Iterator[HandColumns]:
    """The hands, with progress: how many there are shows only at the end."""
    with Progress(None, "hands") as progress:
        for batch in columns:
            yield batch
            progress.advance(len(batch))


def _check_target(target: Path) -> None:
    if not target.absolute().parent.is_dir():
        raise InputError(f"{target}: there is no folder {target.absolute().parent} to write it to")
    if target.is_dir() and any(target.iterdir()):
        raise InputError(f"{target} is there already and is not empty; choose a new folder")
    if target.exists() and not (target.is_file() or target.is_dir()):
        raise InputError(f"{target} is no ordinary file and would be replaced by one; choose another name")
    if not os.access(target.absolute().parent, os.W_OK):
        raise InputError(f"{target} cannot be written: permission denied")


@contextlib.contextmanager
def _replacing(target: Path) -> Iterator[Path]:
    """A place beside the target to write to, which takes the target's name when all went well."""
    partial = target.with_name(target.name + PARTIAL)
    _remove(partial)
    try:
        yield partial
        if target.is_dir():
            target.rmdir()
        partial.rename(target)
    except OSError as error:
        if error.errno is not None and error.filename is None:  # a full disk does not say where
            error.filename = str(target)
        raise
    finally:
        _remove(partial)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _store(columns: Iterable[HandColumns], folder: Path, done: Conversion) -> None:
    from luckless.histories.hands_writer import HandsWriter

    with HandsWriter.create(folder, done.source) as writer:
        for batch in columns:
            writer.add(batch)
            done.hands += len(batch)


def _write_text(
    columns: Iterable[HandColumns], partial: Path, format: str, done: Conversion, bad: RejectFile
) -> None:
    from luckless.histories.hand_detail import details

    writer = FORMATS[format].writer(done.target)
    with _open_text(partial, packed=done.target.suffix == ".gz") as stream:
        for batch in columns:
            for hand in details(batch):
                try:
                    stream.write(writer.hand(hand))
                except BadHand as error:
                    bad.add(Reject(f"hand {hand.number}", str(error), ""))
                else:
                    done.hands += 1
        stream.write(writer.closing())


@contextlib.contextmanager
def _open_text(path: Path, packed: bool) -> Iterator[IO[str]]:
    """A text file to write; packed ones carry neither name nor time, so that equal hands make equal files."""
    with path.open("wb") as raw, contextlib.ExitStack() as stack:
        data: Any = raw
        if packed:
            data = stack.enter_context(gzip.GzipFile("", "wb", 6, raw, mtime=0))
        with io.TextIOWrapper(data, encoding="utf-8", errors="surrogateescape", newline="\n") as text:
            yield text
