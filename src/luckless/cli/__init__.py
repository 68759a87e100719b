"""The command line: one file a command. Heavy imports happen inside the commands."""

import io
import sys
import warnings
from typing import Any, NoReturn

import typer

import luckless
from luckless import interruptions
from luckless.cli import (
    bench,
    bots,
    check,
    convert,
    divat,
    equity,
    evaluate,
    games,
    league,
    match,
    play,
    query,
    rank,
    replay,
    report,
    session,
    sit,
    tables,
    verify,
)
from luckless.cli.output import fail, leave
from luckless.cli.plain_help import PlainCommand, PlainGroup
from luckless.errors import InputError

app = typer.Typer(
    name="luckless",
    cls=PlainGroup,
    help="Measures poker skill with the luck taken out, and breeds stronger bots.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"luckless {luckless.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(
        False, "--version", help="Print the version and exit.", callback=_show_version, is_eager=True
    ),
) -> None:
    pass


app.command("equity", cls=PlainCommand)(equity.command)
app.command("rank", cls=PlainCommand)(rank.command)
app.command("bots", cls=PlainCommand)(bots.command)
app.command("games", cls=PlainCommand)(games.command)
app.command("match", cls=PlainCommand)(match.command)
app.command("session", cls=PlainCommand)(session.command)
app.command("evaluate", cls=PlainCommand)(evaluate.command)
app.command("convert", cls=PlainCommand)(convert.command)
app.command("replay", cls=PlainCommand)(replay.command)
app.command("query", cls=PlainCommand)(query.command)
app.command("verify", cls=PlainCommand)(verify.command)
app.command("report", cls=PlainCommand)(report.command)
app.command("check", cls=PlainCommand)(check.command)
app.command("play", cls=PlainCommand)(play.command)
app.command("sit", cls=PlainCommand)(sit.command)
app.add_typer(league.app, name="league")
app.command("divat", cls=PlainCommand)(divat.command)
app.add_typer(tables.app, name="tables")
app.command("bench", cls=PlainCommand)(bench.command)


def _say_warning(message: Warning | str, *_: object, **__: object) -> None:
    print(f"note: {message}", file=sys.stderr)


def main() -> NoReturn:
    """Runs a command and exits: code 0 for success, 2 for wrong input, 1 for a failure, 130 when interrupted, and
    after SIGTERM or SIGHUP 128 and the number of the signal."""
    code: Any = 0
    try:
        with interruptions.ended_by_signals(), interruptions.noticed():
            _run()
    except SystemExit as leaving:
        code = leaving.code
    except OSError:  # the terminal is gone: there is nobody to say it to
        code = 1
    number = interruptions.ending_signal()
    leave(code if number is None else 128 + number)


def _run() -> None:
    warnings.showwarning = _say_warning
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal without ± or ━ shows ? in their place
            stream.reconfigure(errors="replace")
    try:
        app(prog_name="luckless")
    except InputError as error:
        fail(str(error), code=2)
    except KeyboardInterrupt:
        fail("interrupted", code=130)
    except BrokenPipeError:
        sys.exit(1)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        fail(where + error.strerror if error.strerror else str(error), code=1)
