"""What hands are worth once the betting of a round is over: by roll-out (ROE), or as if all were all-in (AIE).

Values are seat 0's, in small bets. A pot is named by the small bets that each player has in it.
"""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError
from luckless.progress import Progress
from luckless.skill.divat.classes import river_states
from luckless.skill.divat.rank_source import rank_source, showdown_signs
from luckless.skill.divat.roe_table import all_in_edges, load_table
from luckless.skill.divat.rollouts import roll_out_flops, roll_out_turns
from luckless.skill.divat.settings import FLOP, PREFLOP, RIVER, DivatSettings
from luckless.threads import run_chunks

EquityKind = Literal["roe", "aie"]

_ROWS_A_CHUNK = {FLOP: 64, FLOP + 1: 1024}


class Continuation(NamedTuple):
    """`values[i, j]` belongs to the j-th pot of hand i; `edges[i]` is 2 x all-in equity - 1."""

    values: NDArray[np.float64]
    edges: NDArray[np.float64]


def hand_numbers(holes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of each pair of hole cards (n, 2), as in `hands.board`."""
    low, high = holes.min(axis=1), holes.max(axis=1)
    numbers: NDArray[np.int64] = high * (high - 1) // 2 + low
    return numbers


def continue_after(
    round_number: int,
    holes: NDArray[np.int64],
    boards: NDArray[np.int64],
    pots: NDArray[np.int64],
    settings: DivatSettings,
    equity: EquityKind,
) -> Continuation:
    """The values of hands (n, 2, 2) on boards (n, 5) after the betting of a round, at the given pots (n, k).

    Only the cards that are on the board in that round are looked at.
    """
    if round_number == PREFLOP:
        return _after_preflop(holes, pots, settings, equity)
    if round_number == RIVER:
        signs = np.empty(len(holes))
        showdown_signs(holes, boards, signs)
        return Continuation(signs[:, None] * pots, signs)
    return _roll_out(round_number, holes, boards, pots, settings, equity)


def _after_preflop(
    holes: NDArray[np.int64], pots: NDArray[np.int64], settings: DivatSettings, equity: EquityKind
) -> Continuation:
    first, second = hand_numbers(holes[:, 0]), hand_numbers(holes[:, 1])
    edges = all_in_edges(first, second)
    if equity == "aie":
        return Continuation(edges[:, None] * pots, edges)
    table = load_table(settings)
    if table is None:
        raise InputError(
            f"there is no roll-out table before the flop for the settings {settings.name!r}: "
            "build it with 'luckless tables build roe', or use settings whose table is shipped (standard, slides)"
        )
    return Continuation(np.take_along_axis(table.values(first, second), pots - 1, axis=1), edges)


def _roll_out(
    round_number: int,
    holes: NDArray[np.int64],
    boards: NDArray[np.int64],
    pots: NDArray[np.int64],
    settings: DivatSettings,
    equity: EquityKind,
) -> Continuation:
    roll_out = roll_out_flops if round_number == FLOP else roll_out_turns
    wanted = pots if equity == "roe" else pots[:, :0]
    values = np.empty((len(holes), wanted.shape[1] + 1))
    source, cutoffs = rank_source(), settings.cutoffs()
    on_river = river_states(cutoffs)

    def work(first: int, last: int) -> int:
        rows = slice(first, last)
        roll_out(holes[rows], boards[rows], wanted[rows], source, cutoffs, on_river, values[rows])
        return last - first

    with Progress(len(holes), "flops rolled out" if round_number == FLOP else "turns rolled out") as progress:
        run_chunks(len(holes), _ROWS_A_CHUNK[round_number], work, progress)
    edges = values[:, -1]
    return Continuation(values[:, :-1] if equity == "roe" else edges[:, None] * pots, edges)
