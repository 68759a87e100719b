"""`luckless replay`: one hand, street by street, with pots; or only what one seat knew."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from luckless.cli import completion
from luckless.cli.output import JsonFlag, new_console, print_json
from luckless.errors import InputError

if TYPE_CHECKING:
    from luckless.rules.columns import HandColumns


def command(
    source: Annotated[Path, typer.Argument(metavar="MATCH", help="A folder with stored hands, or a log.")],
    hand: Annotated[int, typer.Option(help="The number of the hand.")],
    seat: Annotated[int | None, typer.Option(help="Show only what this seat (0, 1, ...) knew.")] = None,
    source_format: Annotated[
        str | None, typer.Option("--from", help="Format of a log; taken from its name by default.")
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            help="The game of the hands, a name or a file, if the log does not describe it.",
            autocompletion=completion.games,
        ),
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Shows one hand step by step: cards, actions, pots, and who won what."""
    from luckless.histories.hand_detail import details
    from luckless.histories.hand_text import hand_text

    told = next(details(find_hand(source, hand, source_format, game)))
    if seat is not None and not 0 <= seat < told.game.seats:
        raise InputError(f"there is no seat {seat}: the hand has seats 0 to {told.game.seats - 1}")
    story = hand_text(told, seat)
    if json:
        print_json(story)
    else:
        _print(story)


def find_hand(source: Path, number: int, source_format: str | None, game: str | None) -> "HandColumns":
    """The hand with a number, in a store or a log; in a log bad hands are passed over."""
    import numpy as np

    from luckless.histories.formats import STORED, format_of, read_hands
    from luckless.histories.store import StoredHands
    from luckless.rules.game import Game

    if format_of(source, source_format) == STORED:
        return StoredHands.open(source).hand(number)
    known = Game.load(game) if game is not None else None
    for batch in read_hands(source, format=source_format, game=known, on_reject=lambda reject: None):
        rows = np.flatnonzero(batch.numbers == number)
        if len(rows):
            return batch.rows(slice(int(rows[0]), int(rows[0]) + 1))
    raise InputError(f"{source} has no hand {number} that can be read")


def _print(story: dict[str, Any]) -> None:
    console = new_console(markup=False, soft_wrap=True)
    seen = f", as seat {story['seen_by']} saw it" if story["seen_by"] is not None else ""
    console.print(f"Hand {story['hand']}, deal {story['deal']}, {story['game']}{seen}", style="bold")
    width = max(len(player["name"]) for player in story["players"])
    for player in story["players"]:
        hole = player["hole"] or "?? ??"
        console.print(
            f"  seat {player['seat']}  {player['name']:<{width}}  {hole}  {player['stack']:>10}  {player['role']}"
        )
    for street in story["streets"]:
        board = f" [{street['board']}]" if street["board"] else ""
        console.print(f"\n{street['street'].upper()}{board}  pot {street['pot']}", style="bold")
        for action in street["actions"]:
            console.print(f"  seat {action['seat']}  {action['name']:<{width}}  {action['text']}")
    console.print("\nEND", style="bold")
    for line in story["end"]:
        console.print(f"  {line}")
    for player in story["players"]:
        console.print(f"  seat {player['seat']}  {player['name']:<{width}}  {player['won']:>+10}")
