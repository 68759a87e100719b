"""The one-line notation of heads-up limit hands: `AcKc|7h6h|Ks5h3d/Tc/4h|SlRrC/kBrC/bC/bRc`.

From Kan, Postgame Analysis of Poker Decisions (MSc thesis, University of Alberta, 2007), section 1.1. The first
player's cards stand first and his letters are small, the second player's are capitals. s and l are the blinds, k
check, c call, b bet, r raise, f fold; a slash divides streets. Blinds are reversed: who posts the small one is the
dealer, and acts last after the flop; mostly that is the second player (`Sl`). Cards that were not dealt are left out:
`AcKc|7h6h||SlF`, `AcKc|7h6h|Ks5h3d|SlCk/bF`.
"""

from typing import NamedTuple

from luckless.cards import format_cards, parse_cards
from luckless.errors import InputError

FORM = "AcKc|7h6h|Ks5h3d/Tc/4h|SlRrC/kBrC/bC/bRc"
BLINDS = ("Sl", "sL")
"""How the betting begins when the second player is the dealer, and when the first is."""

MOST_BETS = 4
WHEN = ("before the flop", "on the flop", "on the turn", "on the river")

_STREETS = (3, 1, 1)


class WrittenHand(NamedTuple):
    """A hand as written: the hole cards by seat, the cards dealt to the board, and the line of each street.

    Seat 0 is the big blind, seat 1 the dealer and small blind. Lines are texts of f, c and r. `first_seat` is the
    seat of the first player, who is written in small letters.
    """

    holes: tuple[list[int], list[int]]
    board: list[int]
    lines: list[str]
    first_seat: int = 0


def parse_hand(text: str) -> WrittenHand:
    """Reads a hand; what is wrong with it is said in an `InputError`."""
    parts = [part.strip() for part in text.strip().split("|")]
    if len(parts) != 4:
        raise InputError(f"{text!r} has {len(parts)} parts between bars; a hand is written like {FORM}")
    holes = _hole_cards(parts[0], "first"), _hole_cards(parts[1], "second")
    first_seat, lines = _lines(parts[3])
    board = _board(parts[2], played=len(lines))
    known = [*holes[0], *holes[1], *board]
    for place, card in enumerate(known):
        if card in known[:place]:
            raise InputError(f"card {format_cards([card])} appears twice in {text!r}")
    return WrittenHand(holes if first_seat == 0 else (holes[1], holes[0]), board, lines, first_seat)


def _hole_cards(text: str, which: str) -> list[int]:
    cards = parse_cards(text)
    if len(cards) != 2:
        raise InputError(f"the {which} hand is {text!r}; allowed are two cards, such as AcKc")
    return cards


def _board(text: str, played: int) -> list[int]:
    streets = [parse_cards(street) for street in text.split("/")] if text else []
    if [len(street) for street in streets] != list(_STREETS[: len(streets)]):
        raise InputError(f"the board is {text!r}; write it as flop/turn/river, such as Ks5h3d/Tc/4h")
    if len(streets) != played - 1:
        raise InputError(
            f"the board is {text!r}, but the betting ends {WHEN[played - 1]}; "
            "give the cards dealt by then, and no more"
        )
    return [card for street in streets for card in street]


def _lines(text: str) -> tuple[int, list[str]]:
    """The seat of the first player, and the streets in f, c and r."""
    if text[:2] not in BLINDS:
        raise InputError(f"the betting {text!r} does not start with the blinds: Sl, or sL if the first player deals")
    first_seat = BLINDS.index(text[:2])
    streets = text[2:].split("/")
    if len(streets) > 4:
        raise InputError(f"the betting {text!r} has {len(streets)} streets; allowed are at most four")
    lines = [_line(number, actions, first_seat) for number, actions in enumerate(streets)]
    for number, line in enumerate(lines):
        over = line.endswith("f") or number == 3
        if over and number + 1 < len(lines):
            raise InputError(f"an action follows the end of the hand: {text!r} is over {WHEN[number]}")
        if not over and number + 1 == len(lines):
            raise InputError(f"the betting {text!r} ends {WHEN[number]}, where nobody has folded")
    return first_seat, lines


def _line(number: int, actions: str, first_seat: int) -> str:
    """Checks letters, turns and bets of a street, and gives it in f, c and r."""
    where = f"{WHEN[number]} ({actions!r})"
    line, bets, owed, over = "", int(number == 0), number == 0, False
    for place, letter in enumerate(actions):
        if over:
            raise InputError(f"the street is over after action {place} {where}, but more follows")
        second = _seat(number, place) != first_seat
        if letter.isupper() != second:
            wanted = "second player's (a capital)" if second else "first player's (a small letter)"
            raise InputError(f"action {place + 1} {where} must be the {wanted}")
        allowed = "cr" if owed else "kr" if bets else "kb"
        if letter.lower() not in allowed + "f":
            raise InputError(f"action {place + 1} {where} is {letter!r}; allowed are {', '.join('f' + allowed)}")
        owed = letter.lower() in "br"
        bets += owed
        if bets > MOST_BETS:
            raise InputError(f"action {place + 1} {where} is a fifth bet; allowed are four")
        over = letter in "fF" or (not owed and place > 0)
        line += {"k": "c", "c": "c", "b": "r", "r": "r", "f": "f"}[letter.lower()]
    if not over:
        raise InputError(f"the betting {where} is not finished")
    return line


def _seat(number: int, place: int) -> int:
    """Whose action it is: before the flop seat 1, the dealer, acts first, later seat 0."""
    return (place + (number == 0)) % 2


def write_line(number: int, line: str, first_seat: int = 0) -> str:
    """A line of a street in the notation's letters, such as kBrC for crrc."""
    text, bets, owed = "", int(number == 0), number == 0
    for place, action in enumerate(line):
        letter = "f" if action == "f" else ("c" if owed else "k") if action == "c" else "r" if bets else "b"
        text += letter if _seat(number, place) == first_seat else letter.upper()
        bets += action == "r"
        owed = action == "r"
    return text


def write_hand(hand: WrittenHand) -> str:
    """A hand in the notation; `parse_hand` reads it back."""
    first, second = (format_cards(hand.holes[seat]) for seat in (hand.first_seat, 1 - hand.first_seat))
    streets = [hand.board[:3], hand.board[3:4], hand.board[4:5]]
    board = "/".join(format_cards(street) for street in streets if street)
    betting = "/".join(write_line(number, line, hand.first_seat) for number, line in enumerate(hand.lines))
    return f"{first}|{second}|{board}|{BLINDS[hand.first_seat]}{betting}"
