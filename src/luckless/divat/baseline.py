"""The baseline: how two sensible players would bet a street, given the classes of their hands.

After the flop it is table 3.1 of Kan's thesis. Before the flop the thesis prints no table; this one is that of the
University of Alberta's later tool, in which the blind counts as the first of four bets.
"""

import numpy as np
from numpy.typing import NDArray

from luckless.divat.lines import POSTFLOP_LINES, POSTFLOP_NUMBERS, PREFLOP_NUMBERS

# Rows: the small blind's class F, C, M1..M4; columns: the big blind's. The small blind acts first.
_PREFLOP = """
    f   f   f   f    f    f
    cc  cc  crc crc  crc  crc
    rf  rc  rc  rrc  rrc  rrc
    rf  rc  rc  rrc  rrc  rrc
    rf  rc  rc  rrrc rrrc rrrc
    rf  rc  rc  rrrc rrrc rrrc
"""

# Rows: the class of the player who acts first (seat 0); columns: that of the second.
_POSTFLOP = """
    cc  cc  crf crf  crf  crf
    cc  cc  crc crc  crc  crc
    rf  rc  rc  rrc  rrc  rrc
    rf  rc  rc  rrc  rrc  rrc
    rf  rc  rc  rrrc rrrc rrrrc
    rf  rc  rc  rrrc rrrc rrrrc
"""


def _read(table: str, numbers: dict[str, int]) -> NDArray[np.uint8]:
    return np.array([[numbers[text] for text in row.split()] for row in table.strip().splitlines()], np.uint8)


BASELINE_LINES: tuple[NDArray[np.uint8], NDArray[np.uint8]] = (
    _read(_PREFLOP, PREFLOP_NUMBERS).T.copy(),
    _read(_POSTFLOP, POSTFLOP_NUMBERS),
)
"""The baseline line before [0] and after the flop [1], by the classes of seat 0 and seat 1."""

BASELINE_BETS: NDArray[np.int64] = np.array(
    [[int(min(POSTFLOP_LINES[line].bets)) for line in row] for row in BASELINE_LINES[1]], np.int64
)
"""Bets that each player adds to the pot in the baseline after the flop, by the classes of seat 0 and seat 1.

Where somebody folds it is 0: the bet that was not called goes back.
"""

BASELINE_FOLDS: NDArray[np.int64] = np.array(
    [[(0, -1, 1)[POSTFLOP_LINES[line].folder + 1] for line in row] for row in BASELINE_LINES[1]], np.int64
)
"""Who takes the pot by a fold in the baseline after the flop, as a sign for seat 0: 1 itself, -1 seat 1, 0 nobody."""
