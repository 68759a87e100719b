"""Cards as integers 0..51: `rank * 4 + suit`, ranks 2..A as 0..12, suits c d h s as 0..3."""

from collections.abc import Iterable

from luckless.errors import InputError

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK_SIZE = 52
STREETS = ("preflop", "flop", "turn", "river")
"""The streets (betting rounds of a hand), by number."""

RANK_NAMES = (
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
    "ace",
)
RANK_PLURALS = tuple("sixes" if name == "six" else name + "s" for name in RANK_NAMES)

_CARD_TEXTS = tuple(rank + suit for rank in RANKS for suit in SUITS)
_CARD_NUMBERS = {text: card for card, text in enumerate(_CARD_TEXTS)}

ALLOWED = f"a card is a rank ({RANKS}) and a suit ({SUITS}), such as Ac or Td"


def rank_of(card: int) -> int:
    """Rank 0 (two) to 12 (ace)."""
    return card >> 2


def suit_of(card: int) -> int:
    """Suit 0..3, in the order of `SUITS`."""
    return card & 3


def parse_card(text: str) -> int:
    """The card written as rank and suit; the rank may be upper or lower case, and ten may be 10.

    >>> parse_card("Ac")
    48
    """
    spelled = text.replace("10", "T", 1) if text.startswith("10") else text
    card = _CARD_NUMBERS.get(spelled[:1].upper() + spelled[1:].lower())
    if card is None:
        raise InputError(f"{text!r} is not a card: {ALLOWED}")
    return card


def parse_cards(text: str) -> list[int]:
    """Cards written one after the other ("AcKc"), with or without spaces or commas; no card may appear twice."""
    cards: list[int] = []
    rest = text.replace(" ", "").replace(",", "")
    while rest:
        width = 3 if rest.startswith("10") else 2
        card = parse_card(rest[:width])
        if card in cards:
            raise InputError(f"card {format_card(card)} appears twice in {text!r}")
        cards.append(card)
        rest = rest[width:]
    return cards


def format_card(card: int) -> str:
    """The two characters of a card, such as `Ac`."""
    return _CARD_TEXTS[card]


def format_cards(cards: Iterable[int], separator: str = "") -> str:
    """Cards one after the other, in the order given."""
    return separator.join(_CARD_TEXTS[card] for card in cards)
