"""Seeds of matches that a person plays now: all hidden cards follow from one, so no page shows it before the end."""

import re

from luckless.sitting.sitting import OPEN_HAND
from luckless.web.finding import Found

SECRET = "secret until the table is left"


def is_played_now(found: Found) -> bool:
    """Whether a person sits at the table of a match, or left it without ending it."""
    return (found.path / OPEN_HAND).is_file()


def without_seed(found: Found, seed: int | str, text: str) -> str:
    """A text in which the seed of a match that is being played is not told."""
    return re.sub(rf"\b{seed}\b", SECRET, text) if is_played_now(found) else text
