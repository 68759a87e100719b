"""SQL over stored hands: the DuckDB tables `hands`, `actions`, `results` and `bots`, made of chunks as needed."""

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import duckdb

from luckless.errors import InputError
from luckless.histories.rows import TABLES, played_again
from luckless.histories.store import StoredHands
from luckless.progress import Progress

BATCH = 65_536
"""Hands that are turned into rows at once."""
ROWS = 2_000
"""Rows of an answer that are in memory at once."""
MEMORY = "2GB"
"""What a query may take before it puts tables aside on the disk; an answer of any length takes no more."""


@contextmanager
def opened(stored: StoredHands, sql: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """A database with the tables that a query names; it cannot reach any file."""
    stored.check_bytes()
    with tempfile.TemporaryDirectory(prefix="luckless-query-") as folder, duckdb.connect() as database:
        database.execute(f"set temp_directory = '{folder}'")
        database.execute(f"set memory_limit = '{MEMORY}'")
        _add_bots(database, stored)
        wanted = [name for name in TABLES if re.search(rf"\b{name}\b", sql, re.IGNORECASE)]
        _fill(database, stored, wanted)
        database.execute("set enable_external_access = false")
        yield database


def run(database: duckdb.DuckDBPyConnection, sql: str) -> tuple[list[str], Iterator[tuple[Any, ...]]]:
    """The names of the columns and the rows of a query's answer, which are computed as they are taken."""
    with _in_words():
        answer = database.execute(sql)
    if answer is None:
        raise InputError('the query is empty: give a statement such as "select * from hands limit 10"')
    columns = [column[0] for column in answer.description or []]
    return columns, _rows(answer)


def _rows(answer: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    while True:
        with _in_words():
            rows = answer.fetchmany(ROWS)
        if not rows:
            return
        yield from rows


@contextmanager
def _in_words() -> Iterator[None]:
    """One sentence for what goes wrong in a query: in its text, in what it computes, or for lack of room."""
    try:
        yield
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except (duckdb.OutOfMemoryException, duckdb.IOException, MemoryError) as error:
        raise OSError(f"the query needs more memory or disk than there is: {_first_line(error)}") from None
    except (duckdb.Error, RuntimeError, OverflowError, UnicodeDecodeError) as error:
        raise InputError(f"the query does not work: {_first_line(error)}") from None


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _add_bots(database: duckdb.DuckDBPyConnection, stored: StoredHands) -> None:
    """Who played, and for a finished match how well."""
    database.execute(
        "create table bots (player integer, name varchar, parameters varchar, code_sha256 varchar, "
        "mbb double, stderr_mbb double, net_chips bigint, faults bigint)"
    )
    for player, bot in enumerate(stored.bots):
        result = stored.results[player] if stored.results else {}
        values = [result.get(key) for key in ("mbb", "stderr_mbb", "net_chips", "faults")]
        row = (player, bot["name"], str(bot["parameters"]), bot["code_sha256"], *values)
        database.execute("insert into bots values (?, ?, ?, ?, ?, ?, ?, ?)", row)


def _fill(database: duckdb.DuckDBPyConnection, stored: StoredHands, wanted: list[str]) -> None:
    for name in wanted:
        database.execute(f"create table {name} ({TABLES[name][0]})")
    if not wanted:
        return
    with Progress(stored.hands, "reading hands") as progress:
        for chunk in stored.columns():
            for first in range(0, len(chunk), BATCH):
                columns = chunk.rows(slice(first, first + BATCH))
                played = played_again(columns)
                for name in wanted:
                    rows = TABLES[name][1](columns, played)  # noqa: F841  DuckDB finds the table by this name
                    with _in_words():
                        database.execute(f"insert into {name} select * from rows")
                progress.advance(len(columns))
