"""Resampled deals: intervals cover on simulated populations; cycles are found and not made up."""

import math

import numpy as np
import pytest

from luckless.errors import InputError
from luckless.rankings.cycles import find_cycles, p_values
from luckless.rankings.pair_values import PairValues, on_grid
from luckless.rankings.ranking import rank, rank_means
from luckless.rankings.true_skill import true_skill

SPREAD, LUCK = 2_000.0, 900.0


def simulated(rng: np.random.Generator, truth: np.ndarray, deals: int) -> PairValues:
    """Every pair plays the same deals; a part of the luck belongs to the deal and a player."""
    players = len(truth)
    luck = rng.normal(0, LUCK / math.sqrt(2), (deals, players))
    values = {
        (low, high): truth[low, high] + rng.normal(0, SPREAD, deals) + luck[:, low] - luck[:, high]
        for low in range(players)
        for high in range(low + 1, players)
    }
    return PairValues(players, values)


def true_table(rng: np.random.Generator, players: int, spread: float) -> np.ndarray:
    skill, extra = rng.normal(0, spread, players), rng.normal(0, spread, (players, players))
    return skill[:, None] - skill[None] + extra - extra.T


@pytest.mark.parametrize("spread", [0.0, 60.0, 250.0])
def test_intervals_cover_on_simulated_populations(spread: float) -> None:
    """150 populations of 5: means, the worst pairing and Elo lie in their 95 % intervals about that often."""
    from luckless.rankings.elo import elo
    from luckless.rankings.ranking import _of_games_won, _of_rows

    rng, times, players, deals = np.random.default_rng(int(spread) + 1), 150, 5, 300
    truth = true_table(rng, players, spread)
    off = np.where(np.eye(players, dtype=bool), np.nan, truth)
    chance = [[math.erf(value / math.hypot(SPREAD, LUCK) / math.sqrt(2)) for value in row] for row in truth]
    games = np.where(np.eye(players, dtype=bool), 0.0, 1e6)
    won = (np.array(chance) + 1) / 2 * games
    targets = {
        "mean": np.nanmean(off, axis=1), "worst": np.nanmin(off, axis=1), "elo": elo(won, games),
        "trueskill": true_skill(won, games),
    }  # fmt: skip
    covered = dict.fromkeys(targets, 0.0)
    for trial in range(times):
        values = simulated(rng, truth, deals)
        table, drawn = values.table, values.resampled(200, trial)
        found = {**_of_rows(table, drawn), **_of_games_won(table, drawn, values.deals.astype(float))}
        for key, target in targets.items():
            low, high = np.array(found[key].intervals).T
            covered[key] += float(((low <= target) & (target <= high)).mean()) / times
    assert 0.91 <= covered["mean"] <= 0.98
    assert 0.90 <= covered["elo"] <= 0.98
    assert 0.90 <= covered["trueskill"] <= 0.98
    assert 0.93 <= covered["worst"] <= 1.0


def test_common_deals_are_resampled_together() -> None:
    """Where two pairings share all their luck, their difference has no error, and resamples know it."""
    rng = np.random.default_rng(2)
    luck = rng.normal(0, 1_000, 400)
    values = {(0, 2): 50 + luck, (1, 2): 20 + luck, (0, 1): rng.normal(0, 1_000, 400)}
    together = PairValues(3, values).resampled(300).mean
    apart = PairValues(3, values, shared=False).resampled(300).mean
    assert (together[:, 0, 2] - together[:, 1, 2]).std() < 1e-9
    expected = 1_000 * math.sqrt(2 / 400)
    assert (apart[:, 0, 2] - apart[:, 1, 2]).std() == pytest.approx(expected, rel=0.2)
    assert together[:, 0, 2].std() == pytest.approx(1_000 / math.sqrt(400), rel=0.15)


def test_sums_of_resamples_are_exact_in_any_order() -> None:
    """Rounded to a grid, values add up to the same bits forwards and backwards; the mean does not notice."""
    rng = np.random.default_rng(6)
    won = rng.normal(3, 2_000, 5_000) / 3
    grid = on_grid(won)
    assert np.abs(grid - won).max() < 1e-6
    weights = rng.multinomial(5_000, np.full(5_000, 1 / 5_000)).astype(float)
    parts = weights * grid
    assert np.cumsum(parts)[-1] == np.cumsum(parts[::-1])[-1] == math.fsum(parts)
    assert on_grid(np.zeros(3)).tolist() == [0, 0, 0]
    plain, jittered = PairValues(2, {(0, 1): won}), PairValues(2, {(0, 1): won * (1 + 1e-15)})
    np.testing.assert_allclose(plain.resampled(20).mean, jittered.resampled(20).mean, rtol=1e-10)


def test_deals_that_are_all_equal_have_intervals_of_no_width() -> None:
    values = PairValues(3, {(0, 1): np.full(10, 187.51), (0, 2): np.full(10, 0.1) / 3, (1, 2): np.zeros(10)})
    for key in ("mean", "worst"):
        ranking = rank(values, resamples=10).by[key]
        np.testing.assert_allclose(
            np.array(ranking.intervals), np.array(ranking.values)[:, None] * [[1, 1]], atol=1e-9
        )


def test_who_won_a_deal_is_said_by_votes_where_values_are_estimates() -> None:
    values, money = np.array([3.0, 2.0, -1.0, 4.0]), np.array([-5.0, -5.0, 5.0, -5.0])
    judged = PairValues(2, {(0, 1): values}, votes={(0, 1): money})
    assert (judged.table.mean[0, 1], judged.table.score[0, 1]) == (2.0, -0.5)
    assert rank(judged, resamples=20).by["elo"].order == [1, 0]
    with pytest.raises(InputError, match="other numbers of values and of votes"):
        PairValues(2, {(0, 1): values}, votes={(0, 1): money[:2]})


def test_bundles_and_unequal_numbers_of_deals_keep_the_standard_error() -> None:
    rng = np.random.default_rng(3)
    values = PairValues(3, {(0, 1): rng.normal(0, 1, 50_000), (0, 2): rng.normal(0, 1, 5_000), (1, 2): np.zeros(0)})
    drawn = values.resampled(400).mean
    assert drawn[:, 0, 1].std() == pytest.approx(1 / math.sqrt(50_000), rel=0.15)
    assert drawn[:, 0, 2].std() == pytest.approx(1 / math.sqrt(5_000), rel=0.15)
    assert np.isnan(drawn[:, 1, 2]).all()
    assert not values.complete
    found = rank(values, resamples=20)
    assert set(found.by) == {"mean", "worst", "elo", "trueskill"}


def test_rankings_follow_the_order_of_players_and_ignore_exact_copies() -> None:
    rng = np.random.default_rng(4)
    truth = np.array([[0, 300, -300], [-300, 0, 300], [300, -300, 0.0]])
    plain = simulated(rng, truth, 2_000)
    copied = {**plain.values, (0, 3): plain.values[0, 2], (1, 3): plain.values[1, 2], (2, 3): np.zeros(2_000)}
    before, after = rank(plain, resamples=60), rank(PairValues(4, copied), resamples=60)
    for key in ("nash", "lottery"):
        one, other = before.by[key].values, after.by[key].values
        np.testing.assert_allclose((*other[:2], other[2] + other[3]), one, atol=1e-7)
        assert other[2] == pytest.approx(other[3], abs=1e-7)
    np.testing.assert_allclose(before.by["nash_rating"].values, after.by["nash_rating"].values[:3], atol=1e-5)
    moved = {(0, 1): -plain.values[0, 1], (0, 2): plain.values[1, 2], (1, 2): plain.values[0, 2]}
    swapped = rank(PairValues(3, moved), resamples=60)
    for key, ranking in before.by.items():
        np.testing.assert_allclose(
            np.array(swapped.by[key].values)[[1, 0, 2]], ranking.values, atol=1e-6, err_msg=key
        )
        np.testing.assert_allclose(np.array(swapped.by[key].intervals)[[1, 0, 2]], ranking.intervals, atol=1e-5)


def test_cycles_are_found_with_their_p_values() -> None:
    mean = np.array([[0, 100, -80, 300], [-100, 0, 90, 300], [80, -90, 0, 300], [-300, -300, -300, 0.0]])
    [cycle] = find_cycles(mean, np.full((4, 4), 10.0))
    assert cycle.players == (0, 1, 2)
    assert max(cycle.p_values) < 1e-10
    assert cycle.sentence(["A", "B", "C", "D"]) == "A beats B beats C beats A (each with p < 0.001)"
    assert find_cycles(mean, np.full((4, 4), 60.0)) == []


def test_a_cycle_of_four_is_found_where_its_chords_are_not_sure() -> None:
    mean = np.zeros((4, 4))
    for one in range(4):
        mean[one, (one + 1) % 4], mean[(one + 1) % 4, one] = 50, -50
    assert [cycle.players for cycle in find_cycles(mean, np.full((4, 4), 5.0))] == [(0, 1, 2, 3)]


def test_holm_errs_in_the_whole_table_as_seldom_as_it_says() -> None:
    rng, wrong = np.random.default_rng(5), 0
    for _ in range(1_000):
        upper = np.triu(rng.normal(size=(6, 6)), 1)
        wrong += bool((p_values(upper - upper.T, np.ones((6, 6)))[np.triu_indices(6, 1)] < 0.05).any())
    assert 30 <= wrong <= 70


def test_means_without_deals_are_ranked_by_their_standard_errors() -> None:
    mean = np.array([[np.nan, 100, 30], [-100, np.nan, 20], [-30, -20, np.nan]])
    found = rank_means(mean, np.full((3, 3), 5.0), resamples=200)
    assert set(found.by) == {"mean", "worst", "nash", "nash_rating", "alpha_rank"}
    assert found.by["mean"].values == pytest.approx((65, -40, -25))
    low, high = found.by["mean"].intervals[0]
    assert (high - low) / 2 == pytest.approx(1.96 * 5 / math.sqrt(2), rel=0.2)
    assert found.by["nash"].values == (1, 0, 0)


def test_values_that_are_not_finite_are_refused() -> None:
    with pytest.raises(InputError, match="pair 0, 1 of 2 players"):
        PairValues(2, {(0, 1): np.array([1.0, np.nan])})
