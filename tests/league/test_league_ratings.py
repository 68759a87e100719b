"""TrueSkill against the package that the thesis used, on games of every shape, and where that package gives up."""

import math

import numpy as np
import pytest
import trueskill
from scipy.stats import norm

from luckless.league.ratings import (
    BETA,
    START_MU,
    START_SIGMA,
    Ratings,
    Standings,
    shift_of_draw,
    shift_of_win,
)

AGENTS = 12


def _games(seed: int, count: int, levels: int) -> list[tuple[list[int], list[int]]]:
    """Rounds of two to six agents; few levels make many draws."""
    random = np.random.default_rng(seed)
    strength = random.normal(0, 1, AGENTS)
    games = []
    for _ in range(count):
        agents = random.choice(AGENTS, random.integers(2, 7), replace=False)
        scores = np.round((strength[agents] + random.normal(0, 0.5, len(agents))) * levels).astype(int)
        games.append((agents.tolist(), scores.tolist()))
    return games


def _standings(games: list[tuple[list[int], list[int]]]) -> Standings:
    ends = np.cumsum([len(agents) for agents, _ in games])
    return Standings(ends, np.concatenate([a for a, _ in games]), np.concatenate([s for _, s in games]))


@pytest.mark.parametrize("levels", [2, 1000])
def test_ratings_are_those_of_the_package(levels: int) -> None:
    games = _games(levels, 60, levels)
    # The package's own normal curve is off by 1e-7; scipy's is not.
    package = trueskill.TrueSkill(mu=START_MU, sigma=START_SIGMA, beta=BETA, backend="scipy")
    expected = [package.create_rating() for _ in range(AGENTS)]
    for agents, scores in games:
        rated = package.rate([(expected[agent],) for agent in agents], ranks=[-score for score in scores])
        for agent, (rating,) in zip(agents, rated, strict=True):
            expected[agent] = rating
    ours = Ratings.start(AGENTS)
    ours.update(_standings(games))
    np.testing.assert_allclose(ours.mu, [rating.mu for rating in expected], rtol=1e-11)
    np.testing.assert_allclose(ours.sigma, [rating.sigma for rating in expected], rtol=1e-11)


def test_history_ends_in_the_final_ratings_and_pieces_give_the_same() -> None:
    games = _games(3, 40, 1000)
    whole, pieces = Ratings.start(AGENTS), Ratings.start(AGENTS)
    history = whole.update(_standings(games))
    parts = [pieces.update(_standings([game])) for game in games]
    assert np.array_equal(whole.mu, pieces.mu)
    assert np.array_equal(whole.sigma, pieces.sigma)
    assert np.array_equal(history, np.concatenate(parts))
    last = {agent: tuple(row) for agent, row in zip(_standings(games).agents.tolist(), history, strict=True)}
    assert all((whole.mu[agent], whole.sigma[agent]) == row for agent, row in last.items())


def test_the_order_in_which_entrants_are_listed_is_nothing() -> None:
    one, other = Ratings.start(4), Ratings.start(4)
    one.update(Standings(np.array([4]), np.array([0, 1, 2, 3]), np.array([5, -2, 9, 0])))
    other.update(Standings(np.array([4]), np.array([2, 3, 0, 1]), np.array([9, 0, 5, -2])))
    np.testing.assert_allclose(one.mu, other.mu, rtol=1e-13)


@pytest.mark.parametrize("ahead", [-45.0, -12.0, -10.0001, -9.9999, -3.0, 0.0, 2.0, 30.0])
def test_shift_of_a_win_is_the_mean_of_the_curve_cut_off(ahead: float) -> None:
    v, w = shift_of_win(ahead, 0.3)
    x = ahead - 0.3
    exact = math.exp(norm.logpdf(x) - norm.logcdf(x))
    assert v == pytest.approx(exact, rel=1e-9)
    assert w == pytest.approx(exact * (exact + x), rel=1e-5, abs=1e-12)


@pytest.mark.parametrize("ahead", [-25.0, -9.0, -0.5, 0.0, 0.2, 4.0, 15.0])
def test_shift_of_a_draw_is_the_mean_of_the_curve_in_the_margin(ahead: float) -> None:
    margin = 0.4
    v, w = shift_of_draw(ahead, margin)
    points = np.linspace(-margin - ahead, margin - ahead, 20_001)
    weights = np.exp(-(points**2 - np.min(np.abs(points)) ** 2) / 2)
    mean = np.trapezoid(points * weights, points) / np.trapezoid(weights, points)
    spread = np.trapezoid((points - mean) ** 2 * weights, points) / np.trapezoid(weights, points)
    assert v == pytest.approx(mean, rel=1e-6, abs=1e-9)
    assert w == pytest.approx(1 - spread, rel=1e-6)


def test_the_greatest_upset_is_rated_where_the_package_gives_up() -> None:
    ratings = Ratings(np.array([1000.0, 0.0]), np.array([1.0, 1.0]))
    ratings.update(Standings(np.array([2]), np.array([0, 1]), np.array([0, 1])))
    assert np.isfinite(ratings.mu).all()
    assert ratings.mu[0] < 1000
    assert ratings.mu[1] > 0
    ratings.update(Standings(np.array([2]), np.array([0, 1]), np.array([7, 7])))
    assert np.isfinite(ratings.mu).all()


def test_an_agent_alone_in_a_round_is_not_rated() -> None:
    ratings = Ratings.start(2)
    history = ratings.update(Standings(np.array([1]), np.array([1]), np.array([3])))
    assert history.tolist() == [[START_MU, START_SIGMA]]
