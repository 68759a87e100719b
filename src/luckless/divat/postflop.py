"""Many hands on flop, turn or river: their values after the betting, on all cores."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.divat.classes import river_states
from luckless.divat.rollout_ranks import rollout_ranks, showdown_signs
from luckless.divat.rollouts import all_in_flops, all_in_turns, roll_out_flops, roll_out_turns
from luckless.divat.settings import FLOP, RIVER, TURN, DivatSettings
from luckless.progress import Progress
from luckless.threads import run_chunks

_ROWS_A_CHUNK = {FLOP: 64, TURN: 1024, RIVER: 65_536}
_LABELS = {FLOP: "flops rolled out", TURN: "turns rolled out", RIVER: "showdowns"}


class Continuation(NamedTuple):
    """`values[i, j]` is seat 0's at the j-th pot of hand i; `edges[i]` is 2 x all-in equity - 1."""

    values: NDArray[np.float64]
    edges: NDArray[np.float64]


def roll_out(
    street: int,
    holes: NDArray[np.int64],
    boards: NDArray[np.int64],
    pots: NDArray[np.int64],
    settings: DivatSettings,
) -> Continuation:
    """ROE of hands (n, 2, 2) on boards (n, 5) after the betting of flop, turn or river, at some pots (n, k).

    Only the cards that are on the board on that street are looked at. A pot is what each player has put in.
    """
    if street == RIVER:
        return all_in(street, holes, boards, pots)
    kernel = roll_out_flops if street == FLOP else roll_out_turns
    values = np.empty((len(holes), pots.shape[1] + 1))
    source, cutoffs = rollout_ranks(), settings.cutoffs()
    on_river = river_states(cutoffs)

    def work(rows: slice) -> None:
        kernel(holes[rows], boards[rows], pots[rows], source, cutoffs, on_river, values[rows])

    _run(street, len(holes), work)
    return Continuation(values[:, :-1], values[:, -1])


def all_in(street: int, holes: NDArray[np.int64], boards: NDArray[np.int64], pots: NDArray[np.int64]) -> Continuation:
    """AIE of the same: the pots shared by all-in equity."""
    kernel: Any = {FLOP: all_in_flops, TURN: all_in_turns, RIVER: showdown_signs}[street]
    edges = np.empty(len(holes))

    def work(rows: slice) -> None:
        kernel(holes[rows], boards[rows], edges[rows])

    _run(street, len(holes), work)
    return Continuation(edges[:, None] * pots, edges)


def _run(street: int, count: int, work: Callable[[slice], None]) -> None:
    def work_chunk(first: int, last: int) -> int:
        work(slice(first, last))
        return last - first

    with Progress(count, _LABELS[street]) as progress:
        run_chunks(count, _ROWS_A_CHUNK[street], work_chunk, progress)
