"""`luckless query`: SQL over stored hands."""

import math
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from luckless.cli.output import JsonFlag, check_unread, new_console, print_table
from luckless.errors import InputError

if TYPE_CHECKING:
    from luckless.histories.reading import Hands
    from luckless.histories.store import StoredHands

ROWS_SHOWN = 100
"""Rows that a table on the terminal shows at most."""


def command(
    given: Annotated[
        list[str],
        typer.Argument(
            metavar="DIR... SQL",
            help="Folders with stored hands, or logs; then a query over the tables hands, actions, results and bots.",
        ),
    ],
    csv: Annotated[bool, typer.Option("--csv", help="Print the answer as CSV.")] = False,
    json: JsonFlag = False,
) -> None:
    """SQL (DuckDB) over stored hands, or over logs.

    Tables: hands (a row a hand), actions (a row an action), results (a row a hand and seat), bots (a row a player).
    `luckless query DIR "describe results"` shows the columns of one; docs/formats.md has examples.
    """
    from luckless.histories.querying import opened, run

    if csv and json:
        raise InputError("--csv and --json exclude each other")
    *paths, sql = given
    if not paths:
        raise InputError('query takes hands, and then the query: luckless query DIR "select * from hands limit 10"')
    source = _source(paths)
    with opened(source, sql) as database:
        columns, rows = run(database, sql)
        if json:
            _print_json(columns, rows)
        elif csv:
            _print_csv(columns, rows)
        else:
            _print_table(columns, rows)
    if (left_out := getattr(source, "left_out", None)) is not None:  # logs were read, no store
        check_unread(left_out)


def _source(paths: list[str]) -> "StoredHands | Hands":
    """One store, or all that lies at several places."""
    from luckless.histories.catalogue import FILE
    from luckless.histories.reading import read_hands
    from luckless.histories.store import StoredHands

    one = Path(paths[0])
    if len(paths) == 1 and ((one / FILE).is_file() or not one.exists() or not _is_log(one)):
        return StoredHands.open(one)
    return read_hands(paths)


def _is_log(path: Path) -> bool:
    """Whether a place has hands that are not stored: a log, or a folder of logs."""
    from luckless.histories.formats import places_in

    try:
        return bool(places_in(path, None))
    except InputError:
        return False


def _plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, dict):
        return {str(key): _plain(part) for key, part in value.items()}
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def _print_json(columns: list[str], rows: Iterator[tuple[Any, ...]]) -> None:
    """One object, a row a line, written as the rows come: its length costs no memory."""
    from json import dumps

    out, before = sys.stdout, "\n    "
    out.write(f'{{\n  "columns": {dumps(columns)},\n  "rows": [')
    for row in rows:
        out.write(before + dumps([_plain(value) for value in row], allow_nan=False))
        before = ",\n    "
    out.write("\n  ]\n}\n")


def _print_csv(columns: list[str], rows: Iterator[tuple[Any, ...]]) -> None:
    from csv import writer

    out = writer(sys.stdout, lineterminator="\n")
    out.writerow(columns)
    out.writerows(rows)


def _print_table(columns: list[str], rows: Iterator[tuple[Any, ...]]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    first = next(rows, None)
    for place, column in enumerate(columns):
        is_number = first is not None and isinstance(first[place], int | float | Decimal)
        table.add_column(column, justify="right" if is_number else "left", no_wrap=True)
    shown = 0
    if first is not None:
        for row in (first, *rows):
            shown += 1
            if shown <= ROWS_SHOWN:
                table.add_row(*map(_cell, row))
    console = new_console(markup=False)
    print_table(console, table)
    if shown > ROWS_SHOWN:
        console.print(f"({shown - ROWS_SHOWN:,} more rows: --csv and --json print all)")


def _cell(value: Any) -> str:
    if isinstance(value, float | Decimal):
        return f"{value:,.4f}".rstrip("0").rstrip(".")
    return "" if value is None else str(value)
