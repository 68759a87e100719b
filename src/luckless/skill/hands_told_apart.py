"""Hands told apart by where a player sat and by how the pot was built, for tables of a verdict."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from luckless.histories.rows import positions
from luckless.rules.columns import UNKNOWN, HandColumns
from luckless.rules.replaying import Replay

POTS = ("no raise", "one raise", "two raises", "three raises or more")
"""Kinds of pots by the raises of the first street; blinds are no raises."""


POSITIONS = ("SB", "BB", "UTG", *(f"UTG+{place}" for place in range(1, 8)), "LJ", "HJ", "CO", "BTN")
"""Positions in the order in which they act after the flop."""

MOST_NAMED = 6
"""Players that a sentence names."""


def some_of(names: Sequence[str]) -> str:
    """The first names, and how many more there are, in words."""
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")


def groups_of(
    hands: HandColumns, played: Replay, rows: NDArray[np.int64], seats: NDArray[np.int64]
) -> dict[str, NDArray[np.str_]]:
    """The position of a player in some hands, and the kind of their pots."""
    first_street = hands.records.game.first_street
    counts = np.diff(hands.records.ends, prepend=0)
    owner = np.repeat(np.arange(len(hands)), counts)
    raises = (hands.records.actions > 0) & (played.steps.street == first_street)
    built = np.bincount(owner[raises], minlength=len(hands))[rows]
    return {
        "position": np.array(positions(hands.records.game))[seats],
        "pot": np.array(POTS)[np.minimum(built, len(POTS) - 1)],
    }


def hidden_hand(hands: HandColumns) -> str:
    """The first hand of which a hole card is unknown, and how many there are, in words; empty if there is none."""
    hidden = (hands.records.decks[:, : 2 * hands.records.game.seats] == UNKNOWN).any(axis=1)
    if not hidden.any():
        return ""
    number = int(hands.numbers[int(np.argmax(hidden))])
    share = f" (so in {int(hidden.sum()):,} of {len(hands):,} hands)" if len(hands) > 1 else ""
    return f"hand {number}: not all hole cards are known{share}"
