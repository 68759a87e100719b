"""DIVAT of heads-up limit hands, with rank tables: computing time of all cores together."""

from collections.abc import Iterator

import numpy as np

from luckless.bench.timing import CPU, Row, seconds_of
from luckless.bots.catalogue import load_bot
from luckless.divat.analysis import analyse
from luckless.divat.lines import split_streets
from luckless.hands.table_file import table_state
from luckless.hands.tables import BUILD_COMMAND, SPECS
from luckless.matches.match import Match
from luckless.rules.columns import join
from luckless.rules.game import Game

HANDS = 8_192
AIM = 5_000
"""Hands a second on one core: 10,000 on two."""


def measure() -> Iterator[Row]:
    """All rows."""
    built = all(table_state(spec) == "ready" for spec in SPECS.values())
    count = HANDS if built else HANDS // 64
    match = Match.plan(
        Game.load("limit-hu"), [load_bot("call"), load_bot("raise")], hands=count, seed=1, decks="fresh"
    )
    hands = join([chunk.hands for chunk in match.chunks(workers=1)])
    lines, _ = split_streets(*hands.padded_actions())
    cards = hands.records.decks.astype(np.int64)
    holes, boards = cards[:, :4].reshape(-1, 2, 2), cards[:, 4:]
    seconds = seconds_of(lambda: analyse(holes, boards, lines), repeats=3, clock=CPU)
    note = f"{count / seconds:,.0f} a second and core" + ("" if built else f"; without tables: {BUILD_COMMAND!r}")
    aim = f"the aim of {AIM:,} a second and core"
    yield Row(f"DIVAT of {count:,} hands of limit-hu, call v raise", seconds, aim, count / AIM, 1.0, note)
