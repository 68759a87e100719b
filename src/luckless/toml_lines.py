"""Where the keys of a TOML text stand: `tomllib` forgets the lines, and an error without one is a search."""

import re
import tomllib
from collections.abc import Iterator
from typing import Any

Path = tuple[str | int, ...]
"""A key by its way from the top, with the number of the table in a list of tables: ("division", 1, "students")."""

_PAIR = re.compile(r"""\s*((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'))*)\s*=""")
_HEADER = re.compile(r"\s*(\[\[?[^\[\]]+\]\]?)\s*(?:#.*)?")


def key_lines(text: str) -> dict[Path, int]:
    """The line (from 1) of every key and every table header of a valid TOML text."""
    lines: dict[Path, int] = {}
    tables: dict[Path, int] = {}
    here: Path = ()
    for number, statement in _statements(text):
        if header := _HEADER.fullmatch(statement):
            here = _table_of(header[1], tables)
            lines.setdefault(here, number)
        elif pair := _PAIR.match(statement):
            path = here + _way(f"{pair[1]} = 0")
            for end in range(len(here) + 1, len(path) + 1):
                lines.setdefault(path[:end], number)
    return lines


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Headers, pairs, comments and empty lines with the line on which each begins; strings and lists may go on."""
    begun, statement = 1, ""
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        statement += line
        try:
            tomllib.loads(statement)
        except tomllib.TOMLDecodeError:  # a string or a list that is still open: what looks like a key is none
            statement += "\n"
            continue
        yield begun, statement
        begun, statement = number + 1, ""


def line_of(lines: dict[Path, int], path: Path) -> int:
    """The line of a key, or of the nearest table around it that has one; 1 for the whole text."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 1)


def _way(text: str) -> Path:
    """The keys on the way to the only value of a small TOML text; nothing if it is none (odd quotation marks)."""
    try:
        value: Any = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return ()
    way: list[str] = []
    while value and isinstance(value, dict | list):
        if isinstance(value, list):
            value = value[0]
        else:
            [(key, value)] = value.items()
            way.append(key)
    return tuple(way)


def _table_of(header: str, tables: dict[Path, int]) -> Path:
    """The path of a table; each `[[name]]` counts one up."""
    path = _way(header)
    if header.startswith("[["):
        tables[path] = tables.get(path, -1) + 1
    return tuple(
        step
        for end in range(1, len(path) + 1)
        for step in ((path[end - 1], tables[path[:end]]) if path[:end] in tables else (path[end - 1],))
    )
