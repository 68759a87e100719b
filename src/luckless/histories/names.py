"""The players, files, tables and games of what is read, in the order in which they first appear."""

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np

from luckless.rules.columns import NO_TIME, HandColumns, Origin
from luckless.rules.game import Game

FEW_HANDS = 50
"""Below this many hands, as many players as hands are no surprise."""

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


@lru_cache(maxsize=1 << 14)
def clean(name: str) -> str:
    """A name of one line: control characters, and bytes that are not valid text, become question marks."""
    return _CONTROL.sub("?", name.encode("utf-8", "replace").decode())


class NameBook:
    """Gives each name a number and keeps it."""

    def __init__(self, names: tuple[str, ...] = ()) -> None:
        self._numbers = {name: number for number, name in enumerate(names)}
        self._all = names

    def __len__(self) -> int:
        return len(self._numbers)

    def number(self, name: str) -> int:
        """The number of a name, a new one if it was not seen before."""
        return self._numbers.setdefault(clean(name), len(self._numbers))

    def all(self) -> tuple[str, ...]:
        """All names so far, by number."""
        if len(self._all) != len(self._numbers):
            self._all = tuple(self._numbers)
        return self._all


@dataclass
class Books:
    """What several logs that are read together share: a player, a file or a table has one number in all of them."""

    players: NameBook = field(default_factory=NameBook)
    files: NameBook = field(default_factory=NameBook)
    tables: NameBook = field(default_factory=NameBook)
    games: dict[tuple[Any, ...], Game] = field(default_factory=dict)
    """Games that hands describe, by all but their stacks: hands of one game are stored together, whoever has what."""

    def table(self, name: str | None) -> int:
        """The number of a table; -1 for none."""
        return self.tables.number(name) if name else -1


def shared_numbers(columns: HandColumns, books: Books, source: str) -> HandColumns:
    """Hands with the numbers that the books give to their players, files and tables.

    Hands that do not know a log come from `source`.
    """
    players = np.array([books.players.number(name) for name in columns.names], np.int32)
    origin = columns.origin
    if origin is None:
        none = np.zeros(len(columns), np.int32)
        origin = Origin((source,), none, none, (), none - 1, np.full(len(columns), NO_TIME, np.int64))
    files = np.array([books.files.number(name) for name in origin.files], np.int32)
    tables = np.array([*(books.tables.number(name) for name in origin.tables), -1], np.int32)
    renumbered = Origin(
        books.files.all(), files[origin.file], origin.line, books.tables.all(), tables[origin.table], origin.time
    )
    return replace(columns, players=players[columns.players], names=books.players.all(), origin=renumbered)


def too_many_players(players: int, hands: int) -> str:
    """A warning if there are nearly as many players as hands, which real tables do not have; else nothing."""
    if hands < FEW_HANDS or players < 0.8 * hands:
        return ""
    return (
        f"{players:,} players in {hands:,} hands: names that change from hand to hand count as different players "
        "(does something else, such as a time, stand in the names?)"
    )
