"""A decision as a prompt: a compact summary of the hand, made anew for each decision."""

from typing import Any

from luckless.cards import format_card
from luckless.rules.views import View

STREETS = ("before the flop", "flop", "turn", "river")


def fields_of(view: View, game: str, random: float) -> dict[str, Any]:
    """The values of a template's names."""
    return {
        "game": game,
        "seats": view.seats,
        "position": position(view.seat, view.seats),
        "hole": " ".join(map(format_card, view.hole)),
        "board": " ".join(map(format_card, view.board)) or "none yet",
        "street": STREETS[view.street],
        "pot": view.pot,
        "to_call": view.to_call,
        "stack": view.stacks[view.seat],
        "big_blind": view.big_blind,
        "others": ", ".join(
            f"{position(seat, view.seats)} {stack}{'' if view.live[seat] else ' (folded)'}"
            for seat, stack in enumerate(view.stacks)
            if seat != view.seat
        ),
        "history": history_text(view),
        "legal": legal_text(view),
        "min_raise_to": view.min_raise_to,
        "max_raise_to": view.max_raise_to,
        "random": f"{random:.3f}",
    }


def position(seat: int, seats: int) -> str:
    """What players call a seat."""
    if seat == seats - 1:
        return "the button (small blind)" if seats == 2 else "the button"
    if seats == 2:
        return "the big blind"
    return ("the small blind", "the big blind")[seat] if seat < 2 else f"seat {seat + 1}"


def history_text(view: View) -> str:
    """The actions so far, street by street."""
    if not view.history:
        return "nobody has acted"
    parts: list[str] = []
    street = -1
    for past in view.history:
        when, seat, action = past[0], past[1], past[2]
        if when != street:
            street = when
            parts.append(f"{STREETS[street]}:")
        word = "folds" if action < 0 else f"bets or raises to {action}" if action > 0 else "checks or calls"
        parts.append(f"{'you' if seat == view.seat else position(seat, view.seats)} {word};")
    return " ".join(parts).rstrip(";")


def legal_text(view: View) -> str:
    """What is allowed now."""
    words = [f"call {view.to_call}", "fold"] if view.to_call else ["check"]
    if view.max_raise_to:
        kind = "raise" if view.to_call or any(view.street_bets) else "bet"
        span = (
            f"to {view.min_raise_to}"
            if view.min_raise_to == view.max_raise_to
            else f"to any amount from {view.min_raise_to} to {view.max_raise_to} (all-in)"
        )
        words.append(f"{kind} {span}")
    return ", ".join(words)
