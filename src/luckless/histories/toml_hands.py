"""Hands written in TOML (PHH), quickly: the plain shapes that hand histories use, and `tomllib` for all others.

A hand is a table of `key = value` lines. Values that stand on one line and mean the same in JSON are read by the
JSON scanner, which is compiled; anything else sends that one hand to `tomllib`.
"""

import datetime
import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from luckless.histories.rejects import BadHand
from luckless.toml_lines import TooLarge, key_lines

MOST_LINES = 20_000
"""A hand with more lines is refused."""
MOST_LETTERS = 1_000_000
"""A hand with more characters is refused."""

_HEADER = re.compile(r"\s*\[([^\[\],'\"]+)\]\s*(#.*)?")
_KEY = re.compile(r"[A-Za-z0-9_-]+")
_SPACE = " \t\r"
_MANY_DOTS = 200  # `tomllib` takes a time that grows with the square of the parts of a key


_CLOCK = re.compile(r"([01]\d|2[0-3]):([0-5]\d):([0-5]\d)")


def _constant(text: str) -> Any:
    """Infinity, which `_simple_value` writes for TOML's inf; no other word is a number."""
    if text != "Infinity":
        raise ValueError(f"{text} is not a number in TOML")
    return Decimal(text)


_SCANNER = json.JSONDecoder(parse_float=Decimal, parse_constant=_constant)


@lru_cache(maxsize=1 << 10)
def _is_bare(key: str) -> bool:
    return bool(_KEY.fullmatch(key))


class Block(NamedTuple):
    """The lines of one hand: where they begin, the name of their table if they have one, and they themselves."""

    line: int
    header: str | None
    lines: list[str]
    too_large: str = ""
    """What there is too much of; then the lines are only the first."""

    @property
    def text(self) -> str:
        """The hand as it stands in the file."""
        return "\n".join(self.lines)


def hand_blocks(lines: Iterable[str]) -> Iterator[Block]:
    """Cuts a file into hands: each table is one, and so is what stands before the first table."""
    block, letters = Block(1, None, []), 0
    for number, line in enumerate(lines, start=1):
        header = _HEADER.fullmatch(line) if "[" in line[:8] else None
        if header is not None:
            if _has_content(block):
                yield block
            block, letters = Block(number, header[1].strip(), []), 0
            continue
        letters += len(line)
        if letters > MOST_LETTERS:
            block = block._replace(too_large=f"{MOST_LETTERS:,} characters")
        elif len(block.lines) == MOST_LINES:
            block = block._replace(too_large=f"{MOST_LINES:,} lines")
        else:
            block.lines.append(line)
    if _has_content(block):
        yield block


def _has_content(block: Block) -> bool:
    if block.header is not None or block.too_large:
        return True
    return any(line.strip() and not line.lstrip().startswith("#") for line in block.lines)


def parse_table(block: Block) -> dict[str, Any]:
    """The keys and values of a hand; whole numbers are int, others `Decimal`."""
    if block.too_large:
        raise BadHand(f"the hand has more than {block.too_large}")
    values: dict[str, Any] = {}
    for line in block.lines:
        if not line or line.isspace():
            continue
        key, _, value = line.partition("=")
        key, value = key.rstrip(_SPACE), value.strip(_SPACE)
        if not value or key in values or not _is_bare(key):
            return _parse_slowly(block)
        try:
            values[key] = _simple_value(value)
        except (ValueError, RecursionError):
            return _parse_slowly(block)
    return values


def _simple_value(text: str) -> Any:
    """A value that TOML and JSON write alike, except for quotation marks; raises ValueError for any other value."""
    if text[2:3] == ":" and (clock := _CLOCK.fullmatch(text)):
        return datetime.time(int(clock[1]), int(clock[2]), int(clock[3]))
    if "n" in text and "'" not in text and '"' not in text:
        if "I" in text:
            raise ValueError("Infinity is a word of JSON only")
        text = text.replace("inf", "Infinity")
    if "'" in text:
        if '"' in text or "\\" in text:
            raise ValueError("both kinds of quotation marks, or a backslash that TOML takes literally")
        text = text.replace("'", '"')
    value, end = _SCANNER.raw_decode(text)
    if end != len(text):
        raise ValueError("something stands after the value")
    if value is None or "{" in text or (isinstance(value, list) and None in value):
        raise ValueError("a value that only JSON has")
    return value


def _parse_slowly(block: Block) -> dict[str, Any]:
    text = block.text + "\n"
    try:
        if text.count(".") > _MANY_DOTS:
            key_lines(text)
        return tomllib.loads(text, parse_float=Decimal)
    except TooLarge as error:
        raise BadHand(str(error)) from None
    except (ValueError, ArithmeticError, RecursionError) as error:
        raise BadHand(f"not valid TOML: {' '.join(str(error).split())}") from None
