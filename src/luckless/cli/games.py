"""`luckless games`: every named game with its betting, seats, blinds, stacks and bets."""

from typing import TYPE_CHECKING, Any

from luckless.cli.output import JsonFlag, new_console, print_json, print_table

if TYPE_CHECKING:
    from luckless.rules.game import Game


def command(json: JsonFlag = False) -> None:
    """Lists the named games: betting, seats, blinds, stacks, bet sizes and caps, by seat and by street.

    With --json each game has the keys of a game file (docs/rules.md) and its big blind; a key that does not apply is
    left out.
    """
    from luckless.rules.game import Game
    from luckless.rules.game_files import game_names

    games = [Game.load(name) for name in game_names()]
    if json:
        print_json({"games": [_as_dict(game) for game in games]})
    else:
        _print(games)


def _as_dict(game: "Game") -> dict[str, Any]:
    return {**game.to_dict(), "big_blind": game.big_blind}


HEADER = ("game", "betting", "seats", "blinds", "stacks", "bets", "cap", "starts")


def _row(game: "Game") -> tuple[str, ...]:
    return (
        game.name,
        game.betting,
        str(game.seats),
        "/".join(f"{blind:,}" for blind in game.blinds if blind) or f"none, unit {game.unit:,}",
        f"{_amounts(game.stacks)} ({game.stacks[0] / game.big_blind:,.4g} bb)",
        _amounts(game.bet_sizes) if any(game.bet_sizes) else "-",
        _amounts(game.max_bets) if any(game.max_bets) else "-",
        _start(game),
    )


def _amounts(amounts: tuple[int, ...]) -> str:
    """One number where all entries are equal."""
    return f"{amounts[0]:,}" if len(set(amounts)) == 1 else "/".join(f"{amount:,}" for amount in amounts)


def _start(game: "Game") -> str:
    from luckless.cards import format_cards
    from luckless.rules.game import STREETS

    if not game.first_street:
        return STREETS[0]
    board = format_cards(game.board) or "dealt"
    return f"{STREETS[game.first_street]}, pot {game.pot:,}, board {board}"


def _print(games: "list[Game]") -> None:
    from rich.table import Table

    console = new_console()
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in HEADER:
        table.add_column(heading, justify="right" if heading == "seats" else "left", no_wrap=True)
    for game in games:
        table.add_row(*_row(game))
    print_table(console, table)
    console.print(
        "Blinds and stacks are chips, blinds in seat order: heads-up the big blind is seat 0. Bets are those of the "
        "four streets; the cap counts bets and raises of a street. A game of your own is a TOML file (docs/rules.md)."
    )
