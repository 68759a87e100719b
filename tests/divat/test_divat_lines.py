"""Betting lines and the baseline: the printed tables, every line of a street, and actions split into streets."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from divat_twin import AFTER_FLOP, BEFORE_FLOP_POTS
from luckless.divat.baseline import BASELINE_BETS, BASELINE_FOLDS, BASELINE_LINES
from luckless.divat.lines import (
    AFTER_END,
    FIFTH_BET,
    NO_LINE,
    NOT_ACTION,
    POSTFLOP_LINES,
    PREFLOP_LINES,
    UNFINISHED,
    first_to_leave,
    line_number,
    lines_of,
    split_streets,
)
from luckless.errors import InputError
from luckless.histories.notation import write_line

# Rows small blind, columns big blind, both F, C, M1 to M4; the small blind acts first.
PREFLOP_TABLE = """
f  f  f  f    f    f
ck ck crc crc crc  crc
rf rc rc rrc  rrc  rrc
rf rc rc rrc  rrc  rrc
rf rc rc rrrc rrrc rrrc
rf rc rc rrrc rrrc rrrc
"""


def _cells(table: str) -> list[list[str]]:
    return [row.split() for row in table.strip().splitlines()]


def test_baseline_after_the_flop_is_table_3_1() -> None:
    for first, second in itertools.product(range(6), repeat=2):
        line = POSTFLOP_LINES[BASELINE_LINES[1][first, second]]
        assert write_line(1, line.text) == _cells(AFTER_FLOP)[first][second]


def test_baseline_before_the_flop() -> None:
    for small, big in itertools.product(range(6), repeat=2):
        line = PREFLOP_LINES[BASELINE_LINES[0][big, small]]  # seat 0 is the big blind
        assert write_line(0, line.text).lower() == _cells(PREFLOP_TABLE)[small][big]
        pot = _cells(BEFORE_FLOP_POTS)[small][big]
        if pot.isdigit():
            assert line.bets == (int(pot), int(pot))
        else:
            assert line.folder == (1 if pot == "-" else 0)
            assert line.bets[line.folder] == (0.5 if pot == "-" else 1.0)


def test_bets_of_the_baseline_are_a_sum_of_conditions() -> None:
    # What `flop_rollouts.add_up_bets` relies on.
    for a, b in itertools.product(range(6), repeat=2):
        if not BASELINE_FOLDS[a, b]:
            bets = (a >= 2 or b >= 2) + (a >= 2 and b >= 3) + (a >= 4 and b >= 3) + (a >= 4 and b >= 5)
            assert BASELINE_BETS[a, b] == bets
        else:
            assert BASELINE_BETS[a, b] == 0
            assert (a == 0) != (b == 0)
            assert max(a, b) >= 2


def _play(street: int, actions: str) -> tuple[list[float], int, bool] | None:
    """The bets of both seats, who folded, and whether the street is over; None if the actions are not allowed."""
    bets = [1.0, 0.5] if street == 0 else [0.0, 0.0]
    seat = 1 if street == 0 else 0
    acted = 0
    for place, action in enumerate(actions):
        over = acted >= 2 and bets[0] == bets[1]
        if over:
            return None
        if action == "f":
            return (bets, seat, True) if place == len(actions) - 1 else None
        bets[seat] = max(bets) + (action == "r")
        if max(bets) > 4:
            return None
        acted += 1
        seat = 1 - seat
    return bets, -1, acted >= 2 and bets[0] == bets[1]


@pytest.mark.parametrize("street", [0, 1])
def test_the_lines_are_all_that_can_be_played(street: int) -> None:
    expected = {}
    for length in range(1, 8):
        for actions in map("".join, itertools.product("fcr", repeat=length)):
            played = _play(street, actions)
            if played is not None and played[2]:
                expected[actions] = (tuple(played[0]), played[1])
    assert {line.text: (line.bets, line.folder) for line in lines_of(street)} == expected
    assert len(expected) == (15, 19)[street]


@given(st.lists(st.integers(0, 18), min_size=4, max_size=4), st.integers(1, 40))
def test_actions_are_split_into_their_lines(numbers: list[int], chips: int) -> None:
    lines, actions = [], []
    for street in range(4):
        line = lines_of(street)[numbers[street] % len(lines_of(street))]
        lines.append(line_number(street, line.text))
        actions += [{"f": -1, "c": 0, "r": chips}[letter] for letter in line.text]
        if line.folder >= 0:
            break
    found, problems = split_streets([[*actions, 77, 77]], [len(actions)])
    assert problems.tolist() == [0]
    assert found[0].tolist() == lines + [NO_LINE] * (4 - len(lines))


def test_bad_actions_are_named() -> None:
    rows = [
        [-1, 0, 0, 0, 0, 0],  # plays on after a fold
        [1, 1, 1, 1, 0, 0],  # the blind and four raises
        [0, 0, 1, 0, 0, 0],  # the turn is checked through, then nothing
        [0, 0, 1, 1, 1, 1],  # stops in the middle of the flop
        [0, -3, 0, 0, 0, 0],
        [-1, 0, 0, 0, 0, 0],
    ]
    lines, problems = split_streets(rows, [2, 5, 6, 6, 3, 1])
    assert problems.tolist() == [AFTER_END, FIFTH_BET, UNFINISHED, UNFINISHED, NOT_ACTION, 0]
    assert lines[5].tolist() == [line_number(0, "f"), NO_LINE, NO_LINE, NO_LINE]
    with pytest.raises(InputError, match="fit together"):
        split_streets(rows, [1, 2])


def test_who_left_the_line_first() -> None:
    assert first_to_leave(0, "rrc", "crc") == 1  # the small blind acts first before the flop
    assert first_to_leave(0, "crc", "cc") == 0
    assert first_to_leave(1, "crrc", "rc") == 0
    assert first_to_leave(1, "rc", "rf") == 1
    assert first_to_leave(1, "rrc", "rrrc") == 0
    assert first_to_leave(1, "rc", "rc") == -1


def test_a_line_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="rrrrr"):
        line_number(1, "rrrrrc")


def test_no_actions_at_all() -> None:
    lines, problems = split_streets(np.zeros((0, 3), np.int64), np.zeros(0, np.int64))
    assert lines.shape == (0, 4)
    assert len(problems) == 0
