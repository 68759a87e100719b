"""The one-line notation as DIVAT takes it: the first player is the big blind, who acts first after the flop."""

from luckless.errors import InputError
from luckless.histories.notation import FORM, WHEN, WrittenHand, write_hand, write_line
from luckless.histories.notation import parse_hand as parse_any_hand

__all__ = ["BLINDS", "FORM", "WHEN", "WrittenHand", "parse_hand", "write_hand", "write_line"]

BLINDS = "Sl"


def parse_hand(text: str) -> WrittenHand:
    """Reads a hand; what is wrong with it is said in an `InputError`."""
    betting = text.rpartition("|")[2].strip()
    if text.count("|") == 3 and not betting.startswith(BLINDS):
        raise InputError(
            f"the betting {betting!r} does not start with {BLINDS}: the second player (capitals) posts the small "
            "blind, the first the large one"
        )
    return parse_any_hand(text)
