"""The players of a source by number, in the order in which they first appear."""

import re

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def clean(name: str) -> str:
    """A name of one line: control characters, and bytes that are not valid text, become question marks."""
    return _CONTROL.sub("?", name.encode("utf-8", "replace").decode())


class NameBook:
    """Gives each name a number and keeps it."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._all: tuple[str, ...] = ()

    def number(self, name: str) -> int:
        """The number of a name, a new one if it was not seen before."""
        return self._numbers.setdefault(clean(name), len(self._numbers))

    def all(self) -> tuple[str, ...]:
        """All names so far, by number."""
        if len(self._all) != len(self._numbers):
            self._all = tuple(self._numbers)
        return self._all
