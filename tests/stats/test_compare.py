"""The tests of two bots: the document's formula, scipy's answers, and the right size on simulated equal bots."""

import dataclasses
import json
import math

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from luckless.errors import InputError
from luckless.stats.compare import Comparison, compare_independent, compare_paired, compare_with_value
from luckless.stats.estimate import Estimate, estimate

RUNS = 5_000
"""A test of true size 5 % is measured outside 4-6 % once in 900 times, one of 7 % is found out 99 times in 100."""


def of(values: ArrayLike) -> Estimate:
    return estimate(values, unit="mbb/h", method="money")


def rejected(comparisons: list[Comparison]) -> float:
    return sum(comparison.p_value is not None and comparison.p_value < 0.05 for comparison in comparisons) / len(
        comparisons
    )


def test_formula_of_the_document() -> None:
    a = Estimate(80, 30, (21.2, 138.8), 10_000, 3_000, "mbb/h", "money", 10_000)
    b = Estimate(-20, 40, (-98.4, 58.4), 2_500, 2_000, "mbb/h", "money", 2_500)
    result = compare_independent(a, b)
    assert result.z == 100 / math.sqrt(3_000**2 / 10_000 + 2_000**2 / 2_500) == 2
    assert result.p_value == pytest.approx(0.0455003, abs=1e-7)
    assert result.superiority == pytest.approx(0.9772499, abs=1e-7)
    assert result.ci95 == pytest.approx((100 - 1.959964 * 50, 100 + 1.959964 * 50))
    assert result.degrees is None


@pytest.mark.parametrize(("n_a", "n_b"), [(5, 12), (40, 300)])
def test_small_unpaired_samples_are_welchs_test(n_a: int, n_b: int) -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(1, 5, n_a), rng.normal(0, 2, n_b)
    expected = stats.ttest_ind(a, b, equal_var=False)
    result = compare_independent(of(a), of(b))
    assert result.z == pytest.approx(expected.statistic)
    assert result.p_value == pytest.approx(expected.pvalue)
    assert result.degrees == pytest.approx(expected.df)
    assert result.ci95 == pytest.approx(tuple(expected.confidence_interval(0.95)))


def test_small_paired_and_single_samples_are_students_test() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.normal(1, 5, 30), rng.normal(0, 2, 30)
    paired = compare_paired(a, b, unit="mbb/h", method="money")
    single = compare_with_value(of(a - b))
    assert paired.p_value == pytest.approx(stats.ttest_rel(a, b).pvalue)
    assert (paired.z, paired.p_value, paired.ci95) == (single.z, single.p_value, single.ci95)
    assert single.ci95 == of(a - b).ci95
    shifted = compare_with_value(of(a - b), 2.5)
    assert shifted.p_value == pytest.approx(stats.ttest_1samp(a - b, 2.5).pvalue)
    assert shifted.superiority == pytest.approx(stats.ttest_1samp(a - b, 2.5, alternative="less").pvalue)


def test_exchanging_the_bots_turns_the_sign() -> None:
    rng = np.random.default_rng(3)
    a, b = of(rng.normal(1, 5, 500)), of(rng.normal(0, 2, 200))
    there, back = compare_independent(a, b), compare_independent(b, a)
    assert there.difference == -back.difference
    assert there.p_value == back.p_value
    assert there.superiority is not None
    assert back.superiority is not None
    assert there.superiority + back.superiority == pytest.approx(1)


def heavy(rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Small results, and a stack won or lost one time in fifty."""
    return np.where(rng.random(shape) < 0.02, rng.choice((-100.0, 100.0), shape), rng.normal(0, 2, shape))


def test_unpaired_test_has_the_right_size() -> None:
    rng = np.random.default_rng(4)
    pairs = [(heavy(rng, (1_500,)), rng.normal(0, 5, 400)) for _ in range(RUNS)]
    assert 0.04 <= rejected([compare_independent(of(a), of(b)) for a, b in pairs]) <= 0.06


@pytest.mark.parametrize("samples", [20, 1_000])
def test_paired_test_has_the_right_size_and_more_power(samples: int) -> None:
    """Equal bots on common decks, then A better by 3 standard errors of the difference. The shared luck of the cards
    is five times the rest, so that the unpaired test hardly ever sees what the paired one sees."""
    rng = np.random.default_rng(5)
    luck = rng.normal(0, 5, (RUNS, samples))
    a, b = luck + rng.normal(0, 1, luck.shape), luck + rng.normal(0, 1, luck.shape)
    equal = [compare_paired(*rows, unit="mbb/h", method="money") for rows in zip(a, b, strict=True)]
    assert 0.04 <= rejected(equal) <= 0.06
    a += 3 * math.sqrt(2 / samples)
    paired = [compare_paired(*rows, unit="mbb/h", method="money") for rows in zip(a, b, strict=True)]
    unpaired = [compare_independent(of(x), of(y)) for x, y in zip(a, b, strict=True)]
    assert rejected(paired) > 0.75
    assert rejected(unpaired) < 0.05


def test_a_match_seen_from_both_sides_is_not_two_samples() -> None:
    """In one match B's results are minus A's; the unpaired formula then finds "differences" far too often."""
    rng = np.random.default_rng(6)
    results = [of(row) for row in rng.normal(0, 5, (2_000, 200))]
    wrong = rejected([compare_independent(result, result.scaled(-1, "mbb/h")) for result in results])
    right = rejected([compare_with_value(result) for result in results])
    assert wrong > 0.13
    assert 0.035 <= right <= 0.065


def test_no_spread_and_single_samples_give_no_test() -> None:
    zeros = of([0] * 200)
    for result in (compare_with_value(zeros), compare_independent(zeros, zeros)):
        assert any("equal" in warning for warning in result.warnings)
        assert result.ci95 == (0.0, 0.0)
        assert [result.z, result.p_value, result.superiority] == [None] * 3
    single = compare_independent(of([1]), zeros)
    json.dumps(dataclasses.asdict(single), allow_nan=False)
    assert [single.stderr, single.ci95, single.p_value] == [None] * 3


def test_what_does_not_belong_together_is_refused() -> None:
    with pytest.raises(InputError, match="different units"):
        compare_independent(of([1, 2]), of([1, 2]).in_unit("bb/100"))
    with pytest.raises(InputError, match="A has 2, B has 3"):
        compare_paired([1, 2], [1, 2, 3], unit="mbb/h", method="money")
    with pytest.raises(InputError, match="result 1 "):
        compare_paired([1, float("nan")], [1, 2], unit="mbb/h", method="money")
