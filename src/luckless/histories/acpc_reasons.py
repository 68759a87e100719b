"""Why the betting of a competition's line is not allowed: the plain engine plays it again, and gives reasons."""

import re

from luckless.errors import InputError
from luckless.rules.actions import CALL, FOLD
from luckless.rules.game import Game
from luckless.rules.plain import PlainHand

_ACTION = re.compile(r"[fc]|r\d*")


def betting_problem(line: str, game: Game) -> str:
    """What is wrong with the betting of a `STATE` line, or nothing if the rules allow it."""
    places = [place for place in range(52) if place not in game.board]
    hand = PlainHand(game, places[: game.cards_in_deck], list(game.stacks))
    for place, text in enumerate(_ACTION.findall(line.split(":")[2]), start=1):
        if hand.finished:
            return f"action {place} of its betting ({text}) follows the end of the hand"
        try:
            hand.do(_action(text, hand))
        except InputError as error:
            return f"action {place} of its betting ({text}): {error}"
    return ""


def _action(text: str, hand: PlainHand) -> int:
    """An action as our engines take it: raises of a line are totals over all streets, in limit without a number."""
    if text in "fc":
        return FOLD if text == "f" else CALL
    if len(text) == 1:
        return hand.bet + hand.game.bet_sizes[hand.street]
    assert hand.actor is not None
    seat = hand.seats[hand.actor]
    return int(text[1:]) - (seat.put_in - seat.street_bet)
