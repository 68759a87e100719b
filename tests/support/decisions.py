"""Decisions of played hands: what the seat to act saw, and what it did."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import Bot, Decisions
from luckless.bots.clocks import Clocks, Stopwatch, Timing
from luckless.matches.match import Match
from luckless.rules.actions import LegalBatch
from luckless.rules.game import Game
from luckless.rules.table import Table
from luckless.rules.views import Views


def decisions_of(
    game: str | Game, bots: Sequence[Bot], hands: int, seed: int = 5, player: int = 0
) -> Iterator[tuple[Views, NDArray[np.int64]]]:
    """The decisions of one player in a match, step by step through each chunk: the views, and the actions."""
    played = game if isinstance(game, Game) else Game.load(game)
    match = Match.plan(played, bots, hands=hands, seed=seed, decks="fresh")
    for chunk in match.chunks():
        records = chunk.records
        table = Table(records.game, records.decks, records.stacks)
        starts = np.concatenate([[0], records.ends[:-1]])
        while len(rows := table.waiting()):
            actions = records.actions[starts[rows] + table.public["steps"][rows]].astype(np.int64)
            own = chunk.hands.players[rows, table.public["actor"][rows]] == player
            if own.any():
                yield table.views(rows[own]), actions[own]
            table.act(rows, actions)


def sampled_actions(bot: Bot, views: Views, seed: int = 1) -> NDArray[np.int64]:
    """What a bot does in each situation, with random numbers of its own for each row."""
    bits = np.random.default_rng(seed).integers(0, 2**64, (len(views), 4), np.uint64)
    timing = Timing(Stopwatch(Clocks(0)), list(range(len(views))))

    def report_fault(row: int, kind: str, detail: str) -> None:
        raise AssertionError(f"{kind}: {detail}")

    legal = LegalBatch.of(views.public)
    answers = bot.answers(Decisions(views, bits, timing, report_fault, legal.allows_all))
    actions = np.asarray(answers, np.int64)
    assert legal.allows_all(actions)
    return actions
