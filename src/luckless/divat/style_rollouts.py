"""Roll-outs on the flop under many settings at once: all runouts are ranked once, and valued under each.

What a river is worth depends on its thresholds, the pot and nothing else that settings change; so it is added up once
for each turn and pot, and for each setting only the turn's classes are looked up.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.divat.baseline import BASELINE_BETS, BASELINE_FOLDS
from luckless.divat.classes import class_at, river_states, state_of
from luckless.divat.rollout_ranks import SIDES, RiverRanks, RolloutRanks, TurnRanks, rollout_ranks
from luckless.divat.rollouts import rank_runouts_of, sum_rivers
from luckless.divat.settings import BET_SIZES, MOST_INVESTED, RIVER, TURN, Cutoffs, DivatSettings
from luckless.kernels import njit
from luckless.progress import Progress
from luckless.threads import run_chunks

_TURN_BET = BET_SIZES[TURN]
_TURN_POTS, _RIVER_POTS = MOST_INVESTED[TURN], MOST_INVESTED[RIVER]
_ROWS_A_CHUNK = 32


class Styles(NamedTuple):
    """The thresholds of several settings, one after the other; the different tables of states on the river among
    them; and the place of each setting's own in those."""

    cutoffs: Cutoffs
    on_rivers: NDArray[np.int64]
    river_of: NDArray[np.int64]


def stack_styles(settings: Sequence[DivatSettings]) -> Styles:
    """Some settings as arrays."""
    each = [some.cutoffs() for some in settings]
    rivers, river_of = np.unique([river_states(cutoffs) for cutoffs in each], axis=0, return_inverse=True)
    stacked = Cutoffs(*(np.stack(parts) for parts in zip(*each, strict=True)))
    return Styles(stacked, rivers, river_of.reshape(-1).astype(np.int64))


@njit(cache=True, nogil=True)
def _style(cutoffs: Cutoffs, number: int) -> Cutoffs:
    return Cutoffs(cutoffs.bars[number], cutoffs.fold_below[number], cutoffs.make_above[number])


@njit(cache=True, nogil=True)
def _value_turns(turns: TurnRanks, sums: NDArray[np.int64], cutoffs: Cutoffs, values: NDArray[np.float64]) -> None:
    """The value at each pot of the turn, from the sums over rivers by turn card and pot of the river."""
    totals = np.zeros(_TURN_POTS, np.int64)
    for turn in range(45):
        first = state_of(TURN, turns.ihr[0, turn], turns.hr7[0, turn], cutoffs)
        second = state_of(TURN, turns.ihr[1, turn], turns.hr7[1, turn], cutoffs)
        for pot in range(1, _TURN_POTS + 1):
            a, b = class_at(first, pot), class_at(second, pot)
            if BASELINE_FOLDS[a, b]:
                totals[pot - 1] += 44 * BASELINE_FOLDS[a, b] * pot
            else:
                totals[pot - 1] += sums[turn, pot + _TURN_BET * BASELINE_BETS[a, b]]
    values[:] = totals / 1980


@njit(cache=True, nogil=True)
def _roll_out_rows(
    holes: NDArray[Any], boards: NDArray[Any], source: RolloutRanks, styles: Styles, values: NDArray[np.float64]
) -> None:
    turns = TurnRanks(np.empty((SIDES, 45), np.int64), np.empty((SIDES, 45), np.int64))
    rivers = RiverRanks(np.empty((SIDES, 45, 45), np.int64), np.empty((45, 45), np.int64))
    sums = np.empty((len(styles.on_rivers), 45, _RIVER_POTS + 1), np.int64)
    for row in range(len(holes)):
        rank_runouts_of(holes[row], boards[row, :3], source, turns, rivers)
        for number in range(len(styles.on_rivers)):
            for turn in range(45):
                one = RiverRanks(rivers.counts[:, turn], rivers.signs[turn])
                for pot in range(1, _RIVER_POTS + 1):
                    sums[number, turn, pot] = sum_rivers(one, styles.on_rivers[number], turn, pot)
        for style in range(len(styles.river_of)):
            _value_turns(turns, sums[styles.river_of[style]], _style(styles.cutoffs, style), values[style, row])


def roll_out_styles(
    holes: NDArray[np.int64], boards: NDArray[np.int64], settings: Sequence[DivatSettings]
) -> NDArray[np.float64]:
    """ROE of hands (n, 2, 2) on flops (n, 3 or more) after the betting there: [setting, hand, pot], with 1 to 8 small
    bets a player in the pot."""
    values = np.empty((len(settings), len(holes), _TURN_POTS))
    source, styles = rollout_ranks(), stack_styles(settings)

    def work(first: int, last: int) -> int:
        rows = slice(first, last)
        _roll_out_rows(holes[rows], boards[rows], source, styles, values[:, rows])
        return last - first

    with Progress(len(holes), "flops rolled out", show=False) as progress:
        run_chunks(len(holes), _ROWS_A_CHUNK, work, progress)
    return values
