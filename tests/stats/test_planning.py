"""Planning: textbook figures, and the promised power found again in simulated matches."""

import numpy as np
import pytest

from luckless.errors import InputError
from luckless.stats.estimate import estimate
from luckless.stats.planning import detectable_edge, hands_needed, outlook, samples_needed

RUNS = 5_000
"""The standard error of a power of 80 % is 0.6 points: a plan that is 2.5 points off is found out 98 times in 100."""


def test_textbook_figures() -> None:
    """(1.959964 + 0.841621)^2 = 7.8489, and half of 1.959964^2 = 1.92."""
    assert samples_needed(1, 1) == 10  # 9.77
    assert samples_needed(1, 10) == 787  # 786.8
    assert hands_needed(100, 15_000) == 176_602
    assert hands_needed(100, 15_000, hands_per_sample=2) == 2 * 176_602
    assert samples_needed(-1, 10) == samples_needed(1, 10)


def test_more_certainty_and_smaller_edges_take_more_hands() -> None:
    assert samples_needed(50, 1_000) > samples_needed(100, 1_000)
    assert samples_needed(100, 1_000, power=0.9) > samples_needed(100, 1_000)
    assert samples_needed(100, 1_000, alpha=0.01) > samples_needed(100, 1_000)


@pytest.mark.parametrize(("edge", "power"), [(1.0, 0.8), (0.5, 0.9), (0.25, 0.8), (0.1, 0.8)])
def test_the_promised_power_is_found_in_play(edge: float, power: float) -> None:
    samples = samples_needed(edge, 1, power=power)
    matches = np.random.default_rng(1).normal(edge, 1, (RUNS, samples))
    intervals = np.array([estimate(row, unit="bb/h", method="money").ci95 for row in matches])
    assert (intervals[:, 0] > 0).mean() == pytest.approx(power, abs=0.02)


def test_detectable_edge_turns_the_plan_around() -> None:
    for edge in (1, 10, 250):
        samples = samples_needed(edge, 5_000)
        seen, missed = detectable_edge(samples, 5_000), detectable_edge(samples - 1, 5_000)
        assert seen is not None
        assert missed is not None
        assert seen <= edge < missed
    assert detectable_edge(1, 5_000) is None


def test_outlook_of_an_undecided_match() -> None:
    values = np.tile([-10.0, 10.4], 200)  # mean 0.2, sd 10.2 over 400 sets of two hands
    result = estimate(values, unit="bb/h", method="money", hands_per_sample=2)
    assert result.sd is not None
    view = outlook(result)
    assert view.more_hands == 2 * (samples_needed(result.mean, result.sd) - 400)
    assert view.detectable_edge == pytest.approx(1.43, abs=0.01)
    assert "80 % power at the 5 % level" in str(view)
    assert f"{view.more_hands:,} more hands" in str(view)


def test_a_match_that_is_long_enough_but_undecided_needs_more_all_the_same() -> None:
    """At 30 % power 400 samples are enough for an edge of 1.7 standard errors, but its interval holds 0 still."""
    result = estimate(np.tile([-1.0, 1.17], 200) * 10, unit="bb/h", method="money")
    assert result.sd is not None
    assert samples_needed(result.mean, result.sd, power=0.3) < 400
    assert outlook(result, power=0.3).more_hands == 1


def test_outlook_of_decided_and_undecidable_matches() -> None:
    rng = np.random.default_rng(2)
    won = outlook(estimate(rng.normal(1, 1, 400), unit="bb/h", method="money"))
    assert won.more_hands == 0
    assert "already" in str(won)
    even = outlook(estimate([0] * 50, unit="bb/h", method="money"))
    assert even.more_hands is None
    assert "measured edge of 0" in str(even)
    noise = outlook(estimate([1e-17 + 5, -5], unit="bb/h", method="money"))
    assert noise.more_hands is None
    single = outlook(estimate([5], unit="bb/h", method="money"))
    assert (single.detectable_edge, single.more_hands) == (None, None)
    assert "too small" in str(single)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"edge": 0, "sd": 1}, "number other than 0"),
        ({"edge": float("nan"), "sd": 1}, "finite number"),
        ({"edge": 1, "sd": -1}, "0 or more"),
        ({"edge": 1e-300, "sd": 1}, "no match is long enough"),
        ({"edge": 1, "sd": 1, "alpha": 0}, "alpha is 0"),
        ({"edge": 1, "sd": 1, "power": 1}, "power is 1"),
        ({"edge": 1, "sd": 1, "power": 0.01}, "between alpha"),
    ],
)
def test_impossible_plans_are_refused(settings: dict[str, float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        samples_needed(**settings)
