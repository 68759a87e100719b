"""Hands that others played and endgames that others published: kept as facts in tests/data, written as they were.

The original files are not in this repository. Each is written from its facts in the format it had, and the SHA-256 of
the original is kept with the facts: a text with that digest is the original, byte for byte. See tests/data/README.md.
"""

import functools
import hashlib
import json
import lzma
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.rules.game import Game

FACTS = Path(__file__).parents[1] / "data"
ORIGINALS = Path(__file__).parents[3] / "shared" / "data"
"""Where the original files may lie, beside a checkout; nothing needs them."""

PHH_KEYS = (
    "variant",
    "ante_trimming_status",
    "antes",
    "blinds_or_straddles",
    "min_bet",
    "starting_stacks",
    "actions",
    "venue",
    "time",
    "day",
    "month",
    "year",
    "hand",
    "seats",
    "seat_count",
    "table",
    "players",
    "finishing_stacks",
    "winnings",
    "currency",
    "currency_symbol",
    "time_zone_abbreviation",
)
"""The keys of PHH that occur, in the order in which they stand."""
PHH_LISTS = ("antes", "blinds_or_straddles", "starting_stacks", "seats", "finishing_stacks", "winnings")
PHH_TEXTS = ("variant", "venue", "table", "currency", "currency_symbol", "time_zone_abbreviation")

Facts = dict[str, dict[str, Any]]
"""The facts of a source: one table for each of its files, by file name."""


@functools.cache
def facts_of(source: str) -> Facts:
    """The facts of a source: acpc, pluribus, handhq or endgames."""
    facts: Facts = json.loads(lzma.decompress((FACTS / f"{source}.json.xz").read_bytes()))
    return facts


def originals(source: str) -> dict[str, str]:
    """The text of each file of a source, by file name."""
    return {name: original_text(source, facts) for name, facts in facts_of(source).items()}


def original_text(source: str, facts: dict[str, Any]) -> str:
    """One file as it was, from its facts."""
    write = {"acpc": _acpc_lines, "pluribus": _phh_lines, "handhq": _phh_lines, "endgames": _endgame_line}[source]
    return "".join(write(facts))


def digest(text: str) -> str:
    """What the digest kept with the facts is compared with."""
    return hashlib.sha256(text.encode()).hexdigest()


# The log of the competition's dealer

ACPC_GAMES = {
    "2p.limit": "limit-hu",
    "2p.nolimit": "nolimit-hu",
    "3p.limit": "limit-3max",
    "3p.nolimit": "nolimit-3max",
}


def acpc_game(file: str) -> Game:
    """The game of a log, by the name of its file."""
    return Game.load(ACPC_GAMES[".".join(file.split(".")[:2])])


def _acpc_lines(facts: dict[str, Any]) -> Iterator[str]:
    names, hands = facts["names"], len(facts["betting"])
    yield f"# name/game/hands/seed {facts['name']} {facts['game']} {hands} {facts['seed']}\n"
    for clock, milliseconds in facts["clocks"].items():
        yield f"#--{clock} {milliseconds}\n"
    columns = zip(facts["betting"], facts["cards"], facts["values"], facts["seats"], strict=True)
    for number, (betting, cards, values, seats) in enumerate(columns):
        players = "|".join(names[int(seat)] for seat in seats)
        yield f"STATE:{number}:{betting}:{_acpc_cards(cards, len(names))}:{values.replace(' ', '|')}:{players}\n"
    yield f"SCORE:{facts['score'].replace(' ', '|')}:{'|'.join(names)}\n"


def _acpc_cards(cards: str, players: int) -> str:
    """Hole cards, then the board street by street; two letters are a card."""
    holes = [cards[4 * player : 4 * player + 4] for player in range(players)]
    board = cards[4 * players :]
    streets = [part for part in (board[:6], board[6:8], board[8:10]) if part]
    return "/".join(["|".join(holes), *streets])


# PHH


def _phh_lines(facts: dict[str, Any]) -> Iterator[str]:
    columns = facts["columns"]
    for place in range(facts["hands"]):
        yield f"[{place + 1}]\n"
        for key in PHH_KEYS:
            value = columns[key][place] if key in columns else None
            if value is not None:
                yield f"{key} = {_phh_value(key, value, facts['names'])}\n"
        yield "\n" * facts["blank_lines"]


def _phh_value(key: str, value: str, names: list[str]) -> str:
    if key == "actions":
        return _quoted_list(_phh_action(word) for word in value.split())
    if key == "players":
        return _quoted_list(names[int(number)] for number in value.split())
    if key in PHH_LISTS:
        return f"[{', '.join(value.split())}]"
    return f"'{value}'" if key in PHH_TEXTS or (key == "hand" and not value.isdigit()) else value


def _quoted_list(words: Iterator[str]) -> str:
    return "[" + ", ".join(f"'{word}'" for word in words) + "]"


def _phh_action(word: str) -> str:
    """`/2c3c4c` lays board cards, `1=AcKc` deals to player 1; `1f`, `1c`, `1r225` and `1sAcKc` are his actions."""
    if word.startswith("/"):
        return f"d db {word[1:]}"
    player, kind, rest = re.fullmatch(r"(\d+)([=fcrs])(.*)", word).groups()  # type: ignore[union-attr]
    if kind == "=":
        return f"d dh p{player} {rest}"
    return f"p{player} " + {"f": "f", "c": "cc", "r": "cbr", "s": "sm"}[kind] + (f" {rest}" if rest else "")


# Endgames


def _endgame_line(facts: dict[str, Any]) -> Iterator[str]:
    """Numbers in the form in which Java prints them: with an exponent below a thousandth."""
    yield " ".join(_java_number(number) for number in facts["reaches"])
    yield facts["end"]


def _java_number(number: float) -> str:
    if number == 0 or 1e-3 <= number < 1e7:
        return repr(float(number))
    texts = (f"{number:.{places}e}" for places in range(1, 18))
    digits, exponent = next(text for text in texts if float(text) == number).split("e")
    return f"{digits}E{int(exponent)}"


def endgame_reaches(number: int) -> NDArray[np.float64]:
    """The reach probabilities of an endgame (1 to 4), shape (2, 1326): those of the first player, then the second.

    Cards are ordered by rank from 2 to A, then by suit s h d c; pairs (i < j) row by row.
    """
    return np.array(facts_of("endgames")[f"subgame{number}.txt"]["reaches"], np.float64).reshape(2, 1326)
