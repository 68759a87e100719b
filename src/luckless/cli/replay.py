"""`luckless replay`: one hand, street by street, with pots; or only what one seat knew."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from luckless.cli import completion
from luckless.cli.output import JsonFlag, print_json
from luckless.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from luckless.histories.store import StoredHands
    from luckless.rules.columns import HandColumns


def command(
    source: Annotated[Path, typer.Argument(metavar="MATCH", help="A folder with stored hands, or a log.")],
    hand: Annotated[
        int | None,
        typer.Option(help="The number of the hand; in a store of logs, its key (column hand of `luckless query`)."),
    ] = None,
    line: Annotated[int | None, typer.Option(help="The line of a log on which the hand begins.")] = None,
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

    told = next(details(find_hand(source, hand, line, source_format, game)))
    if seat is not None and not 0 <= seat < told.game.seats:
        raise InputError(f"there is no seat {seat}: the hand has seats 0 to {told.game.seats - 1}")
    story = hand_text(told, seat)
    if json:
        print_json(story)
    else:
        _print(story)


def find_hand(
    source: Path, number: int | None, line: int | None, source_format: str | None, game: str | None
) -> "HandColumns":
    """The hand with a number, or on a line of a log; in a log bad hands are passed over."""
    from luckless.histories.formats import STORED, format_of, read_hands
    from luckless.histories.store import StoredHands
    from luckless.rules.game import Game

    if (number is None) == (line is None):
        raise InputError("name the hand by --hand, or by --line if it is in a log")
    if format_of(source, source_format) == STORED:
        if number is None:
            raise InputError("--line is for logs; in a store a hand is named by --hand")
        return _stored_hand(StoredHands.open(source), number)
    known = Game.load(game) if game is not None else None
    batches = read_hands(source, format=source_format, game=known, on_reject=lambda reject: None)
    found = [hand for batch in batches for hand in _matching(batch, number, line)]
    what = f"hand {number}" if line is None else f"hand on line {line}"
    if not found:
        raise InputError(f"{source} has no {what} that can be read")
    if len(found) > 1:
        raise InputError(f"{source}: {len(found):,} hands have number {number}; name one by --line: {_lines(found)}")
    return found[0]


def _matching(batch: "HandColumns", number: int | None, line: int | None) -> "Iterator[HandColumns]":
    import numpy as np

    wanted = batch.numbers == number if batch.origin is None or line is None else batch.origin.line == line
    for row in np.flatnonzero(wanted).tolist():
        yield batch.rows(slice(row, row + 1))


def _stored_hand(stored: "StoredHands", number: int) -> "HandColumns":
    """The hand with a key, else the one hand that has the number in its log."""
    try:
        return stored.hand(number)
    except InputError:
        found = list(stored.numbered(number))
        if not found:
            raise
    if len(found) > 1:
        keys = ", ".join(str(hand.keys[0]) for hand in found[:10])
        raise InputError(f"{stored.folder}: {len(found):,} hands have number {number}; name one by its key: {keys}")
    return found[0]


def _lines(found: "list[HandColumns]") -> str:
    lines = [str(hand.origin.line[0]) for hand in found if hand.origin is not None]
    return ", ".join(lines[:10]) + (", ..." if len(lines) > 10 else "")


def _print(story: dict[str, Any]) -> None:
    from rich.console import Console

    from luckless.histories.amounts import unit_text

    console = Console(highlight=False, markup=False, soft_wrap=True)
    seen = f", as seat {story['seen_by']} saw it" if story["seen_by"] is not None else ""
    log = f" ({story['file']}, line {story['line']}, number {story['number']})" if story["line"] else ""
    console.print(f"Hand {story['hand']}, deal {story['deal']}, {story['game']}{seen}{log}", style="bold")
    unit = story["unit"]
    width = max(len(player["name"]) for player in story["players"])
    for player in story["players"]:
        hole, stack = player["hole"] or "?? ??", unit_text(player["stack"], unit)
        console.print(f"  seat {player['seat']}  {player['name']:<{width}}  {hole}  {stack:>10}  {player['role']}")
    for street in story["streets"]:
        board = f" [{street['board']}]" if street["board"] else ""
        console.print(f"\n{street['street'].upper()}{board}  pot {unit_text(street['pot'], unit)}", style="bold")
        for action in street["actions"]:
            console.print(f"  seat {action['seat']}  {action['name']:<{width}}  {action['text']}")
    console.print("\nEND", style="bold")
    for line in story["end"]:
        console.print(f"  {line}")
    for player in story["players"]:
        sign = "+" if player["won"] > 0 else ""
        won = f"{sign}{unit_text(player['won'], unit)}"
        console.print(f"  seat {player['seat']}  {player['name']:<{width}}  {won:>10}")
