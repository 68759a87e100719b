"""The line of every key of a TOML text: `tomllib` does not keep lines, and errors should name them.

The text is cut into tokens once, before `tomllib` sees it. What would cost `tomllib` minutes or the stack is refused
on the way: brackets in brackets, long numbers, large exponents, keys of many parts.
"""

import re
import tomllib
from collections.abc import Iterator
from typing import NamedTuple

KeyPath = tuple[str | int, ...]
"""A key by its way from the top, with the number of the table in a list of tables: ("division", 1, "students")."""

MOST_BRACKETS = 50
MOST_LETTERS = 300
"""Of a number, or of a key without quotation marks."""
MOST_PARTS = 50
"""Of a key: `a.b` has two."""
MOST_EXPONENT = 400

_TOKEN = re.compile(
    r'''
    (?P<string> """(?:\\.|[^\\])*?"{3,5} | \'\'\'.*?\'{3,5} | "(?!"")(?:[^"\\\n]|\\.)*" | '(?!\'\')[^'\n]*' )
    | (?P<open> [\[{] ) | (?P<close> [\]}] ) | (?P<space> [ \t\r]+ | \#[^\n]* ) | (?P<newline> \n )
    | (?P<equals> = ) | (?P<comma> , ) | (?P<dot> \. ) | (?P<word> [^\s\[\]{}"'\#,=.]+ )
    ''',
    re.VERBOSE | re.DOTALL,
)
_EXPONENT = re.compile(r"[0-9_]+[eE][+-]?([0-9_]+)")


class TooLarge(ValueError):
    """A text that may be valid TOML, but is larger than any file of ours needs to be."""


class _Token(NamedTuple):
    kind: str
    text: str
    line: int


def key_lines(text: str) -> dict[KeyPath, int]:
    """The line (from 1) of every key and every table header of a valid TOML text; of others, as far as it goes.

    Raises `TooLarge` for what would take too long to read.
    """
    lines: dict[KeyPath, int] = {}
    counts: dict[KeyPath, int] = {}
    here: KeyPath = ()
    for statement in _statements(text):
        line = statement[0].line
        if statement[0].kind == "open":
            here = _table_of(_key(statement), statement[1:2] == [_Token("open", "[", line)], counts)
            if here and isinstance(here[-1], int):
                lines.setdefault(here[:-1], line)
            lines.setdefault(here, line)
            continue
        path = here + _key(statement)
        for end in range(len(here) + 1, len(path) + 1):
            lines.setdefault(path[:end], line)
    return lines


def _statements(text: str) -> Iterator[list[_Token]]:
    """For each header and each pair, the tokens up to the first value; strings and lists may go on over lines."""
    statement: list[_Token] = []
    depth, is_value = 0, False
    for token in _tokens(text):
        if token.kind == "newline" and (depth == 0 or not is_value):
            if statement:
                yield statement
            statement, depth, is_value = [], 0, False
        elif token.kind in ("open", "close"):
            depth = _checked_depth(depth + (1 if token.kind == "open" else -1), token)
        if not is_value and token.kind != "newline":
            statement.append(token)
        is_value = is_value or token.kind == "equals"
    if statement:
        yield statement


def _checked_depth(depth: int, token: _Token) -> int:
    if depth > MOST_BRACKETS:
        raise TooLarge(f"more than {MOST_BRACKETS} brackets are nested (at line {token.line})")
    return max(depth, 0)


def _tokens(text: str) -> Iterator[_Token]:
    """The tokens of a text without spaces and comments; stops at an invalid one, which `tomllib` then reports."""
    place, line, parts = 0, 1, 0
    while match := _TOKEN.match(text, place):
        token = _Token(str(match.lastgroup), match[0], line)
        place, line = match.end(), line + match[0].count("\n")
        if token.kind == "space":
            continue
        parts = parts + 1 if token.kind == "dot" else parts if token.kind in ("word", "string") else 0
        _check_size(token, parts)
        yield token


def _check_size(token: _Token, parts: int) -> None:
    if parts >= MOST_PARTS:
        raise TooLarge(f"a key has more than {MOST_PARTS} parts (at line {token.line})")
    if token.kind != "word":
        return
    if len(token.text) > MOST_LETTERS:
        what = "a number or a key"
        raise TooLarge(
            f"{what} has {len(token.text):,} characters; allowed are {MOST_LETTERS} (at line {token.line})"
        )
    exponent = _EXPONENT.fullmatch(token.text.lstrip("+-"))
    if exponent and int(exponent[1].replace("_", "") or 0) > MOST_EXPONENT:
        raise TooLarge(f"the exponent of {token.text} is above {MOST_EXPONENT} (at line {token.line})")


def _key(statement: list[_Token]) -> KeyPath:
    """The parts of the key that a statement begins with."""
    return tuple(_name(token) for token in statement if token.kind in ("word", "string"))


def _name(token: _Token) -> str:
    if token.kind == "word" or token.text[0] == "'":
        return token.text.strip("'")
    if "\\" not in token.text:
        return token.text[1:-1]
    try:
        [name] = tomllib.loads(f"{token.text} = 0")
    except tomllib.TOMLDecodeError:  # then the whole text is refused for it
        return token.text
    return name


def _table_of(names: KeyPath, is_list: bool, counts: dict[KeyPath, int]) -> KeyPath:
    """The path of a table; each `[[name]]` counts one up, and what lies in it belongs to the last one."""
    path: KeyPath = ()
    for name in names[:-1]:
        path = (*path, name)
        if path in counts:
            path = (*path, counts[path])
    path = path + names[-1:]
    if is_list:
        counts[path] = counts.get(path, -1) + 1
    return (*path, counts[path]) if path in counts else path
