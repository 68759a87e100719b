"""How much luck each seat had in each hand, in big blinds: what the cards moved beyond what had to be expected.

Where all hole cards are known it is the luck that the chance-only estimator takes out; elsewhere only that of cards
that came when players were all-in.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.rules.columns import HandColumns
from luckless.rules.replaying import replay
from luckless.skill.all_in import all_ins
from luckless.skill.by_steps import Chance
from luckless.skill.verdict import NOTHING


def luck_rows(hands: HandColumns) -> dict[str, NDArray[Any]]:
    """The luck of each seat as columns `luck_0`, `luck_1`, ... beside the key of the hand."""
    luck = hand_luck(hands)
    return {"hand": hands.keys, **{f"luck_{seat}": luck[:, seat] for seat in range(luck.shape[1])}}


def hand_luck(hands: HandColumns) -> NDArray[np.float64]:
    """The luck of each seat in each hand: shape (hands, seats)."""
    unit, values = hands.records.game.big_blind, hands.values()
    if Chance().lacks(hands, NOTHING):
        return (values - all_ins(hands, replay(hands.records)).expected) / unit
    luck = np.zeros(values.shape)
    for rows, seats, taken in Chance().luck_of_players(hands, NOTHING):
        luck[rows, seats] = taken / unit
    return luck
