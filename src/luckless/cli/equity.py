"""`luckless equity`: how often hands and ranges win, tie and what share of the pot is theirs."""

from typing import TYPE_CHECKING, Annotated

import typer

from luckless.cards import format_cards, suit_of
from luckless.cli.output import JsonFlag, new_console, print_json, print_table
from luckless.counted import counted

if TYPE_CHECKING:
    from rich.text import Text

    from luckless.hands.equity import Equity
    from luckless.hands.ranges import Range

_SUIT_STYLES = ("green", "blue", "red", "white")  # a four-colour deck: clubs, diamonds, hearts, spades
_BAR_WIDTH = 30


def command(
    hands: Annotated[
        list[str] | None,
        typer.Argument(
            help="2 to 10 hands: cards (AcKc), a range (TT+,AQs+,76s-54s or 50%) or any two cards ('??', random).",
            show_default=False,
        ),
    ] = None,
    board: Annotated[str, typer.Option(help="Board of 3, 4 or 5 cards, such as Ks5h3d.")] = "",
    dead: Annotated[str, typer.Option(help="Cards that are out of the deck, such as 2c2d.")] = "",
    samples: Annotated[
        int | None, typer.Option(help="Sample this many deals instead of counting all.", show_default=False)
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the samples.")] = 0,
    threads: Annotated[
        int | None, typer.Option(help="Number of threads; one a core by default.", show_default=False)
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Equity of hands and ranges: exact over all boards, or sampled with the 95 % interval beside it.

    Without --samples it is exact if that takes at most about a minute on one core. For ranges every choice of hands
    without a shared card counts alike, and the JSON key "boards" counts choices times boards.
    """
    from luckless.hands.equity import equity

    result = equity(hands or [], board, dead, samples=samples, seed=seed, threads=threads, show_progress=True)
    if json:
        print_json(result.to_dict())
    else:
        _print_table(result, asked_to_sample=samples is not None)


def _print_table(result: "Equity", asked_to_sample: bool) -> None:
    from rich.table import Table

    from luckless.stats.estimate import quantile

    console = new_console()
    for label, cards in (("board", result.spot.board), ("dead", result.spot.dead)):
        if cards:
            console.print(f"{label:<6}", _colour_cards(cards, " "))
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("hand", overflow="fold")
    for heading in ("equity %", *([] if result.exact else ["±"]), "win %", "tie %"):
        table.add_column(heading, justify="right")
    table.add_column("")
    rows = zip(result.spot.hands, result.equity, result.stderr, result.win, result.tie, strict=True)
    for hand, share, error, win, tie in rows:
        sampled = [] if result.exact else [f"{100 * quantile(0.975, None) * error:.4f}"]
        numbers = [f"{100 * share:.4f}", *sampled, f"{100 * win:.4f}", f"{100 * tie:.4f}"]
        table.add_row(_hand_text(hand), *numbers, f"[cyan]{'━' * round(_BAR_WIDTH * share)}[/cyan]")
    print_table(console, table)
    console.print(_summary(result, asked_to_sample), style="dim")


def _hand_text(hand: "Range") -> "Text":
    from rich.text import Text

    if hand.is_one_hand:
        return _colour_cards(sorted(hand.combos[0].tolist(), reverse=True))
    if hand.is_random:
        return Text("any two cards")
    return Text(f"{hand.text} ({counted(len(hand), 'hand')})")


def _colour_cards(cards: "list[int] | tuple[int, ...]", separator: str = "") -> "Text":
    from rich.text import Text

    coloured = [Text(format_cards([card]), style=f"bold {_SUIT_STYLES[suit_of(card)]}") for card in cards]
    return Text(separator).join(coloured)


def _summary(result: "Equity", asked_to_sample: bool) -> str:
    seconds = f"{1000 * result.seconds:,.1f} ms" if result.seconds < 1 else f"{result.seconds:,.1f} s"
    if not result.exact:
        why = "" if asked_to_sample else ", since the exact count would take too long"
        return f"sampled {result.deals:,} deals in {seconds} (seed {result.seed}){why}; ± is half the 95 % interval"
    if result.spot.is_one_matchup:
        return f"exact over {result.deals:,} board{'s' if result.deals > 1 else ''} in {seconds}"
    return f"exact over {result.deals:,} deals (choices of hands × boards) in {seconds}"
