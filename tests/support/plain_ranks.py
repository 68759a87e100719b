"""The slow twins of hand rank: every opponent on every completed board, one after the other."""

import itertools
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from luckless.hands.strength import strengths


def pair_list(without: Iterable[int] = ()) -> list[tuple[int, int]]:
    """All pairs of cards, lower card first, in the order of their numbers, without those that hold a given card."""
    taken = set(without)
    return [(low, high) for high in range(52) for low in range(high) if not {low, high} & taken]


def plain_counts(
    hole: Sequence[int], board: Sequence[int], opponents: Iterable[tuple[int, int]] | None = None
) -> tuple[int, int, int]:
    """Opponents beaten, tied and not beaten on the board as it is (3 to 5 cards)."""
    known = {*hole, *board}
    others = [pair for pair in opponents or pair_list() if not set(pair) & known]
    hands = strengths([[*pair, *board] for pair in [tuple(hole), *others]]).astype(int)
    own, rest = hands[0], hands[1:]
    return int((own > rest).sum()), int((own == rest).sum()), int((own < rest).sum())


def plain_pooled_counts(
    hole: Sequence[int], board: Sequence[int], opponents: Iterable[tuple[int, int]] | None = None
) -> tuple[int, int, int]:
    """The same, added up over all completions of the board."""
    others = list(opponents or pair_list())
    live = [card for card in range(52) if card not in {*hole, *board}]
    completions = itertools.combinations(live, 5 - len(board))
    counts = np.array([plain_counts(hole, [*board, *dealt], others) for dealt in completions])
    ahead, tied, behind = counts.sum(axis=0).tolist()
    return ahead, tied, behind


def plain_board(board: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Strength, opponents beaten and opponents tied of all 1,326 pairs; zeros for those the board blocks."""
    pairs = np.array(pair_list())
    live = np.isin(pairs, list(board)).sum(axis=1) == 0
    hands = np.zeros(len(pairs), np.int64)
    hands[live] = strengths(np.hstack([pairs[live], np.tile(board, (live.sum(), 1))]))
    share = (pairs[:, None, :, None] == pairs[None, :, None, :]).any(axis=(2, 3))
    meet = live[:, None] & live[None, :] & ~share
    ahead = (meet & (hands[:, None] > hands[None, :])).sum(axis=1)
    tied = (meet & (hands[:, None] == hands[None, :])).sum(axis=1)
    return hands, ahead, tied
