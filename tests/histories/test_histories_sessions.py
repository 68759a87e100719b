"""Stored sessions: the results of unstored ones, resumed after any crash, and every hand checked."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from crashes import bytes_of, crashes_at, without_seconds
from forging import MATCH, reseal, set_setting
from luckless.bots.catalogue import load_bot
from luckless.errors import InputError
from luckless.histories.catalogue import Catalogue
from luckless.histories.session_writer import SessionWriter, load_session_result, play_stored_sessions
from luckless.histories.store import ChunkSink, StoredHands, rebuild
from luckless.histories.verifying import restore_result, verify
from luckless.matches import session
from luckless.matches.session import SessionBlock, Sessions, play_sessions
from luckless.rules.columns import HandColumns, join
from luckless.rules.game import Game
from stored_hands import plan

BAD = "class Bad:\n    def decide(self, view, dice):\n        return 'x' if view.street else 0\n"
ELEPHANT = "class Elephant:\n    memory = True\n    def decide(self, view, dice):\n        return 0\n"


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seven sessions of six rounds in a chunk."""
    monkeypatch.setattr(session, "BATCH_HANDS", 42)
    monkeypatch.setattr(session, "ASKING_HANDS", 42)


def sessions_of(*bots: str, games: int = 30, seed: int = 2) -> Sessions:
    """Sessions of six rounds with short stacks, so that some end early."""
    return Sessions.plan([load_bot(bot) for bot in bots], rounds=6, stack=100, games=games, seed=seed)


@pytest.mark.parametrize("third", ["raise", "bad.py:Bad", "elephant.py:Elephant"])
def test_stored_sessions_are_the_unstored_ones(third: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.py").write_text(BAD)
    Path("elephant.py").write_text(ELEPHANT)
    plain = play_sessions(sessions_of("random", "call", third))
    stored = play_stored_sessions(sessions_of("random", "call", third), tmp_path / "s")
    assert without_seconds(stored.to_dict()) == without_seconds(plain.to_dict())
    assert (stored.chips == plain.chips).all()
    assert stored.faults == plain.faults
    assert (stored.faults.counts.total() > 10) == (third == "bad.py:Bad")
    Path("bad.py").unlink()
    Path("elephant.py").unlink()
    loaded = load_session_result(tmp_path / "s")
    assert loaded.to_dict() == stored.to_dict()
    assert (loaded.rounds == plain.rounds).all()
    assert len(StoredHands.open(tmp_path / "s").chunks) == 5
    found = verify(tmp_path / "s")
    assert (found.failures, found.hands) == (0, int(plain.rounds.sum()))
    assert found.reproduced is (True if third == "raise" else None)


def test_hands_lie_in_the_order_of_games_and_rounds(tmp_path: Path) -> None:
    result = play_stored_sessions(sessions_of("random", "call"), tmp_path / "s")
    hands = join(list(StoredHands.open(tmp_path / "s").columns()))
    expected = [6 * game + number for game, rounds in enumerate(result.rounds.tolist()) for number in range(rounds)]
    assert hands.numbers.tolist() == expected
    some = StoredHands.open(tmp_path / "s").hand(expected[-1])
    assert some.numbers.tolist() == [expected[-1]]
    block = SessionBlock.of_hands(hands, 6)
    assert (block.chips == result.chips).all()
    assert (block.rounds == result.rounds).all()


def test_a_crash_at_any_step_and_more_sessions_give_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few, many = sessions_of("random", "call", games=10), sessions_of("random", "call", games=18)
    play_stored_sessions(few, tmp_path / "few")
    whole = play_stored_sessions(many, tmp_path / "whole")
    for step in range(100):
        folder = tmp_path / f"{step}"
        shutil.copytree(tmp_path / "few", folder)
        if not crashes_at(step, lambda folder=folder: play_stored_sessions(many, folder), monkeypatch):  # type: ignore[misc]
            break
        assert verify(folder).failures == 0
        assert load_session_result(folder).games >= 10
        resumed = play_stored_sessions(many, folder)
        assert bytes_of(folder) == bytes_of(tmp_path / "whole")
        assert without_seconds(resumed.to_dict()) == without_seconds(whole.to_dict())
    assert step > 8
    assert bytes_of(folder) == bytes_of(tmp_path / "whole")
    longer = load_session_result(folder).sessions
    assert longer == whole.sessions
    assert longer.match_seconds == 3_600 + 5 * 6 * 18


def test_sessions_of_an_earlier_version_have_no_clock(tmp_path: Path) -> None:
    play_stored_sessions(sessions_of("random", "call", games=10), tmp_path / "s")
    set_setting(tmp_path / "s" / MATCH, "clocks", [10.0])
    reseal(tmp_path / "s" / MATCH)
    assert load_session_result(tmp_path / "s").sessions.match_seconds == 0
    assert verify(tmp_path / "s").failures == 0


def test_an_interrupt_keeps_the_sessions_that_are_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = play_stored_sessions(sessions_of("random", "call"), tmp_path / "whole")
    add, calls = SessionWriter.add, []

    def add_some(writer: SessionWriter, block: SessionBlock) -> None:
        add(writer, block)
        calls.append(block)
        if len(calls) == 2:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(SessionWriter, "add", add_some)
        stopped = play_stored_sessions(sessions_of("random", "call"), tmp_path / "s")
    assert stopped.interrupted
    assert stopped.games == 14
    assert StoredHands.open(tmp_path / "s").hands == int(whole.rounds[:14].sum())
    assert verify(tmp_path / "s").notes == ["not finished: 14 of 30 sessions"]
    assert load_session_result(tmp_path / "s").to_dict() == stopped.to_dict()
    resumed = play_stored_sessions(sessions_of("random", "call"), tmp_path / "s")
    assert without_seconds(resumed.to_dict()) == without_seconds(whole.to_dict())
    assert bytes_of(tmp_path / "s") == bytes_of(tmp_path / "whole")


KILLED = """
import sys
from pathlib import Path
from luckless.bots.catalogue import load_bot
from luckless.histories import session_writer
from luckless.matches import session

session.BATCH_HANDS = 42
add = session_writer.SessionWriter.add

def announced(writer, block):
    add(writer, block)
    print("added", flush=True)

session_writer.SessionWriter.add = announced
players = [load_bot("random"), load_bot("call")]
sessions = session.Sessions.plan(players, rounds=6, stack=100, games=300, seed=2)
session_writer.play_stored_sessions(sessions, Path(sys.argv[1]))
"""


def test_killed_sessions_are_resumed_to_the_same_result(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path / "s")], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"added\n"
    time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert StoredHands.open(tmp_path / "s").hands
    assert not StoredHands.open(tmp_path / "s").finished
    result = play_stored_sessions(sessions_of("random", "call", games=300), tmp_path / "s")
    plain = play_sessions(sessions_of("random", "call", games=300))
    assert without_seconds(result.to_dict()) == without_seconds(plain.to_dict())
    play_stored_sessions(sessions_of("random", "call", games=300), tmp_path / "whole")
    assert bytes_of(tmp_path / "s") == bytes_of(tmp_path / "whole")


def test_a_folder_holds_one_kind_of_sessions(tmp_path: Path) -> None:
    play_stored_sessions(sessions_of("random", "call", games=9), tmp_path / "s")
    for other, said in (
        (sessions_of("random", "call", seed=3), "its seed is 2, not 3"),
        (sessions_of("random", "raise"), "its bot 2 is call, not raise"),
        (sessions_of("random", "call", games=8), "holds 9 of these sessions already, more than the 8 to play"),
    ):
        with pytest.raises(InputError, match=said):
            SessionWriter.open(tmp_path / "s", other)
    from luckless.histories.match_writer import MatchWriter, play_stored

    with pytest.raises(InputError, match="holds sessions; choose a new folder"):
        MatchWriter.open(tmp_path / "s", plan(Game.load("limit-hu"), 10))
    play_stored(plan(Game.load("limit-hu"), 10), tmp_path / "m")
    with pytest.raises(InputError, match="are not of sessions"):
        SessionWriter.open(tmp_path / "m", sessions_of("random", "call"))


def test_a_bot_with_memory_cannot_resume(tmp_path: Path) -> None:
    (tmp_path / "elephant.py").write_text(ELEPHANT)
    bots = (f"{tmp_path}/elephant.py:Elephant", "call")
    play_stored_sessions(sessions_of(*bots, games=9), tmp_path / "s")
    with pytest.raises(InputError, match="keeps memory between hands"):
        play_stored_sessions(sessions_of(*bots, games=10), tmp_path / "s")
    assert load_session_result(tmp_path / "s").games == 9


def _other_stack(columns: HandColumns) -> HandColumns:
    columns.records.stacks[1] += np.array([1, -1], np.int32)
    return columns


def _other_game(columns: HandColumns) -> HandColumns:
    return replace(columns, numbers=columns.numbers + 6)


def _other_seats(columns: HandColumns) -> HandColumns:
    columns.players[1] = columns.players[1, ::-1].copy()
    return columns


def _other_cards(columns: HandColumns) -> HandColumns:
    return replace(columns, deals=columns.deals + 1)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_other_stack, "the hand before left"),
        (_other_game, "comes where hand 0 is due"),
        (_other_seats, "its players are"),
        (_other_cards, "not those that the seed deals"),
    ],
)
def test_verify_finds_hands_that_do_not_follow(
    change: Callable[[HandColumns], HandColumns], said: str, tmp_path: Path
) -> None:
    play_stored_sessions(sessions_of("call", "fold"), tmp_path / "s")
    columns = StoredHands.open(tmp_path / "s").read_chunk(StoredHands.open(tmp_path / "s").chunks[0])
    catalogue = Catalogue.open(tmp_path / "s")
    ChunkSink(tmp_path / "s", catalogue).write(0, [change(columns)])
    catalogue.close()
    assert any(said in problem for problem in verify(tmp_path / "s").problems), verify(tmp_path / "s").problems


def test_a_lost_catalogue_of_sessions_is_rebuilt(tmp_path: Path) -> None:
    played = play_stored_sessions(sessions_of("random", "call"), tmp_path / "s")
    (tmp_path / "s" / "catalogue.sqlite").unlink()
    assert rebuild(tmp_path / "s") == 5
    assert restore_result(tmp_path / "s")
    assert without_seconds(load_session_result(tmp_path / "s").to_dict()) == without_seconds(played.to_dict())
    assert verify(tmp_path / "s").failures == 0
