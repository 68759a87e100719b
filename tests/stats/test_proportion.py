"""Games won: printed intervals, coverage by enumeration, and the exact sign test."""

import math

import numpy as np
import pytest
from scipy import stats

from luckless.errors import InputError
from luckless.stats.proportion import exact_interval, win_probability


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(0, 10, 0.0, 0.3085), (5, 10, 0.1871, 0.8129), (9, 10, 0.5550, 0.9975), (10, 10, 0.6915, 1.0)],
)
def test_printed_intervals(successes: int, trials: int, low: float, high: float) -> None:
    """Of the usual tables of exact 95 % binomial limits."""
    assert exact_interval(successes, trials) == pytest.approx((low, high), abs=5e-5)


def test_intervals_agree_with_scipy() -> None:
    for successes, trials in ((1, 3), (37, 80), (999, 1_000), (123_456, 1_000_000)):
        expected = stats.binomtest(successes, trials).proportion_ci(0.95, method="exact")
        assert exact_interval(successes, trials) == pytest.approx((expected.low, expected.high))


@pytest.mark.parametrize("games", [1, 7, 20, 60])
def test_coverage_is_never_below_95_percent(games: int) -> None:
    """By enumeration: for each true probability, the chance of all outcomes whose interval holds it."""
    intervals = np.array([exact_interval(wins, games) for wins in range(games + 1)])
    for truth in np.linspace(0.001, 0.999, 499):
        held = (intervals[:, 0] <= truth) & (truth <= intervals[:, 1])
        assert stats.binom.pmf(np.arange(games + 1)[held], games, truth).sum() >= 0.95


def test_sign_test_by_counting() -> None:
    """Nine to one: 2 * (10 + 1) of 2^10 ways are as uneven."""
    assert win_probability(9, 1).p_value == pytest.approx(22 / 1024)
    assert win_probability(5, 5).p_value == 1
    for wins in range(13):
        tail = sum(math.comb(12, k) for k in range(min(wins, 12 - wins) + 1)) / 2**12
        assert win_probability(wins, 12 - wins).p_value == pytest.approx(min(1, 2 * tail))


def test_draws_are_games_not_won_and_no_sign() -> None:
    result = win_probability(9, 1, 10)
    assert (result.probability, result.games) == (0.45, 20)
    assert result.ci95 == exact_interval(9, 20)
    assert result.p_value == win_probability(9, 1).p_value
    assert win_probability(0, 0, 3).p_value is None


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(InputError, match="no games"):
        win_probability(0, 0)
    with pytest.raises(InputError, match="games lost is -1"):
        win_probability(3, -1)
