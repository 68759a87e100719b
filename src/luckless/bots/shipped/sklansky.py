"""Starting hands by the groups of Sklansky and Malmuth, Hold'em Poker for Advanced Players (1999)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.bots.parameters import Parameter, place_of
from luckless.bots.shipped.simple import check_or_fold, raise_by_pot
from luckless.bots.shipped.win_rate import WIN_RATE
from luckless.hands.preflop import CLASSES, class_label
from luckless.hands.rank_source import class_number
from luckless.kernels import njit
from luckless.rules.actions import CALL

SKLANSKY_PARAMETERS = (
    *WIN_RATE,
    Parameter("group", 8, 1, 9, "The loosest group it plays in a pot nobody has raised; 9 is any hand.", True),
    Parameter("raised", 4, 1, 9, "The loosest group it plays against a raise; 9 is any hand.", True),
)
GROUP, RAISED = place_of(SKLANSKY_PARAMETERS, "group"), place_of(SKLANSKY_PARAMETERS, "raised")

GROUPS = (
    "AA KK QQ JJ AKs",
    "TT AQs AJs KQs AKo",
    "99 JTs QJs KJs ATs AQo",
    "T9s KQo 88 QTs 98s J9s AJo KTs",
    "77 87s Q9s T8s KJo QJo JTo 76s 97s A9s A8s A7s A6s A5s A4s A3s A2s 65s",
    "66 ATo 55 86s KTo QTo 54s K9s J8s 75s",
    "44 J9o 64s T9o 53s 33 98o 43s 22 K8s K7s K6s K5s K4s K3s K2s T7s Q8s",
    "87o A9o Q9o 76o 42s 32s 96s 85s J8o J7s 65o 54o 74s K9o T8o",
)
"""The hands of groups 1 to 8, best first; all others are group 9 here."""


def _group_of_class() -> NDArray[np.int8]:
    groups = {label: number + 1 for number, labels in enumerate(GROUPS) for label in labels.split()}
    return np.array([groups.get(class_label(number), len(GROUPS) + 1) for number in range(CLASSES)], np.int8)


_GROUP_OF_CLASS = _group_of_class()


@njit(cache=True, nogil=True)
def play_starting_hand(bot: Any, rules: Any, hand: Any, cards: NDArray[np.uint8]) -> Any:
    """Before the flop: plays the groups up to `group`, against a raise up to `raised`; checks or folds the rest.

    Groups 1 and 2 raise by the pot; against a raise only group 1 does. All else that is played calls.
    """
    group = _GROUP_OF_CLASS[class_number(cards)]
    raised = hand.bet > rules.big_blind
    if group > bot.parameters[RAISED if raised else GROUP]:
        return check_or_fold(hand)
    return raise_by_pot(hand, 1.0) if group <= (1 if raised else 2) else CALL
