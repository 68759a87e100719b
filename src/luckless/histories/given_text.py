"""Hands that are given as a text, not as a place: which format it has, and a file of it that the readers can read."""

import re
import tempfile
from pathlib import Path

from luckless.errors import InputError

_BEGINNINGS = {
    "acpc": re.compile(r"\s*(#.*\s+)*(STATE:|SCORE:)"),
    "pokerstars": re.compile(r"\s*PokerStars "),
    "phh": re.compile(r"\s*(#.*\s+)*(\[[^\]\n]*\]|\w+\s*=)"),
    "lines": re.compile(r"\s*(#.*\s+)*(\w\w){2}\|"),
}
"""How a text of each format begins."""


def format_of_text(text: str) -> str | None:
    """The format of a text of hands by its beginning; None if it looks like none of them."""
    return next((name for name, beginning in _BEGINNINGS.items() if beginning.match(text)), None)


def is_text(given: str) -> bool:
    """Whether a text is hands, and not the name of a place: it has lines, or begins as hands and no place does so."""
    if "\n" in given.strip():
        return True
    try:
        return not Path(given).exists() and format_of_text(given) is not None
    except (OSError, ValueError):  # too long, or with characters that no path has
        return True


class GivenText:
    """A text of hands in a file of its own, which is removed with this object."""

    def __init__(self, text: str, format: str | None) -> None:
        found = format or format_of_text(text)
        if found is None:
            beginning = text.strip().splitlines()[0][:60] if text.strip() else ""
            raise InputError(
                f"the text {beginning!r} is neither a file or folder nor hands in a format that is known "
                f"({', '.join(_BEGINNINGS)})"
            )
        self.format = found
        self._folder = tempfile.TemporaryDirectory(prefix="luckless-")
        self.path = Path(self._folder.name) / "text"
        self.path.write_text(text, encoding="utf-8")
