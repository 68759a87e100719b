"""The formats by name: which files they are, who reads and who writes them, and what they cannot carry."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from luckless.errors import InputError
from luckless.histories.catalogue import FILE
from luckless.histories.hand_detail import HandDetail
from luckless.histories.names import Books, shared_numbers
from luckless.histories.opening import open_log, text_lines
from luckless.histories.rejects import OnReject, refuse
from luckless.rules.columns import HandColumns
from luckless.rules.game import Game


class HandWriter(Protocol):
    """Writes hands as text, one after the other."""

    def hand(self, hand: HandDetail) -> str:
        """The text of a hand; raises `BadHand` if the format cannot carry it."""

    def closing(self) -> str:
        """What ends the file."""


@dataclass(frozen=True)
class Format:
    """A text format. `lost` says what of a hand it cannot carry."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    read: Callable[[Path, OnReject, Game | None, Books], Iterator[HandColumns]]
    writer: Callable[[Path], HandWriter]
    lost: str


def _read_lines(reader: Any, path: Path) -> Iterator[HandColumns]:
    with open_log(path) as stream:
        yield from reader.read(text_lines(stream))


def _read_phh(path: Path, on_reject: OnReject, game: Game | None, books: Books) -> Iterator[HandColumns]:
    from luckless.histories.phh import PhhReader

    return _read_lines(PhhReader(on_reject, game, books, str(path)), path)


def _write_phh(path: Path) -> HandWriter:
    from luckless.histories.phh_writing import PhhWriter

    return PhhWriter(single=path.suffix == ".phh")


def _read_acpc(path: Path, on_reject: OnReject, game: Game | None, books: Books) -> Iterator[HandColumns]:
    from luckless.histories.acpc import AcpcReader

    with open_log(path) as stream:
        yield from AcpcReader(on_reject, game, str(path), books).read(stream)


def _write_acpc(path: Path) -> HandWriter:
    from luckless.histories.acpc import AcpcWriter

    return AcpcWriter()


def _read_lines_format(path: Path, on_reject: OnReject, game: Game | None, books: Books) -> Iterator[HandColumns]:
    from luckless.histories.one_line import OneLineReader

    return _read_lines(OneLineReader(on_reject, game, books, str(path)), path)


def _write_lines_format(path: Path) -> HandWriter:
    from luckless.histories.one_line import OneLineWriter

    return OneLineWriter()


def _read_pokerstars(path: Path, on_reject: OnReject, game: Game | None, books: Books) -> Iterator[HandColumns]:
    from luckless.histories.pokerstars import PokerStarsReader

    return _read_lines(PokerStarsReader(on_reject, game, books, str(path)), path)


def _write_pokerstars(path: Path) -> HandWriter:
    from luckless.histories.pokerstars_writing import PokerStarsWriter

    return PokerStarsWriter()


def _read_stored(path: Path, books: Books | None) -> Iterator[HandColumns]:
    """Stored hands; with `books`, their players get the numbers that these give."""
    from luckless.histories.store import StoredHands

    for columns in StoredHands.open(path).columns():
        yield columns if books is None else shared_numbers(columns, books, str(path))


FORMATS = {
    format.name: format
    for format in (
        Format(
            "phh",
            "PHH",
            (".phh", ".phhs"),
            _read_phh,
            _write_phh,
            "the name of the game, its rake, and cards that were never dealt",
        ),
        Format(
            "acpc",
            "ACPC log",
            (".log", ".acpc"),
            _read_acpc,
            _write_acpc,
            "deal numbers, stacks that change, antes, rake, decimal places, and cards that were never dealt",
        ),
        Format(
            "lines",
            "one-line notation",
            (".lines", ".line"),
            _read_lines_format,
            _write_lines_format,
            "chips, names, hand and deal numbers, and cards that were never dealt",
        ),
        Format(
            "pokerstars",
            "PokerStars text",
            (".txt",),
            _read_pokerstars,
            _write_pokerstars,
            "the name of the game, caps on bets, deal numbers, fractions of a chip, and cards that were never dealt",
        ),
    )
}
STORED = "stored"
NAMES = (STORED, *FORMATS)


def format_of(path: Path, name: str | None) -> str:
    """The format of a file: the one given, else by the end of its name (.gz apart); a folder is stored hands."""
    if name is not None:
        if name not in NAMES:
            raise InputError(f"no format is called {name!r}; allowed is {', '.join(NAMES)}")
        return name
    suffix = _suffix(path)
    for format in FORMATS.values():
        if suffix in format.suffixes:
            return format.name
    if path.is_dir() or (not suffix and not path.exists()):
        return STORED
    endings = ", ".join(f"{'/'.join(format.suffixes)} ({format.name})" for format in FORMATS.values())
    raise InputError(f"{path}: the format is not clear from the name; known are {endings}, and folders (stored)")


def places_in(path: Path, format: str | None) -> list[Path]:
    """The logs and stores at a place; in a plain folder all files that look like logs, by name."""
    if not path.exists():
        raise InputError(f"there is no file or folder {path}")
    if not path.is_dir() or (path / FILE).is_file() or format == STORED:
        format_of(path, format)  # refuses a name that says no format
        return [path]
    suffixes = {suffix for known in FORMATS.values() for suffix in known.suffixes}
    files = sorted(file for file in path.rglob("*") if _suffix(file) in suffixes and file.is_file())
    if not files:
        raise InputError(f"{path} holds no stored hands and no logs ({', '.join(sorted(suffixes))})")
    return files


def _suffix(file: Path) -> str:
    return file.with_suffix("").suffix if file.suffix == ".gz" else file.suffix


def read_hands(
    path: str | Path,
    *,
    format: str | None = None,
    game: Game | None = None,
    on_reject: OnReject | None = None,
    books: Books | None = None,
) -> Iterator[HandColumns]:
    """The hands of a log or of a folder with stored hands, in batches of one game each, in order.

    Without `on_reject` the first hand that cannot be used ends the reading with an error; with it, bad hands are
    handed over and left out. `game` says what the format leaves open (see `docs/formats.md`). Logs that are read with
    the same `books` share the numbers of their players.
    """
    path = Path(path)
    name = format_of(path, format)
    if name == STORED:
        return _read_stored(path, books)
    return FORMATS[name].read(path, on_reject or refuse(str(path)), game, books or Books())
