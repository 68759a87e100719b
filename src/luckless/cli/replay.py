"""`luckless replay`: a hand street by street, whole or as one seat saw it; hands step by step; the biggest pots."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from luckless.cli import completion
from luckless.cli.output import JsonFlag, new_console, print_json, print_table
from luckless.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from luckless.histories.hand_detail import HandDetail
    from luckless.histories.store import StoredHands
    from luckless.rules.columns import HandColumns


def command(
    source: Annotated[Path, typer.Argument(metavar="MATCH", help="A folder with stored hands, or a log.")],
    hand: Annotated[
        int | None,
        typer.Option(
            help="The number of the hand; in a store of logs its key (hand in `luckless query`). Without it, "
            "steps through all hands on a terminal."
        ),
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
    step: Annotated[
        bool, typer.Option("--step", help="Step through with keys, from --hand on or through the biggest pots.")
    ] = False,
    biggest: Annotated[
        int | None, typer.Option(help="The hands with this many biggest pots.", min=1, metavar="<int>")
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html",
            help="Write an HTML page to step through: of --hand, of the --biggest, or of the first 500 hands.",
        ),
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Shows a hand: cards, actions, pots, and who won what. Steps through hands, and finds the biggest pots."""
    from luckless.histories.hand_detail import details
    from luckless.histories.hand_text import hand_text

    if biggest is not None and hand is not None:
        raise InputError("--hand and --biggest exclude each other")
    hands = HandSource(source, source_format, game)
    if html is not None:
        _write_page(html, hands, hand, biggest, seat)
        return
    if step or (hand is None and biggest is None and line is None):
        _step(hands, hand, biggest, seat)
        return
    if biggest is not None:
        _list_biggest(hands, biggest, json)
        return
    told = next(details(find_hand(source, hand, line, source_format, game)))
    _check_seat(seat, told)
    story = hand_text(told, seat)
    if json:
        print_json(story)
    else:
        _print(story)


MOST_ON_A_PAGE = 500
"""Hands that a page holds at most, unless the biggest pots are asked for: more would be slow to open."""


class HandSource(NamedTuple):
    """Where hands come from: a folder with stored hands, or a log."""

    path: Path
    source_format: str | None
    game: str | None

    def batches(self) -> "Iterator[HandColumns]":
        """All hands that can be read, in order."""
        from luckless.histories.formats import STORED, format_of, read_hands
        from luckless.histories.store import StoredHands
        from luckless.rules.game import Game

        if format_of(self.path, self.source_format) == STORED:
            yield from StoredHands.open(self.path).columns()
            return
        known = Game.load(self.game) if self.game is not None else None
        yield from read_hands(self.path, format=self.source_format, game=known, on_reject=lambda reject: None)

    def chosen(self, hand: int | None, biggest: int | None) -> "Iterator[HandDetail]":
        """The hands to be shown: those with the biggest pots, those from a number on, or all."""
        from luckless.histories.biggest import biggest_pots
        from luckless.histories.hand_detail import details

        if biggest is not None:
            yield from (one.hand for one in biggest_pots(self.batches(), biggest))
            return
        reached = hand is None
        for batch in self.batches():
            for told in details(batch):
                reached = reached or told.key == hand
                if reached:
                    yield told
        if not reached:
            raise InputError(f"{self.path} has no hand {hand} that can be read")


def _check_seat(seat: int | None, told: "HandDetail") -> None:
    if seat is not None and not 0 <= seat < told.game.seats:
        raise InputError(f"there is no seat {seat}: the hand has seats 0 to {told.game.seats - 1}")


def _step(hands: HandSource, hand: int | None, biggest: int | None, seat: int | None) -> None:
    from luckless.cli.keyboard import is_terminal
    from luckless.cli.stepping import step_through

    if not is_terminal():
        raise InputError(
            "stepping through hands needs a terminal; name one by --hand, or ask for --biggest or --html"
        )
    step_through(hands.chosen(hand, biggest), seat)


def _write_page(file: Path, hands: HandSource, hand: int | None, biggest: int | None, seat: int | None) -> None:
    from itertools import islice

    from luckless.report.replay_page import replay_page
    from luckless.whole_files import check_writable, write_text

    check_writable(file)
    count = 1 if hand is not None else biggest or MOST_ON_A_PAGE
    chosen = list(islice(hands.chosen(hand, biggest), count + 1))
    if not chosen:
        raise InputError(f"{hands.path} has no hand that can be read")
    _check_seat(seat, chosen[0])
    what = f"hand {hand}" if hand is not None else f"the {len(chosen[:count])} biggest pots" if biggest else "hands"
    what += "" if seat is None else f", as seat {seat} saw them"
    write_text(file, replay_page(f"{hands.path.name}: {what}", chosen[:count], seat))
    left_out = len(chosen) > count and hand is None
    print(f"page: {file} ({len(chosen[:count])} hands{', the first of the source' if left_out else ''})")


def _list_biggest(hands: HandSource, count: int, json: bool) -> None:
    from rich.table import Table
    from rich.text import Text

    from luckless.histories.biggest import biggest_pots
    from luckless.histories.hand_frames import amount_text
    from luckless.rules.game import STREETS
    from luckless.visible import visible_line

    listed: list[dict[str, Any]] = []
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name, is_number in (("hand", True), ("pot", True), ("in big blinds", True), ("ended", False)):
        table.add_column(name, justify="right" if is_number else "left", no_wrap=True)
    table.add_column("won by", overflow="fold")
    for chips, told in biggest_pots(hands.batches(), count):
        winners = [visible_line(told.names[seat]) for seat, won in enumerate(told.payoffs) if won > 0]
        ended, blinds = "showdown" if told.showdown else STREETS[told.street], chips / told.game.big_blind
        listed.append({"hand": told.key, "pot": chips, "pot_bb": blinds, "ended": ended, "winners": winners})
        cells = (str(told.key), amount_text(chips, told.scale), f"{blinds:,.1f}", ended, ", ".join(winners))
        table.add_row(*map(Text, cells))
    if json:
        print_json({"hands": listed})
    else:
        print_table(new_console(), table)


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
    from luckless.histories.amounts import unit_text

    console = new_console(markup=False, soft_wrap=True)
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
