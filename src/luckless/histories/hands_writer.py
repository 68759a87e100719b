"""Stores hands that were not played here: what readers give, regrouped into chunks of one game each."""

import re
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import luckless
from luckless.errors import InputError
from luckless.histories.catalogue import Catalogue, ChunkRow
from luckless.histories.names import Books, NameBook
from luckless.histories.store import LOG_KEY, ChunkSink, StoredHands, chunk_names, make_folder, sole_writer
from luckless.rules.columns import HandColumns

_CHUNK = re.compile(r"(hands|actions)-\d{12,}\.parquet")
CHUNK_HANDS, WAITING_HANDS = 65_536, 262_144
"""Hands in a chunk, and the most that wait in memory when many games alternate."""


class HandsWriter:
    """An open store of hands. Hands of one game keep their order; different games lie in different chunks.

    Hands are read with `books`, so that a player has one number in the whole store. All that is added becomes part of
    the store at once, when the writer is closed.
    """

    def __init__(self, folder: Path, catalogue: Catalogue, stack: ExitStack, written: int, books: Books) -> None:
        self._folder = folder
        self._catalogue = catalogue
        self._sink = ChunkSink(folder, catalogue)
        self._stack = stack
        self._waiting: dict[Any, list[HandColumns]] = {}
        self._counts: dict[Any, int] = {}
        self._in_memory = 0
        self._written = written
        self._rows: list[ChunkRow] = []
        self.books = books

    @classmethod
    def create(cls, folder: Path, source: Path) -> "HandsWriter":
        """A new store of the hands of logs; `source` is the first."""
        make_folder(folder)
        with ExitStack() as stack:
            stack.enter_context(sole_writer(folder))
            settings = {LOG_KEY: source.name, "versions": {"luckless": luckless.__version__}}
            catalogue = Catalogue.create(folder, settings)
            stack.callback(catalogue.close)
            return cls(folder, catalogue, stack.pop_all(), 0, Books())

    @classmethod
    def append(cls, folder: Path) -> "HandsWriter":
        """A store of hands of logs, to add more to."""
        with ExitStack() as stack:
            if LOG_KEY not in StoredHands.open(folder).settings:
                raise InputError(f"{folder} holds a match that was played here; hands of logs are not added to it")
            stack.enter_context(sole_writer(folder))
            stored = StoredHands.open(folder)  # nobody else adds to it any more
            _remove_unlisted(folder, stored)
            catalogue = Catalogue.open(folder)
            stack.callback(catalogue.close)
            books = Books(NameBook(stored.names))
            return cls(folder, catalogue, stack.pop_all(), stored.hands, books)

    def add(self, batch: HandColumns) -> None:
        """Takes hands."""
        key = batch.kind
        self._waiting.setdefault(key, []).append(batch)
        self._counts[key] = self._counts.get(key, 0) + len(batch)
        self._in_memory += len(batch)
        if self._counts[key] >= CHUNK_HANDS:
            self._write(key)
        elif self._in_memory >= WAITING_HANDS:
            self._write(max(self._counts, key=lambda other: self._counts[other]))

    def _write(self, key: Any) -> None:
        parts, hands = self._waiting.pop(key), self._counts.pop(key)
        self._rows.append(self._sink.write_log(self._written, parts))
        self._in_memory -= hands
        self._written += hands

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._stack:
            if kind is None:
                for key in list(self._waiting):
                    self._write(key)
                self._catalogue.add_log(self._rows, self.books.players.all())
                return
            for row in self._rows:
                for name in chunk_names(row.first):
                    (self._folder / name).unlink(missing_ok=True)


def _remove_unlisted(folder: Path, stored: StoredHands) -> None:
    """Removes what an append left that was ended before its chunks became a part of the store; the hands first."""
    listed = {file.name for chunk in stored.chunks for file in (chunk.hands_file, chunk.actions_file)}
    for path in sorted(folder.glob("*.parquet"), reverse=True):
        if _CHUNK.fullmatch(path.name) and path.name not in listed:
            path.unlink(missing_ok=True)
