"""Edits catalogues as a forger would, with SQL and nothing of ours, and seals them again where they carry a seal."""

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
