"""Buckets of cards, beside slow twins that count by the public functions for hand rank."""

from collections import Counter

import numpy as np
import pytest

from luckless.hands.pairs import PAIR_CARDS, PAIRS
from luckless.hands.rank import ranks
from luckless.rules.dealing import deal
from luckless.rules.game import Game
from luckless.solve.card_buckets import (
    Bounds,
    CardBuckets,
    Slices,
    bucket_of,
    card_buckets,
    find_bounds,
    kind_of_board,
    river_buckets,
)

SLICES = Slices((4, 3), (5, 2), 10)


@pytest.fixture(scope="module")
def buckets() -> CardBuckets:
    return card_buckets(find_bounds(SLICES, 2000))


def _plain_kind(board: np.ndarray) -> int:
    suits = max(Counter((board & 3).tolist()).values())
    pairs = len(board) - len(set((board >> 2).tolist()))
    if suits >= 3:
        return 3 if len(board) == 5 and suits >= 4 else 2
    if len(board) == 5:
        return 4 if pairs >= 2 else pairs
    return 3 if pairs else int(suits == 2)


def _plain_bucket(hole: np.ndarray, board: np.ndarray, bounds: Bounds) -> int:
    found = ranks(hole[None], board[None])
    hr7, ihr, kind = int(found.hr7[0]), int(found.ihr[0]), _plain_kind(board)
    if len(board) == 5:
        return kind * SLICES.river + int((bounds.river[kind] <= ihr).sum())
    ahead, now = (bounds.flop, bounds.flop_now) if len(board) == 3 else (bounds.turn, bounds.turn_now)
    slice_of_hr7 = int((ahead[kind] <= hr7).sum())
    slice_of_ihr = int((now[kind, slice_of_hr7] <= ihr).sum())
    return int((kind * now.shape[1] + slice_of_hr7) * (now.shape[2] + 1) + slice_of_ihr)


def test_buckets_are_those_of_a_plain_count(buckets: CardBuckets) -> None:
    for row in deal(Game.load("limit-hu"), 11, range(12)).astype(np.int64):
        cards = np.concatenate([row[:2], row[4:]])
        for street, size in ((1, 3), (2, 4), (3, 5)):
            assert kind_of_board(cards[2 : 2 + size]) == _plain_kind(cards[2 : 2 + size])
            assert bucket_of(cards, street, buckets) == _plain_bucket(cards[:2], cards[2 : 2 + size], buckets.bounds)


def test_all_hands_of_a_river_at_once(buckets: CardBuckets) -> None:
    board, out = np.array([0, 5, 10, 33, 51]), np.zeros(PAIRS, np.int64)
    river_buckets(board, buckets, out)
    for pair in np.flatnonzero(~np.isin(PAIR_CARDS, board).any(axis=1))[::50]:
        assert out[pair] == bucket_of(np.concatenate([PAIR_CARDS[pair], board]), 3, buckets)


def test_renaming_the_suits_changes_nothing(buckets: CardBuckets) -> None:
    for row in deal(Game.load("limit-hu"), 12, range(20)).astype(np.int64):
        cards = np.concatenate([row[:2], row[4:]])
        renamed = (cards & ~3) | np.array([2, 0, 3, 1])[cards & 3]
        for street in range(4):
            assert bucket_of(cards, street, buckets) == bucket_of(renamed, street, buckets)


def test_all_buckets_are_below_their_number_and_slices_hold_equally_many(buckets: CardBuckets) -> None:
    counts = [np.zeros(size, np.int64) for size in SLICES.buckets]
    for row in deal(Game.load("limit-hu"), 13, range(4000)).astype(np.int64):
        cards = np.concatenate([row[:2], row[4:]])
        for street in range(4):
            counts[street][bucket_of(cards, street, buckets)] += 1
    assert (counts[1] > 0).all()
    plain = counts[3][: SLICES.river]  # rivers without pairs and flushes, in ten slices
    assert abs(plain - plain.mean()).max() < 6 * np.sqrt(plain.mean())
