"""`luckless sit`: a person at the terminal plays bots."""

from pathlib import Path
from typing import Annotated

import typer

from luckless.cli import completion


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
) -> None:
    """Seats you at the terminal against bots; at the end tells your result with luck removed as far as that goes."""
    from luckless.bots.catalogue import load_bot
    from luckless.cli.sitting import Sitting
    from luckless.rules.game import Game

    opponents = [load_bot(text) for text in bots]
    Sitting.plan(Game.load(game), opponents, name, hands, seed, save, decision_seconds).play()
