"""The catalogue of stored hands: an SQLite file beside the chunks, with settings, bots, faults and results."""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from luckless.databases.damage import damage_in
from luckless.databases.opening import SaveError, is_fault_of_disk, open_for_reading, saving
from luckless.databases.sealing import Sealer, broken_seal, has_seal, seal
from luckless.errors import InputError
from luckless.histories.chunks import ChunkFile, all_names
from luckless.plain_json import read_json
from luckless.whole_files import WholeFile

FILE = "catalogue.sqlite"
OLD_DRAFT = "catalogue.sqlite.new"
"""What earlier versions called a catalogue that was not finished."""

VERSION, UNSEALED = 2, 1
"""The version of the tables; a catalogue with a higher one is refused. Earlier ones carry no seal."""

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

    def __init__(self, connection: sqlite3.Connection, folder: Path, *, sealed: bool = True) -> None:
        self._connection = connection
        self._folder = folder
        self._sealer: Sealer | None = None
        self.sealed = sealed
        """Whether it carries a seal; catalogues of earlier versions do not."""

    @classmethod
    def create(cls, folder: Path, settings: Mapping[str, Any], bots: Sequence[Mapping[str, Any]] = ()) -> "Catalogue":
        """A new catalogue for writing, in place of any there is; it is there whole or not at all."""
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.executescript(
                f"pragma application_id = {_APPLICATION}; pragma user_version = {VERSION}; begin; {_TABLES} commit;"
            )
            connection.executemany("insert into settings values (?, ?)", _setting_rows(settings))
            connection.executemany("insert into bots values (?, ?, ?, ?)", _bot_rows(bots))
            seal(connection)
            connection.commit()
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
        """The catalogue of a folder, for writing; one of an earlier version gets its seal."""
        with closing(_checked(folder)) as read:
            sealed = has_seal(read)
        with _saving(folder):
            connection = sqlite3.connect(folder / FILE, check_same_thread=False, timeout=60)
            connection.execute("pragma journal_mode = wal")
            connection.execute("pragma synchronous = normal")
            if not sealed:
                connection.execute("begin immediate")
                seal(connection)
                connection.execute(f"pragma user_version = {VERSION}")
                connection.commit()
        catalogue = cls(connection, folder)
        catalogue._sealer = Sealer(connection)
        return catalogue

    @classmethod
    def read(cls, folder: Path) -> "Catalogue":
        """The catalogue of a folder as it is now, for reading only; what is written from now on is not seen."""
        connection = _checked(folder)
        return cls(connection, folder, sealed=has_seal(connection))

    def close(self) -> None:
        """Closes the file."""
        self._connection.close()

    @contextmanager
    def _step(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is saved and sealed, or nothing."""
        if self._sealer is None:
            raise ValueError("the catalogue was opened for reading")
        with _saving(self._folder):
            try:
                yield self._connection
                self._sealer.write()
                self._connection.commit()
            except BaseException:
                self._connection.rollback()
                self._sealer.forget()
                raise

    def settings(self) -> dict[str, Any]:
        """All settings, by key."""
        rows = self._connection.execute("select key, value from settings order by rowid")
        return {key: self._json(value, f"setting {key}") for key, value in rows}

    def _json(self, text: str, what: str) -> Any:
        try:
            return read_json(text)
        except ValueError as error:
            raise unsound(self._folder / FILE, f"its {what} cannot be read: {error}") from None

    def set(self, **settings: Any) -> None:
        """Writes settings."""
        with self._step() as database:
            database.executemany("insert or replace into settings values (?, ?)", _setting_rows(settings))

    def bots(self) -> list[dict[str, Any]]:
        """The bots of a match, in order."""
        rows = self._connection.execute("select name, parameters, code_sha256 from bots order by player")
        return [
            {"name": name, "parameters": self._json(text, "parameters of a bot"), "code_sha256": sha}
            for name, text, sha in rows
        ]

    def add_log(self, rows: Sequence[ChunkRow], names: Sequence[str]) -> None:
        """Notes the chunks of a log and all players of the store so far, all in one transaction."""
        players = [(player, name, "{}", "") for player, name in enumerate(names)]
        chunks = [(row.first, row.hands, *_file_values(row)) for row in rows]
        with self._step() as database:
            database.executemany("insert or ignore into bots values (?, ?, ?, ?)", players)
            database.executemany("insert or replace into chunks values (?, ?, ?, ?, ?, ?, ?, ?)", chunks)

    def add_chunk(self, row: ChunkRow, faults: Mapping[str, Any], lasting: bool = False) -> None:
        """Notes a finished chunk with its faults, all in one transaction; it may take the place of a shorter one.

        `lasting` is for a chunk that will be removed itself: then a power cut must not bring back the one before.
        """
        if lasting:
            self._connection.execute("pragma synchronous = full")
        cases = [(row.first, *case) for case in faults["cases"]]
        counts = [(row.first, *count) for count in faults["counts"]]
        with self._step() as database:
            for table in ("faults", "fault_counts"):
                database.execute(f"delete from {table} where chunk = ?", (row.first,))
            database.execute(
                "insert or replace into chunks values (?, ?, ?, ?, ?, ?, ?, ?)",
                (row.first, row.hands, *_file_values(row)),
            )
            database.executemany("insert into faults values (?, ?, ?, ?, ?)", cases)
            database.executemany("insert into fault_counts values (?, ?, ?, ?)", counts)
        if lasting:
            self._connection.execute("pragma synchronous = normal")

    def chunks(self) -> list[ChunkRow]:
        """The finished chunks, in order."""
        rows = self._connection.execute("select * from chunks order by first")
        chunks = [ChunkRow(row[0], row[1], ChunkFile(*row[2:5]), ChunkFile(*row[5:8])) for row in rows]
        for chunk in chunks:
            names = (chunk.hands_file.name, chunk.actions_file.name)
            if names not in all_names(chunk.first, chunk.hands) or chunk.hands < 1:
                raise unsound(self._folder / FILE, f"it has no valid names and numbers for chunk {chunk.first}")
        return chunks

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
        with self._step() as database:
            database.execute("delete from results")
            database.executemany("insert into results values (?, ?)", bots)
            rows = _setting_rows({"result": rest, "record": record})
            database.executemany("insert or replace into settings values (?, ?)", rows)

    def reopen(self, last: ChunkRow | None, **settings: Any) -> None:
        """Takes the result back, so that hands can be added, all in one transaction.

        `last` says the new names of the files of the last chunk; the settings are those that change.
        """
        self._connection.execute("pragma synchronous = full")  # files go afterwards: a power cut must not undo this
        with self._step() as database:
            database.execute("delete from results")
            database.execute("delete from settings where key in ('result', 'record')")
            database.executemany("insert or replace into settings values (?, ?)", _setting_rows(settings))
            if last is not None:
                names = (last.hands_file.name, last.actions_file.name, last.first)
                database.execute("update chunks set hands_file = ?, actions_file = ? where first = ?", names)
        self._connection.execute("pragma synchronous = normal")

    def results(self) -> list[dict[str, Any]]:
        """The result of each bot, in order; empty while a match is not finished."""
        rows = self._connection.execute("select result from results order by player")
        return [self._json(text, "results") for (text,) in rows]


def _file_values(row: ChunkRow) -> tuple[str | int, ...]:
    """What the catalogue says of the two files of a chunk."""
    return tuple(
        value for file in (row.hands_file, row.actions_file) for value in (file.name, file.size, file.sha256)
    )


def player_row(name: str) -> dict[str, Any]:
    """A player of a log, as a bot of whom no more than the name is known."""
    return {"name": name, "parameters": {}, "code_sha256": ""}


def unsound(path: Path, damage: object) -> InputError:
    """The error for a damaged catalogue, with what can be done."""
    advice = "`luckless verify DIR --rebuild` makes a new one from the chunks"
    return InputError(f"{path}: the catalogue is damaged: {damage}; {advice}")


def _setting_rows(settings: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(key, json.dumps(value)) for key, value in settings.items()]


def _bot_rows(bots: Sequence[Mapping[str, Any]]) -> list[tuple[int, str, str, str]]:
    return [
        (player, bot["name"], json.dumps(bot["parameters"]), bot["code_sha256"]) for player, bot in enumerate(bots)
    ]


def _saving(folder: Path) -> Any:
    return saving(f"the hands in {folder}", "what was stored before is safe; run the same command again to continue")


def _checked(folder: Path) -> sqlite3.Connection:
    """The catalogue for reading, if it is one that this version can use, and whole; it stays as it is now."""
    path = folder / FILE
    if not path.is_file():
        lost = any(folder.glob("hands-*.parquet"))
        hint = "; it has chunks: `luckless verify DIR --rebuild` makes a new catalogue from them" if lost else ""
        raise InputError(f"{folder} holds no stored hands: there is no {FILE} in it{hint}")
    connection = None
    try:
        connection = open_for_reading(path)
        connection.execute("begin")
        _check(connection, path)
    except BaseException as error:
        if connection is not None:
            connection.close()
        if isinstance(error, UnicodeDecodeError):  # the damage is in the name of a table
            raise unsound(path, "names in it are not text") from None
        if isinstance(error, sqlite3.Error) and is_fault_of_disk(error):
            raise SaveError(f"{path} cannot be read: {error}; what was stored is safe") from error
        if isinstance(error, sqlite3.Error):
            raise unsound(path, error) from None
        raise
    return connection


def _check(connection: sqlite3.Connection, path: Path) -> None:
    (application,) = connection.execute("pragma application_id").fetchone()
    (version,) = connection.execute("pragma user_version").fetchone()
    if application != _APPLICATION:
        raise InputError(f"{path}: it is not a catalogue of stored hands")
    if version > VERSION:
        raise InputError(f"{path}: written by a newer version (tables {version}; this one reads {VERSION})")
    damage = damage_in(connection)
    if not damage and version == VERSION:
        damage = broken_seal(connection)
    elif not damage and (version != UNSEALED or has_seal(connection)):
        damage = f"its version {version} is not one that was ever written"
    if damage:
        raise unsound(path, damage)
