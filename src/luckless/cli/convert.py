"""`luckless convert`: hands from one format to another."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from luckless.cli import completion
from luckless.cli.output import JsonFlag, check_unread, print_json
from luckless.counted import counted
from luckless.errors import InputError

if TYPE_CHECKING:
    from luckless.histories.converting import Conversion

FORMATS_HELP = "stored, phh, acpc, lines or pokerstars; by default from the name"

LogFormat = Annotated[str | None, typer.Option("--from", help=f"Format of the logs: {FORMATS_HELP}.")]
GameOfLogs = Annotated[
    str | None,
    typer.Option(
        help="The game of the hands, a name or a file, if the logs do not describe it.",
        autocompletion=completion.games,
    ),
]


def command(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="IN... OUT",
            help="Logs (also .gz), folders of logs or of stored hands; then a file (also .gz), or a new folder.",
        ),
    ],
    source_format: Annotated[str | None, typer.Option("--from", help=f"Format of IN: {FORMATS_HELP}.")] = None,
    target_format: Annotated[str | None, typer.Option("--to", help=f"Format of OUT: {FORMATS_HELP}.")] = None,
    game: Annotated[
        str | None,
        typer.Option(
            help="The game of the hands, a name or a file, if IN does not describe it.",
            autocompletion=completion.games,
        ),
    ] = None,
    rejects: Annotated[
        Path | None, typer.Option(help="The file for hands that cannot be read; OUT.rejects by default.")
    ] = None,
    append: Annotated[
        bool, typer.Option("--append", help="Add the hands to OUT, a folder with stored hands.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Converts hands between folders (stored), .phhs (PHH), .log (ACPC), .lines (one-liners) and .txt (PokerStars).

    Several logs become one, and in a folder all files that look like logs are read. A hand that is bad, or that the
    target cannot carry, is left out and written to the file of rejects with its line and the reason. OUT appears when
    all is written, and not at all if no hand is left.
    """
    from luckless.histories.converting import convert
    from luckless.rules.game import Game

    if len(paths) < 2:
        raise InputError("convert takes what is read, and then OUT: luckless convert IN... OUT")
    done = convert(
        paths[:-1],
        paths[-1],
        source_format=source_format,
        target_format=target_format,
        game=Game.load(game) if game is not None else None,
        rejects=rejects,
        append=append,
    )
    if json:
        print_json(done.to_dict())
    else:
        _print(done, append)
    check_unread(done.left_out)


def _print(done: "Conversion", append: bool) -> None:
    of_files = f" of {counted(done.files, 'file')}" if done.files > 1 else ""
    print(f"{done.target}: {counted(done.hands, 'hand')}{of_files}{' added' if append else ''}")
    if done.left_out:
        print(f"{done.left_out.sentence()}\nsee {done.rejects}; the first: {done.first_reason}")
    for note in done.notes:
        print(note)
