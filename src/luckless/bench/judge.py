"""Judging hands: how many a second each estimator takes, heads-up, in processor time for one core of two."""

from collections.abc import Iterator
from typing import NamedTuple

from luckless.bench.timing import CPU, Row, once
from luckless.bots.catalogue import load_bot
from luckless.matches.match import Match
from luckless.rules.columns import HandColumns, join
from luckless.rules.game import Game
from luckless.skill.named_values import BLUEPRINT, EQUITY, named_values
from luckless.skill.registry import judge_hands
from luckless.skill.verdict import Knowledge


class _Work(NamedTuple):
    """An estimator, the bot whose policy may be known, the value function, hands, and the hands a second that are
    aimed at on two cores; here one core must reach half of it."""

    by: str
    bot: str
    values: str
    hands: int
    aim: int


WORK = (
    _Work("all-in", "value-bet", EQUITY, 4_000, 5_000),
    _Work("chance", "value-bet", EQUITY, 4_000, 5_000),
    _Work("aivat", "value-bet", EQUITY, 400, 100),
    _Work("aivat", "pot-odds", EQUITY, 400, 100),
    _Work("aivat", "blueprint", BLUEPRINT, 64, 20),
)


def measure() -> Iterator[Row]:
    """All rows: both players are judged, one policy is known."""
    for work in WORK:
        hero = load_bot(f"hero={work.bot}")
        knowledge = Knowledge({"hero": hero} if work.by == "aivat" else {}, named_values(work.values))
        hands = _hands(work)

        def judge(hands: HandColumns = hands, by: str = work.by, knowledge: Knowledge = knowledge) -> None:
            judge_hands([hands], by, knowledge)

        judge()  # compiles
        seconds = once(judge, CPU)
        known = f", {work.bot} known, {work.values} values" if work.by == "aivat" else ""
        note = f"{work.hands / seconds:,.0f} a second and core"
        peer = f"the aim of {work.aim:,} a second on two cores"
        name = f"judging {work.hands:,} hands of nolimit-hu by {work.by}{known}"
        yield Row(name, seconds, peer, 2 * work.hands / work.aim, 1.0, note)


def _hands(work: _Work) -> HandColumns:
    players = [load_bot(f"hero={work.bot}"), load_bot("villain=value-bet")]
    match = Match.plan(Game.load("nolimit-hu"), players, hands=work.hands, seed=6, decks="fresh")
    return join([chunk.hands for chunk in match.chunks()])
