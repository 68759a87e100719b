"""What a street of betting is worth as it was played, by the baseline, and at its best with all cards known.

All functions take many hands at once, and the values after the street at each number of bets (`Stakes.after`). The
best line is that of two players who both see all cards and bet the street for their own good (minimax); it is the
yardstick of EVAT.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.divat.lines import (
    MOST_BETS,
    POSTFLOP_LINES,
    POSTFLOP_TABLE,
    POSTFLOP_TREE,
    PREFLOP_LINES,
    PREFLOP_TABLE,
    PREFLOP_TREE,
    first_to_leave,
)
from luckless.divat.settings import BET_SIZES, PREFLOP


class Stakes(NamedTuple):
    """A street that is about to be bet: small bets a player in the pot, and seat 0's value after so many bets.

    `after[i, j]` is the value once `pots(...)[i, j]` small bets a player are in the pot and nobody has folded.
    """

    invested: NDArray[np.int64]
    after: NDArray[np.float64]


def pots_after(street: int, invested: NDArray[np.int64]) -> NDArray[np.int64]:
    """The pots that a street can end with unless somebody folds: one column for each number of bets, least first.

    Before the flop the blinds are a bet, so there are four, later five.
    """
    if street == PREFLOP:
        return np.tile(np.arange(1, MOST_BETS + 1), (len(invested), 1))
    return invested[:, None] + BET_SIZES[street] * np.arange(MOST_BETS + 1)


def line_values(street: int, lines: NDArray[np.uint8], stakes: Stakes) -> NDArray[np.float64]:
    """What seat 0 has after a line: the money if it ends in a fold, else the value of the pot that it leaves."""
    table = POSTFLOP_TABLE if street else PREFLOP_TABLE
    bets, folder = table.bets[lines], table.folder[lines]
    before = stakes.invested if street else 0
    lost = before + BET_SIZES[street] * np.where(folder == 0, bets[:, 0], bets[:, 1])
    column = (bets[:, 0] if street else bets[:, 0] - 1).astype(np.int64)
    carried_on = np.take_along_axis(stakes.after, column[:, None], axis=1)[:, 0]
    values: NDArray[np.float64] = np.where(folder < 0, carried_on, np.where(folder == 0, -lost, lost))
    return values


def best_values(street: int, stakes: Stakes) -> NDArray[np.float64]:
    """Seat 0's value if both players see all cards and play the street at their best: seat 0 for more, 1 for less.

    Nobody folds when a check is free.
    """
    tree, texts = (POSTFLOP_TREE, POSTFLOP_LINES) if street else (PREFLOP_TREE, PREFLOP_LINES)
    size = len(stakes.invested)
    seats = _seats_to_act(tree.step, first=1 if street == PREFLOP else 0)
    values: dict[int, NDArray[np.float64]] = {}
    # A node's children have higher numbers, so going down meets them first.
    for node in range(len(tree.line) - 1, -1, -1):
        line = tree.line[node]
        if line >= 0:
            values[node] = line_values(street, np.full(size, line, np.uint8), stakes)
            continue
        fold, call, bet = (int(child) for child in tree.step[node])
        free = texts[tree.line[fold]].text in (("cf",) if street == PREFLOP else ("f", "cf"))
        choices = [values[child] for child in (call, bet, -1 if free else fold) if child >= 0]
        values[node] = np.max(choices, axis=0) if seats[node] == 0 else np.min(choices, axis=0)
    return values[0]


def _seats_to_act(step: NDArray[np.int16], first: int) -> list[int]:
    seats = [first] * len(step)
    for node in range(len(step)):
        for child in step[node]:
            if child >= 0:
                seats[child] = 1 - seats[node]
    return seats


def _deviators(street: int) -> NDArray[np.int8]:
    texts = [line.text for line in (POSTFLOP_LINES if street else PREFLOP_LINES)]
    return np.array([[first_to_leave(street, text, other) for other in texts] for text in texts], np.int8)


_DEVIATORS = (_deviators(0), _deviators(1))


def deviators(street: int, lines: NDArray[np.uint8], baseline: NDArray[np.uint8]) -> NDArray[np.int8]:
    """The seat that first left the baseline line, -1 if nobody did."""
    return _DEVIATORS[min(street, 1)][lines, baseline]
