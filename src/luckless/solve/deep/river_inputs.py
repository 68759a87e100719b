"""What networks see on a river: how strong a hand is on its board, what it blocks, and the betting."""

import numpy as np
from numpy.typing import NDArray

from luckless.hands.board import rank_rows
from luckless.hands.strength import CATEGORIES, categories, strengths
from luckless.solve.deep.river_betting import Betting
from luckless.solve.deep.world import Floats, Seen

_KNOTS = 16
_OPPONENTS = 990


def hand_inputs(holes: NDArray[np.int64], boards: NDArray[np.int64]) -> Floats:
    """Inputs of hands (n, 2) on boards (n, 5): how many hands they beat, their kind, flushes and high cards."""
    beaten = _beaten(holes, boards)
    kinds = np.eye(len(CATEGORIES))[categories(strengths(np.hstack([holes, boards])))]
    suits = (boards[:, :, None] % 4 == np.arange(4)).sum(axis=1)
    own_suits = (holes[:, :, None] % 4 == np.arange(4)).sum(axis=1)
    flush = suits >= 3
    holds = (own_suits * flush).sum(axis=1)
    high = np.sort(holes // 4, axis=1)[:, ::-1] / 12
    pairs_on_board = np.array([len(set(row)) for row in (boards // 4).tolist()])
    columns = [
        hats(beaten),
        kinds,
        np.log10(1.001 - beaten)[:, None] / -3,
        flush.any(axis=1)[:, None],
        np.eye(3)[holds],
        high,
        (5 - pairs_on_board)[:, None] / 2,
        (boards // 4).max(axis=1)[:, None] / 12,
    ]
    return np.hstack(columns).astype(np.float32)


def _beaten(holes: NDArray[np.int64], boards: NDArray[np.int64]) -> NDArray[np.float64]:
    """The share of the other hands that each hand beats; ties count half."""
    counts, pooled = np.empty(len(holes), np.int64), np.empty(len(holes), np.int64)
    rank_rows(np.hstack([holes, boards]), counts, pooled)
    return counts / (2 * _OPPONENTS)


def hats(share: NDArray[np.float64]) -> NDArray[np.float64]:
    """A share from 0 to 1 between the two knots that it lies between, in proportion to how close it is."""
    near: NDArray[np.float64] = 1 - np.abs(share[:, None] * (_KNOTS - 1) - np.arange(_KNOTS))
    return np.maximum(near, 0.0)


def seen_by(betting: Betting, player: int, hands: Floats) -> Seen:
    """A player's decisions with each of his hands, hand by hand; each decision has knots of its own."""
    starts, count = betting.start[player], len(hands)
    decisions, sequences = len(starts) - 1, int(starts[-1])
    which = np.tile(np.eye(decisions, dtype=np.float32), (count, 1))
    told = np.repeat(hands, decisions, axis=0)
    product = (which[:, :, None] * told[:, None, :_KNOTS]).reshape(len(told), -1)
    begins = (np.arange(count)[:, None] * sequences + starts[:-1] + 1).ravel()
    unit = np.zeros(decisions)
    nodes = betting.actor == player
    unit[betting.decision[nodes]] = betting.unit[nodes]
    return Seen(
        np.append(begins, count * sequences + 1).astype(np.int32),
        np.arange(count * decisions),
        np.hstack([told, which, product]),
        np.append(0, np.tile(betting.output[player], count)),
        np.tile(unit, count),
    )


def history_inputs(betting: Betting, hands: tuple[Floats, Floats], won: NDArray[np.int64]) -> Floats:
    """What the value network sees at each decision of each deal: who is ahead, both hands, and the betting."""
    decisions = int((betting.decision >= 0).sum())
    result = np.eye(3, dtype=np.float32)[won + 1]
    told = np.repeat(np.hstack([result, hands[0][:, :_KNOTS], hands[1][:, :_KNOTS]]), decisions, axis=0)
    which = np.tile(np.eye(decisions, dtype=np.float32), (len(won), 1))
    product = (which[:, :, None] * told[:, None, :3]).reshape(len(told), -1)
    return np.hstack([told, which, product])
