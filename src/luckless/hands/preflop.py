"""Hand rank before the flop: the 169 classes of hole cards, with values that the package ships.

IHR compares hole cards as two-card poker: a pair beats no pair, then high cards; suits do not count. 7cHR counts the
showdowns against the 990 opponents of each of the 2,118,760 boards. `tables_build` writes the shipped values.
"""

import functools
import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.cards import RANKS

PREFLOP_FILE = Path(__file__).with_name("preflop.json")
CLASSES = 169


class PreflopCounts(NamedTuple):
    """Opponents beaten and tied by each class: now, and over all boards. The arrays go by class number."""

    ahead_now: NDArray[np.int64]
    tied_now: NDArray[np.int64]
    ahead: NDArray[np.int64]
    tied: NDArray[np.int64]


def class_numbers(holes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The class, 0 to 168, of each row of two hole cards.

    Higher rank x 13 + lower rank for suited cards and pairs, lower rank x 13 + higher rank for offsuit cards.
    """
    ranks = holes >> 2
    high, low = ranks.max(axis=1), ranks.min(axis=1)
    suited = (holes[:, 0] & 3) == (holes[:, 1] & 3)
    numbers: NDArray[np.int64] = np.where(suited, high * 13 + low, low * 13 + high)
    return numbers


def class_label(number: int) -> str:
    """The name of a class, such as AA, AKs or AKo."""
    first, second = divmod(number, 13)
    if first == second:
        return RANKS[first] * 2
    return RANKS[max(first, second)] + RANKS[min(first, second)] + ("s" if first > second else "o")


def two_card_strengths(holes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Strength of each row of two hole cards as two-card poker; equal strengths tie."""
    ranks = holes >> 2
    high, low = ranks.max(axis=1), ranks.min(axis=1)
    strengths: NDArray[np.int64] = np.where(high == low, 13 * 13 + high, 13 * high + low)
    return strengths


@functools.cache
def preflop_counts() -> PreflopCounts:
    """The shipped values."""
    values = json.loads(PREFLOP_FILE.read_text())
    rows = [values[class_label(number)] for number in range(CLASSES)]
    return PreflopCounts(*(np.array([row[name] for row in rows], np.int64) for name in PreflopCounts._fields))
