"""Hand rank: our figures, beside plain loops over eval7 where there is something to compare with.

Each row says what was done, by what, in how many seconds (median of five runs, compiled), how many times faster we
are than the peer, and the figure aimed at.
"""

import functools
import itertools
import os
import tempfile
import time
from collections.abc import Callable
from typing import Any
from unittest import mock

import numpy as np

from luckless.cards import format_card, parse_cards
from luckless.hands.board import PAIRS, rank_board
from luckless.hands.isomorphism import situation_numbers
from luckless.hands.rank import hand_rank, ranks
from luckless.hands.tables_build import build_tables

LOOK_UPS = 1_000_000
BOARDS = 1_000


def measure() -> list[dict[str, Any]]:
    """All rows; builds the tables in a temporary folder on the way."""
    return [_seven_card_rank(), _boards(), _numbering(), *_tables()]


def _seconds(work: Callable[[], object], repeats: int = 5) -> float:
    work()  # compiles, opens files
    seconds = []
    for _ in range(repeats):
        started = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - started)
    return float(np.median(seconds))


def _row(work: str, ours: str, our_seconds: float, target: str, peer: tuple[str, float] | None) -> dict[str, Any]:
    return {
        "work": work,
        "ours": ours,
        "peer": peer[0] if peer else None,
        "peer_seconds": peer[1] if peer else None,
        "our_seconds": our_seconds,
        "ratio": peer[1] / our_seconds if peer else None,
        "target": target,
    }


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


def _seven_card_rank() -> dict[str, Any]:
    hole, board = parse_cards("AcKc"), parse_cards("Ks5h3d")
    ours = _seconds(lambda: hand_rank(hole, board))
    peer = None
    if _eval7_cards(hole):
        started = time.perf_counter()
        assert _eval7_seven_card_rank(hole, board) == float(hand_rank(hole, board).hr7)
        peer = ("eval7 in a loop", time.perf_counter() - started)
    return _row("7cHR of AcKc on Ks5h3d, no tables", "hand_rank", ours, "none stated", peer)


def _random_cards(count: int, size: int) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    random = np.random.default_rng(1)
    parts = [random.random((min(count - first, 50_000), 52)).argsort()[:, :size] for first in range(0, count, 50_000)]
    return np.concatenate(parts)


def _boards() -> dict[str, Any]:
    boards = _random_cards(BOARDS, 5)
    strengths, ahead, tied = (np.empty(PAIRS, np.int32) for _ in range(3))

    def rank_all() -> None:
        for board in boards:
            rank_board(board, strengths, ahead, tied)

    peer = None
    cards = _eval7_cards(list(range(52)))
    if cards:
        import eval7

        board = boards[0].tolist()
        table = [cards[card] for card in board]
        pairs = list(itertools.combinations([card for place, card in enumerate(cards) if place not in board], 2))
        one = _seconds(lambda: sorted(eval7.evaluate([*pair, *table]) for pair in pairs))
        peer = ("eval7, strengths sorted but opponents not counted", BOARDS * one)
    return _row(
        f"all 1,081 hands ranked on {BOARDS:,} boards", "rank_board", _seconds(rank_all), "20 us a board", peer
    )


def _numbering() -> dict[str, Any]:
    cards = _random_cards(LOOK_UPS, 7)
    seconds = _seconds(lambda: situation_numbers(cards[:, :2], cards[:, 2:]))
    return _row(f"{LOOK_UPS:,} river situations numbered", "situation_numbers", seconds, "100 ns each", None)


def _tables() -> list[dict[str, Any]]:
    cards = _random_cards(LOOK_UPS, 7)
    with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, LUCKLESS_CACHE_DIR=folder):
        started = time.perf_counter()
        list(build_tables())
        rows = [
            _row("rank tables built, all cores", "build_tables", time.perf_counter() - started, "at most 180 s", None)
        ]
        for name, size in (("flop", 3), ("turn", 4), ("river", 5)):
            holes, boards = cards[:, :2], cards[:, 2 : 2 + size]
            seconds = _seconds(functools.partial(ranks, holes, boards))
            rows.append(_row(f"{LOOK_UPS:,} {name} look-ups", "ranks", seconds, "at most 0.333 s", None))
    return rows


if __name__ == "__main__":
    for row in measure():
        print(row)
