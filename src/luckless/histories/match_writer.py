"""Writes a match while it is played, in the background, and goes on with one that was broken off.

>>> with MatchWriter.open(folder, match) as writer:
...     for chunk in match.chunks(first=writer.next_hand):
...         writer.add(chunk)
...     writer.finish(results)
"""

import platform
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

import luckless
from luckless.bots.lineup import Lineup
from luckless.errors import InputError
from luckless.histories.catalogue import FILE, Catalogue, ChunkRow
from luckless.histories.columns import HandColumns
from luckless.histories.fingerprints import describe_bot
from luckless.histories.replaying import replay
from luckless.histories.store import (
    PART,
    TEMPORARY,
    ChunkSink,
    StoredHands,
    find_chunks,
    make_folder,
    sole_writer,
)
from luckless.matches.faults import CASES_KEPT, Case
from luckless.matches.match import Match
from luckless.matches.playing import SHOWDOWN, Chunk, Seated

COMPILED_HANDS, ASKING_HANDS = 131_072, 8_192
"""Hands in a stored chunk, rounded up to whole duplicate sets: of compiled bots, and of slower ones."""


class MatchWriter:
    """An open store of one match. `add` takes its chunks in order, `finish` its result."""

    def __init__(self, folder: Path, match: Match, catalogue: Catalogue, lock: ExitStack) -> None:
        self.folder = folder
        self._match = match
        self._catalogue = catalogue
        self._lock = lock
        settings = catalogue.settings()
        self.finished = "result" in settings
        """Whether the match is complete and its result is stored."""
        self._sink = ChunkSink(folder, catalogue)
        self._size = int(settings["chunk_hands"])
        chunks = catalogue.chunks()
        self.next_hand = sum(chunk.hands for chunk in chunks)
        """The hand to go on with: every one before it is stored."""
        self._names = player_names(match)
        self._waiting: list[Chunk] = []
        self._waiting_hands = 0
        self._written = self.next_hand
        if chunks and PART in chunks[-1].hands_file.name:
            self._take_back(chunks[-1])
        self._thread = ThreadPoolExecutor(1)
        self._writing: Future[None] | None = None

    @classmethod
    def open(cls, folder: Path, match: Match) -> "MatchWriter":
        """A new store in a folder that is empty or not there, or the one of the same match, to go on with it."""
        if (folder / FILE).is_file():
            return cls._resume(folder, match)
        make_folder(folder)
        with ExitStack() as stack:
            stack.enter_context(sole_writer(folder))
            catalogue = Catalogue.create(folder, _settings(match), [describe_bot(player) for player in match.players])
            stack.callback(catalogue.close)
            return cls(folder, match, catalogue, stack.pop_all())

    @classmethod
    def _resume(cls, folder: Path, match: Match) -> "MatchWriter":
        with ExitStack() as stack:
            stack.enter_context(sole_writer(folder))
            catalogue = Catalogue.open(folder)
            stack.callback(catalogue.close)
            _check_same(folder, match, catalogue)
            _tidy(folder, catalogue)
            writer = cls(folder, match, catalogue, stack.pop_all())
        remembers = [player.name for player in match.players if player.memory]
        if remembers and writer.next_hand > 0 and not writer.finished:
            writer.close()
            raise InputError(
                f"{folder}: the match cannot be gone on with, for {remembers[0]} keeps memory of its hands; "
                "remove the folder to play it anew"
            )
        return writer

    def _take_back(self, row: ChunkRow) -> None:
        """Lets the hands of a chunk that was cut short wait again: a full chunk will take its place."""
        columns = StoredHands.open(self.folder).read_chunk(row)
        self._waiting.append(_played(row.first, columns, _cases(self._catalogue.faults(row.first))))
        self._waiting_hands = row.hands
        self._written = row.first

    def stored(self) -> Iterator[Chunk]:
        """The hands that are stored already, as they were played, for counting them again."""
        stored = StoredHands.open(self.folder)
        for row in stored.chunks:
            yield _played(row.first, stored.read_chunk(row), _cases(self._catalogue.faults(row.first)))

    def add(self, chunk: Chunk) -> None:
        """Takes the next hands; whole chunks are written while the match goes on."""
        self._waiting.append(chunk)
        self._waiting_hands += len(chunk.streets)
        while self._waiting_hands >= self._size:
            self._write(self._size)

    def finish(self, result: dict[str, Any]) -> None:
        """Writes what is left and the result (`MatchResult.to_dict()`): the match is complete."""
        self._write_rest(part=False)
        self._catalogue.set_results(result)
        self.finished = True

    def keep(self) -> None:
        """Writes what is left of a match that was interrupted; it can be gone on with later, to the same bytes."""
        self._write_rest(part=True)

    def _write_rest(self, part: bool) -> None:
        if self._waiting_hands:
            self._write(self._waiting_hands, part)
        self._wait()

    def _write(self, hands: int, part: bool = False) -> None:
        """Starts writing the first hands that wait; at most one chunk is being written at a time."""
        columns, faults = self._cut(hands)
        self._wait()
        self._writing = self._thread.submit(self._sink.write, self._written, columns, faults, part)
        self._written += hands
        self._waiting_hands -= hands
        self.next_hand = max(self.next_hand, self._written)

    def _wait(self) -> None:
        if self._writing is not None:
            self._writing.result()
            self._writing = None

    def _cut(self, hands: int) -> tuple[list[HandColumns], dict[str, Any]]:
        """Takes the first hands that wait, with their faults; the rest of a chunk that is cut stays."""
        parts: list[HandColumns] = []
        cases: list[Case] = []
        left = hands
        while left:
            chunk = self._waiting.pop(0)
            if len(chunk.streets) > left:
                chunk, rest = _split(chunk, left)
                self._waiting.insert(0, rest)
            left -= len(chunk.streets)
            parts.append(columns_of(chunk, self._names))
            cases += chunk.faults
        return parts, _fault_note(cases)

    def close(self) -> None:
        """Ends writing; hands of a chunk that is not complete are left out and will be played again."""
        self._thread.shutdown()
        self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._wait()
        finally:
            self.close()


def _tidy(folder: Path, catalogue: Catalogue) -> None:
    """Clears up after a crash: half files go, finished chunks that the catalogue does not know are entered."""
    for leftover in folder.glob(f"*{TEMPORARY}"):
        leftover.unlink()
    for row, note in find_chunks(folder, {chunk.first: chunk for chunk in catalogue.chunks()}):
        catalogue.add_chunk(row, note["faults"])
    used = {file.name for chunk in catalogue.chunks() for file in (chunk.hands_file, chunk.actions_file)}
    for part in folder.glob(f"*{PART}.parquet"):
        if part.name not in used:
            part.unlink()


def _settings(match: Match) -> dict[str, Any]:
    compiled = Lineup.of(match.players).compiled
    size = COMPILED_HANDS if compiled else ASKING_HANDS
    return {
        "game": match.game.to_dict(),
        "hands": match.hands,
        "seed": str(match.seed),
        "decks": match.decks,
        "set_size": match.set_size,
        "chunk_hands": -(-size // match.set_size) * match.set_size,
        "compiled": compiled,
        "versions": {
            "luckless": luckless.__version__,
            "python": platform.python_version(),
            **{name: version(name) for name in ("numpy", "numba", "pyarrow")},
        },
    }


def _check_same(folder: Path, match: Match, catalogue: Catalogue) -> None:
    """Refuses to mix two matches in one folder."""
    stored, asked = catalogue.settings(), _settings(match)
    if "seed" not in stored:
        raise InputError(f"{folder} holds hands that were not played here; choose a new folder for the match")
    for key in ("game", "hands", "seed", "decks", "chunk_hands"):
        if stored.get(key) != asked[key]:
            raise InputError(f"{folder} holds another match: its {key} is {stored.get(key)}, not {asked[key]}")
    for player, (then, now) in enumerate(zip(catalogue.bots(), map(describe_bot, match.players), strict=True)):
        if then["name"] != now["name"]:
            raise InputError(
                f"{folder} holds another match: its bot {player + 1} is {then['name']}, not {now['name']}"
            )
        if then != now and "result" not in stored:
            raise InputError(f"{folder}: the code of {now['name']} has changed since the match was begun")


def player_names(match: Match) -> tuple[str, ...]:
    """The names of the players; a bot that sits more than once is numbered, so that no two are called alike."""
    names = [player.name for player in match.players]
    return tuple(
        f"{name} #{names[: place + 1].count(name)}" if names.count(name) > 1 else name
        for place, name in enumerate(names)
    )


def columns_of(chunk: Chunk, names: tuple[str, ...]) -> HandColumns:
    """The hands of a played chunk as columns."""
    numbers = np.arange(chunk.seated.first, chunk.seated.first + len(chunk.streets))
    return HandColumns(chunk.records, numbers, chunk.seated.deals, chunk.seated.players, names)


def _split(chunk: Chunk, hands: int) -> tuple[Chunk, Chunk]:
    """A chunk cut in two after so many hands."""
    columns = columns_of(chunk, ())
    parts = []
    for which in (slice(0, hands), slice(hands, None)):
        rows = columns.rows(which)
        first = chunk.seated.first + which.start
        seated = Seated(first, chunk.seated.deals[which], chunk.seated.players[which])
        faults = tuple(case for case in chunk.faults if 0 <= case.hand - first < len(rows))
        parts.append(Chunk(seated, rows.records, chunk.streets[which], faults))
    return parts[0], parts[1]


def _fault_note(cases: list[Case]) -> dict[str, Any]:
    """Faults as a chunk keeps them: how many of each kind, and the first of each player whole."""
    kept: list[list[Any]] = []
    for player in sorted({case.player for case in cases}):
        own = [case for case in cases if case.player == player]
        kept += [[case.player, case.kind, case.hand, case.detail] for case in own[:CASES_KEPT]]
    counts = Counter((case.player, case.kind) for case in cases)
    return {"cases": kept, "counts": [[*key, count] for key, count in sorted(counts.items())]}


def _cases(faults: dict[str, list[tuple[Any, ...]]]) -> tuple[Case, ...]:
    """The faults of a chunk again, those that were only counted without their details."""
    kept = [Case(*case) for case in faults["cases"]]
    whole = Counter((case.player, case.kind) for case in kept)
    counted = [
        Case(player, kind, 0, "")
        for player, kind, count in faults["counts"]
        for _ in range(count - whole[player, kind])
    ]
    return (*kept, *counted)


def _played(first: int, columns: HandColumns, faults: tuple[Case, ...]) -> Chunk:
    """Stored hands as the chunk that was played."""
    ends = replay(columns.records).ends
    streets = np.where(ends.showdown == 1, SHOWDOWN, ends.street).astype(np.int8)
    seated = Seated(first, columns.deals, columns.players.astype(np.int8))
    return Chunk(seated, columns.records, streets, faults)
