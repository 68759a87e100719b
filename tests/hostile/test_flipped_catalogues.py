"""Catalogues with a few bytes overwritten: refused, or without any effect."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from forging import MATCH, SEASON
from luckless.errors import InputError
from luckless.histories.store import StoredHands
from luckless.league.results import fingerprint
from luckless.league.run import Run


def flips(path: Path, number: int, seed: int = 1) -> list[bytes]:
    """The bytes of a file with a few bytes overwritten at random, many times over."""
    whole, chance = path.read_bytes(), random.Random(seed)
    used = [place for place, byte in enumerate(whole) if byte]
    changed = []
    for _ in range(number):
        place, length = chance.choice(used), chance.choice((1, 1, 1, 4, 16))
        changed.append((whole[:place] + chance.randbytes(length) + whole[place + length :])[: len(whole)])
    return changed


@pytest.mark.parametrize("number", [150, pytest.param(3000, marks=pytest.mark.slow)])
def test_flipped_bytes_of_a_match_have_no_effect(small_match: Path, number: int) -> None:
    path, right = small_match / MATCH, StoredHands.open(small_match)
    with closing(sqlite3.connect(path)) as database:
        database.execute("pragma wal_checkpoint(truncate)")
    refused = 0
    for data in flips(path, number):
        for leftover in small_match.glob(f"{MATCH}*"):
            leftover.unlink()
        path.write_bytes(data)
        try:
            assert StoredHands.open(small_match) == right
        except InputError:
            refused += 1
    assert refused > number // 2


def season_content(directory: Path) -> Any:
    run = Run.open(directory)
    facts = run.store.rows("select * from season order by key")
    content = (fingerprint(run.store), run.season, run.game, facts, run.store.entries())
    run.store.close()
    return content


@pytest.mark.parametrize("number", [100, pytest.param(3000, marks=pytest.mark.slow)])
def test_flipped_bytes_of_a_season_have_no_effect(small_season: Path, tmp_path: Path, number: int) -> None:
    directory = tmp_path / "run"
    directory.mkdir()
    right = season_content(small_season)
    with closing(sqlite3.connect(small_season / SEASON)) as database:
        database.execute("pragma wal_checkpoint(truncate)")
    refused = 0
    for data in flips(small_season / SEASON, number):
        for leftover in directory.iterdir():
            leftover.unlink()
        (directory / SEASON).write_bytes(data)
        try:
            assert season_content(directory) == right
        except InputError:
            refused += 1
    assert refused > number // 2


def test_damage_in_an_index_is_found(small_match: Path, small_season: Path, tmp_path: Path) -> None:
    """Rows are found by an index that holds their keys a second time; a scan of the table never looks there."""
    for folder, file, key in ((small_match, MATCH, b"chunk_hands"), (small_season, SEASON, b"versions")):
        with closing(sqlite3.connect(folder / file)) as database:
            database.execute("pragma wal_checkpoint(truncate)")
        data = (folder / file).read_bytes()
        copy = tmp_path / f"{folder.name}-copy"
        copy.mkdir()
        places = [place for place in range(len(data)) if data.startswith(key, place)]
        assert len(places) >= 2
        for place in places:
            (copy / file).write_bytes(data[:place] + b"\x1e" + data[place + 1 :])
            with pytest.raises(InputError, match="is damaged"):
                StoredHands.open(copy) if file == MATCH else Run.open(copy)
