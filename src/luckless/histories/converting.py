"""Hands from one format to another: streaming, a bad hand costs only itself, the output is whole or not there."""

import contextlib
import gzip
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from luckless.errors import InputError
from luckless.histories.formats import FORMATS, STORED, format_of, places_in, read_hands
from luckless.histories.names import Books, too_many_players
from luckless.histories.rejects import BadHand, LeftOut, Reject, RejectFile, whole_or_told, won_in
from luckless.progress import Progress
from luckless.rules.columns import HandColumns
from luckless.rules.game import Game
from luckless.whole_files import WholeFile, check_free_for_folder, check_writable, whole_folder

if TYPE_CHECKING:
    from luckless.histories.hands_writer import HandsWriter

REJECTS = ".rejects"


@dataclass
class Conversion:
    """The result of a conversion."""

    sources: list[Path]
    target: Path
    files: int = 0
    """Logs and stores that were read."""
    left_out: LeftOut = field(default_factory=LeftOut)
    rejects: Path | None = None
    """The file with the hands that were left out, if there are any."""
    notes: list[str] = field(default_factory=list)

    @property
    def hands(self) -> int:
        """Hands that were written."""
        return self.left_out.hands

    @property
    def rejected(self) -> int:
        """Hands that were left out."""
        return self.left_out.rejected

    @property
    def first_reason(self) -> str:
        """Where the first hand that was left out stands, and why it was."""
        return self.left_out.first_reason

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON."""
        sources = list(map(str, self.sources))
        return {
            "source": sources[0] if len(sources) == 1 else sources,
            "target": str(self.target),
            "files": self.files,
            "hands": self.hands,
            **self.left_out.to_dict(),
            "rejects": str(self.rejects) if self.rejects else None,
            "notes": self.notes,
        }


def convert(
    source: Path | Sequence[Path],
    target: Path,
    *,
    source_format: str | None = None,
    target_format: str | None = None,
    game: Game | None = None,
    rejects: Path | None = None,
    append: bool = False,
) -> Conversion:
    """Reads hands of logs, stores and folders of them, and writes them in another format.

    Formats follow from the ends of the names unless they are given. A hand that is bad, or that the target cannot
    carry, is written to the file of rejects (`TARGET.rejects` unless given) with its line and the reason. If no hand
    is left, that is an error and only the rejects are written. With `append` the hands are added to a store.
    """
    done = Conversion([source] if isinstance(source, Path) else list(source), target)
    if not done.sources:
        raise InputError("no file and no folder is given to convert")
    paths = [path for one in done.sources for path in places_in(one, source_format)]
    done.files = len(paths)
    to_name = format_of(target, target_format)
    if to_name != STORED:
        done.notes.append(f"{FORMATS[to_name].title} does not carry {FORMATS[to_name].lost}")
    _check_target(target, to_name, append)
    with RejectFile(rejects or target.with_name(target.name + REJECTS), keep=True) as bad:
        reading, done.left_out = _Reading(paths, source_format, game, bad), bad.left_out
        if to_name == STORED:
            _store(reading, done, append)
        else:
            _write_text(reading, to_name, done)
    done.rejects = bad.path
    if strange := too_many_players(reading.players, done.hands):
        done.notes.append(strange)
    return done


def _check_target(target: Path, format: str, append: bool) -> None:
    if append and format != STORED:
        raise InputError(f"{target}: hands are appended to a folder with stored hands only")
    if append and not target.is_dir():
        raise InputError(f"{target}: there is no store to append to")
    if not append:
        (check_free_for_folder if format == STORED else check_writable)(target)


@dataclass
class _Reading:
    """What is read, and what becomes of hands that are left out."""

    paths: list[Path]
    format: str | None
    game: Game | None
    bad: RejectFile
    players: int = 0

    def batches(self, books: Books) -> Iterator[HandColumns]:
        """The hands of all paths, with progress: how many there are shows only at the end."""
        with Progress(None, "hands") as progress:
            for path in self.paths:
                several = len(self.paths) > 1
                said = partial(self._reject, f"{path}, " if several else "")
                hands = read_hands(path, format=self.format, game=self.game, on_reject=said, books=books)
                for batch in whole_or_told(path, hands, said) if several else hands:
                    self.bad.left_out.use(batch)
                    yield batch
                    progress.advance(len(batch))
        self.players = len(books.players)

    def _reject(self, file: str, reject: Reject) -> None:
        self.bad.add(replace(reject, where=f"{file}{reject.where}"))

    def check_any(self) -> None:
        """Refuses a target without hands, as long as it has not taken its name."""
        if not self.bad.left_out.hands:
            source = self.paths[0] if len(self.paths) == 1 else f"{len(self.paths):,} files"
            bad = self.bad
            bad_ones = f"the first of {bad.count:,} bad ones" if bad.count else "the first file"
            reason = f"; {bad_ones}, {bad.first_reason} (all: {bad.path})" if bad.left_out else ""
            raise InputError(f"{source}: no hand can be written{reason}")


def _store(reading: _Reading, done: Conversion, append: bool) -> None:
    from luckless.histories.hands_writer import HandsWriter

    if append:
        with HandsWriter.append(done.target) as writer:
            _add_all(reading, writer)
        return
    with whole_folder(done.target) as folder, HandsWriter.create(folder, done.sources[0]) as writer:
        _add_all(reading, writer)


def _add_all(reading: _Reading, writer: "HandsWriter") -> None:
    for batch in reading.batches(writer.books):
        writer.add(batch)
    reading.check_any()


def _write_text(reading: _Reading, format: str, done: Conversion) -> None:
    from luckless.histories.hand_detail import details

    writer = FORMATS[format].writer(done.target)
    with _open_text(done.target, packed=done.target.suffix == ".gz") as stream:
        for batch in reading.batches(Books()):
            for row, hand in enumerate(details(batch)):
                try:
                    stream.write(writer.hand(hand))
                except BadHand as error:
                    reject = Reject(f"hand {hand.number}", str(error), "", won=won_in(batch, row))
                    reading.bad.add(reject, was_used=True)
        stream.write(writer.closing())
        reading.check_any()


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
