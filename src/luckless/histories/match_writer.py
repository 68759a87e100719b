"""Writes a match while it is played, in the background; goes on with one that was broken off, or makes it longer.

>>> with MatchWriter.open(folder, match) as writer:
...     for chunk in match.chunks(first=writer.next_hand):
...         writer.add(chunk)
...     writer.finish(result)

`play_stored` does all of that.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from luckless.bots.lineup import Lineup
from luckless.counted import counted
from luckless.errors import InputError
from luckless.histories.catalogue import FILE, Catalogue, ChunkRow
from luckless.histories.resuming import (
    JUDGEMENT_FILE,
    begin,
    check_bots,
    check_settings,
    fault_note,
    go_on,
    played_chunk,
    reopen,
    tidy,
)
from luckless.histories.store import PART, ChunkSink, StoredHands
from luckless.matches.faults import Case
from luckless.matches.match import Match
from luckless.matches.playing import Chunk
from luckless.matches.result import MatchResult, SetValues, play_match
from luckless.matches.settings import MatchSettings
from luckless.rules.columns import HandColumns
from luckless.stats.stopping import StoppingTest

COMPILED_HANDS, ASKING_HANDS = 131_072, 8_192
"""Hands in a stored chunk, rounded up to whole duplicate sets: of compiled bots, and of slower ones."""

PART_SECONDS = 30.0
"""A chunk that is not full yet is stored as a part when the last writing is so long ago: no more play can be lost."""


class MatchWriter:
    """An open store of one match. `add` takes its chunks in order, `finish` its result."""

    def __init__(self, folder: Path, catalogue: Catalogue, lock: ExitStack) -> None:
        self.folder = folder
        self._catalogue = catalogue
        self._lock = lock
        settings = catalogue.settings()
        self.settings = match_settings(settings, catalogue.bots(), folder)
        """The match as it is stored."""
        self.finished = "result" in settings
        """Whether the match is complete and its result is stored."""
        self._sink = ChunkSink(folder, catalogue)
        self._size = int(settings["chunk_hands"])
        chunks = catalogue.chunks()
        self.next_hand = sum(chunk.hands for chunk in chunks)
        """The next hand to play: all hands before it are stored."""
        self._waiting: list[Chunk] = []
        self._waiting_hands = 0
        self._in_part = 0
        """How many of the hands that wait are stored in a part of their chunk."""
        self._last_write = monotonic()
        self._written = self.next_hand
        if chunks and PART in chunks[-1].hands_file.name:
            self._take_back(chunks[-1])
        self._thread = ThreadPoolExecutor(1)
        self._writing: Future[None] | None = None

    @classmethod
    def open(cls, folder: Path, match: Match) -> "MatchWriter":
        """A new store in a folder that is empty or not there, or the one of the same match, to go on with it.

        A match of more hands than are stored makes the stored one longer; the chunks are then the same bytes as if it
        had been played at once. Fewer hands than are stored are refused.
        """
        with ExitStack() as stack:
            if (folder / FILE).is_file():
                catalogue = go_on(folder, stack)
                _resume(folder, match, catalogue)
            else:
                catalogue = begin(folder, _settings(match), match.players, stack)
            return cls(folder, catalogue, stack.pop_all())

    def _take_back(self, row: ChunkRow) -> None:
        """Lets the hands of a chunk that was cut short wait again: a full chunk will take its place."""
        self._waiting.append(played_chunk(StoredHands.open(self.folder), row))
        self._waiting_hands = self._in_part = row.hands
        self._written = row.first

    def stored(self) -> Iterator[Chunk]:
        """The hands that are stored already, as they were played, for counting them again."""
        return stored_chunks(StoredHands.open(self.folder))

    def add(self, chunk: Chunk) -> None:
        """Takes the next hands; whole chunks are written while the match goes on."""
        self._waiting.append(chunk)
        self._waiting_hands += len(chunk)
        while self._waiting_hands >= self._size:
            self._write(self._size)
        if monotonic() - self._last_write >= PART_SECONDS:
            self._write_part(goes_on=True)

    def finish(self, result: MatchResult) -> None:
        """Writes what is left and the result: the match is complete."""
        if self._waiting_hands:
            self._write(self._waiting_hands)
        self._wait()
        self._catalogue.set_results(replace(result, judgement=None).to_dict(), result.to_record())
        self.finished = True

    def end_here(self, result: MatchResult) -> None:
        """Writes what is left and the result of a match that is over sooner than planned; it can be made longer."""
        self._catalogue.set(hands=result.hands)
        self.finish(result)

    def keep(self, result: MatchResult | None = None) -> None:
        """Writes what is left of a match that was interrupted; it can be resumed later, to the same bytes."""
        self._write_part(goes_on=False)
        self._wait()
        if result is not None:
            self._catalogue.set(record=result.to_record())

    def _write_part(self, goes_on: bool) -> None:
        """Starts writing all hands that wait; they go on waiting, for a full chunk will take the place of this."""
        if self._waiting_hands > self._in_part:
            columns = [chunk.hands for chunk in self._waiting]
            cases = [case for chunk in self._waiting for case in chunk.faults]
            self._start_writing(columns, fault_note(cases), True, goes_on)
            self._in_part = self._waiting_hands
            self.next_hand = self._written + self._in_part

    def _write(self, hands: int) -> None:
        """Starts writing the first hands that wait as a chunk."""
        self._start_writing(*self._cut(hands))
        self._written += hands
        self._waiting_hands -= hands
        self._in_part = 0
        self.next_hand = max(self.next_hand, self._written)

    def _start_writing(self, *chunk: Any) -> None:
        """Writes a chunk in the background; at most one is being written at a time."""
        (self.folder / JUDGEMENT_FILE).unlink(missing_ok=True)
        self._wait()
        self._writing = self._thread.submit(self._sink.write, self._written, *chunk)
        self._last_write = monotonic()

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
            if len(chunk) > left:
                chunk, rest = chunk.split(left)
                self._waiting.insert(0, rest)
            left -= len(chunk)
            parts.append(chunk.hands)
            cases += chunk.faults
        return parts, fault_note(cases)

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


def play_stored(
    match: Match,
    folder: Path,
    *,
    workers: int | None = None,
    sequential: StoppingTest | None = None,
    judged_sets: SetValues | None = None,
    on_chunk: Callable[[Chunk], None] | None = None,
    on_sets: Callable[[NDArray[np.int64]], None] | None = None,
    show_progress: bool = False,
) -> MatchResult:
    """Plays a match into a folder, from where it stands there, and stores its result; see `play_match`.

    Money can be counted again from the hands, and so can a test of it. Other values cannot: a match that a test of
    those ended is stored as one of so many hands.
    """
    with MatchWriter.open(folder, match) as writer:
        for place, player in enumerate(match.players):
            player.keep_records(folder, place)
        first_new = writer.next_hand

        def add_new(chunk: Chunk) -> None:
            if chunk.first >= first_new:
                writer.add(chunk)
            if on_chunk is not None:
                on_chunk(chunk)

        played = play_match(
            match,
            stored=writer.stored(),
            workers=workers,
            sequential=sequential,
            judged_sets=judged_sets,
            on_chunk=add_new,
            on_sets=on_sets,
            show_progress=show_progress,
        )
        result = replace(played, match=writer.settings)
        counted_again = result if judged_sets is None else replace(result, sequential=None)
        if result.interrupted:
            writer.keep(counted_again)
        elif judged_sets is not None and result.decided:
            writer.end_here(counted_again)
        else:
            writer.finish(counted_again)
    return result


def match_settings(settings: dict[str, Any], bots: list[dict[str, Any]], folder: Path) -> MatchSettings:
    """The match that a catalogue describes."""
    names = [bot["name"] for bot in bots]
    return MatchSettings.from_dict({**settings, "names": names}, f"{folder}, settings")


def stored_chunks(stored: StoredHands) -> Iterator[Chunk]:
    """The hands of a stored match, as they were played."""
    for row in stored.chunks:
        yield played_chunk(stored, row)


def _settings(match: Match) -> dict[str, Any]:
    """What the catalogue says of a match; the names of the bots stand with what they are."""
    compiled = Lineup.of(match.players).compiled and not match.sealed
    size = COMPILED_HANDS if compiled else ASKING_HANDS
    settings = match.settings.to_dict()
    del settings["names"]
    return {**settings, "chunk_hands": -(-size // match.set_size) * match.set_size, "compiled": compiled}


def _resume(folder: Path, match: Match, catalogue: Catalogue) -> None:
    """Makes a store ready for more hands, or for its result to be counted again; refuses another match."""
    stored, asked = catalogue.settings(), _settings(match)
    if "kind" in stored or "seed" not in stored:
        what = "sessions" if "kind" in stored else "hands that were not played here"
        raise InputError(f"{folder} holds {what}; choose a new folder for the match")
    check_settings(folder, stored, asked, ("game", "seed", "keys", "decks", "chunk_hands"))
    check_bots(folder, catalogue, match.players, adds=False)
    tidy(folder, catalogue)
    chunks = catalogue.chunks()
    hands = sum(chunk.hands for chunk in chunks)
    if hands > match.hands:
        raise InputError(
            f"{folder} holds {counted(hands, 'hand')} of this match already, more than the {match.hands:,} to play"
        )
    adds = hands < match.hands
    check_bots(folder, catalogue, match.players, adds=adds)
    if adds or stored["hands"] != match.hands:
        short = bool(chunks) and chunks[-1].hands < int(stored["chunk_hands"])
        reopen(folder, catalogue, last_is_short=short, hands=match.hands, clocks=asked["clocks"])
