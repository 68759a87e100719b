"""Cards and tables in colour for the terminal: four colours for four suits."""

from collections.abc import Sequence

from rich.text import Text

from luckless.cards import suit_of
from luckless.histories.hand_detail import HandDetail
from luckless.histories.hand_frames import Frame, amount_text, card_text
from luckless.rules.columns import UNKNOWN
from luckless.visible import visible_line

_SUITS = ("green", "bright_blue", "red", "bold")


def coloured_cards(cards: Sequence[int]) -> Text:
    """Cards, each in the colour of its suit."""
    text = Text()
    for place, card in enumerate(cards):
        text.append(" " if place else "")
        text.append(card_text(card), "" if card == UNKNOWN else _SUITS[suit_of(card)])
    return text


def frame_text(hand: HandDetail, frame: Frame, viewer: int | None, is_open: bool) -> Text:
    """One picture of a hand. Cards of others are hidden until they are shown, unless all lie open."""
    text = Text.assemble((frame.street.upper(), "bold"), "  ")
    text.append_text(coloured_cards(hand.board[: frame.board]))
    text.append(f"  pot {amount_text(frame.pot, hand.scale)}" if frame.pot else "")
    if len(frame.pots) > 1:
        main, *side = (amount_text(chips, hand.scale) for chips in frame.pots)
        text.append(f"  (main {main}, side {', '.join(side)})", "dim")
    text.append("\n\n")
    names = [visible_line(name) for name in hand.names]
    width = max(map(len, names))
    for seat, state in enumerate(frame.seats):
        turn = frame.actor == seat
        style = "dim" if state.state == "folded" else "bold" if turn else ""
        button = "D" if seat == hand.game.seats - 1 else " "
        text.append(f"{'>' if turn else ' '} {button} {names[seat]:<{width}}  ", style)
        seen = is_open or seat == viewer or state.shows
        text.append_text(coloured_cards(hand.hole(seat)) if seen else Text("?? ??", "dim"))
        text.append(f"  {amount_text(state.stack, hand.scale):>10}", style)
        text.append(f"  bets {amount_text(state.bet, hand.scale)}" if state.bet else "", "yellow")
        text.append(f"  {state.state}" if state.state else "", "dim")
        text.append("\n")
    return text
