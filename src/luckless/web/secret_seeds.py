"""What no page shows of a match that a person plays now: its seed, from which all cards follow, and hidden hands."""

import re

from luckless.errors import InputError
from luckless.sitting.open_hand import PERSON
from luckless.sitting.sitting import OPEN_HAND
from luckless.web.finding import Found

SECRET = "secret until the table is left"


def is_played_now(found: Found) -> bool:
    """Whether a person sits at the table of a match, or left it without ending it."""
    return (found.path / OPEN_HAND).is_file()


def without_seed(found: Found, seed: int | str, text: str) -> str:
    """A text in which the seed of a match that is being played is not told."""
    return re.sub(rf"\b{seed}\b", SECRET, text) if is_played_now(found) else text


def refuse_open_cards(found: Found, what: str) -> None:
    """Refuses what would show hands that opponents did not show, as long as the person sits at the table."""
    if is_played_now(found):
        raise InputError(f"{what} once the table is left: until then opponents' cards stay hidden")


def may_be_listed(found: Found, player: int) -> bool:
    """Whether a list may show the cards of a player: at a table that is being played only the person's own."""
    return player == PERSON or not is_played_now(found)
