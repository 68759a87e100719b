"""Units of win rates: the win-rate document's conversions, round trips, and what is refused."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from luckless.errors import InputError
from luckless.stats.units import UNITS, convert, unit_factor


@pytest.mark.parametrize(
    ("value", "source", "target", "expected"),
    [
        (150, "mbb/h", "bb/100", 15),
        (15, "bb/100", "mbb/h", 150),
        (100, "mbb/h", "bb/h", 0.1),
        (10, "bb/100", "bb/h", 0.1),
        (1, "bb/h", "mbb/h", 1000),
    ],
)
def test_conversions_of_the_document(value: float, source: str, target: str, expected: float) -> None:
    assert convert(value, source, target) == expected


def test_chips_and_small_bets() -> None:
    # Limit with blinds 5/10 and bets 10/20: a small bet is a big blind. With blinds 10/15 and bets 30/60 it is two.
    assert convert(5, "chips/h", "sb/h", small_bet=10) == 0.5
    assert convert(1, "sb/h", "mbb/h", small_bet=10, big_blind=10) == 1000
    assert convert(1, "sb/h", "bb/h", small_bet=30, big_blind=15) == 2
    assert convert(250, "chips/h", "mbb/h", big_blind=100) == 2500


@given(
    st.sampled_from(list(itertools.permutations(UNITS, 3))),
    st.floats(-1e6, 1e6),
    st.integers(1, 10_000),
    st.integers(1, 10_000),
)
def test_round_trips_and_detours(units: tuple[str, str, str], value: float, big_blind: int, small_bet: int) -> None:
    first, second, third = units

    def go(amount: float, source: str, target: str) -> float:
        return convert(amount, source, target, big_blind=big_blind, small_bet=small_bet)

    assert go(go(value, first, second), second, first) == pytest.approx(value, rel=1e-14, abs=1e-300)
    assert go(go(value, first, third), third, second) == pytest.approx(
        go(value, first, second), rel=1e-14, abs=1e-300
    )


def test_wrong_units_and_sizes_are_refused() -> None:
    with pytest.raises(InputError, match=r"unknown unit 'mbb'.*mbb/h"):
        unit_factor("mbb", "bb/h")
    with pytest.raises(InputError, match="needs the size of the big blind"):
        unit_factor("chips/h", "mbb/h")
    with pytest.raises(InputError, match="needs the size of the small bet"):
        unit_factor("bb/h", "sb/h", big_blind=10)
    for size in (0, -1, float("nan"), float("inf")):
        with pytest.raises(InputError, match="a finite number above 0"):
            unit_factor("chips/h", "bb/h", big_blind=size)
