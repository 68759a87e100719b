"""The slow twin of equity: every choice of hands, every board, one after the other."""

import itertools
import math
from collections.abc import Sequence

import numpy as np

from luckless.hands.strength import strengths

Combo = Sequence[int]


def plain_counts(
    ranges: Sequence[Sequence[Combo]], board: Sequence[int] = (), dead: Sequence[int] = ()
) -> list[list[int]]:
    """`counts[player][n - 1]`: deals in which a player has the best hand together with n - 1 others."""
    counts = [[0] * len(ranges) for _ in ranges]
    for hands in itertools.product(*ranges):
        held = [card for hand in hands for card in hand]
        if len({*held, *board, *dead}) < len(held) + len(board) + len(dead):
            continue
        deck = [card for card in range(52) if card not in {*held, *board, *dead}]
        to_come = 5 - len(board)
        size = math.comb(len(deck), to_come)
        dealt = np.array(list(itertools.combinations(deck, to_come)), np.int64).reshape(size, to_come)
        boards = np.hstack([np.tile(np.array(board, np.int64), (size, 1)), dealt])
        made = np.array([strengths(np.hstack([np.tile(hand, (size, 1)), boards])) for hand in hands])
        best = made == made.max(axis=0)
        for player, sharers in itertools.product(range(len(ranges)), range(1, len(ranges) + 1)):
            counts[player][sharers - 1] += int((best[player] & (best.sum(axis=0) == sharers)).sum())
    return counts
