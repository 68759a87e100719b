"""Opens SQLite files for reading, wherever they lie, and puts what goes wrong into one sentence.

A database that was not closed has its last transactions in a second file, the write-ahead log. SQLite needs to write
a third one to read it. Where it may not, as on read-only media, a copy in memory is read instead: what stands in the
log is never left out.
"""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from luckless.errors import InputError

LOGS = ("-wal", "-journal")
"""What follows the name of a database in the names of its logs."""

_TRIES = 5
_DISK = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_INTERRUPT,
}


class SaveError(OSError):
    """Something could not be saved; what had been saved before is safe."""


def is_fault_of_disk(error: sqlite3.Error) -> bool:
    """Whether an error comes from the disk or the system, and not from what stands in the file."""
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF in _DISK


@contextmanager
def saving(what: str, advice: str) -> Iterator[None]:
    """Turns what goes wrong while saving into one sentence that says what to do."""
    try:
        yield
    except SaveError:
        raise
    except (sqlite3.Error, OSError) as error:
        if isinstance(error, sqlite3.Error) and not is_fault_of_disk(error):
            raise
        raise SaveError(f"{what} cannot be saved: {reason(error)}; {advice}") from error


def reason(error: sqlite3.Error | OSError) -> str:
    """An error of the system in a few words."""
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)


def open_for_reading(path: Path) -> sqlite3.Connection:
    """A database as it stands now, log included. It is not changed, and need not even be writable."""
    plain = path.resolve().as_uri()
    try:
        return _tried(f"{plain}?mode=ro")
    except sqlite3.OperationalError as error:
        if not is_fault_of_disk(error):
            raise
    if any(map(_holds_something, _logs(path))):
        return _copied(path)
    return _tried(f"{plain}?mode=ro&immutable=1")


def open_at_rest(path: Path) -> sqlite3.Connection:
    """A database that nobody writes to now, as the caller knows: no lock is taken and no file is made beside it."""
    if any(map(_holds_something, _logs(path))):
        return open_for_reading(path)
    return _tried(f"{path.resolve().as_uri()}?mode=ro&immutable=1")


def _tried(address: str) -> sqlite3.Connection:
    """A connection that can read."""
    connection = sqlite3.connect(address, uri=True, timeout=60)
    try:
        connection.execute("select count(*) from sqlite_schema").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _logs(path: Path) -> list[Path]:
    return [path.with_name(path.name + end) for end in LOGS]


def _holds_something(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def _copied(path: Path) -> sqlite3.Connection:
    """The database in memory, made of a copy of its files."""
    with tempfile.TemporaryDirectory(prefix="luckless-read-") as folder:
        for _ in range(_TRIES):
            before = _state(path)
            copy = Path(folder) / path.name
            for file in (path, *_logs(path)):
                target = Path(folder) / file.name
                target.unlink(missing_ok=True)
                if file.exists():
                    shutil.copyfile(file, target)
            if _state(path) == before:
                return _loaded(copy)
    raise InputError(f"{path} cannot be read: another process keeps writing to it; try again when that has ended")


def _state(path: Path) -> list[tuple[int, int] | None]:
    """What changes whenever a database or one of its logs is written."""
    found = [os.stat(file) if file.exists() else None for file in (path, *_logs(path))]
    return [None if one is None else (one.st_size, one.st_mtime_ns) for one in found]


def _loaded(path: Path) -> sqlite3.Connection:
    memory = sqlite3.connect(":memory:")
    try:
        with closing(sqlite3.connect(path)) as copy:
            copy.backup(memory)
        memory.execute("pragma query_only = on")
    except BaseException:
        memory.close()
        raise
    return memory
