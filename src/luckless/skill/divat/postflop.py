"""Many hands on flop, turn or river: their values after the betting, on all cores."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.progress import Progress
from luckless.skill.divat.classes import river_states
from luckless.skill.divat.rank_source import rank_source, showdown_signs
from luckless.skill.divat.rollouts import roll_out_flops, roll_out_turns
from luckless.skill.divat.settings import FLOP, RIVER, TURN, DivatSettings
from luckless.threads import run_chunks

_ROWS_A_CHUNK = {FLOP: 64, TURN: 1024}


class Continuation(NamedTuple):
    """`values[i, j]` is seat 0's at the j-th pot of hand i; `edges[i]` is 2 x all-in equity - 1."""

    values: NDArray[np.float64]
    edges: NDArray[np.float64]


def roll_out(
    round_number: int,
    holes: NDArray[np.int64],
    boards: NDArray[np.int64],
    pots: NDArray[np.int64],
    settings: DivatSettings,
) -> Continuation:
    """ROE of hands (n, 2, 2) on boards (n, 5) after the betting of flop, turn or river, at some pots (n, k).

    Only the cards that are on the board in that round are looked at. A pot is what each player has put in.
    """
    if round_number == RIVER:
        signs = np.empty(len(holes))
        showdown_signs(holes, boards, signs)
        return Continuation(signs[:, None] * pots, signs)
    kernel = roll_out_flops if round_number == FLOP else roll_out_turns
    values = np.empty((len(holes), pots.shape[1] + 1))
    source, cutoffs = rank_source(), settings.cutoffs()
    on_river = river_states(cutoffs)

    def work(first: int, last: int) -> int:
        rows = slice(first, last)
        kernel(holes[rows], boards[rows], pots[rows], source, cutoffs, on_river, values[rows])
        return last - first

    with Progress(len(holes), "flops rolled out" if round_number == FLOP else "turns rolled out") as progress:
        run_chunks(len(holes), _ROWS_A_CHUNK[round_number], work, progress)
    return Continuation(values[:, :-1], values[:, -1])
