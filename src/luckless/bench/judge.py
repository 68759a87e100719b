"""Judging hands: how many a second each estimator takes, heads-up, in processor time for one core of two."""

from collections.abc import Iterator

from luckless.bench.timing import CPU, Row, once
from luckless.bots.catalogue import load_bot
from luckless.matches.match import Match
from luckless.rules.columns import HandColumns, join
from luckless.rules.game import Game
from luckless.skill.registry import judge_hands
from luckless.skill.verdict import Knowledge

AIMS = {"all-in": (4_000, 5_000), "chance": (4_000, 5_000), "aivat": (400, 100)}
"""Hands that are judged, and hands a second that are aimed at on two cores; here one core must reach half of it."""


def measure() -> Iterator[Row]:
    """All rows: both players are judged, one policy is known."""
    bot = load_bot("hero=value-bet")
    for by, (count, aim) in AIMS.items():
        knowledge = Knowledge({"hero": bot} if by == "aivat" else {})
        hands = _hands(count)
        judge_hands([hands], by, knowledge)  # compiles
        seconds = once(lambda hands=hands, by=by, knowledge=knowledge: judge_hands([hands], by, knowledge), CPU)  # type: ignore[misc]
        note = f"{count / seconds:,.0f} a second and core"
        peer = f"the aim of {aim:,} a second on two cores"
        yield Row(f"judging {count:,} hands of nolimit-hu by {by}", seconds, peer, 2 * count / aim, 1.0, note)


def _hands(count: int) -> HandColumns:
    players = [load_bot("hero=value-bet"), load_bot("villain=value-bet")]
    match = Match.plan(Game.load("nolimit-hu"), players, hands=count, seed=6, decks="fresh")
    return join([chunk.hands for chunk in match.chunks()])
