"""Where the roll-outs of a known pair of hands get their ranks from: the built tables, or the boards themselves."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.hands.board import rank_board
from luckless.hands.evaluator import CARD_BITS, NO_CARDS, bits_of, strength_of, sum_cards
from luckless.hands.isomorphism import Layout, layout, situation_number
from luckless.hands.pairs import PAIRS, pair_number
from luckless.hands.tables import rank_table
from luckless.kernels import njit

SIDES = 2


class RolloutRanks(NamedTuple):
    """Half-counts by situation on turn and river; empty arrays where the tables are not built."""

    turn_ihr: NDArray[np.uint16]
    turn_hr7: NDArray[np.uint32]
    river_ihr: NDArray[np.uint16]
    turn_layout: Layout
    river_layout: Layout


def rollout_ranks(*, tables: bool = True) -> RolloutRanks:
    """The built tables, or without them (or on request) nothing, so that ranks are counted on each board."""
    turn, river = (rank_table(4), rank_table(5)) if tables else (None, None)
    turn_ihr, turn_hr7, river_ihr = np.empty(0, np.uint16), np.empty(0, np.uint32), np.empty(0, np.uint16)
    if turn is not None and river is not None:
        turn_ihr, turn_hr7, river_ihr = turn.ihr[:], turn.hr7.astype(np.uint32, copy=False)[:], river.ihr[:]
    # One compiled version serves both: the mapped tables cannot be written to, so neither may the empty ones.
    for view in (turn_ihr, turn_hr7, river_ihr):
        view.flags.writeable = False
    return RolloutRanks(turn_ihr, turn_hr7, river_ihr, layout(2, 4), layout(2, 5))


class TurnRanks(NamedTuple):
    """Two hands on one turn: half-counts now and pooled over all rivers, by side."""

    ihr: NDArray[np.int64]
    hr7: NDArray[np.int64]


class RiverRanks(NamedTuple):
    """Two hands on many rivers: half-counts by side, and the sign of the showdown for side 0."""

    counts: NDArray[np.int64]
    signs: NDArray[np.int64]


@njit(cache=True, nogil=True, borrows=True)
def _strength(hole: NDArray[Any], board: NDArray[Any]) -> Any:
    hole_key, hole_bits = sum_cards(hole, NO_CARDS)
    board_key, board_bits = sum_cards(board, np.uint64(0))
    return np.int64(strength_of(hole_key + board_key, hole_bits | board_bits))


@njit(cache=True, nogil=True, borrows=True)
def showdown_sign(holes: NDArray[Any], board: NDArray[Any]) -> Any:
    """1 if side 0 wins on a full board, -1 if side 1 does, 0 for a tie."""
    first, second = _strength(holes[0], board), _strength(holes[1], board)
    return np.int64(first > second) - np.int64(first < second)


@njit(cache=True, nogil=True)
def showdown_signs(holes: NDArray[Any], boards: NDArray[Any], out: NDArray[Any]) -> None:
    """The sign of the showdown of each row of hands (n, 2, 2) on full boards (n, 5)."""
    for row in range(len(holes)):
        out[row] = showdown_sign(holes[row], boards[row])


@njit(cache=True, nogil=True, borrows=True)
def _half_count(hole: NDArray[Any], ahead: NDArray[Any], tied: NDArray[Any]) -> Any:
    pair = pair_number(hole[0], hole[1])
    return np.int64(2 * ahead[pair] + tied[pair])


@njit(cache=True, nogil=True)
def live_cards_of(holes: NDArray[Any], board: NDArray[Any]) -> Any:
    """The cards that two hands and a board leave, in rising order."""
    taken = bits_of(holes[0]) | bits_of(holes[1]) | bits_of(board)
    live = np.empty(48 - len(board), np.int64)
    count = 0
    for card in range(52):
        if not taken & CARD_BITS[card]:
            live[count] = card
            count += 1
    return live


@njit(cache=True, nogil=True)
def rank_river(holes: NDArray[Any], board: NDArray[Any], source: RolloutRanks, counts: NDArray[np.int64]) -> Any:
    """Writes the half-counts of both sides on a full board, and gives the sign of the showdown."""
    if len(source.river_ihr):
        board_bits = bits_of(board)
        for side in range(SIDES):
            number = situation_number(bits_of(holes[side]), board_bits, source.river_layout)
            counts[side] = source.river_ihr[number]
    else:
        strengths, ahead, tied = np.empty(PAIRS, np.int32), np.empty(PAIRS, np.int32), np.empty(PAIRS, np.int32)
        rank_board(board, strengths, ahead, tied)
        for side in range(SIDES):
            counts[side] = _half_count(holes[side], ahead, tied)
    return showdown_sign(holes, board)


@njit(cache=True, nogil=True)
def rank_turn(holes: NDArray[Any], board: NDArray[Any], source: RolloutRanks, ranks: TurnRanks) -> None:
    """Writes the half-counts of both sides on a board of four cards.

    Without tables `hr7` gets only the rivers that are in the other side's hand: the rest is added by the caller, who
    ranks all live rivers anyway.
    """
    if len(source.turn_ihr):
        board_bits = bits_of(board)
        for side in range(SIDES):
            number = situation_number(bits_of(holes[side]), board_bits, source.turn_layout)
            ranks.ihr[side], ranks.hr7[side] = source.turn_ihr[number], source.turn_hr7[number]
        return
    strengths, ahead, tied = np.empty(PAIRS, np.int32), np.empty(PAIRS, np.int32), np.empty(PAIRS, np.int32)
    rank_board(board, strengths, ahead, tied)
    full = np.empty(5, np.int64)
    full[:4] = board
    for side in range(SIDES):
        ranks.ihr[side], ranks.hr7[side] = _half_count(holes[side], ahead, tied), 0
    for side in range(SIDES):
        for card in holes[1 - side]:
            full[4] = card
            rank_board(full, strengths, ahead, tied)
            ranks.hr7[side] += _half_count(holes[side], ahead, tied)
