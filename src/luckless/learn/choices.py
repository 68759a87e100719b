"""From outputs of a network to actions, and from actions that were played back to outputs.

Q-learning has one output for folding, one for calling and one for each amount of its list of raises. Of these
amounts the ones that are legal can be chosen; when none of them is all-in, the next larger one stands for that; and
when all are too small, the largest stands for the smallest legal raise. Of outputs that come to the same chips (where
the big blind is 1) only the first is used. So each action has exactly one output.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.kernels import njit
from luckless.rules.actions import CALL, FOLD

FOLD_OUTPUT, CALL_OUTPUT, FIRST_RAISE = 0, 1, 2

SAC_ACTIONS = 4
"""The wish to fold, to call, to raise, and how much to raise, each from -1 to 1."""

LOG_SPREAD_MIN, LOG_SPREAD_MAX = -20.0, 2.0
"""Bounds of the logarithm of the policy's standard deviation (as in SpinningUp, which the thesis builds on)."""


class Raises(NamedTuple):
    """The raises of a list in chips of a game, by place: rising, no amount twice."""

    amounts: NDArray[np.int64]
    outputs: NDArray[np.int64]
    """The output of each amount."""
    by: bool
    """Whether an amount is added to the bet to call; else it is what the raise is made to."""


def raises_in(amounts: Sequence[int], by: bool) -> Raises:
    """The raises of a rising list of amounts, one for each output."""
    distinct, first = np.unique(np.array(amounts, np.int64), return_index=True)
    return Raises(distinct, FIRST_RAISE + first.astype(np.int64), by)


@njit(cache=True, nogil=True)
def _first_at_least(raises: Raises, bet: int, raise_to: int) -> int:
    """The place of the first amount that makes a raise to so much or more, or the length of the list."""
    low, high = 0, len(raises.amounts)
    wanted = raise_to - (bet if raises.by else 0)
    while low < high:
        middle = (low + high) // 2
        if raises.amounts[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@njit(cache=True, nogil=True)
def raise_places(raises: Raises, bet: int, least: int, most: int) -> Any:
    """The first place that can be chosen for a raise and the one after the last; (0, 0) when raising is closed."""
    if most == 0:
        return 0, 0
    count = len(raises.amounts)
    first = min(_first_at_least(raises, bet, least), count - 1)
    end = max(min(_first_at_least(raises, bet, most) + 1, count), first + 1)
    return first, end


@njit(cache=True, nogil=True)
def raise_at(place: int, raises: Raises, bet: int, least: int, most: int) -> Any:
    """The action that the raise at a place stands for."""
    wanted = raises.amounts[place] + (bet if raises.by else 0)
    return min(max(wanted, least), most)


@njit(cache=True, nogil=True)
def output_of(action: int, raises: Raises, bet: int) -> Any:
    """The output that an action stands for; an amount that the list does not have counts as the next larger one."""
    if action <= CALL:
        return FOLD_OUTPUT if action == FOLD else CALL_OUTPUT
    return raises.outputs[min(_first_at_least(raises, bet, action), len(raises.amounts) - 1)]


@njit(cache=True, nogil=True)
def best_raise(outputs: NDArray[np.float32], raises: Raises, first: int, end: int) -> Any:
    """The place with the highest output from first to end, or -1 if calling is worth as much; and that output."""
    best, value = -1, outputs[CALL_OUTPUT]
    for place in range(first, end):
        if outputs[raises.outputs[place]] > value:
            best, value = place, outputs[raises.outputs[place]]
    return best, value


@njit(cache=True, nogil=True)
def squashed_fold(stake: float, value_range: float) -> float:
    """The output that folding would have: its tanh is what has been put in, lost."""
    return math.atanh(max(-stake / value_range, -0.9999999))


@njit(cache=True, nogil=True)
def sac_raw(outputs: NDArray[np.float32], noise: NDArray[np.float64], raw: NDArray[np.float32]) -> None:
    """A draw of the policy: tanh of a normal variable in each dimension; outputs are means, then log spreads."""
    for place in range(SAC_ACTIONS):
        log_spread = min(max(outputs[SAC_ACTIONS + place], LOG_SPREAD_MIN), LOG_SPREAD_MAX)
        raw[place] = math.tanh(outputs[place] + math.exp(log_spread) * noise[place])


@njit(cache=True, nogil=True)
def sac_action(raw: NDArray[np.float32], to_call: int, least: int, most: int) -> Any:
    """The strongest wish; a fold that costs nothing to avoid is a check, a raise that is closed is a call."""
    if raw[0] > raw[1] and raw[0] > raw[2]:
        return FOLD if to_call > 0 else CALL
    if raw[2] > raw[1] and most > 0:
        return least + round((raw[3] + 1) / 2 * (most - least))
    return CALL
