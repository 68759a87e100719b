"""`luckless query`: SQL over stored hands."""

import math
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

import typer

from luckless.cli.output import JsonFlag, new_console, print_json, print_table
from luckless.errors import InputError

ROWS_SHOWN = 100
"""Rows that a table on the terminal shows at most."""


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder with stored hands.")],
    sql: Annotated[str, typer.Argument(help="A query over the tables hands, actions, results and bots.")],
    csv: Annotated[bool, typer.Option("--csv", help="Print the answer as CSV.")] = False,
    json: JsonFlag = False,
) -> None:
    """SQL (DuckDB) over stored hands.

    Tables: hands (a row a hand), actions (a row an action), results (a row a hand and seat), bots (a row a player).
    `luckless query DIR "describe results"` shows the columns of one; docs/formats.md has examples.
    """
    from luckless.histories.querying import opened, run
    from luckless.histories.store import StoredHands

    if csv and json:
        raise InputError("--csv and --json exclude each other")
    with opened(StoredHands.open(folder), sql) as database:
        columns, rows = run(database, sql)
        if json:
            print_json({"columns": columns, "rows": [[_plain(value) for value in row] for row in rows]})
        elif csv:
            _print_csv(columns, rows)
        else:
            _print_table(columns, rows)


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
