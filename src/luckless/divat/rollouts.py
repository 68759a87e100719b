"""Roll-out equity (ROE) and all-in equity (AIE) of known hands on flop and turn, by full enumeration.

ROE of a pot is what seat 0 wins on average if all later streets are played by the baseline at the pot they are played
in, over all cards to come with both hands known (Kan 2007, algorithm 1). Values are in small bets. A pot is named by
what each player has put in.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.divat.baseline import BASELINE_BETS, BASELINE_FOLDS
from luckless.divat.classes import class_at, state_of
from luckless.divat.rollout_ranks import (
    SIDES,
    RiverRanks,
    RolloutRanks,
    TurnRanks,
    live_cards_of,
    rank_river,
    rank_turn,
    showdown_sign,
)
from luckless.divat.runout_ranks import new_room, read_runouts
from luckless.divat.settings import BET_SIZES, RIVER, TURN, Cutoffs
from luckless.kernels import njit

_TURN_BET, _RIVER_BET = BET_SIZES[TURN], BET_SIZES[RIVER]


@njit(cache=True, nogil=True, borrows=True)
def river_value(first: int, second: int, sign: int, pot: int) -> Any:
    """What seat 0 wins when the river baseline is played by hands of these states."""
    a, b = class_at(first, pot), class_at(second, pot)
    if BASELINE_FOLDS[a, b]:
        return BASELINE_FOLDS[a, b] * pot
    return sign * (pot + _RIVER_BET * BASELINE_BETS[a, b])


@njit(cache=True, nogil=True, borrows=True)
def sum_rivers(rivers: RiverRanks, on_river: NDArray[np.int64], skip: int, pot: int) -> Any:
    """The values of all rivers but one (-1 for none) added up; a river is a column of `rivers`."""
    total = np.int64(0)
    for river in range(len(rivers.signs)):
        if river != skip:
            first, second = on_river[rivers.counts[0, river]], on_river[rivers.counts[1, river]]
            total += river_value(first, second, rivers.signs[river], pot)
    return total


@njit(cache=True, nogil=True)
def roll_out_turns(
    holes: NDArray[Any],
    boards: NDArray[Any],
    pots: NDArray[Any],
    source: RolloutRanks,
    cutoffs: Cutoffs,
    on_river: NDArray[np.int64],
    values: NDArray[np.float64],
) -> None:
    """ROE after the betting on the turn: `values[i, j]` for hand i with `pots[i, j]` small bets a player in the pot.

    The last column of `values` gets the all-in edge, the mean sign of the showdown. `on_river` is `river_states`.
    """
    counts, board = np.empty(SIDES, np.int64), np.empty(5, np.int64)
    rivers = RiverRanks(np.empty((SIDES, 44), np.int64), np.empty(44, np.int64))
    for row in range(len(holes)):
        board[:4] = boards[row, :4]
        for place, card in enumerate(live_cards_of(holes[row], board[:4])):
            board[4] = card
            rivers.signs[place] = rank_river(holes[row], board, source, counts)
            rivers.counts[:, place] = counts
        for column in range(pots.shape[1]):
            values[row, column] = sum_rivers(rivers, on_river, -1, pots[row, column]) / 44
        values[row, -1] = rivers.signs.sum() / 44


@njit(cache=True, nogil=True)
def rank_runouts_of(hole: NDArray[Any], flop: NDArray[Any], source: RolloutRanks, turns: Any, rivers: Any) -> None:
    """Fills in the ranks of both sides: `turns.ihr[side, turn]` and so on, `rivers.counts[side, turn, river]`.

    In which order the live cards stand is nobody's business.
    """
    if len(source.river_ihr):
        read_runouts(hole, flop, source, new_room(), turns, rivers)
        return
    live = live_cards_of(hole, flop)
    counts, board = np.empty(SIDES, np.int64), np.empty(5, np.int64)
    board[:3] = flop
    one = TurnRanks(np.empty(SIDES, np.int64), np.empty(SIDES, np.int64))
    for turn in range(45):
        board[3] = live[turn]
        rank_turn(hole, board[:4], source, one)
        turns.ihr[:, turn], turns.hr7[:, turn] = one.ihr, one.hr7
        rivers.signs[turn, turn] = 0
        rivers.counts[:, turn, turn] = 0
        for river in range(turn):
            board[4] = live[river]
            sign = rank_river(hole, board, source, counts)
            rivers.signs[turn, river], rivers.signs[river, turn] = sign, sign
            for side in range(SIDES):
                rivers.counts[side, turn, river], rivers.counts[side, river, turn] = counts[side], counts[side]
    for side in range(SIDES):
        for turn in range(45):
            turns.hr7[side, turn] += rivers.counts[side, turn].sum()


@njit(cache=True, nogil=True)
def roll_out_flops(
    holes: NDArray[Any],
    boards: NDArray[Any],
    pots: NDArray[Any],
    source: RolloutRanks,
    cutoffs: Cutoffs,
    on_river: NDArray[np.int64],
    values: NDArray[np.float64],
) -> None:
    """ROE after the betting on the flop, as `roll_out_turns` gives it after that on the turn."""
    turns = TurnRanks(np.empty((SIDES, 45), np.int64), np.empty((SIDES, 45), np.int64))
    rivers = RiverRanks(np.empty((SIDES, 45, 45), np.int64), np.empty((45, 45), np.int64))
    totals = np.empty(pots.shape[1], np.int64)
    for row in range(len(holes)):
        rank_runouts_of(holes[row], boards[row, :3], source, turns, rivers)
        totals[:] = 0
        for turn in range(45):
            one = RiverRanks(rivers.counts[:, turn], rivers.signs[turn])
            first = state_of(TURN, turns.ihr[0, turn], turns.hr7[0, turn], cutoffs)
            second = state_of(TURN, turns.ihr[1, turn], turns.hr7[1, turn], cutoffs)
            for column in range(pots.shape[1]):
                pot = pots[row, column]
                a, b = class_at(first, pot), class_at(second, pot)
                if BASELINE_FOLDS[a, b]:
                    totals[column] += 44 * BASELINE_FOLDS[a, b] * pot
                else:
                    totals[column] += sum_rivers(one, on_river, turn, pot + _TURN_BET * BASELINE_BETS[a, b])
        values[row, : len(totals)] = totals / 1980
        values[row, -1] = rivers.signs.sum() / 1980


@njit(cache=True, nogil=True)
def all_in_turns(holes: NDArray[Any], boards: NDArray[Any], edges: NDArray[np.float64]) -> None:
    """The mean sign of the showdown over all rivers, of hands (n, 2, 2) on a board's first four cards."""
    board = np.empty(5, np.int64)
    for row in range(len(holes)):
        board[:4] = boards[row, :4]
        total = 0
        for river in live_cards_of(holes[row], board[:4]):
            board[4] = river
            total += showdown_sign(holes[row], board)
        edges[row] = total / 44


@njit(cache=True, nogil=True)
def all_in_flops(holes: NDArray[Any], boards: NDArray[Any], edges: NDArray[np.float64]) -> None:
    """The mean sign of the showdown over all turns and rivers, of hands on a board's first three cards."""
    board = np.empty(5, np.int64)
    for row in range(len(holes)):
        board[:3] = boards[row, :3]
        live = live_cards_of(holes[row], board[:3])
        total = 0
        for turn in range(len(live)):
            board[3] = live[turn]
            for river in range(turn):
                board[4] = live[river]
                total += showdown_sign(holes[row], board)
        edges[row] = total / 990
