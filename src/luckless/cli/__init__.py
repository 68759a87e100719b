"""The command line: one file a command. Heavy imports happen inside the commands."""

import io
import sys
import warnings

import typer

import luckless
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
    tables,
    verify,
)
from luckless.cli.output import fail
from luckless.errors import InputError

app = typer.Typer(
    name="luckless",
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


app.command("equity")(equity.command)
app.command("rank")(rank.command)
app.command("bots")(bots.command)
app.command("games")(games.command)
app.command("match")(match.command)
app.command("session")(session.command)
app.command("evaluate")(evaluate.command)
app.command("convert")(convert.command)
app.command("replay")(replay.command)
app.command("query")(query.command)
app.command("verify")(verify.command)
app.command("report")(report.command)
app.command("check")(check.command)
app.command("play")(play.command)
app.add_typer(league.app, name="league")
app.command("divat")(divat.command)
app.add_typer(tables.app, name="tables")
app.command("bench")(bench.command)


def _say_warning(message: Warning | str, *_: object, **__: object) -> None:
    print(f"note: {message}", file=sys.stderr)


def main() -> None:
    """Runs a command: exit code 0 for success, 2 for wrong input, 1 for a failure, 130 when interrupted."""
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
