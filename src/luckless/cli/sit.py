"""`luckless sit`: a person at the terminal plays bots."""

from pathlib import Path
from typing import Annotated

import typer

from luckless.cli import completion
from luckless.cli.output import JsonOfBotsFlag, print_json


def command(
    bots: Annotated[
        list[str], typer.Argument(help="The bots to play against, all at one table.", autocompletion=completion.bots)
    ],
    game: Annotated[
        str, typer.Option(help="A named game or a file.", autocompletion=completion.games)
    ] = "nolimit-hu",
    hands: Annotated[int, typer.Option(help="Hands to play at most; you can leave at any time.")] = 1000,
    name: Annotated[str, typer.Option(help="What you are called.")] = "you",
    save: Annotated[
        Path | None,
        typer.Option(help="Store the hands in this folder; a table that is there already is taken up again."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(help="The same seed deals the same cards. By default a secret one is drawn."),
    ] = None,
    decision_seconds: Annotated[
        float, typer.Option(help="Time limit of a bot for one decision; 0 is no limit. You have no limit.")
    ] = 10.0,
    json: JsonOfBotsFlag = False,
) -> None:
    """Seats you at the terminal against bots; at the end tells your result with luck removed as far as that goes.

    With --json the table is shown on standard error, and standard output has the result alone.
    """
    import sys

    from luckless.bots.catalogue import load_bot
    from luckless.cli.sitting import SittingAtTerminal
    from luckless.rules.game import Game
    from luckless.sitting.sitting import Sitting

    opponents = [load_bot(text) for text in bots]
    stream = sys.stderr if json else None
    table = Sitting.plan(Game.load(game), opponents, name, hands, seed, save, decision_seconds)
    planned = SittingAtTerminal(table, stream)
    result = planned.play()
    if json:
        print_json({"hands": 0} if result is None else result.to_dict())
