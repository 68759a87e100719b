"""Looks hands up in their index: by player, seat, street, pot, result, cards and line of actions; page by page.

A filter that speaks of a seat (player, result, cards, luck) holds for one and the same seat of a hand.
"""

import dataclasses
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from luckless.errors import InputError
from luckless.hands.ranges import parse_range
from luckless.histories.hand_index import combo_numbers
from luckless.rules.game import STREETS

ENDINGS = (*STREETS, "showdown")
SORTS = ("hand", "pot", "won", "luck", "street")
MOST_ROWS = 500
LONGEST_TEXT = 2_000
_LINE = re.compile(r"[fkcbr/*?]{1,200}")
_NUMBERS = ("pot_from", "pot_to", "won_from", "won_to", "won_above", "won_below", "luck_from", "luck_to")


@dataclass(frozen=True)
class HandFilter:
    """What is looked for; what is None does not matter. Pots, results and luck are in big blinds.

    `ending` is the street of the last fold, or showdown; `street` the last street that was dealt at least; `cards` a
    range such as "TT+,AQs"; `line` a pattern of actions (f k c b r, / between streets), with * for any and ? for one.
    """

    player: int | None = None
    seat: int | None = None
    ending: str | None = None
    street: str | None = None
    pot_from: float | None = None
    pot_to: float | None = None
    won_from: float | None = None
    won_to: float | None = None
    won_above: float | None = None
    won_below: float | None = None
    luck_from: float | None = None
    luck_to: float | None = None
    cards: str | None = None
    line: str | None = None
    deal: int | None = None

    @classmethod
    def read(cls, words: Mapping[str, str]) -> "HandFilter":
        """The filter that the words of an address or a form say; empty ones are left out."""
        given = {key: text.strip() for key, text in words.items() if key in _FIELDS and text.strip()}
        for key, text in given.items():
            if len(text) > LONGEST_TEXT:
                raise InputError(f"{key} is longer than {LONGEST_TEXT:,} characters")
        values: dict[str, Any] = dict(given)
        for key in given:
            if key in _NUMBERS:
                values[key] = _number(key, given[key])
            elif key in ("player", "seat", "deal"):
                values[key] = _whole(key, given[key])
        read = cls(**values)
        read.check()
        return read

    def check(self) -> None:
        """Refuses what cannot be looked for."""
        if self.ending is not None and self.ending not in ENDINGS:
            raise InputError(f"ending is {self.ending!r}; allowed is {', '.join(ENDINGS)}")
        if self.street is not None and self.street not in STREETS:
            raise InputError(f"street is {self.street!r}; allowed is {', '.join(STREETS)}")
        if self.line is not None and not _LINE.fullmatch(self.line):
            raise InputError(
                f"line is {self.line!r}; allowed are f (fold), k (check), c (call), b (bet), r (raise), / between "
                "streets, * for any actions and ? for one"
            )
        if self.cards is not None:
            parse_range(self.cards)

    def words(self) -> dict[str, str]:
        """The filter as an address says it."""
        told = {key: value for key, value in dataclasses.asdict(self).items() if value is not None}
        return {key: f"{value:g}" if isinstance(value, float) else str(value) for key, value in told.items()}

    @property
    def asks_luck(self) -> bool:
        """Whether luck must be known."""
        return self.luck_from is not None or self.luck_to is not None


_FIELDS = {field.name for field in dataclasses.fields(HandFilter)}
_OF_HANDS = {"ending", "street", "deal", "pot_from", "pot_to", "line"}
"""What is said of hands, and not of one of their seats."""


def _number(key: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"{key} is {text[:40]!r}; a number of big blinds is needed")
    return number


def _whole(key: str, text: str) -> int:
    if not re.fullmatch(r"\d{1,15}", text):
        raise InputError(f"{key} is {text[:40]!r}; a whole number is needed")
    return int(text)


@dataclass(frozen=True)
class HandPage:
    """Some of the hands that a filter leaves, how many there are, and what their seats won together."""

    count: int
    rows: list[dict[str, Any]]
    won: float | None
    """Big blinds that the player of the filter won in all of them."""


class HandSearch:
    """Index files opened for looking hands up; `luck` are files with what luck gave each seat."""

    def __init__(self, files: Sequence[Path], luck: Sequence[Path] = ()) -> None:
        self._files = [str(file) for file in files]
        self._luck = [str(file) for file in luck]
        self._database = duckdb.connect(config={"threads": 2, "memory_limit": "1GB"})
        if self._files:
            source = f"read_parquet({_texts(self._files)}, union_by_name = true) as played"
            if self._luck:
                source += f" left join read_parquet({_texts(self._luck)}, union_by_name = true) as lucky using (hand)"
            self._database.execute(f"create view hands as select * from {source}")
        found = self._database.execute("describe select * from hands").fetchall() if files else []
        self.seats = sum(row[0].startswith("player_") for row in found)

    @property
    def knows_luck(self) -> bool:
        """Whether hands can be looked up by luck."""
        return bool(self._luck)

    def _opened(self) -> "duckdb.DuckDBPyConnection":
        """A connection of its own for one look-up: two may look at once."""
        return self._database.cursor()

    def find(
        self, wanted: HandFilter, *, sort: str = "hand", down: bool = False, first: int = 0, most: int = 50
    ) -> HandPage:
        """A page of the hands that a filter leaves."""
        if sort not in SORTS:
            raise InputError(f"sort is {sort!r}; allowed is {', '.join(SORTS)}")
        if not 0 <= first < 10**12 or not 1 <= most <= MOST_ROWS:
            raise InputError(f"first is {first} and most is {most}; allowed is a page of up to {MOST_ROWS} hands")
        if not self._files:
            return HandPage(0, [], None)
        if (sort == "luck" or wanted.asks_luck) and not self._luck:
            raise InputError("luck has not been worked out for these hands yet")
        where, by = self._where(wanted), self._sorted_by(wanted, sort)
        won = self._of_player(wanted, "won") if wanted.player is not None or wanted.seat is not None else "null"
        with self._opened() as database:
            [(count, total)] = database.execute(f"select count(*), sum({won}) from hands where {where}").fetchall()
            answer = database.execute(
                f"select * from hands where {where} order by {by} {'desc' if down else 'asc'} nulls last, hand "
                f"limit {most} offset {first}"
            )
            names = [column[0] for column in answer.description or []]
            rows = [dict(zip(names, row, strict=True)) for row in answer.fetchall()]
        return HandPage(count, rows, total)

    def keys(self, wanted: HandFilter, most: int) -> list[int]:
        """The keys of the hands that a filter leaves, in order, `most` at the most."""
        if not self._files:
            return []
        if wanted.asks_luck and not self._luck:
            raise InputError("luck has not been worked out for these hands yet")
        with self._opened() as database:
            query = f"select hand from hands where {self._where(wanted)} order by hand limit {most}"
            return [key for (key,) in database.execute(query).fetchall()]

    def _where(self, wanted: HandFilter) -> str:
        """The condition in SQL; every value in it is a number or was checked."""
        parts = ["true"]
        if wanted.ending is not None:
            parts.append(f"ending = {ENDINGS.index(wanted.ending)}")
        if wanted.street is not None:
            parts.append(f"street >= {STREETS.index(wanted.street)}")
        if wanted.deal is not None:
            parts.append(f"deal = {wanted.deal}")
        parts += _bounds("pot", (">=", wanted.pot_from), ("<=", wanted.pot_to))
        if wanted.line is not None:
            parts.append(f"line glob '{wanted.line}'")
        of_seats = [" and ".join(found) for seat in range(self.seats) if (found := self._of_seat(wanted, seat))]
        if of_seats:
            parts.append(f"({' or '.join(f'({one})' for one in of_seats)})")
        elif self._asks_seat(wanted):
            parts.append("false")
        return " and ".join(parts)

    @staticmethod
    def _asks_seat(wanted: HandFilter) -> bool:
        told = dataclasses.asdict(wanted)
        return any(told[key] is not None for key in _FIELDS - _OF_HANDS)

    def _of_seat(self, wanted: HandFilter, seat: int) -> list[str]:
        """What must hold for a seat; nothing if the filter does not speak of seats, or this one is left out."""
        if not self._asks_seat(wanted) or (wanted.seat is not None and wanted.seat != seat):
            return []
        parts = [f"player_{seat} is not null"]
        if wanted.player is not None:
            parts.append(f"player_{seat} = {wanted.player}")
        won = (">=", wanted.won_from), ("<=", wanted.won_to), (">", wanted.won_above), ("<", wanted.won_below)
        parts += _bounds(f"won_{seat}", *won)
        parts += _bounds(f"luck_{seat}", (">=", wanted.luck_from), ("<=", wanted.luck_to))
        if wanted.cards is not None:
            numbers = combo_numbers(parse_range(wanted.cards).combos).tolist()
            parts.append(f"combo_{seat} in ({', '.join(map(str, numbers))})")
        return parts

    def _of_player(self, wanted: HandFilter, column: str) -> str:
        """A column of the seat that the filter speaks of; else that of the seat with most of it."""
        if wanted.seat is not None:
            return f"{column}_{wanted.seat}" if wanted.seat < self.seats else "null"
        seats = range(self.seats)
        if wanted.player is not None:
            cases = " ".join(f"when player_{seat} = {wanted.player} then {column}_{seat}" for seat in seats)
            return f"case {cases} end"
        return f"greatest({', '.join(f'{column}_{seat}' for seat in seats)})"

    def _sorted_by(self, wanted: HandFilter, sort: str) -> str:
        return self._of_player(wanted, sort) if sort in ("won", "luck") else sort


def seats_that_fit(row: Mapping[str, Any], wanted: HandFilter) -> list[int]:
    """The seats of a found hand of which the filter speaks; none if it speaks of no seat."""
    told = dataclasses.asdict(wanted)
    if all(told[key] is None for key in _FIELDS - _OF_HANDS):
        return []
    combos = None if wanted.cards is None else set(combo_numbers(parse_range(wanted.cards).combos).tolist())
    seats = [seat for seat in range(row["seats"]) if row.get(f"player_{seat}") is not None]
    return [
        seat
        for seat in seats
        if wanted.seat in (None, seat)
        and wanted.player in (None, row[f"player_{seat}"])
        and (combos is None or row[f"combo_{seat}"] in combos)
        and _within(row[f"won_{seat}"], (wanted.won_from, wanted.won_to), (wanted.won_above, wanted.won_below))
        and _within(row.get(f"luck_{seat}"), (wanted.luck_from, wanted.luck_to), (None, None))
    ]


def _within(
    value: float | None, closed: tuple[float | None, float | None], open_: tuple[float | None, float | None]
) -> bool:
    """Whether a number lies between bounds, with the same room for its last digit as the query has."""
    (low, high), (above, below) = closed, open_
    if value is None:
        return low is None and high is None
    room = 1e-6 * max(1.0, abs(value))
    return (
        (low is None or value >= low - room)
        and (high is None or value <= high + room)
        and (above is None or value > above + room)
        and (below is None or value < below - room)
    )


def _bounds(column: str, *bounds: tuple[str, float | None]) -> Iterator[str]:
    """Conditions on a column; floats are compared with room for their last digit."""
    for sign, bound in bounds:
        if bound is not None:
            room = 1e-6 * max(1.0, abs(bound))
            yield f"{column} {sign} {bound + (room if sign in ('<=', '>') else -room)!r}"


def _texts(files: Sequence[str]) -> str:
    quoted = ", ".join("'" + file.replace("'", "''") + "'" for file in files)
    return f"[{quoted}]"
