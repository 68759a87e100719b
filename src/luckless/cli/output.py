"""The output of commands: results on standard output (text or JSON), errors as one line on standard error."""

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

JsonFlag = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


def print_json(result: dict[str, Any]) -> None:
    """Prints one JSON object in ASCII, with everything else escaped: exact, and safe to look at.

    A number that is not finite raises ValueError, because JSON has no such numbers.
    """
    print(json.dumps(result, indent=2, allow_nan=False).replace("\x7f", "\\u007f"))


NARROWEST_NAME = 16
"""The smallest width of a column of names when a table is too wide for the terminal."""


def print_table(console: "Console", table: "Table") -> None:
    """Prints a table without cutting off any number, whatever the width of the terminal.

    Columns that may not be wrapped keep their width; names are folded; a table that is too wide even then is wider
    than the terminal.
    """
    from rich.measure import Measurement

    from luckless.cli.clean_console import clean_table

    clean_table(table)
    roomy = console.options.update(max_width=10_000)
    spare = 0
    for column in table.columns:
        sizes = [Measurement.get(console, roomy, cell) for cell in (column.header, *column.cells)]
        if column.no_wrap:
            column.min_width = max(size.maximum for size in sizes)
        elif column.overflow == "fold":
            spare += max(0, max(size.minimum for size in sizes) - NARROWEST_NAME)
    terminal = console.width
    console.width = max(terminal, Measurement.get(console, roomy, table).minimum - spare)
    console.print(table)
    console.width = terminal


LONGEST_ERROR = 2_000
"""Characters of an error: input that is quoted in it may be long."""


def fail(message: str, code: int) -> NoReturn:
    """One line on standard error, then the exit code."""
    line = " ".join(message.split())
    if len(line) > LONGEST_ERROR:
        line = f"{line[:LONGEST_ERROR]}... ({len(line) - LONGEST_ERROR:,} more characters)"
    print(f"error: {line}", file=sys.stderr)
    sys.exit(code)
