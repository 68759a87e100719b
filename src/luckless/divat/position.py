"""The value of the empty hand: what the seat alone is worth before any card is dealt."""

import dataclasses
import functools
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.divat.baseline import BASELINE_LINES
from luckless.divat.betting import Stakes, line_values, pots_after
from luckless.divat.classes import classes_at, states
from luckless.divat.continuations import Valuation
from luckless.divat.pairs import class_codes, class_sizes
from luckless.divat.sampled import shipped_relative
from luckless.divat.settings import PREFLOP
from luckless.hands.pairs import PAIR_CARDS, PAIRS

SAMPLED_PAIRS = 4_000


class Position(NamedTuple):
    """Seat 0's value before the deal, in small bets, and its standard error: 0 where it is exact."""

    value: float
    stderr: float


@functools.cache
def position_value(valuation: Valuation) -> Position:
    """The mean over all pairs of hands of the baseline played out.

    Where the roll-outs before the flop are sampled, the shipped table of like settings gives its own exact value, and
    pairs of hands drawn at random, with a flop each, give the change.
    """
    codes, weights = class_codes(), class_sizes()
    if valuation.equity == "aie" or not valuation.sampled_flops:
        return Position(float(np.average(_values(codes, valuation), weights=weights)), 0.0)
    relative = Valuation(shipped_relative(valuation.settings))
    chosen = np.random.default_rng(valuation.seed).choice(codes, SAMPLED_PAIRS, p=weights / weights.sum())
    a_flop_each = dataclasses.replace(valuation, sampled_flops=1)
    change = _values(chosen, a_flop_each) - _values(chosen, relative)
    value = position_value(relative).value + change.mean()
    return Position(float(value), float(change.std(ddof=1) / np.sqrt(SAMPLED_PAIRS)))


def _values(codes: NDArray[np.int64], valuation: Valuation) -> NDArray[np.float64]:
    """What the baseline makes of pairs of hands, given by their codes, from before the flop on."""
    holes = np.stack([PAIR_CARDS[codes // PAIRS], PAIR_CARDS[codes % PAIRS]], axis=1)
    no_boards = np.zeros((len(codes), 5), np.int64)
    blinds = np.ones(len(codes), np.int64)
    after = valuation.after(PREFLOP, holes, no_boards, pots_after(PREFLOP, blinds))
    classes = classes_at(states(PREFLOP, holes, no_boards, valuation.settings.cutoffs()), blinds)
    lines = BASELINE_LINES[0][classes[:, 0], classes[:, 1]]
    return line_values(PREFLOP, lines, Stakes(blinds, after.values))
