"""The card rank percentile of the population thesis (section 3.3.2): what share of all hands is not better than this.

Before the flop hands are the 1,326 pairs of hole cards, ordered by their chance to win against a random hand (7cHR).
Later they are all hands of five, six or seven cards, ordered by strength; the board counts as part of the hand, so on
a board that is strong by itself everybody ranks high. `count_hands` writes the counts that the package ships.
"""

import functools
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.hands.evaluator import NO_CARDS, strength_of, sum_cards
from luckless.hands.preflop import CLASSES, preflop_counts
from luckless.hands.rank_source import class_number
from luckless.kernels import njit

COUNTS_FILE = Path(__file__).with_name("percentiles.npz")


class Percentiles(NamedTuple):
    """Percentiles of hole cards by their class number, and of later hands by street - 1 and strength."""

    hole: NDArray[np.float32]
    later: NDArray[np.float32]


def count_hands() -> None:
    """Counts all hands of five, six and seven cards by strength, and writes the shipped file (some seconds)."""
    from luckless.hands.census import strength_census

    np.savez_compressed(COUNTS_FILE, counts=np.stack([strength_census(size) for size in (5, 6, 7)]))


@functools.cache
def percentiles() -> Percentiles:
    """The percentiles, from shipped counts."""
    with np.load(COUNTS_FILE) as file:
        counts = file["counts"]
    later = np.cumsum(counts, axis=1) / counts.sum(axis=1, keepdims=True)
    return Percentiles(_hole_percentiles(), later.astype(np.float32))


def _hole_percentiles() -> NDArray[np.float32]:
    counts = preflop_counts()
    chances = 2 * counts.ahead + counts.tied
    high, low = np.divmod(np.arange(CLASSES), 13)
    pairs = np.where(
        high == low, 6, np.where(high > low, 4, 12)
    )  # suited classes are those with the higher rank first
    better = np.array([pairs[chances > chance].sum() for chance in chances])
    shares: NDArray[np.float32] = (1 - better / pairs.sum()).astype(np.float32)
    return shares


@njit(cache=True, nogil=True)
def percentile_of(cards: NDArray[np.uint8], street: Any, table: Percentiles) -> Any:
    """The percentile of two hole cards followed by the board, as far as the street shows it."""
    if street == 0:
        return table.hole[class_number(cards)]
    key, bits = sum_cards(cards[: 4 + street], NO_CARDS)
    return table.later[street - 1, strength_of(key, bits)]
