"""`value-bet` against itself in heads-up limit plays the baseline of DIVAT, street by street and class by class."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from luckless.bots.catalogue import load_bot
from luckless.divat.baseline import BASELINE_LINES
from luckless.divat.lines import NO_LINE, lines_of, split_streets
from luckless.divat.settings import CLASSES, STANDARD
from luckless.hands.rank import HR7_UNITS, IHR_UNITS, ranks
from luckless.matches.match import Match
from luckless.rules.game import BOARD_CARDS, Game
from luckless.rules.records import Records

HANDS = 600
SMALL_BET = 10
BET_SIZES = (10, 10, 20, 20)


def played() -> Records:
    match = Match.plan(Game.load("limit-hu"), [load_bot("value-bet")] * 2, hands=HANDS, seed=21, decks="fresh")
    return Records.joined([chunk.records for chunk in match.chunks()])


def class_of(street: int, invested: int, ihr: int, hr7: int) -> int:
    """The class of a hand from its half-counts."""
    now, later = Fraction(ihr, IHR_UNITS[street]), Fraction(hr7, HR7_UNITS[street])
    return STANDARD.class_of(street, invested, STANDARD.effective_rank.of(street, now, later))


@pytest.mark.filterwarnings("ignore:table rank-flop is not built")
def test_every_street_is_the_baseline_line_of_the_two_classes() -> None:
    records = played()
    actions = np.zeros((HANDS, int(np.diff(records.ends, prepend=0).max())), np.int64)
    for hand in range(HANDS):
        made = records.actions_of(hand)
        actions[hand, : len(made)] = made
    lines, problems = split_streets(actions, np.diff(records.ends, prepend=0))
    assert not problems.any()
    chips = np.full(HANDS, SMALL_BET)
    seen: Counter[tuple[bool, str, str]] = Counter()
    for number in range(4):
        rows = np.flatnonzero(lines[:, number] != NO_LINE)
        board = records.decks[rows, 4 : 4 + BOARD_CARDS[number]]
        counts = [ranks(records.decks[rows, 2 * seat : 2 * seat + 2], board) for seat in range(2)]
        for place, row in enumerate(rows):
            classes = [
                class_of(number, int(chips[row]) // SMALL_BET, int(part.ihr[place]), int(part.hr7[place]))
                for part in counts
            ]
            wanted = BASELINE_LINES[min(number, 1)][classes[0], classes[1]]
            assert lines[row, number] == wanted, (row, number, [CLASSES[part] for part in classes])
            seen[number > 0, CLASSES[classes[0]], CLASSES[classes[1]]] += 1
            bets = min(lines_of(number)[lines[row, number]].bets)
            chips[row] = bets * BET_SIZES[0] if number == 0 else chips[row] + bets * BET_SIZES[number]
    # Nearly all of the 36 pairs of classes have come up, before the flop and after it.
    assert len([key for key in seen if key[0]]) > 25
    assert len([key for key in seen if not key[0]]) > 20
