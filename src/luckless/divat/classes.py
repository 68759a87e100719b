"""The class of a hand: what its effective rank says about folding, calling and the number of bets it is worth.

A hand's state on a street says how it plays there at any pot: state = makes * 32 + folds, where `makes` is how many
bets it is worth and `folds` the largest investment (small bets a player at the start of the street) with which it
still folds. It is of class F up to that investment, and C or M1 to M4 above: folding is decided first.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.divat.settings import RIVER, Cutoffs
from luckless.hands.effective import effective_count
from luckless.hands.rank import ranks
from luckless.kernels import njit

BOARD_CARDS = (0, 3, 4, 5)
"""Cards on the board, by street."""


@njit(cache=True, nogil=True, borrows=True)
def state_of(street: int, ihr: int, hr7: int, cutoffs: Cutoffs) -> Any:
    """The state of a hand on a street, from its half-counts now and pooled over all completions of the board."""
    count = effective_count(street, ihr, hr7, cutoffs.bars)
    makes = 0
    for above in cutoffs.make_above[street]:
        makes += count > above
    folds = 0
    fold_below = cutoffs.fold_below[street]
    while folds + 1 < len(fold_below) and count < fold_below[folds + 1]:
        folds += 1
    return makes * 32 + folds


@njit(cache=True, nogil=True, inline="always")
def class_at(state: Any, invested: Any) -> Any:
    """The class (place in `settings.CLASSES`) that a state means with so many small bets a player in the pot."""
    return 0 if invested <= (state & 31) else 1 + (state >> 5)


@njit(cache=True, nogil=True)
def river_states(cutoffs: Cutoffs) -> Any:
    """The state on the river by half-count."""
    states = np.empty(2 * 990 + 1, np.int64)
    for count in range(len(states)):
        states[count] = state_of(RIVER, count, count, cutoffs)
    return states


@njit(cache=True, nogil=True)
def _state_rows(
    street: int, ihr: NDArray[np.int64], hr7: NDArray[np.int64], cutoffs: Cutoffs, out: NDArray[np.int64]
) -> None:
    for row in range(len(out)):
        out[row] = state_of(street, ihr[row], hr7[row], cutoffs)


class BothRanks(NamedTuple):
    """Half-counts of both seats (n, 2) on a street, now and pooled over all completions of the board."""

    ihr: NDArray[np.int64]
    hr7: NDArray[np.int64]


def both_ranks(street: int, holes: NDArray[np.int64], boards: NDArray[np.int64]) -> BothRanks:
    """The ranks of both seats on a street, from hole cards (n, 2, 2) and boards (n, 5)."""
    both = np.concatenate([holes[:, 0], holes[:, 1]])
    ranked = ranks(both, np.tile(boards[:, : BOARD_CARDS[street]], (2, 1)))
    return BothRanks(ranked.ihr.reshape(2, -1).T, ranked.hr7.reshape(2, -1).T)


def states_of(street: int, ranked: BothRanks, cutoffs: Cutoffs) -> NDArray[np.int64]:
    """The states of both seats (n, 2) on a street, from their ranks."""
    out = np.empty(ranked.ihr.size, np.int64)
    _state_rows(street, ranked.ihr.ravel(), ranked.hr7.ravel(), cutoffs, out)
    return out.reshape(-1, 2)


def states(street: int, holes: NDArray[np.int64], boards: NDArray[np.int64], cutoffs: Cutoffs) -> NDArray[np.int64]:
    """The same from their cards."""
    return states_of(street, both_ranks(street, holes, boards), cutoffs)


def classes_at(states: NDArray[np.int64], invested: NDArray[np.int64]) -> NDArray[np.int64]:
    """The classes that states (n, 2) mean with so many small bets a player (n) in the pot."""
    classes: NDArray[np.int64] = np.where(invested[:, None] <= (states & 31), 0, 1 + (states >> 5))
    return classes
