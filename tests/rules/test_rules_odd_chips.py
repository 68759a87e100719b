"""Rule 21 of docs/rules.md: where the odd chips of a split pot go, in every arrangement of winners and folders."""

from itertools import combinations

import pytest

from engines import Engine
from luckless.rules.game import Rake
from spots import BROADWAY, LOW, deal, play, table

pytestmark = pytest.mark.interpreted


def antes_split(engine: Engine, winners: str) -> tuple[int, ...]:
    """What seats win or lose that put in an ante of 1 each: `w` plays on and ties with the others, `f` folds."""
    seats = len(winners)
    game = table("no-limit", [100] * seats, blinds=(0,), antes=(1,) * seats, unit=1)
    hand = deal(engine, game, holes=LOW, board=BROADWAY)
    for seat, what in enumerate(winners):
        assert hand.actor == seat
        play(hand, "c" if what == "w" else "f")
    return play(hand, "c " * (3 * winners.count("w"))).payoffs


# The last seat is the button. A winner's share less its ante of 1 is written below it; the odd chips go to the first
# winners in seat order, that is to the left of the button.


@pytest.mark.parametrize(
    ("winners", "expected"),
    [
        # 3 chips: 2 and 1.
        ("wwf", (1, 0, -1)),
        ("wfw", (1, -1, 0)),
        ("fww", (-1, 1, 0)),
        # 5 chips: 3 and 2.
        ("wwfff", (2, 1, -1, -1, -1)),
        ("wfwff", (2, -1, 1, -1, -1)),
        ("wffwf", (2, -1, -1, 1, -1)),
        ("wfffw", (2, -1, -1, -1, 1)),
        ("fwwff", (-1, 2, 1, -1, -1)),
        ("fwfwf", (-1, 2, -1, 1, -1)),
        ("fwffw", (-1, 2, -1, -1, 1)),
        ("ffwwf", (-1, -1, 2, 1, -1)),
        ("ffwfw", (-1, -1, 2, -1, 1)),
        ("fffww", (-1, -1, -1, 2, 1)),
    ],
)
def test_the_odd_chip_of_two_winners_in_each_position(
    engine: Engine, winners: str, expected: tuple[int, ...]
) -> None:
    assert antes_split(engine, winners) == expected


@pytest.mark.parametrize(
    ("winners", "expected"),
    [
        # 4 chips: 2, 1 and 1.
        ("wwwf", (1, 0, 0, -1)),
        ("wwfw", (1, 0, -1, 0)),
        ("wfww", (1, -1, 0, 0)),
        ("fwww", (-1, 1, 0, 0)),
    ],
)
def test_one_odd_chip_of_three_winners_in_each_position(
    engine: Engine, winners: str, expected: tuple[int, ...]
) -> None:
    assert antes_split(engine, winners) == expected


@pytest.mark.parametrize(
    ("winners", "expected"),
    [
        # 5 chips: 2, 2 and 1.
        ("wwwff", (1, 1, 0, -1, -1)),
        ("wwfwf", (1, 1, -1, 0, -1)),
        ("wwffw", (1, 1, -1, -1, 0)),
        ("wfwwf", (1, -1, 1, 0, -1)),
        ("wfwfw", (1, -1, 1, -1, 0)),
        ("wffww", (1, -1, -1, 1, 0)),
        ("fwwwf", (-1, 1, 1, 0, -1)),
        ("fwwfw", (-1, 1, 1, -1, 0)),
        ("fwfww", (-1, 1, -1, 1, 0)),
        ("ffwww", (-1, -1, 1, 1, 0)),
    ],
)
def test_two_odd_chips_of_three_winners_in_each_position(
    engine: Engine, winners: str, expected: tuple[int, ...]
) -> None:
    assert antes_split(engine, winners) == expected


@pytest.mark.parametrize(
    ("winners", "expected"),
    [
        # 5 chips: 2, 1, 1 and 1.
        ("wwwwf", (1, 0, 0, 0, -1)),
        ("wwwfw", (1, 0, 0, -1, 0)),
        ("wwfww", (1, 0, -1, 0, 0)),
        ("wfwww", (1, -1, 0, 0, 0)),
        ("fwwww", (-1, 1, 0, 0, 0)),
        # 6 chips: 2, 2, 1 and 1.
        ("wwwwff", (1, 1, 0, 0, -1, -1)),
        ("wwwfwf", (1, 1, 0, -1, 0, -1)),
        ("wwwffw", (1, 1, 0, -1, -1, 0)),
        ("wwfwwf", (1, 1, -1, 0, 0, -1)),
        ("wwfwfw", (1, 1, -1, 0, -1, 0)),
        ("wwffww", (1, 1, -1, -1, 0, 0)),
        ("wfwwwf", (1, -1, 1, 0, 0, -1)),
        ("wfwwfw", (1, -1, 1, 0, -1, 0)),
        ("wfwfww", (1, -1, 1, -1, 0, 0)),
        ("wffwww", (1, -1, -1, 1, 0, 0)),
        ("fwwwwf", (-1, 1, 1, 0, 0, -1)),
        ("fwwwfw", (-1, 1, 1, 0, -1, 0)),
        ("fwwfww", (-1, 1, 1, -1, 0, 0)),
        ("fwfwww", (-1, 1, -1, 1, 0, 0)),
        ("ffwwww", (-1, -1, 1, 1, 0, 0)),
    ],
)
def test_one_or_two_odd_chips_of_four_winners_in_each_position(
    engine: Engine, winners: str, expected: tuple[int, ...]
) -> None:
    assert antes_split(engine, winners) == expected


@pytest.mark.parametrize("folders", list(combinations(range(7), 3)))
def test_three_odd_chips_of_four_winners_in_each_position(engine: Engine, folders: tuple[int, ...]) -> None:
    # 7 chips: 2, 2, 2 and 1, the one chip for the winner nearest to the button.
    winners = [seat for seat in range(7) if seat not in folders]
    expected = [-1] * 7
    for seat in winners[:3]:
        expected[seat] = 1
    expected[winners[3]] = 0
    assert antes_split(engine, "".join("f" if seat in folders else "w" for seat in range(7))) == tuple(expected)


def test_the_odd_chip_of_two_seats_goes_to_the_one_that_is_not_the_button(engine: Engine) -> None:
    # A pot that ends odd heads-up: the third seat has folded its blind of 1.
    hand = deal(engine, table("no-limit", [20, 20, 20]), "c f" + " c" * 7, LOW, BROADWAY)
    assert hand.payoffs == (-1, 1, 0)
    # Two seats alone have an odd pot only by rake: 30 less 3 are 14 and 13.
    game = table("no-limit", [200, 200], rake=Rake(per_mille=100))
    assert deal(engine, game, "r15" + " c" * 7, LOW, BROADWAY).payoffs == (-1, -2)


def test_odd_chips_are_split_pot_by_pot(engine: Engine) -> None:
    # Seat 3 folds 6: the main pot is 20 over three winners, the side pot 7 + 7 + 1 over two.
    hand = deal(engine, table("no-limit", [5, 12, 12, 200]), "c r6 c c r12 f c", LOW, BROADWAY)
    assert hand.finished
    assert hand.payoffs == (7 - 5, 7 + 8 - 12, 6 + 7 - 12, -6)
