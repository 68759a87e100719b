"""DIVAT of one stored hand of heads-up limit: what the baseline would have done on each street, skill and luck.

It knows the cards of both, so it is for eyes that may see them.
"""

from collections.abc import Iterator
from typing import Any

from luckless.divat.hand import HandReport, report_hand
from luckless.histories.hand_detail import HandDetail
from luckless.histories.notation import WrittenHand
from luckless.rules.actions import CALL, FOLD
from luckless.rules.columns import UNKNOWN, HandColumns
from luckless.rules.game import BOARD_CARDS
from luckless.skill.by_divat import is_heads_up_limit

FIRST_SEAT = 0
"""Whose values DIVAT tells; those of the other are their opposites."""


def hand_divat(columns: HandColumns, hand: HandDetail) -> HandReport | None:
    """The judgement of one hand (a batch of one); None in other games, or where cards are not known."""
    known = UNKNOWN not in (*hand.hole(0), *hand.hole(1), *hand.board) if hand.game.seats == 2 else False
    if not known or not hand.steps or not is_heads_up_limit(columns):
        return None
    streets = hand.steps[-1].street + 1
    lines = [
        "".join(_letter(step.action) for step in hand.steps if step.street == street) for street in range(streets)
    ]
    board = hand.board[: BOARD_CARDS[streets - 1]]
    return report_hand(WrittenHand((hand.hole(0), hand.hole(1)), list(board), lines, FIRST_SEAT))


def street_divat(report: HandReport, street: int) -> dict[str, Any] | None:
    """One street: the baseline's actions, and what skill and luck were for each seat, in small bets."""
    if street >= len(report.streets):
        return None
    told = report.streets[street]
    return {
        "baseline": list(_in_words(told.baseline)),
        "skill": [told.difference, 0.0 - told.difference],
        "luck": [told.luck, 0.0 - told.luck],
    }


def _letter(action: int) -> str:
    return "f" if action == FOLD else "c" if action == CALL else "r"


def _in_words(line: str) -> Iterator[dict[str, Any]]:
    """A line in the notation's letters as seats and words; small letters are the first player's."""
    words = {"f": "folds", "k": "checks", "c": "calls", "b": "bets", "r": "raises"}
    for letter in line:
        if letter.lower() in words:  # the letters of the blinds are no actions
            yield {"seat": FIRST_SEAT if letter.islower() else 1 - FIRST_SEAT, "does": words[letter.lower()]}
