"""Equity: our figures on one core, beside eval7 where it is installed.

Each row says what was done, by what, in how many seconds (median of five runs, compiled), how many times faster we
are than the peer, and the figure aimed at.
"""

import functools
import itertools
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from luckless.cards import format_card, parse_cards
from luckless.hands.equity import equity

SAMPLES = 1_000_000


def measure() -> list[dict[str, Any]]:
    """All rows."""
    return [_exact_two_hands(), *_samples(), *_exact_ranges()]


def _seconds(work: Callable[[], object], repeats: int = 5) -> float:
    work()  # compiles
    seconds = []
    for _ in range(repeats):
        started = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - started)
    return float(np.median(seconds))


def _row(work: str, our_seconds: float, target: str, peer: tuple[str, float] | None = None) -> dict[str, Any]:
    return {
        "work": work,
        "ours": "equity",
        "peer": peer[0] if peer else None,
        "peer_seconds": peer[1] if peer else None,
        "our_seconds": our_seconds,
        "ratio": peer[1] / our_seconds if peer else None,
        "target": target,
    }


def _has_eval7() -> bool:
    try:
        import eval7  # noqa: F401
    except ImportError:
        return False
    return True


def _eval7_wins(hands: list[list[int]]) -> int:
    """Boards that the first of two hands wins, by the plain loop over all of them."""
    import eval7

    cards = [eval7.Card(format_card(card)) for card in range(52)]
    first, second = ([cards[card] for card in hand] for hand in hands)
    deck = [card for number, card in enumerate(cards) if number not in hands[0] + hands[1]]
    evaluate = eval7.evaluate
    return sum(
        evaluate([*board, *first]) > evaluate([*board, *second])
        for board in map(list, itertools.combinations(deck, 5))
    )


def _exact_two_hands() -> dict[str, Any]:
    ours = _seconds(lambda: equity(["AcKc", "7h6h"], threads=1), repeats=25)
    peer = None
    if _has_eval7():
        started = time.perf_counter()
        wins = _eval7_wins([parse_cards("AcKc"), parse_cards("7h6h")])
        peer = ("eval7 in a loop", time.perf_counter() - started)
        assert wins == equity(["AcKc", "7h6h"]).wins[0]
    return _row("AcKc v 7h6h before the flop, exact", ours, "at least 50 times the peer", peer)


def _samples() -> list[dict[str, Any]]:
    def seconds(opponent: str) -> float:
        return _seconds(lambda: equity(["AcKc", opponent], samples=SAMPLES, threads=1))

    peer = None
    if _has_eval7():
        import eval7

        hand = [eval7.Card("Ac"), eval7.Card("Kc")]
        everything = eval7.HandRange("22+,32+,42+,52+,62+,72+,82+,92+,T2+,J2+,Q2+,K2+,A2+")
        theirs = _seconds(lambda: eval7.py_hand_vs_range_monte_carlo(hand, everything, [], SAMPLES))
        peer = ("eval7", theirs)
    target = f"at most {SAMPLES / 5e6} s"
    return [
        _row(f"AcKc v a random hand, {SAMPLES:,} samples", seconds("??"), target, peer),
        _row(f"AcKc v 7h6h, {SAMPLES:,} samples", seconds("7h6h"), target),
        _row(f"AcKc v TT+,AQs+, {SAMPLES:,} samples", seconds("TT+,AQs+"), target),
    ]


def _exact_ranges() -> list[dict[str, Any]]:
    spots = [
        (["AcKc", "??"], "", "AcKc v a random hand before the flop, exact"),
        (["20%", "50%"], "Ks5h3d", "20% v 50% on a flop, exact"),
        (["??", "??"], "", "two random hands before the flop, exact"),
    ]
    return [
        _row(work, _seconds(functools.partial(equity, hands, board, threads=1), 3), "none stated")
        for hands, board, work in spots
    ]


if __name__ == "__main__":
    for row in measure():
        print(row)
