"""Counts stored hands again and holds the stored results against them: what a catalogue says is not believed.

What hands do not tell cannot be counted: how long the match took, and the question that a sequential test was asked.
"""

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

import luckless
from luckless.histories.match_writer import match_settings
from luckless.histories.session_writer import session_settings
from luckless.histories.store import PART, StoredHands
from luckless.histories.stored_match import asked_test
from luckless.matches.faults import Case, FaultLog
from luckless.matches.playing import Chunk
from luckless.matches.result import MatchResult, new_tally, set_scale
from luckless.matches.session import SessionBlock, count_blocks
from luckless.matches.session_result import SessionResult
from luckless.rules.columns import HandColumns

ROUNDING = 1e-9
"""Sums of floats depend on the pieces that they were made in, by far less than this part of them."""

OnSets = Callable[[NDArray[np.int64]], None]


class MatchCount:
    """The result of a match, counted from its hands as they are checked."""

    def __init__(self, stored: StoredHands, on_sets: OnSets | None = None) -> None:
        self._stored = stored
        self._settings = match_settings(stored.settings, stored.bots, stored.folder)
        self._tally, self._scale = new_tally(self._settings), set_scale(self._settings)
        self._test = asked_test(stored, self._settings)
        record = stored.settings.get("record")
        self._told = record["tally"]["hands"] if record is not None and stored.finished else stored.hands
        self._on_sets = on_sets

    def add(self, columns: HandColumns, streets: NDArray[np.int8], cases: Sequence[Case]) -> None:
        """Counts the hands of a chunk."""
        hands = replace(columns, players=columns.players.astype(np.int8))
        chunk = Chunk(hands, streets, tuple(cases), asked=not self._stored.settings["compiled"])
        if self._test is not None:  # a test may have been decided by fewer hands than were stored before it
            chunk = chunk.split(max(self._told - self._tally.hands, 0))[0]
        won = self._tally.add(chunk)
        if self._test is not None:
            self._test.update(won[:, 0] * self._scale)
        if self._on_sets is not None:
            self._on_sets(won)

    def problems(self) -> Iterator[str]:
        """What the catalogue says that the hands do not."""
        stored, planned = self._stored, self._settings.hands
        stopped = None if self._test is None else self._test.stopped_at
        if self._told < stored.hands:
            complete = stopped is not None and self._told == stopped * self._settings.set_size
        else:
            complete = stopped is not None or stored.hands == planned
        if stored.finished and not complete:
            yield f"a result is stored, but {stored.hands:,} of {planned:,} hands"
        record = stored.settings.get("record")
        if record is not None and (stored.finished or record["tally"]["hands"] == stored.hands):
            told = {key: record[key] for key in ("tally", "sequential")}
            counted = {"tally": self._tally.to_dict(), "sequential": self._test and self._test.to_dict()}
            yield from _differences(stored, _in_order(told, "tally"), _in_order(counted, "tally"), "record")
        yield from _result_problems(stored, lambda: self.result().to_dict())

    def result(self) -> MatchResult:
        """The result as the hands give it; how long it took is as the catalogue says."""
        known = self._stored.settings.get("record") or self._stored.settings.get("result") or {}
        interrupted = not self._stored.finished
        return MatchResult(self._settings, self._tally, known.get("seconds", 0.0), interrupted, self._test)


class SessionCount:
    """The result of sessions, counted from their hands as they are checked."""

    def __init__(self, stored: StoredHands) -> None:
        self._stored = stored
        self._settings = session_settings(stored.settings, stored.bots, stored.folder)
        self._blocks: list[SessionBlock] = []

    def add(self, columns: HandColumns, streets: NDArray[np.int8], cases: Sequence[Case]) -> None:
        """Counts the sessions of a chunk."""
        asked = not self._stored.settings["compiled"]
        block = SessionBlock.of_hands(columns, self._settings.rounds, tuple(cases), asked)
        self._blocks.append(block.without_hands())

    def problems(self) -> Iterator[str]:
        """What the catalogue says that the hands do not."""
        stored = self._stored
        if not self._blocks:
            return
        faults = FaultLog()
        chips, rounds = count_blocks(self._blocks, faults)
        if stored.finished and (len(chips) != self._settings.games or PART in stored.chunks[-1].hands_file.name):
            yield f"a result is stored, but {len(chips):,} of {self._settings.games:,} sessions"
        record = stored.settings.get("record")
        known = record or stored.settings.get("result") or {}
        counted = SessionResult(self._settings, chips, rounds, faults, known.get("seconds", 0.0), not stored.finished)
        if record is not None and (stored.finished or sum(record["rounds"]) == stored.hands):
            told = {"chips": record["chips"], "rounds": record["rounds"], "faults": record["faults"]}
            again = counted.to_record()
            yield from _differences(stored, _in_order(told), _in_order({key: again[key] for key in told}), "record")
        yield from _result_problems(stored, counted.to_dict)


def _result_problems(stored: StoredHands, count: Callable[[], Mapping[str, Any]]) -> Iterator[str]:
    """The result as `--json` shows it. An older version may have told less, and in other words."""
    told = stored.settings.get("result")
    if told is None:
        if stored.results:
            yield "results of bots are stored of a match that is not finished"
        return
    if not stored.hands:
        yield "a result is stored, but no hand"
        return
    told, counted = {**told, "bots": stored.results}, json.loads(json.dumps(count()))
    if len(stored.results) != len(counted["bots"]):
        yield f"results of {len(stored.results)} bots are stored; {len(counted['bots'])} played"
        return
    yield from _differences(stored, told, counted, "result")


def _shared(told: Any, counted: Any) -> tuple[Any, Any]:
    """Two tables with the keys that both have, warnings left out, and so on inside them."""
    if isinstance(told, dict) and isinstance(counted, dict):
        pairs = {key: _shared(told[key], counted[key]) for key in told if key in counted and key != "warnings"}
        return {key: pair[0] for key, pair in pairs.items()}, {key: pair[1] for key, pair in pairs.items()}
    if isinstance(told, list) and isinstance(counted, list) and len(told) == len(counted):
        rows = [_shared(*pair) for pair in zip(told, counted, strict=True)]
        return [one for one, _ in rows], [other for _, other in rows]
    return told, counted


def _in_order(record: dict[str, Any], inner: str = "") -> dict[str, Any]:
    """A record with its faults in the order of players: a match meets them in another order than its chunks."""
    if inner:
        return {**record, inner: _in_order(record[inner])}
    faults = record["faults"]
    cases = sorted(map(list, faults["cases"]), key=lambda case: case[0])
    return {**record, "faults": {**faults, "counts": sorted(map(list, faults["counts"])), "cases": cases}}


def _differences(stored: StoredHands, told: Any, counted: Any, place: str) -> Iterator[str]:
    """Where two plain values differ: the first such place of each."""
    same_version = stored.settings["versions"].get("luckless") == luckless.__version__
    if not (same_version and stored.sealed):
        told, counted = _shared(told, counted)
    difference = first_difference(told, counted, place)
    if difference:
        yield difference


def first_difference(told: Any, counted: Any, place: str) -> str:
    """The first place at which stored values are not those that the hands give, as a sentence; "" without one."""
    if isinstance(told, Mapping) and isinstance(counted, Mapping):
        if set(told) - set(counted):  # an earlier version may have told less, and silence claims nothing
            return f"{place} has keys that it cannot have: {', '.join(sorted(set(told) - set(counted)))}"
        return next(filter(None, (first_difference(told[key], counted[key], f"{place}.{key}") for key in told)), "")
    if isinstance(told, list | tuple) and isinstance(counted, list | tuple):
        if len(told) != len(counted):
            return f"{place} is stored with {len(told)} entries; the hands give {len(counted)}"
        if place.endswith(".moments") and _same_third_moment(told, counted):
            told = [*told[:3], counted[3], *told[4:]]
        pairs = enumerate(zip(told, counted, strict=True))
        return next(filter(None, (first_difference(*pair, f"{place}[{at}]") for at, pair in pairs)), "")
    return "" if _same(told, counted) else f"{place} is stored as {told!r}; the hands give {counted!r}"


def _same_third_moment(told: Any, counted: Any) -> bool:
    """Whether third moments differ by rounding alone: wins and losses of equal size cancel, so that the sum itself
    may be nothing but rounding. Its size is that of the second and fourth ones."""
    numbers = [*told[2:5], *counted[2:5]]
    if len(counted) != 5 or not all(isinstance(number, float) for number in numbers):
        return False
    size = math.sqrt(abs(counted[2] * counted[4]))
    return math.isclose(told[3], counted[3], rel_tol=ROUNDING, abs_tol=ROUNDING * size)


def _same(told: Any, counted: Any) -> bool:
    if isinstance(counted, float) and isinstance(told, int | float) and not isinstance(told, bool):
        return math.isclose(told, counted, rel_tol=ROUNDING, abs_tol=ROUNDING)
    return type(told) is type(counted) and bool(told == counted)
