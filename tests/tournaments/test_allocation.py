"""The rules by which hands are given out, over 1,000 simulated tournaments: they err as seldom as they say."""

import itertools
import math

import numpy as np
import pytest

from luckless.rankings.pair_values import Pair, PairValues
from luckless.tournaments.allocation import Fixed, Play, Precision, UntilRanked, allocate, difference_of_means

SPREAD, LUCK = 300.0, 200.0


def simulated(rng: np.random.Generator, skill: np.ndarray, most: int) -> Play:
    """Pairings that share the luck of their deals and can be played on."""
    luck = rng.normal(0, LUCK / math.sqrt(2), (most, len(skill)))
    own = {pair: rng.normal(0, SPREAD, most) for pair in itertools.combinations(range(len(skill)), 2)}

    def play(wanted: dict[Pair, int]) -> dict[Pair, np.ndarray]:
        return {
            (low, high): (skill[low] - skill[high] + own[low, high] + luck[:, low] - luck[:, high])[:deals]
            for (low, high), deals in wanted.items()
        }

    return play


PAIRS = list(itertools.combinations(range(4), 2))


@pytest.mark.parametrize("times", [60, pytest.param(1_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("gaps", "first"), [((0, 0, 0), 60), ((0, 40, 0), 60), ((60, 90, 150), 60), ((0, 0, 0), 1)])
def test_until_ranked_gives_a_wrong_order_in_at_most_a_twentieth_of_tournaments(
    gaps: tuple[float, ...], first: int, times: int
) -> None:
    """Tournaments of four bots; bots that are equal must not be told apart."""
    skill = np.concatenate([[0.0], np.cumsum(gaps)])
    rng, wrong, ranked, spent = np.random.default_rng(int(sum(gaps))), 0, 0, []
    rule = UntilRanked(most=1_500)
    for _ in range(times):
        values, looks = allocate(rule, 4, PAIRS, first, simulated(rng, skill, 1_500))
        unsure = set(rule.unranked(values, looks))
        order = np.argsort(-np.nanmean(values.table.mean, axis=1), kind="stable").tolist()
        claims = [pair for pair in itertools.pairwise(order) if pair not in unsure]
        wrong += any(skill[better] <= skill[worse] for better, worse in claims)
        ranked += not unsure
        spent.append(sum(map(len, values.values.values())))
    assert wrong <= times / 20
    if all(gaps):
        assert ranked >= 0.95 * times
        assert np.mean(spent) < 6 * 1_500 * 0.8  # hands go only where they decide


def test_few_deals_prove_nothing() -> None:
    """Results that are equal by chance have no spread; both rules ask for more of them first."""
    same = PairValues(2, {(0, 1): np.full(5, 100.0)})
    assert UntilRanked(most=1_000).unranked(same, 1) == [(0, 1)]
    assert UntilRanked(most=1_000).next_deals(same, 1) == {(0, 1): 20}
    assert Precision(50.0, most=1_000).next_deals(same, 1) == {(0, 1): 20}
    assert Precision(50.0, most=8).next_deals(same, 1) == {(0, 1): 8}
    many = PairValues(2, {(0, 1): np.full(20, 100.0)})
    assert UntilRanked(most=1_000).unranked(many, 1) == []
    assert Precision(50.0, most=1_000).next_deals(many, 1) == {}


def test_until_ranked_leaves_pairs_alone_that_are_sure() -> None:
    skill = np.array([0.0, 5, 2_000, 4_000])
    values, _ = allocate(UntilRanked(most=5_000), 4, PAIRS, 100, simulated(np.random.default_rng(1), skill, 5_000))
    deals = values.deals
    assert deals[2, 3] == 100
    assert deals[0, 1] > 1_000


@pytest.mark.slow
def test_precision_covers_and_is_as_narrow_as_asked_in_1000_tournaments() -> None:
    skill, rng = np.array([0.0, 30, 80]), np.random.default_rng(4)
    pairs = list(itertools.combinations(range(3), 2))
    covered = total = 0
    for _ in range(1_000):
        values, _ = allocate(Precision(20.0, most=100_000), 3, pairs, 50, simulated(rng, skill, 3_000))
        for low, high in pairs:
            won = values.values[low, high]
            half = 1.96 * won.std(ddof=1) / math.sqrt(len(won))
            assert half <= 20.001
            covered += abs(won.mean() - (skill[low] - skill[high])) <= half
            total += 1
    assert 0.935 <= covered / total <= 0.965


def test_precision_ends_with_the_hands_and_fixed_asks_for_nothing() -> None:
    play = simulated(np.random.default_rng(2), np.zeros(4), 300)
    values, _ = allocate(Precision(1.0, most=300), 4, PAIRS, 100, play)
    assert set(map(len, values.values.values())) == {300}
    values, looks = allocate(Fixed(), 4, PAIRS, 120, play)
    assert (set(map(len, values.values.values())), looks) == ({120}, 1)


@pytest.mark.parametrize("shared", [True, False])
def test_the_error_of_a_difference_of_means_is_that_of_simulation(shared: bool) -> None:
    rng, found, errors = np.random.default_rng(3), [], []
    for _ in range(400):
        play = simulated(rng, np.array([0.0, 10, 20, 30]), 300)
        several = play({pair: 100 + 50 * (pair[0] + 1) for pair in PAIRS})
        if not shared:
            several = {pair: rng.permutation(won) for pair, won in several.items()}
            several = {pair: simulated(rng, np.array([0.0, 10, 20, 30]), 300)({pair: len(won)})[pair]
                       for pair, won in several.items()}  # fmt: skip
        difference, error = difference_of_means(PairValues(4, several, shared), 1, 2)
        found.append(difference)
        errors.append(error)
    assert np.mean(errors) == pytest.approx(np.std(found), rel=0.1)
