"""The catalogue of stored hands: an SQLite file beside the chunks, with settings, bots, faults and results."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from luckless.database_damage import damage_in
from luckless.errors import InputError
from luckless.histories.chunks import ChunkFile
from luckless.whole_files import WholeFile

FILE = "catalogue.sqlite"
OLD_DRAFT = "catalogue.sqlite.new"
"""What earlier versions called a catalogue that was not finished."""

VERSION = 1
"""The version of the tables; a catalogue with a higher one is refused."""

_APPLICATION = 0x4C55434B

_TABLES = """
create table settings (key text primary key, value text not null);
create table bots (
    player integer primary key, name text not null, parameters text not null, code_sha256 text not null
);
create table chunks (
    first integer primary key, hands integer not null,
    hands_file text not null, hands_bytes integer not null, hands_sha256 text not null,
    actions_file text not null, actions_bytes integer not null, actions_sha256 text not null
);
create table faults (
    chunk integer not null references chunks (first), player integer not null, kind text not null,
    hand integer not null, detail text not null
);
create table fault_counts (
    chunk integer not null references chunks (first), player integer not null, kind text not null,
    count integer not null
);
create table results (player integer primary key, result text not null);
"""


class ChunkRow(NamedTuple):
    """A finished chunk: the number of its first hand in the store, how many hands it has, and its two files."""

    first: int
    hands: int
    hands_file: ChunkFile
    actions_file: ChunkFile


class Catalogue:
    """An open catalogue. Writers use one connection; readers never wait for them (write-ahead log)."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @classmethod
    def create(cls, folder: Path, settings: Mapping[str, Any], bots: Sequence[Mapping[str, Any]] = ()) -> "Catalogue":
        """A new catalogue for writing, in place of any there is; it is there whole or not at all."""
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.executescript(
                f"pragma application_id = {_APPLICATION}; pragma user_version = {VERSION}; begin; {_TABLES} commit;"
            )
            catalogue = cls(connection)
            catalogue.set(**settings)
            catalogue._set_bots(bots)
            content = connection.serialize()
        with WholeFile(folder / FILE) as file:
            file.write(content)
            file.flush()
            for log in ("-wal", "-shm"):  # of the older catalogue: SQLite would take them for the new one's
                (folder / (FILE + log)).unlink(missing_ok=True)
        (folder / OLD_DRAFT).unlink(missing_ok=True)
        return cls.open(folder)

    @classmethod
    def open(cls, folder: Path) -> "Catalogue":
        """The catalogue of a folder, for writing."""
        connection = sqlite3.connect(_checked(folder), check_same_thread=False)
        connection.execute("pragma journal_mode = wal")
        connection.execute("pragma synchronous = normal")
        return cls(connection)

    @classmethod
    def read(cls, folder: Path) -> "Catalogue":
        """The catalogue of a folder, for reading only."""
        return cls(_connect_readonly(_checked(folder)))

    def close(self) -> None:
        """Closes the file."""
        self._connection.close()

    def settings(self) -> dict[str, Any]:
        """All settings, by key."""
        return {
            key: json.loads(value)
            for key, value in self._connection.execute("select key, value from settings order by rowid")
        }

    def set(self, **settings: Any) -> None:
        """Writes settings."""
        rows = [(key, json.dumps(value)) for key, value in settings.items()]
        with self._connection:
            self._connection.executemany("insert or replace into settings values (?, ?)", rows)

    def _set_bots(self, bots: Sequence[Mapping[str, Any]]) -> None:
        rows = [
            (player, bot["name"], json.dumps(bot["parameters"]), bot["code_sha256"])
            for player, bot in enumerate(bots)
        ]
        with self._connection:
            self._connection.executemany("insert into bots values (?, ?, ?, ?)", rows)

    def bots(self) -> list[dict[str, Any]]:
        """The bots of a match, in order."""
        rows = self._connection.execute("select name, parameters, code_sha256 from bots order by player")
        return [{"name": name, "parameters": json.loads(text), "code_sha256": sha} for name, text, sha in rows]

    def add_chunk(self, row: ChunkRow, faults: Mapping[str, Any], lasting: bool = False) -> None:
        """Notes a finished chunk with its faults, all in one transaction; it may take the place of a shorter one.

        `lasting` is for a chunk that will be removed itself: then a power cut must not bring back the one before.
        """
        if lasting:
            self._connection.execute("pragma synchronous = full")
        files = (
            *(row.hands_file.name, row.hands_file.size, row.hands_file.sha256),
            *(row.actions_file.name, row.actions_file.size, row.actions_file.sha256),
        )
        cases = [(row.first, *case) for case in faults["cases"]]
        counts = [(row.first, *count) for count in faults["counts"]]
        with self._connection:
            for table in ("faults", "fault_counts"):
                self._connection.execute(f"delete from {table} where chunk = ?", (row.first,))
            self._connection.execute(
                "insert or replace into chunks values (?, ?, ?, ?, ?, ?, ?, ?)", (row.first, row.hands, *files)
            )
            self._connection.executemany("insert into faults values (?, ?, ?, ?, ?)", cases)
            self._connection.executemany("insert into fault_counts values (?, ?, ?, ?)", counts)
        if lasting:
            self._connection.execute("pragma synchronous = normal")

    def chunks(self) -> list[ChunkRow]:
        """The finished chunks, in order."""
        rows = self._connection.execute("select * from chunks order by first")
        return [ChunkRow(row[0], row[1], ChunkFile(*row[2:5]), ChunkFile(*row[5:8])) for row in rows]

    def faults(self, chunk: int) -> dict[str, list[tuple[Any, ...]]]:
        """The faults of a chunk: the cases that were kept (player, kind, hand, detail), and all counted by kind."""
        cases = "select player, kind, hand, detail from faults where chunk = ? order by rowid"
        counts = "select player, kind, count from fault_counts where chunk = ? order by rowid"
        return {
            "cases": list(self._connection.execute(cases, (chunk,))),
            "counts": list(self._connection.execute(counts, (chunk,))),
        }

    def set_results(self, results: Mapping[str, Any], record: Mapping[str, Any]) -> None:
        """Stores the result, as JSON shows it and as it was counted; the hands are then complete."""
        bots = [(player, json.dumps(bot)) for player, bot in enumerate(results["bots"])]
        rest = {key: value for key, value in results.items() if key != "bots"}
        with self._connection:
            self._connection.execute("delete from results")
            self._connection.executemany("insert into results values (?, ?)", bots)
            for key, value in (("result", rest), ("record", record)):
                row = (key, json.dumps(value))
                self._connection.execute("insert or replace into settings values (?, ?)", row)

    def reopen(self, last: ChunkRow | None, **settings: Any) -> None:
        """Takes the result back, so that hands can be added, all in one transaction.

        `last` says the new names of the files of the last chunk; the settings are those that change.
        """
        rows = [(key, json.dumps(value)) for key, value in settings.items()]
        self._connection.execute("pragma synchronous = full")  # files go afterwards: a power cut must not undo this
        with self._connection:
            self._connection.execute("delete from results")
            self._connection.execute("delete from settings where key in ('result', 'record')")
            self._connection.executemany("insert or replace into settings values (?, ?)", rows)
            if last is not None:
                names = (last.hands_file.name, last.actions_file.name, last.first)
                self._connection.execute("update chunks set hands_file = ?, actions_file = ? where first = ?", names)
        self._connection.execute("pragma synchronous = normal")

    def results(self) -> list[dict[str, Any]]:
        """The result of each bot, in order; empty while a match is not finished."""
        rows = self._connection.execute("select result from results order by player")
        return [json.loads(text) for (text,) in rows]


def unsound(path: Path, damage: object) -> InputError:
    """The error for a damaged catalogue, with what can be done."""
    advice = "`luckless verify DIR --rebuild` makes a new one from the chunks"
    return InputError(f"{path}: the catalogue is damaged: {damage}; {advice}")


def _checked(folder: Path) -> Path:
    """The catalogue file, if it is one that this version can use."""
    path = folder / FILE
    if not path.is_file():
        lost = any(folder.glob("hands-*.parquet"))
        hint = "; it has chunks: `luckless verify DIR --rebuild` makes a new catalogue from them" if lost else ""
        raise InputError(f"{folder} holds no stored hands: there is no {FILE} in it{hint}")
    try:
        with closing(_connect_readonly(path)) as connection:
            (application,) = connection.execute("pragma application_id").fetchone()
            (version,) = connection.execute("pragma user_version").fetchone()
            damage = damage_in(connection) if (application, version) == (_APPLICATION, VERSION) else ""
    except UnicodeDecodeError:  # the damage is in the name of a table
        damage, application, version = "names in it are not text", _APPLICATION, VERSION
    except sqlite3.Error as error:
        raise unsound(path, error) from None
    if application != _APPLICATION:
        raise InputError(f"{path}: it is not a catalogue of stored hands")
    if version > VERSION:
        raise InputError(f"{path}: written by a newer version (tables {version}; this one reads {VERSION})")
    if damage:
        raise unsound(path, damage)
    return path


def _connect_readonly(path: Path) -> sqlite3.Connection:
    """Opens without writing; where even the lock files cannot be made, as a file that nobody changes."""
    plain = path.resolve().as_uri()
    connection = sqlite3.connect(f"{plain}?mode=ro", uri=True)
    try:
        connection.execute("select count(*) from sqlite_master").fetchone()
    except sqlite3.OperationalError:
        connection.close()
        connection = sqlite3.connect(f"{plain}?mode=ro&immutable=1", uri=True)
        connection.execute("select count(*) from sqlite_master").fetchone()
    return connection
