"""Hand rank, beside plain loops over eval7 where there is something to compare with."""

import functools
import itertools
import os
import tempfile
from collections.abc import Iterator
from typing import Any
from unittest import mock

import numpy as np

from luckless.bench.timing import Row, once, seconds_of
from luckless.cards import format_card, parse_cards
from luckless.hands.board import rank_board
from luckless.hands.isomorphism import situation_numbers
from luckless.hands.pairs import PAIRS
from luckless.hands.rank import hand_rank, ranks
from luckless.hands.tables_build import build_tables

LOOK_UPS = 1_000_000
BOARDS = 1_000


def measure() -> Iterator[Row]:
    """All rows; builds the tables in a temporary folder on the way."""
    yield _seven_card_rank()
    yield _boards()
    yield _numbering()
    yield from _tables()


def _eval7_cards(cards: list[int]) -> list[Any] | None:
    try:
        import eval7
    except ImportError:
        return None
    return [eval7.Card(format_card(card)) for card in cards]


def _eval7_seven_card_rank(hole: list[int], board: list[int]) -> float:
    """7cHR by the plain loop: every completion, every opponent."""
    import eval7

    own, table = _eval7_cards(hole), _eval7_cards(board)
    live = _eval7_cards([card for card in range(52) if card not in hole + board])
    assert own is not None
    assert table is not None
    assert live is not None
    half_counts = opponents = 0
    for dealt in itertools.combinations(range(len(live)), 5 - len(board)):
        full = table + [live[place] for place in dealt]
        strength = eval7.evaluate(own + full)
        rest = [card for place, card in enumerate(live) if place not in dealt]
        for pair in itertools.combinations(rest, 2):
            other = eval7.evaluate(full + list(pair))
            half_counts += 2 * (strength > other) + (strength == other)
            opponents += 1
    return half_counts / (2 * opponents)


def _seven_card_rank() -> Row:
    hole, board = parse_cards("AcKc"), parse_cards("Ks5h3d")
    work = "7cHR of AcKc on Ks5h3d, no tables"
    ours = seconds_of(lambda: hand_rank(hole, board))
    if not _eval7_cards(hole):
        return Row(work, ours)
    return Row(work, ours, "eval7 in a loop", once(lambda: _eval7_seven_card_rank(hole, board)))


def _random_cards(count: int, size: int) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    random = np.random.default_rng(1)
    parts = [random.random((min(count - first, 50_000), 52)).argsort()[:, :size] for first in range(0, count, 50_000)]
    return np.concatenate(parts)


def _boards() -> Row:
    boards = _random_cards(BOARDS, 5)
    strengths, ahead, tied = (np.empty(PAIRS, np.int32) for _ in range(3))

    def rank_all() -> None:
        for board in boards:
            rank_board(board, strengths, ahead, tied)

    work = f"all 1,081 hands ranked on {BOARDS:,} boards"
    return Row(work, seconds_of(rank_all), "the aim of 20 us a board", BOARDS * 20e-6, 1)


def _numbering() -> Row:
    cards = _random_cards(LOOK_UPS, 7)
    ours = seconds_of(lambda: situation_numbers(cards[:, :2], cards[:, 2:]))
    return Row(f"{LOOK_UPS:,} river situations numbered", ours, "the aim of 100 ns each", LOOK_UPS * 100e-9, 1)


def _tables() -> Iterator[Row]:
    cards = _random_cards(LOOK_UPS, 7)
    with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, LUCKLESS_CACHE_DIR=folder):
        yield Row("all rank tables built, all cores", once(lambda: list(build_tables())), "the aim of 180 s", 180, 1)
        for name, size in (("flop", 3), ("turn", 4), ("river", 5)):
            holes, boards = cards[:, :2], cards[:, 2 : 2 + size]
            ours = seconds_of(functools.partial(ranks, holes, boards))
            yield Row(f"{LOOK_UPS:,} {name} look-ups", ours, "the aim of 3 million a second", LOOK_UPS / 3e6, 1)
