"""Writes sessions while they are played: chunks of whole sessions, their hands in the order of games, then rounds.

The number of a hand is game * rounds + round. What a chunk holds follows from the settings and the place of its first
game, so that sessions that were broken off go on to the same bytes, and more of them can be added.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any, Self

from luckless.bots.lineup import Lineup
from luckless.errors import InputError
from luckless.histories.catalogue import FILE, Catalogue, ChunkRow
from luckless.histories.resuming import (
    begin,
    check_bots,
    check_settings,
    fault_note,
    go_on,
    noted_cases,
    reopen,
    tidy,
)
from luckless.histories.store import PART, SESSION, ChunkSink, StoredHands
from luckless.matches.faults import FaultLog
from luckless.matches.session import SessionBlock, Sessions, count_blocks, play_sessions
from luckless.matches.session_result import SessionResult, SessionSettings
from luckless.rules.columns import HandColumns

PART_SECONDS = 30.0
"""As for matches: sessions that wait for their chunk to be full are stored as a part of it after so long."""


class SessionWriter:
    """An open store of sessions. `add` takes them in order, `finish` their result."""

    def __init__(self, folder: Path, catalogue: Catalogue, lock: ExitStack) -> None:
        self.folder = folder
        self._catalogue = catalogue
        self._lock = lock
        settings = catalogue.settings()
        self.settings = session_settings(settings, catalogue.bots(), folder)
        """The sessions as they are stored."""
        self._sink = ChunkSink(folder, catalogue)
        self._size = int(settings["chunk_games"])
        self._waiting: list[SessionBlock] = []
        self._in_part = 0
        """How many of the sessions that wait are stored in a part of their chunk."""
        self._last_write = monotonic()
        chunks = catalogue.chunks()
        self._written = sum(chunk.hands for chunk in chunks)
        if chunks and PART in chunks[-1].hands_file.name:
            self._waiting.append(_block(StoredHands.open(folder), chunks[-1]))
            self._written = chunks[-1].first
            self._in_part = len(self._waiting[0])

    @classmethod
    def open(cls, folder: Path, sessions: Sessions) -> "SessionWriter":
        """A new store in a folder that is empty or not there, or the one of the same sessions, to go on with them."""
        with ExitStack() as stack:
            if (folder / FILE).is_file():
                catalogue = go_on(folder, stack)
                _resume(folder, sessions, catalogue)
            else:
                catalogue = begin(folder, _settings(sessions), sessions.players, stack)
            return cls(folder, catalogue, stack.pop_all())

    def add(self, block: SessionBlock) -> None:
        """Takes the next sessions; whole chunks are written."""
        self._waiting.append(block)
        if sum(map(len, self._waiting)) >= self._size:
            self._write()
        elif monotonic() - self._last_write >= PART_SECONDS:
            self._write_part(goes_on=True)

    def finish(self, result: SessionResult) -> None:
        """Writes what is left and the result: the sessions are complete."""
        self._write()
        self._catalogue.set_results(result.to_dict(), result.to_record())

    def keep(self, result: SessionResult) -> None:
        """Writes what is left of sessions that were interrupted; they can be resumed later."""
        self._write_part(goes_on=False)
        self._catalogue.set(record=result.to_record())

    def _write_part(self, goes_on: bool) -> None:
        """Writes all sessions that wait; they go on waiting, for a full chunk will take the place of this."""
        if sum(map(len, self._waiting)) > self._in_part:
            self._sink.write(self._written, *self._taken(), part=True, goes_on=goes_on)
            self._in_part = sum(map(len, self._waiting))
            self._last_write = monotonic()

    def _write(self) -> None:
        """Writes all sessions that wait as a chunk."""
        hands, faults = self._taken()
        if hands:
            self._sink.write(self._written, hands, faults)
            self._written += sum(map(len, hands))
            self._waiting, self._in_part, self._last_write = [], 0, monotonic()

    def _taken(self) -> tuple[list[HandColumns], dict[str, Any]]:
        """The hands that wait, and their faults."""
        hands = [block.hands for block in self._waiting if block.hands is not None]
        return hands, fault_note([case for block in self._waiting for case in block.faults])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.close()


def play_stored_sessions(sessions: Sessions, folder: Path, *, show_progress: bool = False) -> SessionResult:
    """Plays sessions into a folder, from where they stand there, and stores their result."""
    with SessionWriter.open(folder, sessions) as writer:
        for place, player in enumerate(sessions.players):
            player.keep_records(folder, place)
        stored = stored_blocks(StoredHands.open(folder))
        played = play_sessions(sessions, stored=stored, on_block=writer.add, show_progress=show_progress)
        result = replace(played, sessions=writer.settings)
        if result.interrupted:
            writer.keep(result)
        else:
            writer.finish(result)
    return result


def load_session_result(folder: Path) -> SessionResult:
    """The result of the sessions in a folder; those that were killed are counted as far as they were stored."""
    stored = StoredHands.open(folder)
    if not stored.is_session:
        raise InputError(f"{folder} holds no stored sessions")
    if not stored.chunks:
        raise InputError(f"{folder} holds sessions, but none is stored yet")
    record = stored.settings.get("record")
    if record is not None and sum(record["rounds"]) == stored.hands:
        return SessionResult.from_record(session_settings(stored.settings, stored.bots, folder), record)
    return count_sessions(stored)


def session_settings(settings: dict[str, Any], bots: list[dict[str, Any]], folder: Path) -> SessionSettings:
    """The sessions that a catalogue describes."""
    names = [bot["name"] for bot in bots]
    return SessionSettings.from_dict({**settings, "names": names}, f"{folder}, settings")


def stored_blocks(stored: StoredHands) -> Iterator[SessionBlock]:
    """The sessions that are stored, chunk by chunk, counted from their hands."""
    for row in stored.chunks:
        yield _block(stored, row)


def _block(stored: StoredHands, row: ChunkRow) -> SessionBlock:
    faults = noted_cases(stored.faults[row.first])
    asked = not stored.settings.get("compiled", True)
    return SessionBlock.of_hands(stored.read_chunk(row), int(stored.settings["rounds"]), faults, asked)


def count_sessions(stored: StoredHands) -> SessionResult:
    """The result counted from the hands."""
    settings, faults = session_settings(stored.settings, stored.bots, stored.folder), FaultLog()
    chips, rounds = count_blocks(stored_blocks(stored), faults)
    seconds = stored.settings.get("result", {}).get("seconds", 0.0)
    return SessionResult(settings, chips, rounds, faults, seconds, len(chips) < settings.games)


def _settings(sessions: Sessions) -> dict[str, Any]:
    """What the catalogue says of sessions; the names of the bots stand with what they are."""
    settings = sessions.settings.to_dict()
    del settings["names"]
    compiled = Lineup.of(sessions.players).compiled and not sessions.sealed
    return {"kind": SESSION, **settings, "chunk_games": sessions.block_games(), "compiled": compiled}


def _resume(folder: Path, sessions: Sessions, catalogue: Catalogue) -> None:
    """Makes a store ready for more sessions, or for its result to be counted again; refuses others."""
    stored, asked = catalogue.settings(), _settings(sessions)
    if stored.get("kind") != SESSION:
        raise InputError(f"{folder} holds hands that are not of sessions; choose a new folder for the sessions")
    check_settings(folder, stored, asked, ("game", "seed", "keys", "rounds", "chunk_games"))
    check_bots(folder, catalogue, sessions.players, adds=False)
    tidy(folder, catalogue)
    chunks = catalogue.chunks()
    games = 0
    if chunks:
        last = StoredHands.open(folder).read_chunk(chunks[-1])
        games = int(last.numbers[-1]) // sessions.rounds + 1
    if games > sessions.games:
        raise InputError(
            f"{folder} holds {games:,} of these sessions already, more than the {sessions.games:,} to play"
        )
    adds = games < sessions.games
    check_bots(folder, catalogue, sessions.players, adds=adds)
    if adds or stored["games"] != sessions.games:
        short = games % int(stored["chunk_games"]) > 0
        reopen(folder, catalogue, last_is_short=short, games=sessions.games, clocks=asked["clocks"])
