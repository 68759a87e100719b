"""One hand as a story: seats, streets with their pots, the showdown; whole, or as one seat lived it."""

from typing import Any

from luckless.cards import format_card
from luckless.hands.strength import describe
from luckless.histories.amounts import unit_text
from luckless.histories.hand_detail import HandDetail
from luckless.rules.columns import UNKNOWN
from luckless.rules.game import BOARD_CARDS, STREETS
from luckless.rules.plain_settlement import dead_antes, side_pots


def hand_text(hand: HandDetail, seat: int | None = None) -> dict[str, Any]:
    """The hand as plain values; with `seat`, the others' cards only if they were shown.

    Numbers are chips, of which `unit` make one unit of the source (100 cents a dollar); texts are in these units.
    """
    visible = _visible(hand, seat)
    return {
        "hand": hand.key,
        "number": hand.number,
        "file": hand.file,
        "line": hand.line,
        "unit": hand.scale,
        "rake": hand.rake,
        "settlement": hand.settlement,
        "deal": hand.deal,
        "game": hand.game.name,
        "seen_by": seat,
        "players": [_player(hand, number, seat in (None, number)) for number in range(hand.game.seats)],
        "streets": _streets(hand),
        "end": _end(hand, visible),
    }


def _visible(hand: HandDetail, seat: int | None) -> set[int]:
    """The seats whose cards may be shown at the showdown."""
    known = {number for number in range(hand.game.seats) if UNKNOWN not in hand.hole(number)}
    if seat is None:
        return known
    shown = {turn.seat for turn in hand.show_order() if turn.shows} if hand.showdown else set()
    return known & {seat, *shown}


def _player(hand: HandDetail, seat: int, knows: bool) -> dict[str, Any]:
    game = hand.game
    blinds = [f"blind {unit_text(game.blinds[seat], hand.scale)}"] if game.blinds[seat] else []
    blinds += [f"post {unit_text(game.posts[seat], hand.scale)}"] if game.posts[seat] else []
    antes = [f"ante {unit_text(game.antes[seat], hand.scale)}"] if game.antes[seat] else []
    button = ["button"] if seat == game.seats - 1 else []
    return {
        "seat": seat,
        "name": hand.names[seat],
        "stack": hand.stacks[seat],
        "hole": _cards(hand.hole(seat)) if knows and UNKNOWN not in hand.hole(seat) else None,
        "role": ", ".join(button + blinds + antes),
        "won": hand.payoffs[seat],
        "value": float(hand.values()[seat]),
    }


def _streets(hand: HandDetail) -> list[dict[str, Any]]:
    """Each street that was reached: the board, the pot when it begins, the actions."""
    game = hand.game
    last = 3 if hand.showdown else hand.street
    kept = sum(hand.invested)
    streets = []
    for street in range(game.first_street, last + 1):
        steps = [step for step in hand.steps if step.street == street]
        streets.append(
            {
                "street": STREETS[street],
                "board": _cards(hand.board[: BOARD_CARDS[street]]),
                "pot": steps[0].pot if steps else kept,
                "actions": [
                    {
                        "seat": step.seat,
                        "name": hand.names[step.seat],
                        "action": step.action,
                        "chips": step.chips,
                        "pot": step.pot + step.chips,
                        "text": step.text(lambda chips: unit_text(chips, hand.scale)),
                    }
                    for step in steps
                ],
            }
        )
    return streets


def _end(hand: HandDetail, visible: set[int]) -> list[str]:
    """What comes back, what is shown, the pots, and what the house takes."""
    lines = []
    dead = dead_antes(hand.game, hand.stacks)
    put_in = [chips - ante for chips, ante in zip(hand.invested, dead, strict=True)]
    seat, chips = hand.returned()
    if chips:
        lines.append(f"{unit_text(chips, hand.scale)} that nobody called go back to seat {seat}")
        put_in[seat] -= chips
    if hand.showdown:
        for turn in hand.show_order():
            shows = turn.shows and turn.seat in visible
            what = f"shows {_cards(hand.hole(turn.seat))}" if shows else "does not show"
            strength = f": {describe(hand.strengths[turn.seat])}" if shows and hand.strengths[turn.seat] else ""
            lines.append(f"seat {turn.seat} {what}{strength}")
    pots = side_pots(put_in, sum(dead), hand.live)
    for number, pot in enumerate(pots):
        name = "pot" if len(pots) == 1 else "main pot" if number == 0 else f"side pot {number}"
        if pot.chips:
            seats = ", ".join(f"seat {seat}" for seat in pot.contenders)
            lines.append(f"{name} {unit_text(pot.chips, hand.scale)}, contested by {seats}")
    if hand.rake:
        lines.append(f"the house takes {unit_text(hand.rake, hand.scale)}")
    if hand.settlement == "shown":
        lines.append("the log does not say who won: who did not show is taken to have lost")
    if hand.printed is not None:
        worth = ", ".join(f"{float(value) / hand.scale:+.6g}" for value in hand.values())
        lines.append(f"the log counts what the all-in was worth before the board was dealt: {worth}")
    return lines


def _cards(cards: list[int]) -> str:
    return " ".join("??" if card == UNKNOWN else format_card(card) for card in cards)
