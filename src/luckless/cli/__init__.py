"""The command line: one file a command. Heavy imports happen inside the commands."""

import gc
import sys
import threading
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
    exploit,
    games,
    judge,
    league,
    match,
    play,
    query,
    rank,
    replay,
    report,
    session,
    sit,
    solve,
    tables,
    tournament,
    values,
    verify,
    web,
)
from luckless.cli.clean_streams import clean_streams
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
app.command("tournament", cls=PlainCommand)(tournament.command)
app.add_typer(league.app, name="league")
app.command("divat", cls=PlainCommand)(divat.command)
app.add_typer(tables.app, name="tables")
app.add_typer(values.app, name="values")
app.command("judge", cls=PlainCommand)(judge.command)
app.command("solve", cls=PlainCommand)(solve.command)
app.command("exploit", cls=PlainCommand)(exploit.command)
app.command("web", cls=PlainCommand)(web.command)
app.command("bench", cls=PlainCommand)(bench.command)


INTERRUPTED = 130
COLLECT_AFTER = 1_000_000
"""New objects after which garbage is looked for: a command makes fewer while it starts, and most of them stay."""


def _say_warning(message: Warning | str, *_: object, **__: object) -> None:
    print(f"note: {message}", file=sys.stderr)


def main() -> NoReturn:
    """Runs a command and exits: code 0 for success, 2 for wrong input, 1 for a failure, 130 when interrupted, and
    after SIGTERM or SIGHUP 128 and the number of the signal."""
    code: Any = 0
    thresholds = gc.get_threshold()
    gc.set_threshold(COLLECT_AFTER, *thresholds[1:])
    threads = [*threading.enumerate(), threading.main_thread()]
    try:
        with interruptions.ended_by_signals(), interruptions.noticed():
            _run()
    except SystemExit as leaving:
        code = leaving.code
    except OSError:  # the terminal is gone: there is nobody to say it to
        code = 1
    number = interruptions.ending_signal()
    gc.set_threshold(*thresholds)
    if "duckdb" not in sys.modules:  # its binding complains of leaks
        gc.freeze()  # Python would look for cycles in all that is there before it ends
    leave(code if number is None else 128 + number, threads)


@clean_streams()
def _run() -> None:
    warnings.showwarning = _say_warning
    before = interruptions.requests()
    try:
        code = app(prog_name="luckless", standalone_mode=False)
    except InputError as error:
        fail(str(error), code=2)
    except KeyboardInterrupt as interrupt:
        fail(str(interrupt) or "interrupted", code=INTERRUPTED)
    except typer.Abort:
        fail("the input has ended", code=1)
    except BrokenPipeError:
        sys.exit(1)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        fail(where + error.strerror if error.strerror else str(error), code=1)
    except Exception as error:
        _fail_usage(error)
        if interruptions.requests() > before:  # within compiling, the compiler makes an error of its own of a Ctrl-C
            fail("interrupted", code=INTERRUPTED)
        raise
    if code == INTERRUPTED:  # what Typer makes of Ctrl-C
        fail("interrupted", code=INTERRUPTED)
    sys.exit(code if isinstance(code, int) else 0)


def _fail_usage(error: Any) -> None:
    """Ends with one line for a wrong call: an unknown option, a missing argument. Other errors are left alone."""
    if not hasattr(error, "format_message"):
        return
    if type(error).__name__ == "NoArgsIsHelpError":  # the help is its message, or has been printed
        print(error.format_message())
        sys.exit(error.exit_code)
    context = getattr(error, "ctx", None)
    hint = f"; see `{context.command_path} --help`" if context is not None else ""
    fail(error.format_message().rstrip(".") + hint, code=error.exit_code)
