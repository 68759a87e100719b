"""Checks stored hands: bytes against checksums, every hand against the rules, a match against its seed."""

import dataclasses
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError
from luckless.histories.carried_chips import CarriedChips
from luckless.histories.catalogue import ChunkRow
from luckless.histories.chunks import DamagedChunk
from luckless.histories.drafts import problem_text
from luckless.histories.playing_again import PlayAgain, different_rows, foreign_bots, playing_again
from luckless.histories.session_writer import restore_session_result
from luckless.histories.settling import Ending, is_expected
from luckless.histories.store import StoredHands
from luckless.histories.stored_match import restore_match_result
from luckless.keys import Keys
from luckless.matches.settings import is_sealed
from luckless.progress import Progress
from luckless.rules.columns import MILLION, HandColumns
from luckless.rules.dealing import deal
from luckless.rules.game import Game
from luckless.rules.replaying import SOUND, Ends, replay

KEPT = 10
"""Problems that are kept whole; the others are counted."""


@dataclass
class Verification:
    """What was checked, and what was wrong."""

    chunks: int = 0
    hands: int = 0
    failures: int = 0
    problems: list[str] = field(default_factory=list)
    reproduced: bool | None = None
    """Whether playing the match again from its seed gave the same hands; None if that could not be tried."""
    notes: list[str] = field(default_factory=list)

    def fail(self, problem: str) -> None:
        """Counts something wrong."""
        self.failures += 1
        if len(self.problems) < KEPT:
            self.problems.append(problem)

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON."""
        return {"ok": not self.failures, **dataclasses.asdict(self)}


def verify(folder: Path, workers: int | None = None, *, bots: bool = False) -> Verification:
    """Checks everything that can be checked of stored hands.

    Nothing that the store names is run, unless `bots` allows its bots to play again. Shipped bots always do.
    """
    stored = StoredHands.open(folder)
    verification = Verification()
    carried = CarriedChips(stored) if stored.is_session else None
    with _again(stored, verification, bots, workers) as again, Progress(stored.hands, "hands") as progress:
        for chunk in stored.chunks:
            columns = _check_chunk(stored, chunk, again, verification)
            if carried is not None and columns is not None:
                for problem in carried.problems(columns):
                    verification.fail(problem)
            progress.advance(chunk.hands)
    _check_order(stored, verification, carried)
    return verification


def _check_chunk(
    stored: StoredHands,
    chunk: ChunkRow,
    again: PlayAgain | None,
    verification: Verification,
) -> HandColumns | None:
    """Checks a chunk by itself; its hands, or None if they cannot be read."""
    verification.chunks += 1
    try:
        columns = stored.read_chunk(chunk)
    except DamagedChunk as error:
        verification.fail(str(error))
        return None
    verification.hands += len(columns)
    if len(columns) != chunk.hands:
        verification.fail(f"{chunk.hands_file.name} has {len(columns)} hands; the catalogue says {chunk.hands}")
    for problem in _problems(columns):
        verification.fail(problem)
    if stored.is_match:
        _check_numbers(stored, chunk, columns, verification)
    if stored.is_match or stored.is_session:
        _check_cards(stored, columns, verification)
    if again is not None and len(columns):
        rows = different_rows(columns, again(columns))
        verification.reproduced = not len(rows) and verification.reproduced is not False
        for row in rows[:1].tolist():
            verification.fail(f"hand {columns.numbers[row]}: the seed gives another hand than the one stored")
    return columns


def _problems(columns: HandColumns) -> Iterator[str]:
    """What is wrong with hands by the rules: cards, actions, payoffs, players."""
    records = columns.records
    ends = replay(records).ends
    for row in np.flatnonzero(ends.problem != SOUND).tolist():
        stacks, actions = records.stacks[row].tolist(), records.actions_of(row).tolist()
        reason = problem_text(records.game, records.decks[row].tolist(), stacks, actions, int(ends.problem[row]))
        yield f"hand {columns.numbers[row]}: {reason}"
    sound = ends.problem == SOUND
    if columns.settlement in ("given", "shown"):
        follows = np.zeros(len(columns), bool)
    else:
        follows = (ends.settled == 1) | (columns.settlement != "expected")
    impossible = (records.payoffs < -ends.invested).any(axis=1) | (records.payoffs.sum(axis=1) > 0)
    wrong = sound & np.where(follows, (ends.payoffs != records.payoffs).any(axis=1), impossible)
    yield from _wrong_expectations(columns, ends, sound)
    for row in np.flatnonzero(wrong).tolist():
        told, right = records.payoffs[row].tolist(), ends.payoffs[row].tolist()
        yield f"hand {columns.numbers[row]}: payoffs are stored as {told}; the hand gives {right}"
    ordered = np.sort(columns.players, axis=1)
    twice = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
    for row in np.flatnonzero(twice | (ordered[:, 0] < 0) | (ordered[:, -1] >= len(columns.names))).tolist():
        yield f"hand {columns.numbers[row]}: its players are {columns.players[row].tolist()}"


def _wrong_expectations(columns: HandColumns, ends: Ends, sound: NDArray[np.bool_]) -> Iterator[str]:
    """Printed values that are not what the all-in was worth."""
    if columns.printed is None:
        return
    game, records = columns.records.game, columns.records
    for row in np.flatnonzero(sound & (columns.printed != MILLION * records.payoffs).any(axis=1)).tolist():
        end = Ending.of(game, records.decks[row].tolist(), records.stacks[row].tolist(), ends, row)
        if not is_expected(end, [Fraction(value, MILLION) for value in columns.printed[row].tolist()]):
            yield f"hand {columns.numbers[row]}: its printed values are not what the all-in was worth"


def _check_numbers(stored: StoredHands, chunk: ChunkRow, columns: HandColumns, verification: Verification) -> None:
    """Checks hand and deal numbers, which follow from the settings of the match."""
    settings = stored.settings
    numbers = np.arange(chunk.first, chunk.first + len(columns))
    deals = numbers // settings["set_size"] if settings["decks"] == "duplicate" else numbers
    if (columns.numbers != numbers).any() or (columns.deals != deals).any():
        verification.fail(f"{chunk.hands_file.name}: its hand and deal numbers are not those of the match")


def _check_cards(stored: StoredHands, columns: HandColumns, verification: Verification) -> None:
    """The cards follow from the seed and the number of the deal."""
    settings = stored.settings
    keys = Keys(int(settings["seed"]), is_sealed(settings, f"{stored.folder}, settings"))
    decks = deal(Game.from_dict(settings["game"]), keys, columns.deals)
    for row in np.flatnonzero((decks != columns.records.decks).any(axis=1)).tolist():
        verification.fail(f"hand {columns.numbers[row]}: its cards are not those that the seed deals")


def _check_order(stored: StoredHands, verification: Verification, carried: CarriedChips | None) -> None:
    """Chunks follow one another without a gap, and a finished match is complete."""
    expected = 0
    for chunk in stored.chunks:
        if chunk.first != expected:
            verification.fail(f"hands {expected} to {chunk.first - 1} are missing: no chunk holds them")
        expected = chunk.first + chunk.hands
    if carried is not None and carried.games != stored.settings["games"]:
        verification.notes.append(f"not finished: {carried.games:,} of {stored.settings['games']:,} sessions")
    if not stored.is_match:
        return
    complete = stored.hands == stored.settings["hands"]
    if not complete and "result" not in stored.settings:
        verification.notes.append(
            f"the match is not finished: {stored.hands:,} of {stored.settings['hands']:,} hands"
        )


@contextmanager
def _again(
    stored: StoredHands, verification: Verification, bots: bool, workers: int | None
) -> Iterator[PlayAgain | None]:
    """What plays the hands again; None, with a note of the reason, if they cannot or may not be played."""
    if not (stored.is_match or stored.is_session):
        yield None
        return
    foreign = foreign_bots(stored)
    if foreign and not bots:
        verification.notes.append(f"not played again: {foreign[0]}; --bots allows it")
        yield None
        return
    with ExitStack() as stack:
        try:
            play = stack.enter_context(playing_again(stored, bots=bots, workers=workers))
        except InputError as error:
            verification.notes.append(f"not played again: {error}")
            yield None
            return
        yield play


def restore_result(folder: Path) -> bool:
    """Counts complete hands again and stores their result, which chunks do not hold; whether that was possible."""
    stored = StoredHands.open(folder)
    if stored.is_session:
        return restore_session_result(folder)
    return stored.is_match and restore_match_result(folder)
