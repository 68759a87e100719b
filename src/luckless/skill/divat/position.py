"""The value of the empty hand: what the seat alone is worth before any card is dealt."""

import functools

import numpy as np

from luckless.hands.board import PAIRS
from luckless.skill.divat.baseline import BASELINE_LINES
from luckless.skill.divat.betting import Stakes, line_values, pots_after
from luckless.skill.divat.classes import classes_at, states
from luckless.skill.divat.continuations import Valuation
from luckless.skill.divat.pairs import class_codes, class_sizes, hand_cards
from luckless.skill.divat.settings import PREFLOP

SAMPLED_CLASSES = 4000


@functools.cache
def position_value(valuation: Valuation) -> float:
    """Seat 0's value before the deal, in small bets: the mean over all pairs of hands of the baseline played out.

    Where the roll-outs before the flop are sampled, so are the pairs of hands, and the mean is an estimate.
    """
    codes, weights = class_codes(), class_sizes()
    if valuation.equity == "roe" and valuation.sampled_flops:
        rng = np.random.default_rng(valuation.seed)
        chosen = rng.choice(len(codes), SAMPLED_CLASSES, p=weights / weights.sum())
        codes, weights = codes[chosen], np.ones(SAMPLED_CLASSES, np.int64)
    holes = np.stack([hand_cards()[codes // PAIRS], hand_cards()[codes % PAIRS]], axis=1)
    no_boards = np.zeros((len(codes), 5), np.int64)
    blinds = np.ones(len(codes), np.int64)
    after = valuation.after(PREFLOP, holes, no_boards, pots_after(PREFLOP, blinds))
    classes = classes_at(states(PREFLOP, holes, no_boards, valuation.settings.cutoffs()), blinds)
    lines = BASELINE_LINES[0][classes[:, 0], classes[:, 1]]
    return float(np.average(line_values(PREFLOP, lines, Stakes(blinds, after.values)), weights=weights))
