"""The catalogue of a season on disk: SQLite (WAL) in the run directory, the one source of truth about its agents.

Everything that belongs to a step of the season is saved in one transaction. Files that it names (weights, learners)
are written and synced before; files that it does not name are leftovers of a step that was never finished.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from luckless.databases.damage import damage_in
from luckless.databases.opening import SaveError as SaveError
from luckless.databases.opening import is_fault_of_disk, open_for_reading, reason
from luckless.databases.opening import saving as saving_what
from luckless.databases.sealing import Sealer, broken_seal, has_seal, seal
from luckless.errors import InputError
from luckless.league.agents import Agent
from luckless.runs import CATALOGUE
from luckless.whole_files import write_bytes

VERSION, UNSEALED = 2, 1
"""The version of the tables; seasons of earlier versions carry no seal until they are resumed."""

_SCHEMA = """
create table season (key text primary key, value text not null);
create table agents (
    id integer primary key, name text not null unique, type text not null, division integer not null,
    generation integer not null, trainable integer not null, parent integer references agents (id),
    weights text not null, sha256 text not null, learner text not null, status text not null);
create table rounds (
    division integer, number integer, kind text not null, student integer, hands integer not null,
    seed integer not null, seconds real not null, primary key (division, number)) without rowid;
create table entrants (
    division integer, number integer, agent integer references agents (id), seats integer not null,
    chips integer not null, squares integer not null, faults integer not null, folds integer not null,
    calls integer not null, checks integer not null, raises integer not null,
    primary key (division, number, agent)) without rowid;
create table flows (
    division integer, number integer, giver integer, taker integer, chips real not null,
    primary key (division, number, giver, taker)) without rowid;
create table lessons (
    division integer, number integer, agent integer not null, decisions integer not null, steps integer not null,
    losses text not null, fault text not null, seconds real not null, primary key (division, number)) without rowid;
create table styles (
    agent integer primary key references agents (id), folds integer not null, calls integer not null,
    checks integer not null, raises integer not null, vector text not null);
"""


@dataclass(frozen=True)
class AgentEntry:
    """An agent as the catalogue knows it; files are named relative to the run directory, "" when there is none."""

    agent: Agent
    weights: str = ""
    sha256: str = ""
    learner: str = ""
    """The file that holds a student whole, as of its division's last saved round."""
    status: str = ""
    """Why learning has stopped; "" while all is well."""


def catalogue_in(directory: Path) -> Path:
    """The catalogue of a run directory; a directory without one is refused."""
    path = directory / CATALOGUE
    if not path.is_file():
        raise InputError(f"{directory} holds no season: there is no {CATALOGUE} in it")
    return path


class Store:
    """An open catalogue. Each process opens its own. It is read-only until the first step is saved.

    It is read through for damage, unless it is `trusted`: because this process, or the one that started it, has just
    done so or has just written it.
    """

    def __init__(self, directory: Path, *, trusted: bool = False) -> None:
        path = catalogue_in(directory)
        self.directory = directory
        self._sealer: Sealer | None = None
        with _reading(directory):
            self._database = open_for_reading(path)
            self._database.isolation_level = None
        try:
            self._check(path, trusted)
        except BaseException:
            self._database.close()
            raise

    def _check(self, path: Path, trusted: bool) -> None:
        with _reading(self.directory):
            self._database.execute("begin")  # all of it as it is at one moment
            [(version,)] = self._database.execute("pragma user_version").fetchall()
            if version not in (VERSION, UNSEALED):
                raise InputError(
                    f"{path} has version {version}; this program reads versions {UNSEALED} and {VERSION}"
                )
            damage = "" if trusted else damage_in(self._database)
            self.sealed = version == VERSION
            """Whether it carries a seal."""
            if not trusted and not damage and self.sealed:
                damage = broken_seal(self._database)
            elif not damage and not self.sealed and has_seal(self._database):
                damage = f"its version {version} never had a seal"
            self._database.execute("commit")
        if damage:
            raise InputError(f"{path} is damaged: {damage}")

    def _open_for_writing(self) -> Sealer:
        """Changes to a connection that writes; a season of an earlier version gets its seal."""
        if self._sealer is None:
            self._database.close()
            self._database = _connect(self.directory / CATALOGUE)
            if not self.sealed:
                self._database.execute("begin immediate")
                seal(self._database)
                self._database.execute(f"pragma user_version = {VERSION}")
                self._database.execute("commit")
                self.sealed = True
            self._sealer = Sealer(self._database)
        return self._sealer

    @classmethod
    def create(cls, directory: Path, facts: dict[str, str], agents: Sequence[AgentEntry]) -> "Store":
        """A new catalogue with the season's facts and its first agents; it appears whole or not at all."""
        try:
            directory.mkdir(parents=True, exist_ok=True)
            write_bytes(directory / CATALOGUE, _new_catalogue(facts, agents))
        except (sqlite3.OperationalError, OSError) as error:
            advice = "nothing was left there; fix this, then run it again"
            raise SaveError(f"the season in {directory} cannot begin: {reason(error)}; {advice}") from error
        return cls(directory, trusted=True)

    def close(self) -> None:
        """Closes the file."""
        self._database.close()

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """The rows that a query finds."""
        with _reading(self.directory):
            return self._database.execute(query, values).fetchall()

    @contextmanager
    def step(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is saved, or nothing."""
        with saving(self.directory):
            sealer = self._open_for_writing()
            self._database.execute("begin immediate")
            try:
                yield self._database
                sealer.write()
                self._database.execute("commit")
            except BaseException:
                sealer.forget()
                if self._database.in_transaction:
                    self._database.execute("rollback")
                raise

    def fact(self, key: str, default: str | None = None) -> str:
        """What the catalogue knows of the season: `config`, `settings`, `game`, `versions`, `begun`, `workers`."""
        values = self.rows("select value from season where key = ?", key)
        if not values:
            if default is not None:
                return default
            raise InputError(f"{self.directory / CATALOGUE} is damaged: it lacks the season's {key}")
        return str(values[0][0])

    def note(self, key: str, value: str) -> None:
        """Keeps a fact about the season in place of an older one."""
        with self.step() as database:
            database.execute("insert or replace into season values (?, ?)", (key, value))

    def entries(self) -> dict[int, AgentEntry]:
        """All agents so far, by number."""
        agents = self.rows("select * from agents order by id")
        return {row[0]: _entry_of(row) for row in agents}

    def add_agent(self, database: sqlite3.Connection, entry: AgentEntry) -> None:
        """Adds an agent within a step."""
        database.execute(_INSERT_AGENT, _row_of(entry))


_INSERT_AGENT = "insert into agents values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


def _row_of(entry: AgentEntry) -> tuple[Any, ...]:
    agent = entry.agent
    who = (agent.id, agent.name, agent.type, agent.division, agent.generation, agent.trainable, agent.parent)
    return (*who, entry.weights, entry.sha256, entry.learner, entry.status)


def _entry_of(row: tuple[Any, ...]) -> AgentEntry:
    id, name, kind, division, generation, trainable, parent, *files = row
    return AgentEntry(Agent(id, name, kind, division, generation, bool(trainable), parent), *files)


def _new_catalogue(facts: dict[str, str], agents: Sequence[AgentEntry]) -> bytes:
    """The bytes of a catalogue at the start of a season."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(_SCHEMA)
        database.executemany("insert into season values (?, ?)", facts.items())
        database.executemany(_INSERT_AGENT, [_row_of(entry) for entry in agents])
        seal(database)
        database.execute(f"pragma user_version = {VERSION}")
        database.commit()
        return database.serialize()


def _connect(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, timeout=60, isolation_level=None)
    database.execute("pragma journal_mode = wal")
    # A student's old file goes once its new one is in the catalogue: a power cut must not undo that step.
    database.execute("pragma synchronous = full")
    return database


def saving(directory: Path) -> AbstractContextManager[None]:
    """Turns what goes wrong while saving into one sentence that says what to do."""
    advice = f"what was saved before is safe; fix this, then run `luckless league resume {directory}`"
    return saving_what(f"the season in {directory}", advice)


@contextmanager
def _reading(directory: Path) -> Iterator[None]:
    """Distinguishes a failing or full disk (reading needs a little space too) from a file that is not a catalogue."""
    try:
        yield
    except UnicodeDecodeError:  # the reason names a table or a column, and the damage is in that name
        raise InputError(f"{directory / CATALOGUE} is damaged: names in it are not text") from None
    except sqlite3.DatabaseError as error:
        path = directory / CATALOGUE
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB:
            raise InputError(f"{path} is not a catalogue of a season: {error}") from None
        if not is_fault_of_disk(error):
            raise InputError(f"{path} is damaged: {ascii(str(error))[1:-1]}") from None
        advice = "what was saved is safe; is the disk full or read-only?"
        raise SaveError(f"{path} cannot be opened: {error}; {advice}") from error


def versions() -> str:
    """What the season is computed with, as JSON: other versions may give other numbers."""
    import platform

    import numba
    import numpy as np

    import luckless

    known = {"luckless": luckless.__version__, "python": platform.python_version(), "numpy": np.__version__}
    known["numba"] = numba.__version__
    try:
        from importlib.metadata import version

        known["torch"] = version("torch")
    except ImportError:
        pass
    return json.dumps(known)
