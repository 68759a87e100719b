"""The blackjack example: the thesis's two scores, and the dealer against plain counting."""

import runpy
from pathlib import Path
from typing import Any

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "blackjack.py"


@pytest.fixture(scope="module")
def blackjack() -> dict[str, Any]:
    return runpy.run_path(str(EXAMPLE))


@pytest.mark.parametrize(("each", "tens", "hit", "double"), [(16, 64, 0.1786, 0.1252), (10, 55, 0.2388, 0.2911)])
def test_the_thesis_values(blackjack: dict[str, Any], each: int, tens: int, hit: float, double: float) -> None:
    shoe = blackjack["without"](blackjack["shoe_of"](each, tens), 4, 5, 7)
    assert round(blackjack["ev_hit"](shoe, 9, False, 7), 4) == hit
    assert round(blackjack["ev_double"](shoe, 9, False, 7), 4) == double


def test_dealer_probabilities_add_up(blackjack: dict[str, Any]) -> None:
    for upcard in (1, 6, 10):
        totals = blackjack["dealer_totals"](blackjack["shoe_of"](4, 16), upcard)
        assert sum(totals.values()) == pytest.approx(1)
        assert set(totals) <= {17, 18, 19, 20, 21, 22}


def test_a_small_shoe_by_hand(blackjack: dict[str, Any]) -> None:
    # Dealer 9; the shoe holds two tens and one six. Hole ten (2/3): 19. Hole six: 15, then a ten busts.
    shoe = (0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2)
    totals = blackjack["dealer_totals"](shoe, 9)
    assert totals == pytest.approx({19: 2 / 3, 22: 1 / 3})
    assert blackjack["ev_stand"](shoe, 20, 9) == pytest.approx(1.0)
    assert blackjack["ev_stand"](shoe, 18, 9) == pytest.approx(-1 / 3)


def test_the_dealer_hits_soft_17(blackjack: dict[str, Any]) -> None:
    # Ace up, a six in the hole (tens would be a blackjack, which he does not have): soft 17 takes the four.
    shoe = (0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0)
    assert blackjack["dealer_totals"](shoe, 1) == pytest.approx({21: 1.0})
