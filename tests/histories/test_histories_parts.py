"""Parts of chunks, stored while slow bots play: what a kill can cost, and that the bytes at the end are the same."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from crashes import bytes_of, crashes_at, without_seconds
from luckless.bots.catalogue import load_bot
from luckless.bots.python_bot import bot_of
from luckless.histories import match_writer, session_writer
from luckless.histories.match_writer import play_stored
from luckless.histories.session_writer import play_stored_sessions
from luckless.histories.store import StoredHands, rebuild
from luckless.histories.verifying import verify
from luckless.matches import match as match_module
from luckless.matches import session as session_module
from luckless.matches.match import Match
from luckless.matches.session import SessionBlock, Sessions
from luckless.rules.game import Game
from luckless.rules.views import View

LIMIT = Game.load("limit-hu")
CHUNK = 64


class Calls:
    """A bot that is asked."""

    def decide(self, view: View, dice: Any) -> int:
        """Calls."""
        return 0


class Ten:
    """Ten sets at a time."""

    size = 10

    def __init__(self, most: int, batches: bool = False) -> None:
        """However many there may be."""

    def played(self, size: int, seconds: float) -> None:
        """Takes no notice."""


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_writer, "ASKING_HANDS", CHUNK)
    monkeypatch.setattr(match_module, "Pace", Ten)
    monkeypatch.setattr(session_module, "Pace", Ten)


def plan(hands: int) -> Match:
    """A match of a bot that is asked."""
    return Match.plan(LIMIT, [bot_of(Calls()), load_bot("random")], hands=hands)


def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts are written with every chunk that was played."""
    monkeypatch.setattr(match_writer, "PART_SECONDS", 0.0)
    monkeypatch.setattr(session_writer, "PART_SECONDS", 0.0)


def test_parts_leave_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = play_stored(plan(2 * CHUNK + 10), tmp_path / "whole")
    often(monkeypatch)
    result = play_stored(plan(2 * CHUNK + 10), tmp_path / "m")
    assert bytes_of(tmp_path / "m") == bytes_of(tmp_path / "whole")
    assert without_seconds(result.to_dict()) == without_seconds(whole.to_dict())


def test_a_kill_loses_only_what_was_played_since_the_last_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_stored(plan(2 * CHUNK), tmp_path / "whole")
    often(monkeypatch)
    for last in (40, 100):

        def dies(chunk: Any, last: int = last) -> None:
            if chunk.first >= last:
                raise OSError("the power is out")

        with pytest.raises(OSError, match="power"):
            play_stored(plan(2 * CHUNK), tmp_path / "m", on_chunk=dies)
        assert StoredHands.open(tmp_path / "m").hands >= last
        assert verify(tmp_path / "m").failures == 0
    play_stored(plan(2 * CHUNK), tmp_path / "m")
    assert bytes_of(tmp_path / "m") == bytes_of(tmp_path / "whole")


@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_a_crash_at_any_step_costs_at_most_a_part(
    every: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before every file that is written or removed, and before every change of the catalogue."""
    match = plan(CHUNK + 20)
    play_stored(match, tmp_path / "whole")
    often(monkeypatch)
    most = 0
    for step in range(0, 200, every):
        folder, lost = tmp_path / f"{step}", tmp_path / f"{step}-lost"
        if not crashes_at(step, lambda folder=folder: play_stored(match, folder), monkeypatch):  # type: ignore[misc]
            break
        if not (folder / "catalogue.sqlite").is_file():
            continue
        stored = StoredHands.open(folder).hands
        assert stored >= most
        most = stored
        assert verify(folder).failures == 0
        if stored and step % 4 == 0:
            shutil.copytree(folder, lost)
            (lost / "catalogue.sqlite").unlink()
            rebuild(lost)
            assert StoredHands.open(lost).hands >= stored
        play_stored(match, folder)
        assert bytes_of(folder) == bytes_of(tmp_path / "whole")
    assert step > 20
    assert most > CHUNK


def test_parts_of_earlier_versions_are_taken_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They had no number in their name."""
    play_stored(plan(2 * CHUNK), tmp_path / "whole")

    def stop(chunk: Any) -> None:
        if chunk.first >= CHUNK:
            raise KeyboardInterrupt

    assert play_stored(plan(2 * CHUNK), tmp_path / "m", on_chunk=stop).interrupted
    parts = sorted(path.name for path in (tmp_path / "m").glob("*-part*"))
    assert [name.partition("-part")[2] for name in parts] == ["36.parquet", "36.parquet"]
    for name in parts:
        (tmp_path / "m" / name).rename(tmp_path / "m" / name.replace("-part36", "-part"))
    (tmp_path / "m" / "catalogue.sqlite").unlink()
    rebuild(tmp_path / "m")
    assert StoredHands.open(tmp_path / "m").hands == CHUNK + 36
    play_stored(plan(2 * CHUNK), tmp_path / "m")
    assert bytes_of(tmp_path / "m") == bytes_of(tmp_path / "whole")


def test_sessions_are_stored_in_parts_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_module, "ASKING_HANDS", 100)
    sessions = Sessions.plan([bot_of(Calls()), load_bot("random")], games=50, rounds=4)
    assert sessions.block_games() == 25
    whole = play_stored_sessions(sessions, tmp_path / "whole")
    often(monkeypatch)
    add = session_writer.SessionWriter.add

    def dies(writer: session_writer.SessionWriter, block: SessionBlock) -> None:
        add(writer, block)
        if StoredHands.open(tmp_path / "m").hands > 130:
            raise OSError("the power is out")

    with monkeypatch.context() as patch:
        patch.setattr(session_writer.SessionWriter, "add", dies)
        with pytest.raises(OSError, match="power"):
            play_stored_sessions(sessions, tmp_path / "m")
    assert verify(tmp_path / "m").failures == 0
    assert len(list((tmp_path / "m").glob("hands-*-part*"))) > 0
    result = play_stored_sessions(sessions, tmp_path / "m")
    assert bytes_of(tmp_path / "m") == bytes_of(tmp_path / "whole")
    assert without_seconds(result.to_dict()) == without_seconds(whole.to_dict())
