"""SQL over stored hands: the DuckDB tables `hands`, `actions`, `results` and `bots`, made of chunks as needed."""

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import duckdb
import pyarrow as pa

from luckless.errors import InputError
from luckless.histories.catalogue import player_row
from luckless.histories.reading import Hands
from luckless.histories.regrouping import regrouped
from luckless.histories.rows import TABLES, played_again
from luckless.histories.store import StoredHands
from luckless.progress import Progress
from luckless.rules.columns import HandColumns

BATCH = 65_536
"""Hands that are turned into rows at once."""
ROWS = 2_000
"""Rows of an answer that are in memory at once."""
MEMORY = "2GB"
"""What a query may take before it puts tables aside on the disk; an answer of any length takes no more."""


@contextmanager
def opened(source: StoredHands | Hands, sql: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """A database with the tables that a query names; it cannot reach any file."""
    if isinstance(source, StoredHands):
        source.check_bytes()
    with tempfile.TemporaryDirectory(prefix="luckless-query-") as folder, duckdb.connect() as database:
        database.execute(f"set temp_directory = '{folder}'")
        database.execute(f"set memory_limit = '{MEMORY}'")
        wanted = [name for name in TABLES if _names(sql, name)]
        if isinstance(source, StoredHands):
            _fill(database, source.columns(), source.hands, wanted)
            _add_bots(database, source.bots, source.results)
        else:
            if wanted or _names(sql, "bots"):
                _fill(database, regrouped(source.batches()), None, wanted)
            _add_bots(database, [player_row(name) for name in source.names], [])
        database.execute("set enable_external_access = false")
        yield database


def _names(sql: str, table: str) -> bool:
    """Whether a query names a table."""
    return re.search(rf"\b{table}\b", sql, re.IGNORECASE) is not None


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


def _add_bots(
    database: duckdb.DuckDBPyConnection, bots: Sequence[Mapping[str, Any]], results: Sequence[Mapping[str, Any]]
) -> None:
    """Who played, and for a finished match how well."""
    database.execute(
        "create table bots (player integer, name varchar, parameters varchar, code_sha256 varchar, "
        "mbb double, stderr_mbb double, net_chips bigint, faults bigint)"
    )
    rows = []
    for player, bot in enumerate(bots):
        result = results[player] if results else {}
        values = [result.get(key) for key in ("mbb", "stderr_mbb", "net_chips", "faults")]
        rows.append((player, bot["name"], str(bot["parameters"]), bot["code_sha256"], *values))
    if rows:
        columns = [*zip(*rows, strict=True)]
        arrays = [pa.array(column, kind) for column, kind in zip(columns, _BOT_TYPES, strict=True)]
        listed = pa.table(arrays, names=list(map(str, range(len(arrays)))))  # noqa: F841  DuckDB finds it by this name
        database.execute("insert into bots select * from listed")


_BOT_TYPES = (
    *(pa.int32(), pa.string(), pa.string(), pa.string()),
    *(pa.float64(), pa.float64(), pa.int64(), pa.int64()),
)


def _fill(
    database: duckdb.DuckDBPyConnection, batches: Iterable[HandColumns], hands: int | None, wanted: list[str]
) -> None:
    for name in wanted:
        database.execute(f"create table {name} ({TABLES[name][0]})")
    with Progress(hands, "reading hands") as progress:
        for batch in batches if wanted or hands is None else ():
            for first in range(0, len(batch), BATCH):
                columns = batch.rows(slice(first, first + BATCH))
                played = played_again(columns)
                for name in wanted:
                    rows = TABLES[name][1](columns, played)  # noqa: F841  DuckDB finds the table by this name
                    with _in_words():
                        database.execute(f"insert into {name} select * from rows")
                progress.advance(len(columns))
