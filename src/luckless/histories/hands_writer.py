"""Stores hands that were not played here: what readers give, regrouped into chunks of one game each."""

from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import luckless
from luckless.histories.catalogue import Catalogue
from luckless.histories.store import ChunkSink, make_folder, sole_writer
from luckless.rules.columns import HandColumns

CHUNK_HANDS, WAITING_HANDS = 65_536, 262_144
"""Hands in a chunk, and the most that wait in memory when many games alternate."""


class HandsWriter:
    """An open store of hands. Hands of one game keep their order; different games lie in different chunks."""

    def __init__(self, folder: Path, catalogue: Catalogue, stack: ExitStack) -> None:
        self._sink = ChunkSink(folder, catalogue)
        self._stack = stack
        self._waiting: dict[Any, list[HandColumns]] = {}
        self._written = 0

    @classmethod
    def create(cls, folder: Path, source: Path) -> "HandsWriter":
        """A new store of the hands of a source."""
        make_folder(folder)
        with ExitStack() as stack:
            stack.enter_context(sole_writer(folder))
            settings = {"source": source.name, "versions": {"luckless": luckless.__version__}}
            catalogue = Catalogue.create(folder, settings)
            stack.callback(catalogue.close)
            return cls(folder, catalogue, stack.pop_all())

    def add(self, batch: HandColumns) -> None:
        """Takes hands."""
        key = (batch.records.game, batch.settlement, batch.scale)
        self._waiting.setdefault(key, []).append(batch)
        if _hands(self._waiting[key]) >= CHUNK_HANDS:
            self._write(key)
        elif sum(map(_hands, self._waiting.values())) >= WAITING_HANDS:
            self._write(max(self._waiting, key=lambda other: _hands(self._waiting[other])))

    def _write(self, key: Any) -> None:
        parts = self._waiting.pop(key)
        self._sink.write(self._written, parts)
        self._written += _hands(parts)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._stack:
            if kind is None:
                for key in list(self._waiting):
                    self._write(key)


def _hands(parts: list[HandColumns]) -> int:
    return sum(map(len, parts))
