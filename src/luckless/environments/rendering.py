"""A hand in play as text, for the `ansi` mode of the environments."""

from luckless.cards import format_cards
from luckless.rules.game import BOARD_CARDS, STREETS
from luckless.rules.state import FINISHED
from luckless.rules.table import Table


def table_text(table: Table, row: int, seen_by: int | None = None) -> str:
    """The table with all cards, or with those that one seat knows: its own, and at a showdown those of live seats."""
    seats, public, deck = table.game.seats, table.public[row], table.decks[row].tolist()
    shown = bool(public["actor"] == FINISHED and public["showdown"])
    board = deck[2 * seats : 2 * seats + BOARD_CARDS[-1 if shown else public["street"]]]
    lines = [f"{STREETS[public['street']]} [{format_cards(board, ' ')}] pot {public['pot']}"]
    for seat in range(seats):
        live = bool(public["live"] >> seat & 1)
        known = seen_by in (None, seat) or (shown and live)
        cards = format_cards(deck[2 * seat : 2 * seat + 2], " ") if known else "?? ??"
        turn = ">" if public["actor"] == seat else " "
        state = f"stack {public['stack'][seat]}, bet {public['street_bet'][seat]}" if live else "folded"
        lines.append(f"{turn} seat_{seat} {cards}: {state}")
    return "\n".join(lines)
