"""Hands from anywhere: logs and stored folders, one or many, read batch by batch when they are needed.

>>> hands = read_hands("logs")                    # a file, a folder of logs, a stored match, or several of them
>>> hands.to_frame("results")                     # one row a seat and hand
"""

import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from luckless.errors import InputError
from luckless.histories.formats import places_in
from luckless.histories.formats import read_hands as read_one
from luckless.histories.given_text import GivenText, is_text
from luckless.histories.names import Books, too_many_players
from luckless.histories.regrouping import regrouped
from luckless.histories.rejects import LeftOut, Reject, whole_or_told
from luckless.histories.rows import SORTED_BY, TABLES, played_again
from luckless.rules.columns import HandColumns, join
from luckless.rules.game import Game
from luckless.shown import frame_of

REJECTS_KEPT = 1000


class Hands:
    """Hands of some places, in order. Nothing is kept: each use reads them again, one batch at a time.

    `len(hands)` is the number of hands. Hands that cannot be used are left out: `left_out` counts those of the last
    reading, `rejects` holds the first thousand with file and reason. `batch.keys` numbers the hands of all places.
    """

    def __init__(
        self, paths: list[Path], format: str | None, game: Game | None, strict: bool, texts: Sequence[GivenText] = ()
    ) -> None:
        self.paths = paths
        """Where the hands are; a text that was given lies in a file, which is removed with this object."""
        self._texts = {text.path: text for text in texts}
        self.left_out = LeftOut()
        """How many hands, and how much of what was won, the last reading used and left out."""
        self.rejects: list[str] = []
        self.names: tuple[str, ...] = ()
        """The players of the last reading, by number."""
        self._format, self._game, self._strict = format, game, strict
        self._counted: int | None = None

    def batches(self) -> Iterator[HandColumns]:
        """The hands in batches of one game each; hands of a duplicate set are in one batch.

        At the end a warning says how many hands, and how much of the chips won, were left out, if any.
        """
        self.left_out, self.rejects = LeftOut(), []
        books = Books()
        alone = len(self.paths) == 1
        for path in self.paths:
            yield from _whole_sets(self._numbered(self._read(path, books), alone))
        self._counted, self.names = self.left_out.hands, books.players.all()
        strange = too_many_players(len(books.players), self._counted)
        if self.left_out:
            warnings.warn(f"{self.left_out.sentence()}. The first: {self.left_out.first_reason}", stacklevel=2)
        if strange:
            warnings.warn(strange, stacklevel=2)

    @property
    def rejected(self) -> int:
        """Hands that the last reading left out."""
        return self.left_out.rejected

    def _numbered(self, batches: Iterator[HandColumns], alone: bool) -> Iterator[HandColumns]:
        """Counts hands, and gives each its key; in a store that is read alone, the keys are those of the store."""
        for batch in batches:
            first = self.left_out.hands
            self.left_out.use(batch)
            of_store = batch.origin is not None and not batch.origin.line.any()
            keys = batch.keys if alone and of_store else np.arange(first, first + len(batch))
            deals = keys if (batch.deals == batch.numbers).all() else batch.deals  # numbers of logs may repeat
            yield replace(batch, own_keys=keys, deals=deals)

    def _read(self, path: Path, books: Books) -> Iterator[HandColumns]:
        def note(reject: Reject) -> None:
            self.left_out.reject(reject, f"{self._name(path)}, ")
            if len(self.rejects) < REJECTS_KEPT:
                self.rejects.append(f"{self._name(path)}, {reject.where}: {reject.reason}")

        said = None if self._strict else note
        format = self._texts[path].format if path in self._texts else self._format
        hands = read_one(path, format=format, game=self._game, on_reject=said, books=books)
        return hands if self._strict or len(self.paths) == 1 else whole_or_told(path, hands, note)

    def _name(self, path: Path) -> str:
        return "the text" if path in self._texts else str(path)

    def __len__(self) -> int:
        if self._counted is None:
            self._counted = sum(map(len, self.batches()))
        return self._counted

    def __repr__(self) -> str:
        places = ", ".join(map(self._name, self.paths[:3])) + (" ..." if len(self.paths) > 3 else "")
        return f"<Hands of {places}>"

    def to_arrow(self, table: str = "results") -> Any:
        """All hands as an Arrow table: `results` (a row a seat and hand), `hands` or `actions`."""
        import pyarrow as pa

        if table not in TABLES:
            raise InputError(f"no table is called {table!r}; allowed is {', '.join(TABLES)}")
        parts = [TABLES[table][1](batch, played_again(batch)) for batch in regrouped(self.batches())]
        if not parts:
            raise InputError("there are no hands to make a table of")
        return pa.concat_tables(parts).sort_by([(key, "ascending") for key in SORTED_BY[table]])

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
    """The hands of a log, a folder of logs, a stored match, or several of them; or of a text that holds the hands.

    A string names a file or folder, unless it has several lines, or begins as hands do and no place has that name.
    The format follows from a file's name, or from the beginning of a text, unless it is given (phh, acpc, lines,
    pokerstars). `game` says what a format leaves open. With `strict` the first unusable hand is an error; else such
    hands are counted and left out.
    """
    given = [path] if isinstance(path, str | Path) or not isinstance(path, Iterable) else list(path)
    if wrong := [one for one in given if not isinstance(one, str | Path)]:
        raise InputError(
            f"hands are read from files and folders, not from {_what(wrong[0])}: give a path, or a list of them"
        )
    if not given:
        raise InputError("no file and no folder is given to read hands from")
    texts = {one: GivenText(one, format) for one in given if isinstance(one, str) and is_text(one)}
    paths: list[Path] = []
    for one in given:
        paths += [texts[one].path] if isinstance(one, str) and one in texts else places_in(Path(one), format)
    known = Game.load(game) if isinstance(game, str) else game
    return Hands(paths, format, known, strict, list(texts.values()))


def _what(value: object) -> str:
    """A value that is no path, in words; a result is stored by `save`."""
    kind = type(value).__name__
    return f"a {kind} (play with save=FOLDER and give that folder)" if kind.endswith("Result") else f"{value!r}"


def _whole_sets(batches: Iterator[HandColumns]) -> Iterator[HandColumns]:
    """The same hands with batches cut between deals, so that no duplicate set is in two of them."""
    held: list[HandColumns] = []  # of the last deal, joined once it is over
    for batch in batches:
        if not len(batch):
            continue
        if held and not _goes_on(held[-1], batch):
            yield join(held)
            held = []
        changes = np.flatnonzero(np.diff(batch.deals))
        if not len(changes):
            held.append(batch)
            continue
        last = int(changes[-1]) + 1
        yield join([*held, batch.rows(slice(0, last))])
        held = [batch.rows(slice(last, len(batch)))]
    if held:
        yield join(held)


def _goes_on(held: HandColumns, batch: HandColumns) -> bool:
    """Whether a batch begins with the deal that the one before ended with."""
    return held.kind == batch.kind and bool(held.deals[-1] == batch.deals[0])
