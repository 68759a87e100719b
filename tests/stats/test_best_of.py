"""The bound of the best of several: how often it calls a player ahead where nobody is, by simulation."""

import numpy as np
import pytest
from numpy.typing import NDArray

from luckless.stats.estimate import best_of, estimate, interval95, quantile

RUNS, SAMPLES = 2_000, 400


def leaders(players: int, shape: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The mean and the standard error of whoever came out best, in matches of equal players; no chips come or go."""
    rng = np.random.default_rng(players)
    values = rng.normal(size=(RUNS, SAMPLES, players))
    if shape == "big pots":  # one hand in twenty is for ten times as much
        values *= np.where(rng.random((RUNS, SAMPLES, 1)) < 0.05, 10.0, 1.0)
    values -= values.mean(axis=2, keepdims=True)
    best = values.mean(axis=1).argmax(axis=1)
    picked = np.take_along_axis(values, best[:, None, None], axis=2)[:, :, 0]
    return picked.mean(axis=1), picked.std(axis=1, ddof=1) / np.sqrt(SAMPLES)


@pytest.mark.parametrize("shape", ["normal", "big pots"])
@pytest.mark.parametrize("players", [2, 6])
def test_the_best_of_equal_players_is_called_ahead_one_time_in_twenty(players: int, shape: str) -> None:
    """The standard error of the rate is half a point; rare big results make it smaller."""
    means, errors = leaders(players, shape)
    rate = float((means > quantile(1 - 0.05 / players, None) * errors).mean())
    assert 0.03 < rate < 0.065
    alone = float((means > quantile(0.975, None) * errors).mean())
    assert alone == rate if players == 2 else alone > 0.11  # what the interval of one player would do


def test_the_bound_is_that_of_the_interval_for_two() -> None:
    for samples in (5, 400):
        rate = estimate(np.arange(samples) % 7, unit="bb/h", method="money")
        assert rate.stderr is not None
        low = best_of(rate, 2)
        assert low == pytest.approx(interval95(rate.mean, rate.stderr, samples)[0])
        six = best_of(rate, 6)
        assert six is not None
        assert low is not None
        assert six < low
    assert best_of(estimate([3], unit="bb/h", method="money"), 6) is None
