"""Hands as one self-contained HTML file to step through: works offline, by keyboard, on a telephone."""

from collections.abc import Sequence
from typing import Any

from luckless.histories.hand_detail import HandDetail
from luckless.histories.hand_frames import amount_text, card_text, frames_of
from luckless.report.escaping import escaped, script_json
from luckless.report.replay_style import SCRIPT, STYLE
from luckless.rules.columns import UNKNOWN
from luckless.visible import visible_line


def replay_page(title: str, hands: Sequence[HandDetail], viewer: int | None = None) -> str:
    """The page. With a viewer it holds that seat's cards and those that were shown, and no others."""
    data = script_json([_hand(hand, viewer) for hand in hands])
    toggle = "" if viewer is not None else '<label><input type="checkbox" id="open"> all cards open</label>'
    return (
        "<!doctype html>\n"
        f'<html lang="en"><head><meta charset="utf-8"><title>{escaped(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style></head><body>"
        f'<header><h1>{escaped(title)}</h1><label>hand <select id="hand"></select></label>{toggle}</header>'
        '<main id="table" aria-live="polite"></main>'
        '<nav><button id="up" title="hand before (up)">&#9664;&#9664;</button>'
        '<button id="back" title="step back (left)">&#9664;</button><span id="step"></span>'
        '<button id="next" title="next step (right)">&#9654;</button>'
        '<button id="down" title="next hand (down)">&#9654;&#9654;</button></nav><ol id="story"></ol>'
        "<footer>Keys: right and left arrow step through the hand, down and up go to the next hand and the one before"
        f"{', o opens and hides the cards' if viewer is None else ''}.</footer>"
        f'<script type="application/json" id="hands">{data}</script><script>{SCRIPT}</script></body></html>\n'
    )


def _hand(hand: HandDetail, viewer: int | None) -> dict[str, Any]:
    """One hand in plain values; amounts are texts, as they are shown."""
    frames = frames_of(hand)
    last = frames[-1].seats

    def amount(chips: int) -> str:
        return amount_text(chips, hand.scale)

    return {
        "number": hand.key,
        "most": amount(frames[-2].pot),
        "game": hand.game.name,
        "viewer": viewer,
        "board": [card_text(card) for card in hand.board],
        "seats": [
            {
                "name": visible_line(hand.names[seat]),
                "button": seat == hand.game.seats - 1,
                "cards": _cards(hand, seat, viewer is None or viewer == seat or last[seat].shows),
                "won": f"{'+' if hand.payoffs[seat] > 0 else ''}{amount(hand.payoffs[seat])}",
            }
            for seat in range(hand.game.seats)
        ],
        "frames": [
            {
                "street": frame.street,
                "board": frame.board,
                "text": frame.text,
                "actor": frame.actor,
                "pot": amount(frame.pot) if frame.pot else "",
                "pots": [amount(chips) for chips in frame.pots] if len(frame.pots) > 1 else [],
                "seats": [
                    [amount(seat.stack), amount(seat.bet) if seat.bet else "", seat.state, seat.shows]
                    for seat in frame.seats
                ],
            }
            for frame in frames
        ],
    }


def _cards(hand: HandDetail, seat: int, is_known: bool) -> list[str] | None:
    hole = hand.hole(seat)
    return [card_text(card) for card in hole] if is_known and UNKNOWN not in hole else None
