"""The tables of hand rank over all suit-isomorphic situations: which there are, and how they are opened.

A situation's place is its `isomorphism.situation_number`. `ihr` holds half-counts (2 x beaten + tied) of the
opponents now, `hr7` those pooled over all completions of the board. On the river both are the same, and only `ihr`
is kept.
"""

import warnings
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.hands.table_file import TableError, TableSpec, open_table

FAMILY = "rank"
BUILD_COMMAND = f"luckless tables build {FAMILY}"

SITUATIONS = {3: 1_286_792, 4: 13_960_050, 5: 123_156_254}
"""How many situations of two hole cards and so many board cards there are; a test counts them."""

SPECS = {
    3: TableSpec("rank-flop", 1, (("hr7", "<u4", SITUATIONS[3]), ("ihr", "<u2", SITUATIONS[3]))),
    4: TableSpec("rank-turn", 1, (("hr7", "<u4", SITUATIONS[4]), ("ihr", "<u2", SITUATIONS[4]))),
    5: TableSpec("rank-river", 1, (("ihr", "<u2", SITUATIONS[5]),)),
}
"""The tables by the number of board cards. A change of their meaning needs a new version."""


class RankTable(NamedTuple):
    """Half-counts by situation number."""

    ihr: NDArray[np.uint16]
    hr7: NDArray[np.uint32] | NDArray[np.uint16]


def rank_table(board_cards: int) -> RankTable | None:
    """The table for boards of 3, 4 or 5 cards, or None if it has not been built.

    A file that cannot be used is named in a warning, and counts as not built.
    """
    spec = SPECS[board_cards]
    try:
        arrays = open_table(spec)
    except TableError as error:
        warnings.warn(f"{spec.path} is {error}; it is not used until '{BUILD_COMMAND}' rebuilds it", stacklevel=3)
        return None
    if arrays is None:
        return None
    return RankTable(arrays["ihr"], arrays.get("hr7", arrays["ihr"]))
