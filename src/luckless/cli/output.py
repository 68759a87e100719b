"""The output of commands: results on standard output (text or JSON), errors as one line on standard error."""

import json
import os
import sys
import threading
from collections.abc import Collection
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TextIO

import typer

from luckless import work_clock
from luckless.counted import counted

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from luckless.histories.rejects import LeftOut

OnOption = Annotated[
    str | None,
    typer.Option(
        "--on", help="Share the work out over a Ray: ray (one of this machine), auto or ray://HOST:PORT.",
        show_default="own threads and processes",
    ),
]  # fmt: skip
"""Where work is done that can be cut into pieces (see docs/cluster.md)."""


def crew_on(place: str | None, workers: int | None = None) -> AbstractContextManager[object]:
    """Lets the workers of a place do what can be shared out; nothing of Ray is imported without one."""
    if place is None:
        return nullcontext()
    from luckless.cluster.places import working_on

    return working_on(place, workers)


JsonFlag = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


class _Output:
    """Where results go: standard output, or a copy of it that bots do not have."""

    own: TextIO | None = None


def _keep_output(wanted: bool) -> bool:
    """Keeps standard output for the result alone: what bots and their programs print there goes to standard error."""
    if wanted and _Output.own is None:
        with suppress(OSError, ValueError, AttributeError):  # it is not a file: a test reads it
            if sys.stdout.fileno() == 1:
                sys.stdout.flush()
                _Output.own = open(os.dup(1), "w", encoding=sys.stdout.encoding, errors="replace")  # noqa: SIM115
                os.dup2(2, 1)
    return wanted


JsonOfBotsFlag = Annotated[
    bool, typer.Option("--json", help="Print the result as JSON.", callback=_keep_output, is_eager=True)
]
"""`--json` of a command that lets bots play."""


def print_json(result: dict[str, Any]) -> None:
    """Prints one JSON object in ASCII, with everything else escaped: exact, and safe to look at.

    A number that is not finite raises ValueError, because JSON has no such numbers.
    """
    text = json.dumps(result, indent=2, allow_nan=False).replace("\x7f", "\\u007f")
    print(text, file=_Output.own, flush=True)


UNBROKEN = 10_000
"""The width of output that is not a terminal: no line is broken there, so that it can be searched."""


def new_console(*, markup: bool = True, soft_wrap: bool = False, stream: TextIO | None = None) -> "Console":
    """A console for results: as wide as the terminal, or as COLUMNS says; in a pipe or a file no line is broken.

    It writes to standard output, or to another stream.
    """
    from luckless.cli.clean_console import CleanConsole

    console = CleanConsole(highlight=False, markup=markup, soft_wrap=soft_wrap, stream=stream)
    if not console.file.isatty() and "COLUMNS" not in os.environ:
        console.width = UNBROKEN
    return console


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


def say_compiling() -> None:
    """Says beside a result that tells its speed how long compiling took, if that was longer than a second."""
    seconds = work_clock.stood_still()
    if seconds > 1:
        print(f"note: compiling and loading code took {seconds:,.0f} s, which the times leave out", file=sys.stderr)


LONGEST_ERROR = 2_000
"""Characters of an error: input that is quoted in it may be long."""


def fail(message: str, code: int) -> NoReturn:
    """One line on standard error, then the exit code."""
    line = " ".join(message.split())
    if len(line) > LONGEST_ERROR:
        line = f"{line[:LONGEST_ERROR]}... ({len(line) - LONGEST_ERROR:,} more characters)"
    print(f"error: {line}", file=sys.stderr)
    sys.exit(code)


StrictFlag = Annotated[
    bool,
    typer.Option(
        "--strict", help="End with exit code 1 if 1 % or more of a bot's decisions had to be answered for it."
    ),
]


def check_strict(strict: bool, trouble: str) -> None:
    """Ends the command with an error where bots hardly played themselves and that is to be one."""
    if strict and trouble:
        fail(f"--strict: {trouble}", code=1)


def check_unread(left_out: "LeftOut") -> None:
    """Ends the command with exit code 1, after its result, where files could not be read to their end."""
    if left_out.unread:
        fail(f"{counted(left_out.unread, 'file')} could not be read: {left_out.first_unread}", code=1)


def leave(code: Any, threads: Collection[threading.Thread]) -> NoReturn:
    """Ends the program, even if a bot has left threads in it that do not end.

    `threads` were there before the command; whoever started them waits for them himself.
    """
    if any(not thread.daemon and thread not in threads for thread in threading.enumerate()):
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(code if isinstance(code, int) else int(code is not None))
    sys.exit(code)
