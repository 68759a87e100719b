"""`luckless rank`: how a hand stands against all hands or a range, now and after all cards."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from luckless.cards import format_cards, parse_cards
from luckless.cli.output import JsonFlag, new_console, print_json, print_table
from luckless.errors import InputError

if TYPE_CHECKING:
    from luckless.hands.rank import HandRank


def command(
    hand: Annotated[str, typer.Argument(help="Two hole cards, such as AcKc.")],
    board: Annotated[str, typer.Option(help="Board of 3, 4 or 5 cards, such as Ks5h3d.")] = "",
    opponents: Annotated[
        str | None, typer.Option("--range", help='Opponents, such as "TT+,AQs"; all other hands without it.')
    ] = None,
    ehr: Annotated[str, typer.Option(help="Setting of EHR: thesis or max.")] = "thesis",
    json: JsonFlag = False,
) -> None:
    """Hand rank: IHR (now), 7cHR (after all cards) and EHR (effective), exact.

    A rank is the share of opponents that the hand beats, ties counted as half. EHR "thesis" is the larger of the
    two for a hand worth a bet, else their mean on the flop and 7cHR on the other streets; "max" is always the larger.
    """
    from luckless.hands.effective import EHR_SETTINGS
    from luckless.hands.ranges import parse_range
    from luckless.hands.rank import hand_rank

    if ehr not in EHR_SETTINGS:
        raise InputError(f"--ehr is {ehr!r}; allowed is {' or '.join(EHR_SETTINGS)}")
    hole_cards, board_cards = parse_cards(hand), parse_cards(board)
    combos = None if opponents is None else parse_range(opponents).combos
    ranks = hand_rank(hole_cards, board_cards, opponents=combos, effective=EHR_SETTINGS[ehr])
    result = {
        "hand": format_cards(hole_cards),
        "board": format_cards(board_cards),
        "name": _name(hole_cards, board_cards),
        "range": opponents,
        "ihr": float(ranks.ihr),
        "hr7": float(ranks.hr7),
        "ehr": float(ranks.ehr),
        "ehr_setting": ehr,
        "ihr_counts": ranks.now._asdict(),
        "hr7_counts": ranks.completed._asdict(),
    }
    if json:
        print_json(result)
    else:
        _print_table(result, ranks)


def _name(hole: list[int], board: list[int]) -> str:
    """The hand in words: its class before the flop, its best five cards later."""
    if not board:
        from luckless.hands.ranges import class_name

        return class_name((hole[0], hole[1]))
    from luckless.hands.strength import describe, strengths

    return describe(int(strengths([hole + board])[0]))


def _print_table(result: dict[str, Any], ranks: "HandRank") -> None:
    from rich.table import Table

    on_board = f" on {result['board']}" if result["board"] else ""
    against = f", against {result['range']}" if result["range"] is not None else ""
    print(f"{result['hand']}{on_board}: {result['name']}{against}")
    table = Table(box=None)
    table.add_column()
    for heading in ("rank", "ahead", "tied", "behind", "of"):
        table.add_column(heading, justify="right")
    now, later = ("IHR", "7cHR") if result["range"] is None else ("IHS", "7cHS")
    for label, rank, counts in ((now, ranks.ihr, ranks.now), (later, ranks.hr7, ranks.completed)):
        numbers = [f"{count:,}" for count in (*counts, sum(counts))]
        table.add_row(label, f"{float(rank):.6f}", *numbers)
    table.add_row("EHR", f"{float(ranks.ehr):.6f}", f"({result['ehr_setting']})")
    print_table(new_console(), table)
