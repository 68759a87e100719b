"""Stored matches that are made longer: the bytes of one played at once, whatever happens on the way."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from crashes import bytes_of, crashes_at, without_seconds
from forging import MATCH, edit, unseal
from luckless.errors import InputError
from luckless.histories import match_writer, store
from luckless.histories.match_writer import MatchWriter, play_stored
from luckless.histories.store import StoredHands, rebuild
from luckless.histories.stored_match import load_match_result
from luckless.histories.verifying import restore_result, verify
from luckless.matches.match import Match
from luckless.matches.playing import Chunk
from luckless.rules.game import Game
from luckless.stats.sequential import SequentialTest
from stored_hands import plan

LIMIT = Game.load("limit-hu")
CHUNK = 1_024
LONG = 4 * CHUNK + 10


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_writer, "COMPILED_HANDS", CHUNK)
    monkeypatch.setattr(match_writer, "ASKING_HANDS", CHUNK)


@pytest.mark.parametrize("before", [[50], [2 * CHUNK], [2 * CHUNK + 100], [100, CHUNK, 3 * CHUNK + 2]])
def test_a_longer_match_is_the_one_played_at_once(before: list[int], tmp_path: Path) -> None:
    whole = play_stored(plan(LIMIT, LONG), tmp_path / "whole")
    for hands in before:
        play_stored(plan(LIMIT, hands), tmp_path / "longer")
    result = play_stored(plan(LIMIT, LONG), tmp_path / "longer")
    assert bytes_of(tmp_path / "longer") == bytes_of(tmp_path / "whole")
    assert without_seconds(result.to_dict()) == without_seconds(whole.to_dict())
    assert result.tally.line == whole.tally.line
    assert result.match == whole.match, "the clock is that of the longer match"
    found = verify(tmp_path / "longer")
    assert (found.failures, found.hands, found.notes, found.reproduced) == (0, LONG, [], True)


def test_a_crash_at_any_step_costs_no_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before every file that is written or removed, and before every change of the catalogue."""
    short, long = plan(LIMIT, CHUNK + 100), plan(LIMIT, 2 * CHUNK + 10)
    play_stored(short, tmp_path / "short")
    play_stored(long, tmp_path / "whole")
    for step in range(100):
        folder, lost = tmp_path / f"{step}", tmp_path / f"{step}-lost"
        shutil.copytree(tmp_path / "short", folder)
        crashed = crashes_at(step, lambda folder=folder: play_stored(long, folder), monkeypatch)  # type: ignore[misc]
        if not crashed:
            break
        assert StoredHands.open(folder).hands >= short.hands
        assert verify(folder).failures == 0
        shutil.copytree(folder, lost)
        (lost / "catalogue.sqlite").unlink()
        rebuild(lost)
        assert StoredHands.open(lost).hands >= short.hands
        for place in (folder, lost):
            play_stored(long, place)
            assert bytes_of(place) == bytes_of(tmp_path / "whole")
    assert step > 8
    assert bytes_of(folder) == bytes_of(tmp_path / "whole")


def test_an_interrupt_while_a_match_is_made_longer_keeps_its_hands(tmp_path: Path) -> None:
    play_stored(plan(LIMIT, LONG), tmp_path / "whole")
    play_stored(plan(LIMIT, CHUNK + 100), tmp_path / "m")

    def stop(chunk: Chunk) -> None:
        if chunk.first >= 2 * CHUNK:
            raise KeyboardInterrupt

    result = play_stored(plan(LIMIT, LONG), tmp_path / "m", workers=1, on_chunk=stop)
    assert result.interrupted
    assert 2 * CHUNK < StoredHands.open(tmp_path / "m").hands == result.hands < LONG
    assert load_match_result(tmp_path / "m").to_dict() == result.to_dict()
    assert not verify(tmp_path / "m").failures
    play_stored(plan(LIMIT, LONG), tmp_path / "m")
    assert bytes_of(tmp_path / "m") == bytes_of(tmp_path / "whole")


def test_a_match_that_a_test_has_ended_can_go_on(tmp_path: Path) -> None:
    match = plan(LIMIT, LONG, bots=("call", "fold"))
    play_stored(match, tmp_path / "whole")
    test = SequentialTest(at_most=0, at_least=400, largest=48_000)
    stopped = play_stored(match, tmp_path / "m", workers=1, sequential=test)
    assert stopped.hands < LONG
    assert load_match_result(tmp_path / "m").to_dict() == stopped.to_dict()
    play_stored(match, tmp_path / "m")
    assert bytes_of(tmp_path / "m") == bytes_of(tmp_path / "whole")


def test_a_match_that_a_test_ends_is_the_same_bytes_whoever_plays_it(tmp_path: Path) -> None:
    """With any number of workers, and after a crash: the last chunk ends with the set that decides the test."""
    match = plan(LIMIT, LONG, bots=("call", "random"))

    def stopped(folder: Path, workers: int, on_chunk: Any = None) -> dict[str, Any]:
        test = SequentialTest(at_most=1_000, at_least=1_300, largest=48_000)
        result = play_stored(match, folder, workers=workers, sequential=test, on_chunk=on_chunk)
        assert StoredHands.open(folder).hands == result.hands == match.set_size * (test.stopped_at or 0)
        return without_seconds(result.to_dict())

    def crash(chunk: Chunk) -> None:
        if chunk.first >= CHUNK:
            raise OSError("the power is out")

    first = stopped(tmp_path / "1", 1)
    assert CHUNK < first["hands"] < LONG
    for workers in (2, 3, 8):
        folder = tmp_path / f"{workers}"
        if workers == 8:
            with pytest.raises(OSError, match="the power is out"):
                stopped(folder, workers, crash)
            assert 0 < StoredHands.open(folder).hands < first["hands"]
        assert stopped(folder, workers) == first
        assert bytes_of(folder) == bytes_of(tmp_path / "1")
        assert without_seconds(load_match_result(folder).to_dict()) == first
        assert verify(folder).problems == []


def test_a_test_that_is_decided_by_the_first_of_the_stored_hands_is_not_told_of_the_others(tmp_path: Path) -> None:
    match = plan(LIMIT, LONG, bots=("call", "random"))
    play_stored(match, tmp_path / "m")
    test = SequentialTest(at_most=1_000, at_least=1_300, largest=48_000)
    result = play_stored(match, tmp_path / "m", sequential=test)
    assert result.hands == match.set_size * (test.stopped_at or 0) < LONG
    assert verify(tmp_path / "m").problems == []
    assert without_seconds(load_match_result(tmp_path / "m").to_dict()) == without_seconds(result.to_dict())


def test_fewer_hands_than_are_stored_are_refused(tmp_path: Path) -> None:
    play_stored(plan(LIMIT, 300), tmp_path / "m")
    before = bytes_of(tmp_path / "m")
    with pytest.raises(InputError, match="holds 300 hands of this match already, more than the 200 to play"):
        MatchWriter.open(tmp_path / "m", plan(LIMIT, 200))
    assert bytes_of(tmp_path / "m") == before
    assert StoredHands.open(tmp_path / "m").finished


def test_a_bot_whose_code_has_changed_or_that_remembers_adds_nothing(tmp_path: Path) -> None:
    source = tmp_path / "mine.py"
    source.write_text("class Mine:\n    def decide(self, view, dice):\n        return 0\n")
    mine = (f"{source}:Mine", "call")
    played = play_stored(plan(LIMIT, 100, bots=mine), tmp_path / "m").to_dict()
    source.write_text("class Mine:\n    def decide(self, view, dice):\n        return -1\n")
    with pytest.raises(InputError, match=r"the code of .* has changed"):
        MatchWriter.open(tmp_path / "m", plan(LIMIT, 200, bots=mine))
    assert load_match_result(tmp_path / "m").to_dict() == played
    source.write_text("class Mine:\n    memory = True\n    def decide(self, view, dice):\n        return 0\n")
    play_stored(plan(LIMIT, 100, bots=mine), tmp_path / "fresh")
    with pytest.raises(InputError, match=r"cannot resume: .* keeps memory between hands"):
        MatchWriter.open(tmp_path / "fresh", plan(LIMIT, 200, bots=mine))
    assert StoredHands.open(tmp_path / "fresh").finished


def test_a_rebuilt_catalogue_has_the_length_that_is_there(tmp_path: Path) -> None:
    play_stored(plan(LIMIT, CHUNK + 100), tmp_path / "m")
    played = load_match_result(tmp_path / "m").to_dict()
    (tmp_path / "m" / "catalogue.sqlite").unlink()
    rebuild(tmp_path / "m")
    assert restore_result(tmp_path / "m")
    assert without_seconds(load_match_result(tmp_path / "m").to_dict()) == without_seconds(played)
    play_stored(plan(LIMIT, LONG), tmp_path / "m")
    play_stored(plan(LIMIT, LONG), tmp_path / "whole")
    assert bytes_of(tmp_path / "m") == bytes_of(tmp_path / "whole")


# Stores of older versions: their chunks name the length of the match; specs, clocks and the tally are not there.


def old_settings(match: Match) -> dict[str, Any]:
    """What older versions said of a match."""
    settings = new_settings(match)
    del settings["specs"], settings["clocks"]
    return settings


new_settings = match_writer._settings


@pytest.fixture
def old_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, dict[str, Any]]:
    """A match as an older version stored it, and its result."""
    with monkeypatch.context() as patch:
        patch.setattr(store, "LENGTH_KEYS", ("result", "record"))
        patch.setattr(match_writer, "_settings", old_settings)
        result = play_stored(plan(LIMIT, 2 * CHUNK + 100), tmp_path / "old").to_dict()
    edit(tmp_path / "old" / MATCH, ("delete from settings where key = 'record'",))
    unseal(tmp_path / "old" / MATCH)
    note = next(iter(store.find_chunks(tmp_path / "old", {})))[1]
    assert note["settings"]["hands"] == 2 * CHUNK + 100
    return tmp_path / "old", result


def test_an_old_store_is_read_verified_rebuilt_and_loaded(old_store: tuple[Path, dict[str, Any]]) -> None:
    folder, played = old_store
    found = verify(folder)
    assert (found.failures, found.reproduced) == (0, True)
    assert "carries no seal" in found.notes[0]
    assert load_match_result(folder).to_dict() == {**played, "seconds": round(played["seconds"], 3)}
    (folder / "catalogue.sqlite").unlink()
    assert rebuild(folder) == 3
    assert restore_result(folder)
    assert without_seconds(load_match_result(folder).to_dict()) == without_seconds(played)


def test_an_old_store_that_was_broken_off_is_resumed(old_store: tuple[Path, dict[str, Any]]) -> None:
    folder, played = old_store
    for first in (CHUNK, 2 * CHUNK):
        for name in store.chunk_names(first):
            (folder / name).unlink()
    (folder / "catalogue.sqlite").rename(folder / "catalogue.kept")
    rebuild(folder)
    assert StoredHands.open(folder).settings["hands"] == 2 * CHUNK + 100  # as planned: the old chunks still say it
    resumed = play_stored(plan(LIMIT, 2 * CHUNK + 100), folder).to_dict()
    assert without_seconds(resumed) == without_seconds(played)
    assert verify(folder).failures == 0


def test_an_old_store_is_extended_and_keeps_its_older_chunks(old_store: tuple[Path, dict[str, Any]]) -> None:
    folder, _ = old_store
    before = bytes_of(folder)
    result = play_stored(plan(LIMIT, LONG), folder)
    whole = play_stored(plan(LIMIT, LONG), folder.with_name("whole"))
    assert without_seconds(result.to_dict()) == without_seconds(whole.to_dict())
    after = bytes_of(folder)
    for first in (0, CHUNK):
        assert all(after[name] == before[name] for name in store.chunk_names(first))
    assert verify(folder).failures == 0
    (folder / "catalogue.sqlite").unlink()
    assert rebuild(folder) == 5
    assert StoredHands.open(folder).settings["hands"] == LONG
