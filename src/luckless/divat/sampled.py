"""Roll-outs before the flop for settings without a table: an unbiased value from a few random flops.

The shipped table of like settings carries the value, the sampled flops only the change: on each of them the hand is
rolled out exactly under both settings, and the mean difference is added. That is much less noisy than the flops
themselves, because the two settings agree on most of them.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.divat.baseline import BASELINE_BETS, BASELINE_FOLDS
from luckless.divat.classes import both_ranks, classes_at, states_of
from luckless.divat.pairs import POTS
from luckless.divat.roe_table import load_table
from luckless.divat.settings import FLOP, SLIDES, STANDARD, DivatSettings
from luckless.divat.style_rollouts import roll_out_styles
from luckless.errors import InputError
from luckless.hands.pairs import PAIRS, pair_numbers
from luckless.kernels import njit
from luckless.progress import Progress
from luckless.randomness import key_of, shuffle_front

_FIRST_PURPOSE = 1 << 20  # the k-th flop of a pair of hands is drawn for purpose 2**20 + k; see `randomness`
FLOPS_AT_ONCE = 4_096


@njit(cache=True, nogil=True)
def _draw_flops(holes: NDArray[Any], codes: NDArray[Any], key: NDArray[np.uint64], boards: NDArray[Any]) -> None:
    """Draws the flops [hand, number] of each pair of hands; they depend on its code and the key alone."""
    deck = np.empty(52, np.uint8)
    for row in range(len(holes)):
        for number in range(boards.shape[1]):
            count = 0
            for card in range(52):
                if not (holes[row] == card).any():
                    deck[count] = card
                    count += 1
            shuffle_front(deck, 48, 3, key, codes[row], _FIRST_PURPOSE + number)
            boards[row, number, :3] = deck[:3]


def shipped_relative(settings: DivatSettings) -> DivatSettings:
    """The settings with a shipped table that make EHR in the same way."""
    return STANDARD if settings.ehr == "thesis" else SLIDES


def sampled_values(
    holes: NDArray[np.int64], settings: DivatSettings, flops: int, seed: int = 0
) -> NDArray[np.float64]:
    """The value for seat 0 of hands (n, 2, 2) at the four pots before the flop, from so many sampled flops a pair."""
    relative = shipped_relative(settings)
    table = load_table(relative)
    if table is None:
        raise InputError("the shipped roll-out tables are missing: install the package again")
    values: NDArray[np.float64] = table.values(pair_numbers(holes[:, 0]), pair_numbers(holes[:, 1]))
    with Progress(len(holes), "pairs of hands sampled") as progress:
        at_once = max(1, FLOPS_AT_ONCE // max(flops, 1))
        for first in range(0, len(holes), at_once):
            rows = slice(first, first + at_once)
            values[rows] += sampled_changes(holes[rows], relative, [settings], flops, seed)[0]
            progress.advance(len(holes[rows]))
    return values


def sampled_changes(
    holes: NDArray[np.int64], base: DivatSettings, others: Sequence[DivatSettings], flops: int, seed: int = 0
) -> NDArray[np.float64]:
    """How the value of hands before the flop changes from one setting to others: [other, hand, pot].

    It is the mean change on so many sampled flops a pair of hands, rolled out exactly under all settings; where
    nothing changes it is exactly 0.
    """
    if flops < 1:
        raise InputError(f"{flops} sampled flops are too few; allowed is 1 or more")
    codes = pair_numbers(holes[:, 0]) * PAIRS + pair_numbers(holes[:, 1])
    boards = np.zeros((len(holes), flops, 5), np.int64)
    _draw_flops(holes, codes, key_of(seed), boards)
    values = flop_values(np.repeat(holes, flops, axis=0), boards.reshape(-1, 5), [base, *others])
    changes: NDArray[np.float64] = (values[1:] - values[0]).reshape(len(others), -1, flops, POTS).mean(axis=2)
    return changes


def flop_values(
    holes: NDArray[np.int64], boards: NDArray[np.int64], settings: Sequence[DivatSettings]
) -> NDArray[np.float64]:
    """The value of hands on flops about to be bet: [setting, hand, pot], with 1 to 4 small bets a player in."""
    after = roll_out_styles(holes, boards, settings)
    ranked = both_ranks(FLOP, holes, boards)
    values = np.empty((len(settings), len(holes), POTS))
    for number, some in enumerate(settings):
        on_flop = states_of(FLOP, ranked, some.cutoffs())
        for place in range(POTS):
            classes = classes_at(on_flop, np.full(len(holes), place + 1))
            folds = BASELINE_FOLDS[classes[:, 0], classes[:, 1]]
            pots = place + 1 + BASELINE_BETS[classes[:, 0], classes[:, 1]]
            carried_on = np.take_along_axis(after[number], pots[:, None] - 1, axis=1)[:, 0]
            values[number, :, place] = np.where(folds == 0, carried_on, folds * pots)
    return values
