"""Edits catalogues as a forger would, with SQL and nothing of ours, and seals them again where they carry a seal."""

import hashlib
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

MATCH, SEASON = "catalogue.sqlite", "season.sqlite"


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
