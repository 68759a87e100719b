"""Builds the strength tables that `strength` looks hands up in, and writes them into the package.

Run `python -m luckless.hands.strength_build` after a change here; a test compares the shipped file with a
fresh build. Strengths number the 7,462 classes of five-card hands from 1 (worst) to 7,462 (best).
"""

import itertools
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.whole_files import WholeFile

TABLES_FILE = Path(__file__).with_name("strength.npz")

# One key a rank such that the sums of any two different multisets of up to seven ranks (at most four of one
# rank) differ: the smallest sequence that a greedy search finds. The sum of a hand's keys names its ranks.
RANK_KEYS = (1, 5, 24, 112, 521, 2247, 9244, 30823, 103066, 250154, 667453, 1526359, 3453520)

HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = range(9)

ROW_BITS = 10
"""A key is looked up at ROW_OFFSETS[key >> ROW_BITS] + (key & mask): rows laid over each other without clashes."""


class HandClass(NamedTuple):
    """One of the 7,462 classes: its category and the ranks that decide it, most important first."""

    category: int
    ranks: tuple[int, ...]


def _straight_high(ranks: frozenset[int]) -> int | None:
    """The top rank of the best straight among the ranks, the wheel (A-5) included."""
    for high in range(12, 3, -1):
        if all(rank in ranks for rank in range(high - 4, high + 1)):
            return high
    return 3 if {12, 0, 1, 2, 3} <= ranks else None


def classify_ranks(counts: tuple[int, ...]) -> HandClass:
    """The best five-card class that 5 to 7 cards make when no flush is there, from the count of each rank."""
    by_count = sorted((r for r in range(13) if counts[r]), key=lambda r: (counts[r], r), reverse=True)
    top = by_count[0]

    def kickers(used: tuple[int, ...], how_many: int) -> tuple[int, ...]:
        return tuple(r for r in range(12, -1, -1) if counts[r] and r not in used)[:how_many]

    if counts[top] == 4:
        return HandClass(QUADS, (top, *kickers((top,), 1)))
    pairs = [r for r in range(12, -1, -1) if counts[r] >= 2 and r != top]
    if counts[top] == 3 and pairs:
        return HandClass(FULL_HOUSE, (top, pairs[0]))
    straight = _straight_high(frozenset(by_count))
    if straight is not None:
        return HandClass(STRAIGHT, (straight,))
    if counts[top] == 3:
        return HandClass(TRIPS, (top, *kickers((top,), 2)))
    if counts[top] == 2 and pairs:
        return HandClass(TWO_PAIR, (top, pairs[0], *kickers((top, pairs[0]), 1)))
    if counts[top] == 2:
        return HandClass(PAIR, (top, *kickers((top,), 3)))
    return HandClass(HIGH_CARD, kickers((), 5))


def classify_flush(ranks: frozenset[int]) -> HandClass:
    """The best class that five or more cards of one suit make."""
    straight = _straight_high(ranks)
    if straight is not None:
        return HandClass(STRAIGHT_FLUSH, (straight,))
    return HandClass(FLUSH, tuple(sorted(ranks, reverse=True)[:5]))


def rank_counts(size: int) -> list[tuple[int, ...]]:
    """Every way to hold `size` cards by rank alone: 13 counts of 0 to 4 that add up to it."""

    def extend(left: int, ranks: int) -> list[tuple[int, ...]]:
        if ranks == 0:
            return [()] if left == 0 else []
        return [(n, *rest) for n in range(min(4, left) + 1) for rest in extend(left - n, ranks - 1)]

    return extend(size, 13)


def hand_classes() -> list[HandClass]:
    """All 7,462 classes, worst first: the class at place i has strength i + 1."""
    classes = {classify_ranks(counts) for counts in rank_counts(5)}
    classes |= {classify_flush(frozenset(ranks)) for ranks in itertools.combinations(range(13), 5)}
    return sorted(classes)


def _first_fit(taken: NDArray[np.bool_], columns: list[int]) -> int:
    """The smallest offset at which none of the columns falls on a taken place."""
    block = 1024
    for start in itertools.count(0, block):
        clashes = np.any([taken[column + start : column + start + block] for column in columns], axis=0)
        if not clashes.all():
            return start + int(np.argmin(clashes))
    raise AssertionError("unreachable")


def _lay_rows(entries: dict[int, int]) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
    """Displaces the rows of a sparse table so that they share one dense array (first fit, fullest row first)."""
    keys = np.array(sorted(entries))
    rows, columns = keys >> ROW_BITS, keys & ((1 << ROW_BITS) - 1)
    starts = np.searchsorted(rows, np.arange(rows[-1] + 2))
    sizes = np.diff(starts)
    offsets = np.zeros(len(sizes), np.uint32)
    values = np.zeros(4 * len(entries), np.uint16)
    taken = np.zeros(len(values), bool)
    for row in np.argsort(-sizes, kind="stable")[: np.count_nonzero(sizes)]:
        part = slice(starts[row], starts[row + 1])
        offset = _first_fit(taken, columns[part].tolist())
        taken[columns[part] + offset] = True
        values[columns[part] + offset] = [entries[int(key)] for key in keys[part]]
        offsets[row] = offset
    return offsets, np.trim_zeros(values, "b")


def build() -> dict[str, NDArray[np.generic]]:
    """The arrays of the shipped file: row offsets and values by rank key, and flush strengths by rank mask."""
    strength_of = {hand: place + 1 for place, hand in enumerate(hand_classes())}
    entries = {
        sum(n * key for n, key in zip(counts, RANK_KEYS, strict=True)): strength_of[classify_ranks(counts)]
        for size in (5, 6, 7)
        for counts in rank_counts(size)
    }
    offsets, values = _lay_rows(entries)
    flushes = np.zeros(1 << 13, np.uint16)
    for mask in range(1 << 13):
        if 5 <= mask.bit_count() <= 7:
            ranks = frozenset(r for r in range(13) if mask >> r & 1)
            flushes[mask] = strength_of[classify_flush(ranks)]
    return {"row_offsets": offsets, "rank_strengths": values, "flush_strengths": flushes}


if __name__ == "__main__":
    with WholeFile(TABLES_FILE) as file:
        np.savez_compressed(file, **build())  # type: ignore[arg-type]
