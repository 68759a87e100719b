"""Hand rank inside compiled loops: what is shipped, what tables hold, and what is counted on the way.

7cHR of the flop is shipped. On the turn it comes from the built table, or a board is counted when it comes up: once
for all hole cards and for all boards that differ by the names of the suits. So that work ends after 16,432 boards,
some four seconds of one core, however long a process plays. The counts are those of the tables. The river needs none.
Whoever asks for many hands on one board lets a source of its own keep that board: one sort then counts all of them.
"""

import functools
import threading
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.hands.board import add_half_counts, half_count, pool_completions
from luckless.hands.evaluator import bits_of
from luckless.hands.flop import flop_half_counts
from luckless.hands.isomorphism import layout, situation_number
from luckless.hands.pairs import PAIRS, pair_number
from luckless.hands.preflop import preflop_counts
from luckless.hands.tables import SITUATIONS, rank_table
from luckless.hands.tables_build import scatter
from luckless.kernels import njit

_OPENING = threading.Lock()
_FLOP, _TURN = layout(2, 3), layout(2, 4)
_COUNTS = preflop_counts()
_PREFLOP_IHR = 2 * _COUNTS.ahead_now + _COUNTS.tied_now
_PREFLOP_HR7 = 2 * _COUNTS.ahead + _COUNTS.tied


class RankSource(NamedTuple):
    """Half-counts (2 x beaten + tied) of 7cHR on the flop and on the turn, by situation number.

    On the turn, zero stands for a situation that has not been counted. (A hand that truly counts zero is only counted
    again.) Threads may fill the same place at once: they write the same number.
    """

    flop: NDArray[np.uint32]
    turn: NDArray[np.uint32]
    kept_board: NDArray[np.uint64]
    """The cards of the board that is kept, as bits; 0 for none."""
    kept: NDArray[np.int64]
    """The half-counts of all pairs on it; empty in a source that keeps none, as the shared one."""

    def keeping(self) -> "RankSource":
        """The same for one thread alone: it can keep a board."""
        return self._replace(kept_board=np.zeros(1, np.uint64), kept=np.zeros(PAIRS, np.int64))


def rank_source() -> RankSource:
    """The source that all threads of this process share."""
    with _OPENING:
        return _open()


@functools.cache
def _open() -> RankSource:
    table = rank_table(4)
    turn = np.zeros(SITUATIONS[4], np.uint32) if table is None else table.hr7.astype(np.uint32)
    return RankSource(flop_half_counts(), turn, np.zeros(1, np.uint64), np.zeros(0, np.int64))


@njit(cache=True, nogil=True)
def class_number(cards: NDArray[Any]) -> Any:
    """`preflop.class_numbers` of the first two cards."""
    first, second = np.int64(cards[0]) >> 2, np.int64(cards[1]) >> 2
    high, low = max(first, second), min(first, second)
    suited = (cards[0] & 3) == (cards[1] & 3)
    return high * 13 + low if suited else low * 13 + high


@njit(cache=True, nogil=True)
def _flop_count(cards: NDArray[Any], flop: NDArray[np.uint32]) -> Any:
    return np.int64(flop[situation_number(bits_of(cards[:2]), bits_of(cards[2:5]), _FLOP)])


@njit(cache=True, nogil=True)
def _turn_count(cards: NDArray[Any], turn: NDArray[np.uint32]) -> Any:
    """The half-count over the 46 river cards; a new board is counted for all hole cards at once."""
    board = cards[2:6]
    number = situation_number(bits_of(cards[:2]), bits_of(board), _TURN)
    if turn[number] == 0:
        totals = np.zeros(PAIRS, np.int64)
        pool_completions(board, totals)
        scatter(board, totals, _TURN, turn)
    return np.int64(turn[number])


@njit(cache=True, nogil=True)
def keep_board(board: NDArray[Any], source: RankSource) -> None:
    """Counts all pairs on a board of 3, 4 or 5 cards by one sort, unless it is kept already."""
    bits = bits_of(board)
    if source.kept_board[0] != bits:
        source.kept[:] = 0
        add_half_counts(board, source.kept)
        source.kept_board[0] = bits


@njit(cache=True, nogil=True)
def _count_now(cards: NDArray[Any], end: int, source: RankSource) -> Any:
    """The half-count of two hole cards on the board that follows them up to place `end`."""
    board = cards[2:end]
    if len(source.kept) > 0 and source.kept_board[0] == bits_of(board):
        return source.kept[pair_number(np.int64(cards[0]), np.int64(cards[1]))]
    return np.int64(half_count(cards[:2], board))


@njit(cache=True, nogil=True)
def hr7_half_count(cards: NDArray[Any], street: Any, source: RankSource) -> Any:
    """Half-count of 7cHR, in parts of `rank.HR7_UNITS[street]`, of two hole cards followed by the board."""
    if street == 0:
        return _PREFLOP_HR7[class_number(cards)]
    if street == 1:
        return _flop_count(cards, source.flop)
    if street == 2:
        return _turn_count(cards, source.turn)
    return _count_now(cards, 7, source)


@njit(cache=True, nogil=True)
def ihr_half_count(cards: NDArray[Any], street: Any, source: RankSource) -> Any:
    """Half-count of IHR, in parts of `rank.IHR_UNITS[street]`, of two hole cards followed by the board."""
    if street == 0:
        return _PREFLOP_IHR[class_number(cards)]
    return _count_now(cards, 4 + street, source)
