"""The edge to the terminal: whatever is printed, only text and our own colours get through (see `visible`)."""

import io
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from luckless.visible import visible

_COLOURS = re.compile(r"(\x1b\[(?:[0-2]|3[1-7]|9[1-7])?(?:;(?:[0-2]|3[1-7]|9[1-7]))*m)")
"""Bold, dim and colours that can be read, as help and tables use them on a terminal."""


class CleanStream:
    """Stands before an output stream and writes out what would steer a terminal; else it is that stream.

    `unclean` is the stream behind it, for progress bars, which steer the terminal themselves.
    """

    def __init__(self, stream: TextIO) -> None:
        self.unclean = stream

    def write(self, text: str) -> int:
        """Writes the text so that all of it can be seen; on a terminal, colours are let through."""
        if "\x1b" in text and self.unclean.isatty():
            parts = _COLOURS.split(text)
            self.unclean.write("".join(part if place % 2 else visible(part) for place, part in enumerate(parts)))
        else:
            self.unclean.write(visible(text))
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Writes some texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.unclean, name)


@contextmanager
def clean_streams() -> Iterator[None]:
    """Cleans standard output and standard error as long as it lasts."""
    before = sys.stdout, sys.stderr
    for stream in before:
        if isinstance(stream, io.TextIOWrapper):  # a terminal without ± or ━ shows ? in their place
            stream.reconfigure(errors="replace")
    sys.stdout, sys.stderr = (cast(TextIO, CleanStream(stream)) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
