"""Why a competition's line cannot be used, in more words than the compiled reader has: what is missing, which card
appears twice, which action the rules forbid and why (the plain engine plays the betting again)."""

import re

from luckless.cards import parse_cards
from luckless.errors import InputError
from luckless.histories.acpc_lines import ILLEGAL, NO_CARDS, NO_NUMBER, NO_STATE, REASONS, TWICE
from luckless.rules.actions import CALL, FOLD
from luckless.rules.game import BOARD_CARDS, STREETS, Game
from luckless.rules.plain import PlainHand

PARTS = "STATE:number:betting:cards:values:players"
_ACTION = re.compile(r"[fc]|r[0-9]*")
_MOST_DIGITS = 18


def line_problem(line: str, game: Game, problem: int) -> str:
    """What is wrong with a line in which the compiled reader met a problem (see `acpc_lines`)."""
    parts = line.split(":")
    if problem in (NO_STATE, NO_NUMBER):
        return REASONS[problem]
    if len(parts) < PARTS.count(":") + 1:
        return f"it ends too early; allowed is {PARTS}"
    players = 1 + parts[3].partition("/")[0].count("|")
    if players != game.seats:
        return f"it has {players} players, and game {game.name} has {game.seats}"
    exact = ""
    if problem == ILLEGAL:
        exact = _betting_problem(parts[2], game)
    elif problem in (NO_CARDS, TWICE):
        exact = _cards_problem(parts[3], parts[2].count("/"))
    return exact or REASONS[problem]


def _cards_problem(cards: str, street: int) -> str:
    _, *board = cards.split("/")
    try:
        parse_cards(cards.replace("|", "").replace("/", ""))
        dealt = sum(len(parse_cards(shown)) for shown in board)
    except InputError as error:
        return f"its cards: {error}"
    if dealt != BOARD_CARDS[street]:
        return f"its board has {dealt} cards, and betting on the {STREETS[street]} needs {BOARD_CARDS[street]}"
    return ""


def _betting_problem(betting: str, game: Game) -> str:
    places = [place for place in range(52) if place not in game.board]
    hand = PlainHand(game, places[: game.cards_in_deck], list(game.stacks))
    for place, text in enumerate(_ACTION.findall(betting), start=1):
        if hand.finished:
            return f"action {place} of its betting ({text[:_MOST_DIGITS]}) follows the end of the hand"
        if len(text) > _MOST_DIGITS:
            return f"action {place} of its betting ({text[:_MOST_DIGITS]}...) is too large a number"
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
