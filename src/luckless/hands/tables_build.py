"""Builds the tables of hand rank, and the values before the flop that the package ships.

One board for each suit-isomorphic set is ranked, with all its completions, for all pairs of hole cards at once; the
results go to the places of their situations. Run `python -m luckless.hands.tables_build` to write the shipped values.
"""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless import pieces, work_clock
from luckless.hands import preflop
from luckless.hands.board import add_half_counts, pool_completions, rank_board
from luckless.hands.evaluator import CARD_BITS, bits_of
from luckless.hands.isomorphism import Layout, canonical_boards, layout, situation_number
from luckless.hands.pairs import PAIR_CARDS, PAIRS
from luckless.hands.table_file import Arrays, Built, build_lock, no_space_text, table_state, write_table
from luckless.hands.tables import FAMILY, SPECS
from luckless.kernels import njit
from luckless.progress import Progress
from luckless.threads import run_chunks
from luckless.whole_files import write_text

_CHUNKS_OF_A_PIECE = 100
"""A crew is given as many at a time: a couple of seconds."""

_CHUNK = {3: 4, 4: 100, 5: 500}  # boards in hand at a time, by their cards: some twenty milliseconds


@njit(cache=True, nogil=True)
def scatter(board: NDArray[Any], counts: NDArray[Any], layout: Layout, table: NDArray[Any]) -> None:
    """Writes the count of each live pair on a board to the place of its situation."""
    board_bits = bits_of(board)
    pair = 0
    for high in range(1, 52):
        for low in range(high):
            hole_bits = CARD_BITS[high] | CARD_BITS[low]
            if hole_bits & board_bits == 0:
                table[situation_number(hole_bits, board_bits, layout)] = counts[pair]
            pair += 1


@njit(cache=True, nogil=True)
def _fill_ihr(boards: NDArray[Any], layout: Layout, table: NDArray[Any]) -> None:
    for row in range(len(boards)):
        counts = np.zeros(PAIRS, np.int64)
        add_half_counts(boards[row], counts)
        scatter(boards[row], counts, layout, table)


@njit(cache=True, nogil=True)
def _fill_hr7(boards: NDArray[Any], layout: Layout, table: NDArray[Any]) -> None:
    for row in range(len(boards)):
        counts = np.zeros(PAIRS, np.int64)
        pool_completions(boards[row], counts)
        scatter(boards[row], counts, layout, table)


def _empty_arrays(board_cards: int) -> Arrays:
    """The arrays of a table with the largest number of its type everywhere, which no count reaches."""
    arrays = SPECS[board_cards].arrays
    return {name: np.full(length, np.iinfo(kind).max, np.dtype(kind)) for name, kind, length in arrays}


def _fill(boards: NDArray[Any], numbering: Layout, arrays: Arrays) -> None:
    _fill_ihr(boards, numbering, arrays["ihr"])
    if "hr7" in arrays:
        _fill_hr7(boards, numbering, arrays["hr7"])


@dataclass(frozen=True)
class BoardsJob:
    """Boards of a table for a crew; a piece is a range of them, the result the places that it fills."""

    board_cards: int

    @contextmanager
    def opened(self) -> Iterator[pieces.Doer]:
        """An empty table, which each piece leaves as it was."""
        arrays, numbering = _empty_arrays(self.board_cards), layout(2, self.board_cards)
        boards, _ = canonical_boards(self.board_cards)

        def filled(piece: tuple[int, int]) -> dict[str, tuple[NDArray[Any], NDArray[Any]]]:
            _fill(boards[slice(*piece)], numbering, arrays)
            found = {}
            for name, values in arrays.items():
                places = np.flatnonzero(values != np.iinfo(values.dtype).max)
                found[name] = (places.astype(np.uint32), values[places])
                values[places] = np.iinfo(values.dtype).max
            return found

        yield filled


def fill_table(board_cards: int) -> Arrays:
    """Computes the arrays of a table."""
    spec, arrays = SPECS[board_cards], _empty_arrays(board_cards)
    boards, _ = canonical_boards(board_cards)
    numbering = layout(2, board_cards)

    def fill(first: int, last: int) -> int:
        _fill(boards[first:last], numbering, arrays)
        return last - first

    with Progress(len(boards), f"{spec.name}, boards") as progress:
        if (crew := pieces.crew()) is None:
            run_chunks(len(boards), _CHUNK[board_cards], fill, progress)
        else:
            size = _CHUNK[board_cards] * _CHUNKS_OF_A_PIECE
            parts = [(first, min(first + size, len(boards))) for first in range(0, len(boards), size)]
            for (first, last), filled in pieces.in_order(crew, BoardsJob(board_cards), parts):
                for name, (places, counts) in filled.items():
                    arrays[name][places] = counts
                progress.advance(last - first)
    for name, values in arrays.items():
        if (values == np.iinfo(values.dtype).max).any():  # no count reaches the largest number of its type
            raise AssertionError(f"array {name} of table {spec.name} has entries that no situation filled")
    return arrays


def build_tables() -> Iterator[Built]:
    """Builds and stores the tables that are not ready, smallest first; yields each when it is done."""
    with build_lock(FAMILY):
        for board_cards, spec in SPECS.items():
            if table_state(spec) == "ready":
                yield Built(spec, None)
                continue
            if shutil.disk_usage(spec.path.parent).free < spec.size:
                raise OSError(no_space_text(spec))
            started = work_clock.seconds()
            write_table(spec, fill_table(board_cards))
            yield Built(spec, work_clock.seconds() - started)


@njit(cache=True, nogil=True)
def _pool_pairs(
    boards: NDArray[Any], weights: NDArray[np.int64], ahead: NDArray[np.int64], tied: NDArray[np.int64]
) -> None:
    """Adds the opponents that each pair beats and ties on each complete board, times the board's weight."""
    strengths, beaten, even = np.empty(PAIRS, np.int32), np.empty(PAIRS, np.int32), np.empty(PAIRS, np.int32)
    for row in range(len(boards)):
        rank_board(boards[row], strengths, beaten, even)
        for pair in range(PAIRS):
            ahead[pair] += weights[row] * beaten[pair]
            tied[pair] += weights[row] * even[pair]


def count_preflop() -> preflop.PreflopCounts:
    """Counts the values before the flop: all boards by one of each suit-isomorphic set, all pairs of hole cards.

    A pair alone would need all boards; but the boards that one stands for differ by the names of the suits, and so do
    the pairs of a class: their sum over the class, shared among its pairs, is right for each.
    """
    holes = PAIR_CARDS
    classes = preflop.class_numbers(holes)
    members = np.bincount(classes)
    ahead, tied = np.zeros(PAIRS, np.int64), np.zeros(PAIRS, np.int64)
    _pool_pairs(*canonical_boards(5), ahead, tied)
    strengths = preflop.two_card_strengths(holes)
    disjoint = ~(holes[:, None, :, None] == holes[None, :, None, :]).any(axis=(2, 3))
    beaten = (disjoint & (strengths[None, :] < strengths[:, None])).sum(axis=1)
    even = (disjoint & (strengths[None, :] == strengths[:, None])).sum(axis=1)

    def share(counts: NDArray[np.int64]) -> NDArray[np.int64]:
        sums = np.zeros(preflop.CLASSES, np.int64)
        np.add.at(sums, classes, counts)
        if (sums % members).any():
            raise AssertionError("the counts of a class do not divide by its members")
        return sums // members

    return preflop.PreflopCounts(share(beaten), share(even), share(ahead), share(tied))


def preflop_text(counts: preflop.PreflopCounts) -> str:
    """The shipped file: one line a class, best first by 7cHR."""
    best_first = np.argsort(-(2 * counts.ahead + counts.tied), kind="stable")
    lines = []
    for number in best_first:
        row = {name: int(values[number]) for name, values in zip(counts._fields, counts, strict=True)}
        lines.append(f"{json.dumps(preflop.class_label(int(number)))}: {json.dumps(row)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    write_text(preflop.PREFLOP_FILE, preflop_text(count_preflop()))
