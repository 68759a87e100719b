"""Texts from elsewhere, made safe to look at: signs that steer a terminal or turn text around are written out.

Names, errors and cells come from logs, bots and files, and may hold anything. What leaves the program passes here
once: at the terminal (`cli.clean_streams`), on pages (`report.escaping`), in `repr` (`shown`). Data stays as it is.
"""

import re

_SIGNS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters of terminals, but for tab and new line
    "\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"  # unseen, or turning text
    "\ud800-\udfff\U000e0000-\U000e0fff]"  # halves of letters, and tags
)
_BREAKS = re.compile("[\t\n]")


def visible(text: str) -> str:
    """The text with signs that are not to be seen written out, such as `\\x1b`; lines stay lines."""
    return _SIGNS.sub(_written, text)


def visible_line(text: str) -> str:
    """The same in one line: new lines and tabs are written out too."""
    return _BREAKS.sub(_written, visible(text))


def _written(match: re.Match[str]) -> str:
    return {"\n": "\\n", "\t": "\\t"}.get(match[0]) or ascii(match[0])[1:-1]
