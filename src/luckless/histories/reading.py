"""Hands from anywhere: logs and stored folders, one or many, read batch by batch when they are needed.

>>> hands = read_hands("logs")                    # a file, a folder of logs, a stored match, or several of them
>>> hands.to_frame("results")                     # one row a seat and hand
"""

import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from luckless.errors import InputError
from luckless.histories.catalogue import FILE
from luckless.histories.formats import FORMATS, STORED, format_of
from luckless.histories.formats import read_hands as read_one
from luckless.histories.rejects import Reject
from luckless.histories.rows import TABLES, played_again
from luckless.rules.columns import HandColumns
from luckless.rules.game import Game
from luckless.shown import frame_of

REJECTS_KEPT = 1000


class Hands:
    """Hands of some places, in order. Iterating reads them anew, in batches of one game each.

    Hands that cannot be used are left out: `rejected` counts them, `rejects` holds the first with file and reason.
    """

    def __init__(self, paths: list[Path], format: str | None, game: Game | None, strict: bool) -> None:
        self.paths = paths
        self.rejected = 0
        self.rejects: list[str] = []
        self._format, self._game, self._strict = format, game, strict
        self._counted: int | None = None

    def __iter__(self) -> Iterator[HandColumns]:
        self.rejected, self.rejects = 0, []
        hands = 0
        for path in self.paths:
            for batch in self._read(path):
                hands += len(batch)
                yield batch
        self._counted = hands
        if self.rejected:
            share = 100 * self.rejected / (hands + self.rejected)
            warnings.warn(
                f"{self.rejected:,} hands ({share:.1f} %) cannot be used and are left out; the rest may be biased. "
                f"The first: {self.rejects[0]}",
                stacklevel=2,
            )

    def _read(self, path: Path) -> Iterator[HandColumns]:
        def note(reject: Reject) -> None:
            self.rejected += 1
            if len(self.rejects) < REJECTS_KEPT:
                self.rejects.append(f"{path}: {reject}")

        return read_one(path, format=self._format, game=self._game, on_reject=None if self._strict else note)

    def __len__(self) -> int:
        if self._counted is None:
            self._counted = sum(map(len, self))
        return self._counted

    def __repr__(self) -> str:
        places = ", ".join(map(str, self.paths[:3])) + (" ..." if len(self.paths) > 3 else "")
        return f"<Hands of {places}>"

    def to_arrow(self, table: str = "results") -> Any:
        """All hands as an Arrow table: `results` (a row a seat and hand), `hands` or `actions`."""
        import pyarrow as pa

        if table not in TABLES:
            raise InputError(f"no table is called {table!r}; allowed is {', '.join(TABLES)}")
        parts = [TABLES[table][1](batch, played_again(batch)) for batch in self]
        if not parts:
            raise InputError("there are no hands to make a table of")
        return pa.concat_tables(parts)

    def to_frame(self, table: str = "results") -> Any:
        """All hands as a pandas data frame; needs the extra `frames`. Tables are those of `to_arrow`."""
        return frame_of(self.to_arrow(table))


def read_hands(
    path: str | Path | Iterable[str | Path],
    *,
    format: str | None = None,
    game: str | Game | None = None,
    strict: bool = False,
) -> Hands:
    """The hands of a log, a folder of logs, a stored match, or several of them.

    The format follows from a file's name unless it is given (phh, acpc, lines, pokerstars). `game` says what a format
    leaves open. With `strict` the first unusable hand is an error; else such hands are counted and left out.
    """
    given = [path] if isinstance(path, str | Path) else list(path)
    paths = [place for one in given for place in _places(Path(one), format)]
    known = Game.load(game) if isinstance(game, str) else game
    return Hands(paths, format, known, strict)


def _places(path: Path, format: str | None) -> list[Path]:
    """The logs and stores at a place; in a plain folder all files that look like logs, by name."""
    if not path.exists():
        raise InputError(f"there is no file or folder {path}")
    if not path.is_dir() or (path / FILE).is_file() or format == STORED:
        format_of(path, format)  # refuses a name that says no format
        return [path]
    suffixes = {suffix for known in FORMATS.values() for suffix in known.suffixes}
    files = sorted(file for file in path.rglob("*") if file.is_file() and _suffix(file) in suffixes)
    if not files:
        raise InputError(f"{path} holds no stored hands and no logs ({', '.join(sorted(suffixes))})")
    return files


def _suffix(file: Path) -> str:
    return file.with_suffix("").suffix if file.suffix == ".gz" else file.suffix
