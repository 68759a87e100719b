"""Stored hands that were damaged: every flipped byte is found, wrong hands are named, nothing is made worse."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from luckless.errors import InputError
from luckless.histories import match_writer
from luckless.histories.chunks import DamagedChunk
from luckless.histories.match_writer import MatchWriter
from luckless.histories.store import StoredHands, rebuild
from luckless.histories.verifying import restore_result, verify
from luckless.matches.result import play_match
from luckless.rules.columns import HandColumns
from luckless.rules.game import Game
from stored_hands import plan

LIMIT = Game.load("limit-hu")
CHUNK = 1_024


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stored match of three chunks."""
    monkeypatch.setattr(match_writer, "COMPILED_HANDS", CHUNK)
    match = plan(LIMIT, 2 * CHUNK + 100)
    with MatchWriter.open(tmp_path / "m", match) as writer:
        writer.finish(play_match(match, on_chunk=writer.add))
    return tmp_path / "m"


def flip(path: Path, place: int) -> None:
    """Turns one bit of a file."""
    data = bytearray(path.read_bytes())
    data[place] ^= 4
    path.write_bytes(data)


@pytest.mark.parametrize("file", ["hands", "actions"])
def test_a_flipped_byte_is_found_anywhere(stored: Path, file: str) -> None:
    path = stored / f"{file}-{CHUNK:012d}.parquet"
    size = path.stat().st_size
    for place in (0, size // 3, size // 2, size - 30, size - 1):
        flip(path, place)
        found = verify(stored)
        assert found.failures == 1
        assert path.name in found.problems[0]
        with pytest.raises(DamagedChunk, match="changed or damaged"):
            list(StoredHands.open(stored).columns())
        flip(path, place)
    assert verify(stored).failures == 0


@pytest.mark.parametrize("file", ["hands", "actions"])
def test_damage_is_found_without_the_catalogue_too(stored: Path, file: str) -> None:
    """Each chunk carries checksums of its pages, of its actions file and of what it says of itself."""
    path = stored / f"{file}-{CHUNK:012d}.parquet"
    sound = path.read_bytes()
    dice = random.Random(1)
    for _ in range(60):
        place = dice.randrange(len(sound))
        flip(path, place)
        try:
            rebuild(stored)
        except InputError:
            pass
        else:  # a byte that says nothing, such as the version of the library that wrote the file
            assert verify(stored).failures == 0, place
        path.write_bytes(sound)


def test_the_catalogue_is_rebuilt_from_the_chunks(stored: Path) -> None:
    before = StoredHands.open(stored)
    (stored / "catalogue.sqlite").unlink()
    with pytest.raises(InputError, match="--rebuild"):
        StoredHands.open(stored)
    assert rebuild(stored) == 3
    assert restore_result(stored)
    after = StoredHands.open(stored)
    assert (after.chunks, after.bots) == (before.chunks, before.bots)
    assert before.settings.pop("begun") > "2020"  # the time of day is not in chunks
    assert before.settings.pop("clocks")[:2] == [10, 0]  # nor are clocks, which grow with the hands
    for settings in (before.settings, after.settings):
        del settings["result"]["seconds"], settings["record"]["seconds"]
        for one in (*settings["record"]["tally"]["sets"], *settings["record"]["tally"]["singles"]):
            del one["moments"]  # which are rounded by the pieces that they were counted in
    assert after.settings == before.settings
    assert after.results == before.results


def test_a_newer_catalogue_is_refused(stored: Path) -> None:
    with sqlite3.connect(stored / "catalogue.sqlite") as connection:
        connection.execute("pragma user_version = 99")
    before = (stored / "catalogue.sqlite").read_bytes()
    with pytest.raises(InputError, match="newer version"):
        StoredHands.open(stored)
    with pytest.raises(InputError, match="newer version"):
        MatchWriter.open(stored, plan(LIMIT, 2 * CHUNK + 100))
    assert (stored / "catalogue.sqlite").read_bytes() == before


def test_a_catalogue_that_is_none_is_refused(stored: Path) -> None:
    (stored / "catalogue.sqlite").write_bytes(b"not a database, whatever its name says" * 100)
    with pytest.raises(InputError, match="the catalogue is damaged"):
        StoredHands.open(stored)


def test_a_damaged_catalogue_is_refused_with_its_place_and_can_be_rebuilt(stored: Path) -> None:
    """Bytes that hold something are overwritten, so that pages, texts, numbers and the names of tables are hit."""
    path = stored / "catalogue.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.execute("pragma wal_checkpoint(truncate)")
    whole, chance, refusals = path.read_bytes(), random.Random(1), set()
    used = [place for place, byte in enumerate(whole) if byte]
    for _ in range(150):
        for leftover in stored.glob("catalogue.sqlite*"):
            leftover.unlink()
        place, length = chance.choice(used), chance.choice((1, 4, 64))
        path.write_bytes((whole[:place] + chance.randbytes(length) + whole[place + length :])[: len(whole)])
        refusals.add(_refusal(stored))
    assert len(refusals) > 10
    assert all("catalogue.sqlite" in refusal for refusal in refusals - {""}), refusals
    path.write_bytes(whole[:4096] + bytes(len(whole) - 4096))
    assert "--rebuild" in _refusal(stored)
    rebuild(stored)
    assert _refusal(stored) == ""


def _refusal(folder: Path) -> str:
    """Why stored hands cannot be opened; "" if they can."""
    try:
        StoredHands.open(folder)
    except InputError as error:
        return str(error)
    return ""


def rewrite(folder: Path, change: Any) -> None:
    """Replaces the first chunk by one that was changed before it was written: its checksums are right."""
    from luckless.histories.catalogue import Catalogue
    from luckless.histories.store import ChunkSink

    columns = StoredHands.open(folder).read_chunk(StoredHands.open(folder).chunks[0])
    change(columns)
    catalogue = Catalogue.open(folder)
    ChunkSink(folder, catalogue).write(0, [columns])
    catalogue.close()


def _other_payoff(columns: HandColumns) -> None:
    columns.records.payoffs[7] += np.array([1, -1], np.int32)


def _other_card(columns: HandColumns) -> None:
    columns.records.decks[7, 0] = columns.records.decks[7, 1]


def _other_action(columns: HandColumns) -> None:
    columns.records.actions[columns.records.ends[7] - 1] = 7


def _other_player(columns: HandColumns) -> None:
    columns.players[7] = 0


def _other_order(columns: HandColumns) -> None:
    columns.players[7] = columns.players[7, ::-1].copy()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_other_payoff, "payoffs are stored as"),
        (_other_card, "appears twice"),
        (_other_action, "action"),
        (_other_player, "its players are [0, 0]"),
        (_other_order, "the seed seats [1, 0]"),
    ],
)
def test_verify_finds_hands_that_are_wrong_though_their_bytes_are_right(stored: Path, change: Any, said: str) -> None:
    rewrite(stored, change)
    found = verify(stored)
    assert found.failures
    assert any(said in problem and "hand 7" in problem for problem in found.problems)
