"""`luckless convert`: hands from one format to another."""

from pathlib import Path
from typing import Annotated

import typer

from luckless.cli import completion
from luckless.cli.output import JsonFlag, print_json

FORMATS_HELP = "stored, phh, acpc, lines or pokerstars; by default from the name"


def command(
    source: Annotated[Path, typer.Argument(metavar="IN", help="A log (also .gz), or a folder with stored hands.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="A file (also .gz), or a new folder.")],
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
    json: JsonFlag = False,
) -> None:
    """Converts hands between folders (stored), .phhs (PHH), .log (ACPC), .lines (one-liners) and .txt (PokerStars).

    A hand that is bad, or that the target cannot carry, is left out and written to the file of rejects with its line
    and the reason. OUT appears when all is written, and not at all if no hand is left.
    """
    from luckless.histories.converting import convert
    from luckless.rules.game import Game

    done = convert(
        source,
        target,
        source_format=source_format,
        target_format=target_format,
        game=Game.load(game) if game is not None else None,
        rejects=rejects,
    )
    if json:
        print_json(done.to_dict())
        return
    print(f"{done.target}: {done.hands:,} hands")
    if done.rejected:
        print(f"{done.rejected:,} hands were left out, see {done.rejects}; {done.first_reason}")
    for note in done.notes:
        print(note)
