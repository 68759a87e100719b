"""The one-line notation of hands that the DIVAT papers use: `AcKc|7h6h|Ks5h3d/Tc/4h|SlRrC/kBrC/bC/bRc`.

The first hand is that of the player who acts first after the flop; its actions are in small letters, those of the
second player in capitals. s and l are the blinds, k check, c call, b bet, r raise, f fold; a slash divides rounds.
With reversed blinds, the only ones known here, the second player (the dealer) posts the small blind: `Sl`. Cards
that were not dealt are left out: `AcKc|7h6h||SlF`, `AcKc|7h6h|Ks5h3d|SlCk/bF`.
"""

from typing import NamedTuple

from luckless.cards import format_cards, parse_cards
from luckless.errors import InputError
from luckless.skill.divat.lines import lines_of

FORM = "AcKc|7h6h|Ks5h3d/Tc/4h|SlRrC/kBrC/bC/bRc"
BLINDS = "Sl"

WHEN = ("before the flop", "on the flop", "on the turn", "on the river")

_STREETS = (3, 1, 1)


class WrittenHand(NamedTuple):
    """A hand as written: the two players' hole cards, the cards dealt to the board, and the line of each round.

    Seat 0 (the first hand) is the big blind. Lines are texts of f, c and r.
    """

    holes: tuple[list[int], list[int]]
    board: list[int]
    lines: list[str]


def parse_hand(text: str) -> WrittenHand:
    """Reads a hand; what is wrong with it is said in an `InputError`."""
    parts = [part.strip() for part in text.strip().split("|")]
    if len(parts) != 4:
        raise InputError(f"{text!r} has {len(parts)} parts between bars: a hand is written like {FORM}")
    holes = _hole_cards(parts[0], "first"), _hole_cards(parts[1], "second")
    lines = _lines(parts[3])
    board = _board(parts[2], rounds=len(lines))
    known = [*holes[0], *holes[1], *board]
    for place, card in enumerate(known):
        if card in known[:place]:
            raise InputError(f"card {format_cards([card])} stands twice in {text!r}")
    return WrittenHand(holes, board, lines)


def _hole_cards(text: str, which: str) -> list[int]:
    cards = parse_cards(text)
    if len(cards) != 2:
        raise InputError(f"the {which} hand is {text!r}: it needs two cards, such as AcKc")
    return cards


def _board(text: str, rounds: int) -> list[int]:
    streets = [parse_cards(street) for street in text.split("/")] if text else []
    if [len(street) for street in streets] != list(_STREETS[: len(streets)]):
        raise InputError(f"the board is {text!r}: it is written flop/turn/river, such as Ks5h3d/Tc/4h")
    if len(streets) != rounds - 1:
        raise InputError(
            f"the board is {text!r}, but the betting ends {WHEN[rounds - 1]}: "
            "give the cards dealt by then, and no more"
        )
    return [card for street in streets for card in street]


def _lines(text: str) -> list[str]:
    if not text.startswith(BLINDS):
        raise InputError(
            f"the betting {text!r} does not start with {BLINDS}: the second player (capitals) posts the small blind, "
            "the first the large one"
        )
    rounds = text.split("/")
    if len(rounds) > 4:
        raise InputError(f"the betting {text!r} has {len(rounds)} rounds: there are at most four")
    lines = [_line(number, actions) for number, actions in enumerate([rounds[0][len(BLINDS) :], *rounds[1:]])]
    for number, line in enumerate(lines):
        over = line.endswith("f") or number == 3
        if over and number + 1 < len(lines):
            raise InputError(f"an action follows the end of the hand: {text!r} is over {WHEN[number]}")
        if not over and number + 1 == len(lines):
            raise InputError(f"the betting {text!r} ends {WHEN[number]}, where nobody has folded")
    return lines


def _line(number: int, actions: str) -> str:
    """Checks letters, turns and bets of a round, and gives it in f, c and r."""
    where = f"{WHEN[number]} ({actions!r})"
    finished = {line.text for line in lines_of(number)}
    line, bets, owed = "", int(number == 0), number == 0
    for place, letter in enumerate(actions):
        second = (place + (number == 0)) % 2 == 1
        if letter.isupper() != second:
            wanted = "second player's (a capital)" if second else "first player's (a small letter)"
            raise InputError(f"action {place + 1} {where} must be the {wanted}")
        allowed = "cr" if owed else "kr" if bets else "kb"
        if letter.lower() not in allowed + "f":
            raise InputError(f"action {place + 1} {where} is {letter!r}: allowed are {', '.join('f' + allowed)}")
        if letter.lower() in "br":
            bets += 1
            if bets > 4:
                raise InputError(f"action {place + 1} {where} is a fifth bet: four are allowed")
        owed = letter.lower() in "br"
        line += {"k": "c", "c": "c", "b": "r", "r": "r", "f": "f"}[letter.lower()]
        if line in finished and place + 1 < len(actions):
            raise InputError(f"the round is over after action {place + 1} {where}, but more follows")
    if line not in finished:
        raise InputError(f"the betting {where} is not finished")
    return line


def write_line(number: int, line: str) -> str:
    """A line of a round in the notation's letters, such as kBrC for crrc."""
    text, bets, owed = "", int(number == 0), number == 0
    for place, action in enumerate(line):
        letter = "f" if action == "f" else ("c" if owed else "k") if action == "c" else "r" if bets else "b"
        text += letter.upper() if (place + (number == 0)) % 2 else letter
        bets += action == "r"
        owed = action == "r"
    return text


def write_hand(hand: WrittenHand) -> str:
    """A hand in the notation; `parse_hand` reads it back."""
    streets = [hand.board[:3], hand.board[3:4], hand.board[4:5]]
    board = "/".join(format_cards(street) for street in streets if street)
    betting = "/".join(write_line(number, line) for number, line in enumerate(hand.lines))
    return f"{format_cards(hand.holes[0])}|{format_cards(hand.holes[1])}|{board}|{BLINDS}{betting}"
