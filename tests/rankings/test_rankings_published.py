"""Published cases of rankings to their digits, and what must not change them: copies, and the order of players."""

import itertools
import sys
import types
from typing import Any

import numpy as np
import pytest

from luckless.errors import InputError
from luckless.rankings.alpha_rank import alpha_rank, alpha_rank_of_populations, stationary
from luckless.rankings.elo import CENTRE, SCALE, elo
from luckless.rankings.true_skill import MEAN, PERFORMANCE, SPREAD, true_skill
from luckless.rankings.zero_sum import equilibrium, maximal_lottery, nash_average

ROCK_PAPER_SCISSORS = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])


@pytest.mark.parametrize(
    ("game", "shares", "ratings"),
    [
        ([[0, -1, -1], [1, 0, -1], [1, 1, 0]], (0, 0, 1), (-1, -1, 0)),
        (ROCK_PAPER_SCISSORS, (1 / 3, 1 / 3, 1 / 3), (0, 0, 0)),
        (
            [[0, 234, 34, -270], [-234, 0, -38, -464], [-34, 38, 0, -270], [270, 464, 270, 0]],
            (0, 0, 0, 1),
            (-270, -464, -270, 0),
        ),
        ([[0, 0, 5], [0, 0, 5], [-5, -5, 0]], (0.5, 0.5, 0), (0, 0, -5)),
        (
            [[0, 4.6, -4.6, -4.6], [-4.6, 0, 4.6, 4.6], [4.6, -4.6, 0, 0], [4.6, -4.6, 0, 0]],
            (1 / 3, 1 / 3, 1 / 6, 1 / 6),
            (0, 0, 0, 0),
        ),
    ],
)
def test_nash_averaging_gives_the_published_values(game: Any, shares: Any, ratings: Any) -> None:
    found = nash_average(np.array(game, float))
    np.testing.assert_allclose(found[0], shares, atol=1e-9)
    np.testing.assert_allclose(found[1], ratings, atol=1e-6)


def test_plain_averaging_changes_with_copies_where_nash_averaging_does_not() -> None:
    copied = np.array([[0, 4.6, -4.6, -4.6], [-4.6, 0, 4.6, 4.6], [4.6, -4.6, 0, 0], [4.6, -4.6, 0, 0]])
    np.testing.assert_allclose(copied.mean(axis=1), (-1.15, 1.15, 0, 0))


def test_maximal_lotteries_give_the_published_values() -> None:
    margins = np.array([[0.0, 1, 3], [-1, 0, 1], [-3, -1, 0]])
    np.testing.assert_allclose(maximal_lottery(margins), (1, 0, 0))
    np.testing.assert_allclose(maximal_lottery(ROCK_PAPER_SCISSORS), [1 / 3] * 3, atol=1e-12)


def test_an_inequality_outside_of_the_support_can_bind() -> None:
    """Three equal players, and a fourth that beats too much weight on the first: the mixture keeps that below."""
    game = np.zeros((4, 4))
    game[3, :3] = (2, -1, -0.5)
    game[:3, 3] = -game[3, :3]
    shares = equilibrium(game)
    first, second = np.meshgrid(np.linspace(0, 1, 801), np.linspace(0, 1, 801), indexing="ij")
    third = 1 - first - second
    allowed = (third >= 0) & (2 * first - second - 0.5 * third <= 1e-12)
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = [np.where(part > 0, part * np.log(part), 0.0) for part in (first, second, third)]
    entropy = np.where(allowed, -np.sum(parts, axis=0), -np.inf)
    best = np.unravel_index(entropy.argmax(), entropy.shape)
    np.testing.assert_allclose(shares[:2], (first[best], second[best]), atol=5e-3)
    assert shares[3] == 0
    assert abs(game[3] @ shares) < 1e-9


def random_game(rng: np.random.Generator, players: int) -> Any:
    upper = np.triu(rng.integers(-3, 4, (players, players)), 1).astype(float)
    return upper - upper.T


def test_games_with_many_equilibria_do_not_depend_on_rounding() -> None:
    """Small whole numbers tie often, so that inequalities just bind; the last digits of the game decide nothing."""
    rng = np.random.default_rng(5)
    for _ in range(80):
        players = int(rng.integers(3, 8))
        game, order = random_game(rng, players), rng.permutation(players)
        upper = np.triu(1e-14 * rng.normal(size=(players, players)), 1)
        shares = equilibrium(game)
        np.testing.assert_allclose(equilibrium(game + upper - upper.T), shares, atol=1e-11)
        np.testing.assert_allclose(equilibrium(game[np.ix_(order, order)]), shares[order], atol=1e-11)
        np.testing.assert_array_less(game @ shares, 1e-8)
        np.testing.assert_allclose(alpha_rank(1e6 * game + upper), alpha_rank(1e6 * game), atol=1e-12)


@pytest.mark.parametrize("seed", range(40))
def test_mixtures_are_equilibria_and_follow_the_order_and_the_copies_of_players(seed: int) -> None:
    rng = np.random.default_rng(seed)
    players = int(rng.integers(2, 8))
    game = random_game(rng, players)
    shares = equilibrium(game)
    assert abs(shares.sum() - 1) < 1e-9
    assert (shares >= 0).all()
    assert (game @ shares <= 1e-8).all()
    order = rng.permutation(players)
    np.testing.assert_allclose(equilibrium(game[np.ix_(order, order)]), shares[order], atol=1e-7)
    with_copy = [*range(players), int(rng.integers(players))]
    copied = equilibrium(game[np.ix_(with_copy, with_copy)])
    together = copied[:players].copy()
    together[with_copy[-1]] += copied[-1]
    ratings = game @ together
    np.testing.assert_allclose(np.maximum(ratings, 0), 0, atol=1e-8)
    assert copied[-1] == pytest.approx(copied[with_copy[-1]], abs=1e-7)
    if np.linalg.matrix_rank(game[np.ix_(shares > 0, shares > 0)]) == (shares > 0).sum() - 1:
        np.testing.assert_allclose(together, shares, atol=1e-7)


def test_a_right_guess_of_the_support_changes_nothing_and_a_wrong_one_is_not_believed() -> None:
    rng = np.random.default_rng(3)
    for _ in range(30):
        upper = np.triu(rng.normal(size=(6, 6)), 1)
        game = upper - upper.T
        plain = equilibrium(game)
        np.testing.assert_allclose(equilibrium(game, plain > 0), plain, atol=1e-9)
        np.testing.assert_allclose(equilibrium(game, rng.random(6) < 0.5), plain, atol=1e-9)


def han_payoffs() -> Any:
    """The 5 x 5 payoffs of T. A. Han, L. M. Pereira and T. Lenaerts (2013) that OpenSpiel tests with."""
    r, t, p, s, delta, eps = 1.0, 2.0, 0.0, -1.0, 4.0, 0.25
    return np.array(
        [
            [r - eps / 2, r - eps, 0, s + delta - eps, r - eps],
            [r, r, s, s, s],
            [0, t, p, p, p],
            [t - delta, t, p, p, p],
            [r, t, p, p, p],
        ]
    )


def test_alpha_rank_gives_the_published_values() -> None:
    found = alpha_rank(han_payoffs(), alpha=0.1, population=20)
    np.testing.assert_allclose(found, (0.40966787, 0.07959841, 0.20506998, 0.08505983, 0.2206039), atol=5e-9)


def test_alpha_rank_follows_the_order_of_strategies_and_finds_the_limit() -> None:
    order = np.array([3, 0, 4, 1, 2])
    plain = alpha_rank(han_payoffs(), alpha=0.1, population=20)
    moved = alpha_rank(han_payoffs()[np.ix_(order, order)], alpha=0.1, population=20)
    np.testing.assert_allclose(moved, plain[order], atol=1e-12)
    np.testing.assert_allclose(alpha_rank(ROCK_PAPER_SCISSORS), [1 / 3] * 3, atol=1e-12)
    best = alpha_rank(np.array([[0.0, -1, -1], [1, 0, -1], [1, 1, 0]]))
    assert best[2] > 0.99999


@pytest.fixture
def openspiel() -> Any:
    """OpenSpiel's own; its module draws pictures too, for which the library may be missing."""
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    name = "open_spiel.python.egt.alpharank_visualizer"
    sys.modules.setdefault(name, types.ModuleType(name))
    import open_spiel.python.egt as package

    package.alpharank_visualizer = sys.modules[name]
    from open_spiel.python.egt import alpharank

    return alpharank


def test_alpha_rank_agrees_with_openspiel(openspiel: Any) -> None:
    rng = np.random.default_rng(7)
    for players, alpha in itertools.product((2, 4, 6), (0.05, 0.7)):
        payoffs = rng.normal(size=(players, players))
        expected = openspiel.compute([payoffs], m=15, alpha=alpha, use_local_selection_model=False)[2]
        np.testing.assert_allclose(alpha_rank(payoffs, alpha=alpha, population=15), expected, atol=1e-9)


def test_alpha_rank_of_populations_agrees_with_openspiel(openspiel: Any) -> None:
    rng = np.random.default_rng(8)
    for shape in ((2, 2), (3, 4)):
        tables = [rng.normal(size=shape) for _ in shape]
        expected = openspiel.compute(tables, m=20, alpha=0.6)[2]
        found = alpha_rank_of_populations(tables, alpha=0.6, population=20)
        np.testing.assert_allclose(found.ravel(), expected, atol=1e-9)


def test_three_populations_match_a_chain_written_out() -> None:
    rng = np.random.default_rng(9)
    tables = [rng.normal(size=(2, 2, 2)) for _ in range(3)]
    steps = np.zeros((8, 8))
    for profile in itertools.product(range(2), repeat=3):
        for player in range(3):
            other = tuple(1 - one if place == player else one for place, one in enumerate(profile))
            push = 0.8 * (tables[player][other] - tables[player][profile])
            chance = (1 - np.exp(-push)) / (1 - np.exp(-10 * push))
            steps[int("".join(map(str, profile)), 2), int("".join(map(str, other)), 2)] = chance / 3
    full = steps + np.diag(1 - steps.sum(axis=1))
    power = np.linalg.matrix_power(full, 4096)[0]
    found = alpha_rank_of_populations(tables, alpha=0.8, population=10).ravel()
    np.testing.assert_allclose(found, power, atol=1e-9)


def test_the_stationary_distribution_is_kept_by_a_step() -> None:
    rng = np.random.default_rng(10)
    steps = rng.random((30, 30)) ** 8
    steps /= 2 * steps.sum(axis=1, keepdims=True)
    shares = stationary(steps)
    np.fill_diagonal(steps, 0)
    full = steps + np.diag(1 - steps.sum(axis=1))
    np.testing.assert_allclose(shares @ full, shares, atol=1e-14)


def test_elo_gives_400_points_for_odds_of_ten_to_one() -> None:
    many = 1e9
    won = np.array([[0, 10 / 11], [1 / 11, 0]]) * many
    ratings = elo(won, np.array([[0, many], [many, 0]]))
    assert ratings[0] - ratings[1] == pytest.approx(400, abs=1e-4)
    assert ratings.mean() == pytest.approx(CENTRE)


def test_elo_is_the_maximum_of_the_likelihood() -> None:
    from scipy.optimize import minimize

    rng = np.random.default_rng(11)
    games = np.triu(rng.integers(0, 40, (5, 5)), 1).astype(float)
    games += games.T
    won = np.triu(np.floor(games * rng.random((5, 5))), 1)
    won += np.tril(games - won.T, -1)
    met = games > 0

    def loss(strength: Any) -> float:
        gap = strength[:, None] - strength[None]
        own = np.where(met, won + 0.5, 0.0)
        return float((own * np.log1p(np.exp(-gap))).sum() + 1e-9 * (strength**2).sum())

    best = minimize(loss, np.zeros(5), method="BFGS", options={"gtol": 1e-9}).x
    np.testing.assert_allclose(elo(won, games), CENTRE + SCALE * (best - best.mean()), atol=0.01)


def test_true_skill_is_the_maximum_of_its_model() -> None:
    from scipy.optimize import minimize
    from scipy.stats import norm

    rng = np.random.default_rng(12)
    games = np.triu(rng.integers(0, 40, (5, 5)), 1).astype(float)
    games += games.T
    won = np.triu(np.floor(games * rng.random((5, 5)) * 2) / 2, 1)
    won += np.tril(games - won.T, -1)

    def loss(skill: Any) -> float:
        gap = (skill[:, None] - skill[None]) / (np.sqrt(2) * PERFORMANCE)
        return float(-(won * norm.logcdf(gap)).sum() - norm.logpdf(skill, 0, SPREAD).sum())

    best = minimize(loss, np.zeros(5), method="BFGS", options={"gtol": 1e-10}).x
    np.testing.assert_allclose(true_skill(won, games), MEAN + best, atol=1e-5)
    order = rng.permutation(5)
    swapped = true_skill(won[np.ix_(order, order)], games[np.ix_(order, order)])
    np.testing.assert_allclose(swapped, true_skill(won, games)[order], atol=1e-9)


def test_true_skill_agrees_with_the_package_after_many_games() -> None:
    """The package takes one game after the other, so that its numbers hang a little on their order."""
    package = pytest.importorskip("trueskill")
    rng, skills = np.random.default_rng(13), np.array([0.0, 3, 8, 9])
    system = package.TrueSkill(tau=0, draw_probability=0)
    ratings = [system.create_rating() for _ in skills]
    won, games = np.zeros((4, 4)), np.zeros((4, 4))
    plan = [pair for pair in itertools.combinations(range(4), 2) for _ in range(400)]
    rng.shuffle(plan)
    for one, other in plan:
        ahead = skills[one] - skills[other] + np.sqrt(2) * PERFORMANCE * rng.normal() > 0
        winner, loser = (one, other) if ahead else (other, one)
        ratings[winner], ratings[loser] = package.rate_1vs1(ratings[winner], ratings[loser], env=system)
        won[winner, loser] += 1
        games[winner, loser] += 1
        games[loser, winner] += 1
    found, expected = true_skill(won, games), np.array([rating.mu for rating in ratings])
    np.testing.assert_allclose(found - found.mean(), expected - expected.mean(), atol=0.35)
    np.testing.assert_allclose(found - found.mean(), skills - skills.mean(), atol=0.6)


def test_a_player_that_won_everything_has_a_finite_rating() -> None:
    won = np.array([[0.0, 50, 50], [0, 0, 25], [0, 25, 0]])
    ratings = elo(won, won + won.T)
    assert np.isfinite(ratings).all()
    assert ratings[0] > ratings[1] + 600
    assert np.isfinite(true_skill(1e9 * won, 1e9 * (won + won.T))).all()


@pytest.mark.parametrize(
    "call",
    [
        lambda: equilibrium(np.ones((2, 2))),
        lambda: equilibrium(np.ones((2, 3))),
        lambda: alpha_rank(np.ones((2, 3))),
        lambda: alpha_rank(np.zeros((2, 2)), alpha=-1.0),
        lambda: alpha_rank(np.zeros((2, 2)), alpha=1.0, population=1),
        lambda: alpha_rank_of_populations([np.zeros((2, 2))]),
        lambda: alpha_rank_of_populations([np.zeros((99, 99))] * 2),
        lambda: elo(np.zeros((2, 2)), np.zeros((3, 3))),
        lambda: true_skill(np.zeros((2, 2)), np.zeros((3, 3))),
    ],
)
def test_tables_that_are_none_are_refused(call: Any) -> None:
    with pytest.raises(InputError):
        call()


def test_a_table_in_which_a_barrier_ends_at_no_bound() -> None:
    """Several equilibria whose entropy is greatest inside all bounds, found in a season of eight agents."""
    above = [
        [0, -1, -1 / 2, 1, -5 / 9, -1, -1],
        [0, -1, 0, 1 / 2, 0, 1 / 3],
        [1 / 6, 1, 1 / 13, 0, -1],
        [5 / 9, 1 / 13, -1 / 2, -1 / 9],
        [-5 / 9, -1, -1],
        [-1 / 9, -3 / 5],
        [-1 / 7],
    ]
    margins = np.zeros((8, 8))
    for row, values in enumerate(above):
        margins[row, row + 1 :] = values
    margins -= margins.T
    shares = maximal_lottery(margins, support=np.isin(np.arange(8), (1, 3, 7)))
    assert shares.sum() == pytest.approx(1)
    assert (shares >= 0).all()
    assert (margins @ shares).max() < 1e-8
