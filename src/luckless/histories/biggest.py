"""The biggest pots of many hands: what was won at most, an uncalled bet apart."""

import heapq
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.histories.hand_detail import HandDetail, details
from luckless.rules.columns import HandColumns
from luckless.rules.game import Game
from luckless.rules.replaying import Replay, replay


class BigPot(NamedTuple):
    """A hand with the chips that were contested in it."""

    chips: int
    hand: HandDetail


def contested(hands: HandColumns, played: Replay | None = None) -> NDArray[np.int64]:
    """The pot of each hand without the part of a bet that nobody called; `played` if they were replayed already."""
    invested = (played or replay(hands.records)).ends.invested.astype(np.int64)
    dead = _dead_antes(hands.records.game, hands.records.stacks)
    most = np.sort(invested - dead, axis=1)
    result: NDArray[np.int64] = invested.sum(axis=1) - (most[:, -1] - most[:, -2])
    return result


def _dead_antes(game: Game, stacks: NDArray[np.int32]) -> NDArray[np.int64]:
    """`plain_settlement.dead_antes` of many hands."""
    if not game.antes_are_dead:
        return np.zeros(stacks.shape, np.int64)
    left = np.maximum(stacks.astype(np.int64) - np.array(game.blinds), 0)
    dead: NDArray[np.int64] = np.minimum(np.array(game.antes), left)
    return dead


def biggest_pots(batches: Iterable[HandColumns], count: int) -> list[BigPot]:
    """The hands with the biggest pots, the biggest first; of equal ones the earlier first."""
    best: list[tuple[int, int, HandColumns]] = []
    seen = 0
    for batch in batches:
        chips = contested(batch)
        rows = np.sort(np.argsort(-chips, kind="stable")[:count])
        best += [(int(chips[row]), seen + row, batch.rows(slice(row, row + 1))) for row in rows.tolist()]
        best = heapq.nsmallest(count, best, key=lambda one: (-one[0], one[1]))
        seen += len(batch)
    return [BigPot(chips, next(details(hand))) for chips, _, hand in best]
