"""Checks stored hands: bytes against checksums, every hand against the rules, a match against its seed."""

import dataclasses
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError
from luckless.histories.carried_chips import CarriedChips
from luckless.histories.catalogue import Catalogue, ChunkRow
from luckless.histories.chunks import read_note
from luckless.histories.counting_again import MatchCount, OnSets, SessionCount
from luckless.histories.drafts import problem_text
from luckless.histories.match_writer import match_settings
from luckless.histories.playing_again import PlayAgain, different_rows, foreign_bots, playing_again
from luckless.histories.resuming import noted_cases
from luckless.histories.session_writer import count_sessions
from luckless.histories.settling import Ending, is_expected
from luckless.histories.store import PART, StoredHands, lasting, sole_writer
from luckless.histories.stored_match import count_match
from luckless.keys import Keys
from luckless.matches.match import Match
from luckless.matches.playing import SHOWDOWN
from luckless.matches.settings import MatchSettings, is_sealed, player_names
from luckless.progress import Progress
from luckless.rules.columns import MILLION, HandColumns
from luckless.rules.dealing import deal
from luckless.rules.game import Game
from luckless.rules.replaying import SOUND, Ends, replay

KEPT = 10
"""Problems that are kept whole; the others are counted."""
NO_CLOCKS = (
    "the catalogue does not say how long bots could think, and when they began: an earlier version made it, or "
    "--rebuild made it from chunks, which do not hold that"
)


@dataclass
class Verification:
    """What was checked, and what was wrong."""

    chunks: int = 0
    rounds: int = 0
    """Of a season."""
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


@dataclass
class Checks:
    """What checks one store: what plays its hands again, counts them again, and follows chips from hand to hand."""

    stored: StoredHands
    found: Verification
    again: PlayAgain | None = None
    count: MatchCount | SessionCount | None = None
    carried: CarriedChips | None = None


def verify(
    folder: Path, workers: int | None = None, *, bots: bool = False, on_sets: OnSets | None = None
) -> Verification:
    """Checks everything that can be checked of stored hands.

    Nothing that the store names is run, unless `bots` allows its bots to play again. Shipped bots always do.
    `on_sets` is called with the chips that each player won in each set of a match.
    """
    stored = StoredHands.open(folder)
    checks = Checks(stored, Verification())
    if not stored.sealed:
        checks.found.notes.append("the catalogue carries no seal: an earlier version wrote it")
    if "seed" in stored.settings and "clocks" not in stored.settings:
        checks.found.notes.append(NO_CLOCKS)
    if stored.is_session:
        checks.carried, checks.count = CarriedChips(stored), SessionCount(stored)
    elif stored.is_match:
        checks.count = MatchCount(stored, on_sets)
    with _again(stored, checks.found, bots, workers) as again, Progress(stored.hands, "hands") as progress:
        checks.again = again
        for chunk in stored.chunks:
            _check_chunk(checks, chunk)
            progress.advance(chunk.hands)
    _check_order(checks)
    _check_strays(stored, checks.found)
    if checks.count is not None and not checks.found.failures:
        for problem in checks.count.problems():
            checks.found.fail(problem)
    return checks.found


def _check_chunk(checks: Checks, chunk: ChunkRow) -> None:
    """Checks a chunk by itself, and counts it."""
    stored, found = checks.stored, checks.found
    found.chunks += 1
    try:
        columns, note = stored.read_whole(chunk)
    except InputError as error:
        found.fail(str(error))
        return
    before = found.failures
    found.hands += len(columns)
    _check_note(stored, chunk, note, found)
    ends = replay(columns.records).ends
    for problem in _problems(columns, ends):
        found.fail(problem)
    if stored.is_match:
        _check_numbers(stored, chunk, columns, found)
    if stored.is_match or stored.is_session:
        _check_cards(stored, columns, found)
    if found.failures == before:
        _follow(checks, chunk, columns, ends)


def _follow(checks: Checks, chunk: ChunkRow, columns: HandColumns, ends: Any) -> None:
    """What goes from chunk to chunk, for hands that are sound by themselves."""
    found = checks.found
    if checks.carried is not None:
        for problem in checks.carried.problems(columns):
            found.fail(problem)
            return
    if checks.count is not None:
        streets = np.where(ends.showdown == 1, SHOWDOWN, ends.street).astype(np.int8)
        checks.count.add(columns, streets, noted_cases(checks.stored.faults[chunk.first]))
    if checks.again is not None:
        rows = different_rows(columns, checks.again(columns))
        found.reproduced = not len(rows) and found.reproduced is not False
        for row in rows[:1].tolist():
            found.fail(f"hand {columns.numbers[row]}: the seed gives another hand than the one stored")


def _check_note(stored: StoredHands, chunk: ChunkRow, note: dict[str, Any], found: Verification) -> None:
    """Holds what the catalogue says of a chunk, of the match and of its bots against what the chunk says."""
    name = chunk.hands_file.name
    faults = {key: [list(row) for row in rows] for key, rows in stored.faults[chunk.first].items()}
    told: dict[str, Any] = {"first": chunk.first, "hands": chunk.hands, "faults": faults}
    told["settings"] = lasting(stored.settings)
    if "seed" in stored.settings:  # players of logs are told apart as chunks are read
        told["bots"] = stored.bots
    written = {**note, "settings": lasting(note["settings"])}
    for key, value in told.items():
        if value != written[key]:
            inner = [one for one in value if value[one] != written[key].get(one)] if isinstance(value, dict) else []
            what = f"{key} ({', '.join(inner)})" if inner else key
            found.fail(f"{name}: the catalogue has other {what} than the chunk")
    if "seed" in stored.settings:
        if tuple(note["names"]) != player_names([bot["name"] for bot in stored.bots]):
            found.fail(f"{name}: it names other players than the bots of the match")
        if note["game"] != stored.settings["game"]:
            found.fail(f"{name}: it was played with another game than that of the match")


def _problems(columns: HandColumns, ends: Any) -> Iterator[str]:
    """What is wrong with hands by the rules: cards, actions, payoffs, players; `ends` is what replaying them gave."""
    records = columns.records
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
    parts_of_sets = chunk.first % settings["set_size"] or len(columns) % settings["set_size"]
    if parts_of_sets or (columns.numbers != numbers).any() or (columns.deals != deals).any():
        verification.fail(f"{chunk.hands_file.name}: its hand and deal numbers are not those of the match")
        return
    players = _seating(match_settings(settings, stored.bots, stored.folder), chunk.first, len(columns))
    for row in np.flatnonzero((columns.players != players).any(axis=1)).tolist():
        told, right = columns.players[row].tolist(), players[row].tolist()
        verification.fail(f"hand {columns.numbers[row]}: its players are {told}; the seed seats {right}")


def _seating(settings: MatchSettings, first: int, hands: int) -> NDArray[np.int8]:
    """Who sits where in some hands of a match, which needs no bot."""
    match = Match(settings.game, (), settings.hands, settings.seed, settings.decks, sealed=settings.sealed)
    return match.seated(first, hands).players


def _check_cards(stored: StoredHands, columns: HandColumns, verification: Verification) -> None:
    """The cards follow from the seed and the number of the deal."""
    settings = stored.settings
    keys = Keys(int(settings["seed"]), is_sealed(settings, f"{stored.folder}, settings"))
    decks = deal(Game.from_dict(settings["game"]), keys, columns.deals)
    for row in np.flatnonzero((decks != columns.records.decks).any(axis=1)).tolist():
        verification.fail(f"hand {columns.numbers[row]}: its cards are not those that the seed deals")


def _check_order(checks: Checks) -> None:
    """Chunks follow one another without a gap; says so if the match is not finished."""
    stored, found, expected = checks.stored, checks.found, 0
    for chunk in stored.chunks:
        if chunk.first != expected:
            found.fail(f"hands {expected} to {chunk.first - 1} are missing: no chunk holds them")
        expected = chunk.first + chunk.hands
    games = checks.carried.games if checks.carried is not None else 0
    if checks.carried is not None and not stored.finished and games != stored.settings["games"]:
        found.notes.append(f"not finished: {games:,} of {stored.settings['games']:,} sessions")
    if stored.is_match and not stored.finished and stored.hands != stored.settings["hands"]:
        found.notes.append(f"the match is not finished: {stored.hands:,} of {stored.settings['hands']:,} hands")


def _check_strays(stored: StoredHands, found: Verification) -> None:
    """Chunks in the folder that the catalogue does not know: of a crash, or of a catalogue from elsewhere."""
    known = {chunk.hands_file.name: chunk for chunk in stored.chunks}
    hands = {chunk.first: chunk.hands for chunk in stored.chunks}
    for path in sorted(stored.folder.glob("hands-*.parquet")):
        if path.name in known:
            continue
        try:
            note = read_note(path)
        except InputError as error:
            found.fail(str(error))
            continue
        if note["hands"] <= hands.get(note["first"], 0):
            continue  # a part of a chunk that is there whole
        if stored.finished or "seed" not in stored.settings:
            found.fail(f"{path.name} is in the folder, but not in the catalogue")
        else:
            found.notes.append(f"{path.name} is not in the catalogue yet: resuming enters it")


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
    if not (stored.is_match or stored.is_session) or PART in stored.chunks[-1].hands_file.name:
        return False
    result = count_sessions(stored) if stored.is_session else count_match(stored)
    if result.interrupted:
        return False
    with sole_writer(folder), closing(Catalogue.open(folder)) as catalogue:
        catalogue.set_results(result.to_dict(), result.to_record())
    return True
