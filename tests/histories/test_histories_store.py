"""Stored matches: what is written is read, a crash costs at most the chunk being written, damage is named."""

import dataclasses
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from forging import MATCH, edit, reseal
from luckless.errors import InputError
from luckless.histories import match_writer
from luckless.histories.formats import read_hands
from luckless.histories.hands_writer import HandsWriter
from luckless.histories.match_writer import MatchWriter, play_stored
from luckless.histories.store import StoredHands, rebuild
from luckless.histories.verifying import verify
from luckless.matches.match import Match
from luckless.rules.columns import HandColumns, join
from luckless.rules.game import Game
from stored_hands import plan, played, same_columns

LIMIT = Game.load("limit-hu")
CHUNK = 1_024


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_writer, "COMPILED_HANDS", CHUNK)
    monkeypatch.setattr(match_writer, "ASKING_HANDS", CHUNK)


def store(folder: Path, match: Match) -> dict[str, Any]:
    """Plays a match into a folder, from where it stands there; returns its result."""
    return play_stored(match, folder).to_dict()


def bytes_of(folder: Path) -> dict[str, bytes]:
    """The chunk files of a store."""
    return {path.name: path.read_bytes() for path in folder.glob("*.parquet")}


@pytest.mark.parametrize("game", ["limit-hu", "nolimit-6max", "river-hu", "nolimit-9max"])
def test_a_match_reads_back_whole(game: str, tmp_path: Path) -> None:
    match = plan(Game.load(game), 2 * CHUNK + 100)
    store(tmp_path / "m", match)
    again = join([chunk.hands for chunk in match.chunks()])
    stored = StoredHands.open(tmp_path / "m")
    assert stored.hands == match.hands
    assert len(stored.chunks) == 3
    assert same_columns(join(list(stored.columns())), again)
    assert same_columns(join(list(read_hands(tmp_path / "m"))), again)


def stored_again(columns: HandColumns, folder: Path) -> HandColumns:
    """Hands as they are read after they were written."""
    with HandsWriter.create(folder, Path("some.log")) as writer:
        writer.add(columns)
    return join(list(StoredHands.open(folder).columns()))


def test_unequal_stacks_and_unknown_cards_are_kept(tmp_path: Path) -> None:
    columns = played(LIMIT, 50)
    columns.records.stacks[3, 1] = 470
    columns.records.decks[5, 2:4] = 255
    assert same_columns(stored_again(columns, tmp_path / "h"), columns)


@pytest.mark.parametrize("raise_to", [254, 255, 65_534, 65_535, 2**31 - 1])
def test_the_largest_raise_of_every_width_is_kept(raise_to: int, tmp_path: Path) -> None:
    columns = played(LIMIT, 50)
    columns.records.actions[7] = raise_to
    assert same_columns(stored_again(columns, tmp_path / "h"), columns)


def test_a_broken_off_match_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    match = plan(LIMIT, 4 * CHUNK + 10)
    whole = store(tmp_path / "whole", match)
    with MatchWriter.open(tmp_path / "part", match) as writer:
        for chunk in match.chunks(workers=1):
            writer.add(chunk)
            if writer.next_hand >= 2 * CHUNK:
                break
    stopped = StoredHands.open(tmp_path / "part").hands
    assert 2 * CHUNK <= stopped < match.hands
    resumed = store(tmp_path / "part", match)
    assert bytes_of(tmp_path / "part") == bytes_of(tmp_path / "whole")
    del whole["seconds"], resumed["seconds"]
    assert resumed == whole
    assert StoredHands.open(tmp_path / "part").results == json.loads(json.dumps(resumed["bots"]))


def test_an_interrupted_match_keeps_its_hands_and_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    """Cut short in the middle of a chunk, twice: the part of a chunk is kept, and replaced by the whole later."""
    match = plan(LIMIT, 4 * CHUNK + 10)
    store(tmp_path / "whole", match)
    for stop in (CHUNK // 2, 2 * CHUNK + 100):
        with MatchWriter.open(tmp_path / "part", match) as writer:
            columns = dataclasses.replace(match, hands=stop).chunks(first=writer.next_hand, workers=1)
            for chunk in columns:
                writer.add(chunk)
            writer.keep()
        assert StoredHands.open(tmp_path / "part").hands == stop
        assert verify(tmp_path / "part").failures == 0
        assert verify(tmp_path / "part").notes == [f"the match is not finished: {stop:,} of {match.hands:,} hands"]
    store(tmp_path / "part", match)
    assert bytes_of(tmp_path / "part") == bytes_of(tmp_path / "whole")


def test_a_crash_while_a_part_is_replaced_costs_nothing(tmp_path: Path) -> None:
    match = plan(LIMIT, 2 * CHUNK)
    store(tmp_path / "whole", match)
    with MatchWriter.open(tmp_path / "part", match) as writer:
        for chunk in dataclasses.replace(match, hands=100).chunks(workers=1):
            writer.add(chunk)
        writer.keep()
    for name in (f"hands-{0:012d}.parquet", f"actions-{0:012d}.parquet"):
        (tmp_path / "part" / name).write_bytes((tmp_path / "whole" / name).read_bytes())
    with MatchWriter.open(tmp_path / "part", match) as writer:
        assert writer.next_hand == CHUNK
    assert rebuild(tmp_path / "part") == 1
    store(tmp_path / "part", match)
    assert bytes_of(tmp_path / "part") == bytes_of(tmp_path / "whole")


def test_faults_are_counted_again_when_a_match_goes_on(tmp_path: Path) -> None:
    source = tmp_path / "bad_bot.py"
    source.write_text("class Bad:\n    def decide(self, view, dice):\n        return 'x' if view.street else 0\n")
    match = plan(LIMIT, 2 * CHUNK, bots=(f"{source}:Bad", "call"))
    whole = store(tmp_path / "whole", match)
    assert whole["bots"][0]["faults"] > 100
    with MatchWriter.open(tmp_path / "part", match) as writer:
        writer.add(next(match.chunks()))
    resumed = store(tmp_path / "part", match)
    for result in (whole, resumed):
        del result["seconds"]
    assert resumed == whole


KILLED = """
import sys
from pathlib import Path
from luckless.bots.catalogue import load_bot
from luckless.histories import match_writer
from luckless.matches.match import Match
from luckless.rules.game import Game

match_writer.COMPILED_HANDS = 1024
players = [load_bot("uniform"), load_bot("random")]
match = Match.plan(Game.load("limit-hu"), players, hands=int(sys.argv[2]), seed=11)
with match_writer.MatchWriter.open(Path(sys.argv[1]), match):
    print("ready", flush=True)
match_writer.play_stored(match, Path(sys.argv[1]), workers=1)
"""


def run_and_kill(folder: Path, moments: list[float], hands: int = 60_000) -> None:
    """Runs a match again and again, killing it at the given times after it began; the last run ends by itself."""
    finished = 0
    for moment in [*moments, None]:
        process = subprocess.Popen([sys.executable, "-c", KILLED, str(folder), str(hands)], stdout=subprocess.PIPE)
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        if moment is None:
            assert process.wait(timeout=120) == 0
        else:
            time.sleep(moment)
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
        process.stdout.close()
        stored = StoredHands.open(folder).hands
        assert stored >= finished
        finished = stored
        assert verify(folder).failures == 0


def check_killed(tmp_path: Path, moments: list[float], hands_before: int = 0) -> None:
    """Kills a match at some moments, perhaps while it is made longer: it ends with the bytes of one played whole."""
    if hands_before:
        run_and_kill(tmp_path / "killed", [], hands_before)
    run_and_kill(tmp_path / "killed", moments)
    run_and_kill(tmp_path / "whole", [])
    assert bytes_of(tmp_path / "killed") == bytes_of(tmp_path / "whole")


def test_kill_costs_at_most_the_chunk_being_written(tmp_path: Path) -> None:
    check_killed(tmp_path, [0.05])


@pytest.mark.slow
def test_kill_while_a_match_is_made_longer_costs_no_more(tmp_path: Path) -> None:
    check_killed(tmp_path, [0.0, 0.05], hands_before=20_000)


@pytest.mark.slow
def test_kill_at_twenty_random_moments(tmp_path: Path) -> None:
    dice = random.Random(5)
    check_killed(tmp_path, [dice.uniform(0.0, 0.15) for _ in range(20)])


@pytest.mark.slow
def test_kill_at_twenty_random_moments_while_a_match_is_made_longer(tmp_path: Path) -> None:
    dice = random.Random(6)
    check_killed(tmp_path, [dice.uniform(0.0, 0.15) for _ in range(20)], hands_before=20_000)


def test_a_chunk_that_the_catalogue_missed_is_found_again(tmp_path: Path) -> None:
    """As after a crash between the renaming of a chunk and its entry in the catalogue."""
    match = plan(LIMIT, 3 * CHUNK)
    store(tmp_path / "m", match)
    before = bytes_of(tmp_path / "m")
    path = tmp_path / "m" / MATCH
    edit(path, ("delete from chunks where first = ?", 2 * CHUNK), ("delete from settings where key = 'result'",))
    reseal(path)
    (tmp_path / "m" / "hands-000000003072.parquet.writing").write_bytes(b"half a chunk")
    with MatchWriter.open(tmp_path / "m", match) as writer:
        assert writer.next_hand == match.hands
        assert not writer.finished
    assert bytes_of(tmp_path / "m") == before
    assert not list((tmp_path / "m").glob("*.writing"))


def test_readers_work_while_a_match_is_written(tmp_path: Path) -> None:
    match = plan(LIMIT, 60 * CHUNK)
    seen: list[int] = []
    failed: list[BaseException] = []
    done = threading.Event()

    def watch() -> None:
        try:
            while not done.is_set():
                if (tmp_path / "m" / "catalogue.sqlite").exists():
                    stored = StoredHands.open(tmp_path / "m")
                    seen.append(sum(map(len, stored.columns())))
        except BaseException as error:
            failed.append(error)

    watchers = [threading.Thread(target=watch) for _ in range(2)]
    for watcher in watchers:
        watcher.start()
    try:
        store(tmp_path / "m", match)
    finally:
        done.set()
        for watcher in watchers:
            watcher.join()
    assert not failed
    assert len(set(seen)) > 1
    assert all(hands % CHUNK == 0 for hands in seen)
    assert verify(tmp_path / "m").failures == 0


def test_two_writers_exclude_each_other(tmp_path: Path) -> None:
    match = plan(LIMIT, CHUNK)
    with MatchWriter.open(tmp_path / "m", match), pytest.raises(InputError, match="another process is writing"):
        MatchWriter.open(tmp_path / "m", match)


def test_a_folder_holds_one_match(tmp_path: Path) -> None:
    store(tmp_path / "m", plan(LIMIT, CHUNK))
    before = bytes_of(tmp_path / "m")
    for other, said in (
        (plan(LIMIT, CHUNK, seed=4), "its seed is 3, not 4"),
        (plan(LIMIT, CHUNK // 2), "holds 1,024 hands of this match already, more than the 512 to play"),
        (plan(Game.load("nolimit-hu"), CHUNK), "its game is"),
        (plan(LIMIT, CHUNK, bots=("uniform", "call")), "its bot 2 is uniform, not call"),
    ):
        with pytest.raises(InputError, match=said):
            MatchWriter.open(tmp_path / "m", other)
    assert bytes_of(tmp_path / "m") == before
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").write_text("precious")
    with pytest.raises(InputError, match="holds no stored match"):
        MatchWriter.open(tmp_path / "other", plan(LIMIT, CHUNK))
    assert [path.name for path in (tmp_path / "other").iterdir()] == ["thesis.txt"]


def test_a_bot_with_memory_cannot_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("luckless.histories.match_writer.PART_SECONDS", 0.0)  # every chunk is stored at once
    source = tmp_path / "elephant.py"
    source.write_text("class Elephant:\n    memory = True\n    def decide(self, view, dice):\n        return 0\n")
    match = plan(LIMIT, 2 * CHUNK, bots=(f"{source}:Elephant", "call"))
    with MatchWriter.open(tmp_path / "m", match) as writer:
        for chunk in match.chunks():
            writer.add(chunk)
            if writer.next_hand:
                break
    with pytest.raises(InputError, match="keeps memory"):
        MatchWriter.open(tmp_path / "m", match)


def test_sizes_and_settings_are_in_the_catalogue(tmp_path: Path) -> None:
    stored = tmp_path / "m"
    store(stored, plan(LIMIT, 2 * CHUNK + 100))
    open_store = StoredHands.open(stored)
    assert open_store.settings["game"] == LIMIT.to_dict()
    assert {"luckless", "python", "numpy", "numba", "pyarrow"} <= set(open_store.settings["versions"])
    for bot in open_store.bots:
        assert bot["name"] == "uniform"
        assert len(bot["code_sha256"]) == 64
    for chunk in open_store.chunks:
        for file in (chunk.hands_file, chunk.actions_file):
            assert (stored / file.name).stat().st_size == file.size
    assert json.dumps(open_store.results)


@pytest.mark.parametrize(("game", "most"), [("limit-hu", 40), ("nolimit-6max", 100)])
def test_hands_are_small_on_disk(game: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_writer, "COMPILED_HANDS", 30_000)
    match = plan(Game.load(game), 30_000, bots=("uniform", "call", "raise"))
    store(tmp_path / "m", match)
    size = sum(path.stat().st_size for path in (tmp_path / "m").iterdir())
    assert size / match.hands < most
