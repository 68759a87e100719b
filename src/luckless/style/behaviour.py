"""What players do, counted; and the two numbers that are made of it: aggression and tightness (Kaminsky and
Liebendörfer 2020, section 3.3.3, after Teófilo and Reis, arXiv 1301.5943).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.kernels import njit
from luckless.rules.actions import CALL, FOLD
from luckless.rules.engine import act, begin
from luckless.rules.records import HandArrays, Records
from luckless.rules.replaying import action_places
from luckless.rules.state import PUBLIC, encode

FOLDS, CALLS, CHECKS, RAISES = range(4)


class Behaviour(NamedTuple):
    """How often a player has folded, called, checked, and bet or raised."""

    folds: int
    calls: int
    checks: int
    raises: int

    @property
    def aggression(self) -> float | None:
        """Bets and raises for each call (formula 3.2), pressed into 0 to 1 (formula 3.3); None without either.

        One half is as many raises as calls; 1 is never a call.
        """
        active = self.raises + self.calls
        return self.raises / active if active else None

    @property
    def tightness(self) -> float | None:
        """Folds for each call, bet or raise (formula 3.4); None for a player who has done none of these."""
        active = self.raises + self.calls
        return self.folds / active if active else None


def behaviour_of(records: Records, players: NDArray[np.int8], count: int) -> NDArray[np.int64]:
    """The `Behaviour` of each of `count` players, shape (players, 4); `players` is who sat in each seat."""
    counts = np.zeros((count, 4), np.int64)
    _count(encode(records.game), records.arrays, players, counts)
    return counts


@njit(cache=True, nogil=True)
def _count(rules: NDArray[np.void], hands: HandArrays, players: Any, counts: Any) -> None:
    buffer = np.zeros(1, PUBLIC)  # a record does not keep its array alive: it is taken anew inside the loop
    for row in range(len(hands.ends)):
        hand = buffer[0]
        begin(rules[0], hand, hands.stacks[row])
        first, end = action_places(hands, row)
        for at in range(first, end):
            action = hands.actions[at]
            counts[players[row, hand.actor], kind_of(action, hand.to_call)] += 1
            act(rules[0], hand, action)


@njit(cache=True, nogil=True)
def kind_of(action: int, to_call: int) -> Any:
    """Which of the four an action is; a fold is a fold even where a check was free."""
    if action == FOLD:
        return FOLDS
    if action == CALL:
        return CALLS if to_call > 0 else CHECKS
    return RAISES
