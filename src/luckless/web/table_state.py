"""One hand as the person at the table may see it, in plain values: never a card that is hidden."""

from collections.abc import Sequence
from typing import Any

from luckless.cards import format_card
from luckless.hands.strength import describe, strengths
from luckless.histories.hand_detail import details
from luckless.histories.hand_frames import frames_of
from luckless.matches.match import Match
from luckless.rules.columns import HandColumns
from luckless.rules.game import BOARD_CARDS, STREETS
from luckless.rules.views import View
from luckless.sitting.grading import action_text, pot_share_raise
from luckless.sitting.open_hand import PERSON, OpenHand
from luckless.sitting.story import Story

SHARES = (("⅓ pot", 1 / 3), ("½ pot", 0.5), ("¾ pot", 0.75), ("pot", 1.0), ("2 pots", 2.0))
"""The buttons for raises of free size."""


def hand_waiting(match: Match, hand: OpenHand) -> dict[str, Any]:
    """A hand that waits for the person."""
    view = hand.view()
    assert view is not None
    seats = [
        _seat(
            name, seat, hand.seat, match.game.seats, view.stacks[seat], view.street_bets[seat],
            "" if view.live[seat] and view.stacks[seat] else "all-in" if view.live[seat] else "folded",
            _cards(view.hole) if seat == hand.seat else None,
        )
        for seat, name in enumerate(hand.names)
    ]  # fmt: skip
    story = [
        {"street": STREETS[told.street], "seat": told.seat, "text": _street_text(view, told.street, told.text)
         if told.seat is None else told.text}
        for told in Story(match.game, hand.names).follow(view.history, view.street)
    ]  # fmt: skip
    return {
        "seats": seats,
        "board": _cards(view.board),
        "street": STREETS[view.street],
        "pot": view.pot,
        "log": story,
        "legal": _legal(view),
        "made": _made_hand(view.hole, view.board),
        "won": None,
    }


def hand_over(hand: HandColumns) -> dict[str, Any]:
    """A hand that is over, with the cards that were shown."""
    detail = next(details(hand))
    own = detail.order.index(PERSON)
    frames = frames_of(detail)
    last = frames[-1]
    folded = {seat for seat, state in enumerate(last.seats) if state.state == "folded"}
    seats = [
        _seat(
            name, seat, own, len(detail.names), state.stack, 0, "folded" if seat in folded else "",
            _cards(detail.hole(seat)) if seat == own or state.shows else None,
        )
        for seat, (name, state) in enumerate(zip(detail.names, last.seats, strict=True))
    ]  # fmt: skip
    board = detail.board[: last.board]
    log = [
        {"street": frame.street, "seat": frame.actor, "text": frame.text}
        for frame in frames[1:]
    ]  # fmt: skip
    return {
        "seats": seats,
        "board": _cards(board),
        "street": last.street,
        "pot": detail.pot,
        "log": log,
        "legal": None,
        "made": _made_hand(detail.hole(own), board),
        "won": detail.payoffs[own],
    }


def _seat(
    name: str, seat: int, own: int, seats: int, stack: int, bet: int, state: str, cards: list[str] | None
) -> dict[str, Any]:
    return {
        "name": name, "seat": seat, "you": seat == own, "button": seat == seats - 1, "stack": stack, "bet": bet,
        "state": state, "cards": cards,
    }  # fmt: skip


def _legal(view: View) -> dict[str, Any]:
    """What may be done, with what the buttons say."""
    legal: dict[str, Any] = {
        "fold": view.to_call > 0,
        "to_call": view.to_call,
        "call": action_text(view, 0),
        "raise": None,
    }
    if view.can_raise:
        fixed = view.min_raise_to == view.max_raise_to
        shares = [] if fixed else [{"label": label, "to": pot_share_raise(view, share)} for label, share in SHARES]
        legal["raise"] = {
            "min": view.min_raise_to, "max": view.max_raise_to, "fixed": fixed, "shares": shares,
            "word": "raise to" if max(view.street_bets) else "bet",
            "all_in": view.max_raise_to == view.street_bets[view.seat] + view.stacks[view.seat],
        }  # fmt: skip
    return legal


def _made_hand(hole: Sequence[int], board: Sequence[int]) -> str:
    """What the person holds, in words, from the flop on."""
    if len(board) < 3:
        return ""
    return describe(int(strengths([[*hole, *board]])[0]))


def _street_text(view: View, street: int, name: str) -> str:
    before = BOARD_CARDS[street - 1]
    return f"{name}: {' '.join(_cards(view.board[before : BOARD_CARDS[street]]))}"


def _cards(cards: Sequence[int]) -> list[str]:
    return [format_card(card) for card in cards]
