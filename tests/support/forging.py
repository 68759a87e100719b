"""Edits catalogues as a forger would, with SQL and nothing of ours, and seals them again where they carry a seal."""

import hashlib
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from luckless.histories import match_writer
from luckless.histories.match_writer import play_stored
from luckless.rules.game import Game
from stored_hands import plan

MATCH, SEASON = "catalogue.sqlite", "season.sqlite"
CHUNK = 256


def play_small_match(folder: Path, seed: int = 3) -> None:
    """A stored match of three chunks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(match_writer, "COMPILED_HANDS", CHUNK)
        play_stored(plan(Game.load("limit-hu"), 2 * CHUNK + 100, seed=seed, bots=("uniform", "call")), folder)


def edit(path: Path, *steps: tuple[Any, ...]) -> None:
    """Runs SQL statements, each with its values, on a database."""
    with closing(sqlite3.connect(path)) as database:
        for sql, *values in steps:
            database.execute(sql, values)
        database.commit()
        database.execute("pragma wal_checkpoint(truncate)")


def setting(path: Path, key: str) -> Any:
    """A setting of a catalogue of hands."""
    with closing(sqlite3.connect(path)) as database:
        ((text,),) = database.execute("select value from settings where key = ?", (key,)).fetchall()
    return json.loads(text)


def set_setting(path: Path, key: str, value: Any) -> None:
    """Gives a setting another value."""
    edit(path, ("update settings set value = ? where key = ?", json.dumps(value), key))


def reseal(path: Path) -> None:
    """Computes the seal anew, as anybody can who has read how it is made."""
    with closing(sqlite3.connect(path)) as database:
        tables = database.execute("select name, sql from sqlite_schema where type = 'table'").fetchall()
        rows = [("", *table) for table in tables if table[0] != "seal"]
        rows += [(table, *row) for _, table, _ in list(rows) for row in database.execute(f"select * from {table}")]
        total = sum(int.from_bytes(hashlib.sha256(repr(row).encode()).digest(), "big") for row in rows)
        database.execute("update seal set digest = ?", (f"{total % 2**256:064x}",))
        database.commit()
        database.execute("pragma wal_checkpoint(truncate)")


def unseal(path: Path) -> None:
    """Makes a catalogue one of an earlier version, which carried no seal."""
    edit(path, ("drop table seal",), ("pragma user_version = 1",))


def change(key: str, *path: Any) -> Callable[[Path], None]:
    """A forgery of one value of a setting, found by its path: numbers grow, texts and flags change."""

    def forge(catalogue: Path) -> None:
        value = inner = setting(catalogue, key)
        for step in path[:-1]:
            inner = inner[step]
        old = inner[path[-1]]
        inner[path[-1]] = not old if isinstance(old, bool) else old + 1 if isinstance(old, int | float) else f"{old}x"
        set_setting(catalogue, key, value)

    return forge


def result_row(key: str) -> Callable[[Path], None]:
    """A forgery of what `--json` shows of a bot."""

    def forge(catalogue: Path) -> None:
        with closing(sqlite3.connect(catalogue)) as database:
            ((text,),) = database.execute("select result from results where player = 0").fetchall()
        row = json.loads(text)
        row[key] = f"{row[key]}x" if isinstance(row[key], str) else (row[key] or 0) + 1
        edit(catalogue, ("update results set result = ? where player = 0", json.dumps(row)))

    return forge


def sql(*steps: tuple[Any, ...]) -> Callable[[Path], None]:
    """A forgery by SQL."""
    return lambda catalogue: edit(catalogue, *steps)
