"""Roll-outs before the flop for settings without a table: an unbiased value from a few random flops.

The shipped table of like settings carries the value, the sampled flops only the change: on each of them the hand is
rolled out exactly under both settings, and the mean difference is added. That is much less noisy than the flops
themselves, because the two settings agree on most of them.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError
from luckless.hands.board import PAIRS
from luckless.kernels import njit
from luckless.randomness import key_of, shuffle_front
from luckless.skill.divat.baseline import BASELINE_BETS, BASELINE_FOLDS
from luckless.skill.divat.classes import classes_at, states
from luckless.skill.divat.pairs import POTS, hand_numbers
from luckless.skill.divat.postflop import roll_out
from luckless.skill.divat.roe_table import load_table
from luckless.skill.divat.settings import FLOP, SLIDES, STANDARD, DivatSettings

_FIRST_PURPOSE = 1 << 20  # the k-th flop of a pair of hands is drawn for purpose 2**20 + k; see `randomness`


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


def sampled_values(
    holes: NDArray[np.int64], settings: DivatSettings, flops: int, seed: int = 0
) -> NDArray[np.float64]:
    """The value for seat 0 of hands (n, 2, 2) at the four pots before the flop, from so many sampled flops a pair."""
    if flops < 1:
        raise InputError(f"{flops} sampled flops are too few: 1 or more")
    table = load_table(STANDARD if settings.ehr == "thesis" else SLIDES)
    if table is None:
        raise InputError("the shipped roll-out tables are missing: install the package again")
    first, second = hand_numbers(holes[:, 0]), hand_numbers(holes[:, 1])
    boards = np.zeros((len(holes), flops, 5), np.int64)
    _draw_flops(holes, first * PAIRS + second, key_of(seed), boards)
    dealt, on_flops = np.repeat(holes, flops, axis=0), boards.reshape(-1, 5)
    change = flop_values(dealt, on_flops, settings) - flop_values(dealt, on_flops, table.settings)
    values: NDArray[np.float64] = table.values(first, second) + change.reshape(-1, flops, POTS).mean(axis=1)
    return values


def flop_values(holes: NDArray[np.int64], boards: NDArray[np.int64], settings: DivatSettings) -> NDArray[np.float64]:
    """The value (n, 4) of hands on flops that are about to be bet, with 1 to 4 small bets a player in the pot."""
    on_flop = states(FLOP, holes, boards, settings.cutoffs())
    pots, folds = np.empty((len(holes), POTS), np.int64), np.empty((len(holes), POTS), np.int64)
    for place in range(POTS):
        classes = classes_at(on_flop, np.full(len(holes), place + 1))
        pots[:, place] = place + 1 + BASELINE_BETS[classes[:, 0], classes[:, 1]]
        folds[:, place] = BASELINE_FOLDS[classes[:, 0], classes[:, 1]]
    after = roll_out(FLOP, holes, boards, pots, settings).values
    return np.where(folds == 0, after, folds * pots)
