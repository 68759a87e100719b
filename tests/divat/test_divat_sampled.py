"""Roll-outs before the flop from sampled flops: exact where nothing changes, unbiased where something does."""

from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from luckless.cards import parse_cards
from luckless.divat import position, sampled
from luckless.divat.analysis import analyse
from luckless.divat.continuations import Valuation
from luckless.divat.lines import NO_LINE, line_number
from luckless.divat.position import position_value
from luckless.divat.roe_table import load_table
from luckless.divat.settings import SLIDES, STANDARD, DivatSettings
from luckless.errors import InputError
from luckless.hands.pairs import pair_numbers

HOLES = np.array([[parse_cards("AcKc"), parse_cards("7h6h")], [parse_cards("9s8d"), parse_cards("QcJs")]])


def test_settings_that_differ_before_the_flop_only_need_no_correction() -> None:
    bold = STANDARD.with_bets("aggressive-high", streets=(0,))
    found = sampled.sampled_values(HOLES, bold, flops=2)
    table = load_table(STANDARD)
    assert table is not None
    exact = table.values(pair_numbers(HOLES[:, 0]), pair_numbers(HOLES[:, 1]))
    assert found.tolist() == exact.tolist()


def test_flops_depend_on_the_pair_and_the_seed_alone() -> None:
    loose = STANDARD.with_folds("loose-high")
    both = sampled.sampled_values(HOLES, loose, flops=2, seed=3)
    assert sampled.sampled_values(HOLES[1:], loose, flops=2, seed=3).tolist() == both[1:].tolist()
    assert sampled.sampled_values(HOLES, loose, flops=2, seed=4).tolist() != both.tolist()


def test_changes_are_averaged_over_the_flops_of_a_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    def numbered(holes: NDArray[np.int64], *_: object) -> NDArray[np.float64]:
        flops = np.tile(np.arange(len(holes), dtype=float)[:, None], 4)
        return np.stack([10 + 0 * flops, 10 + flops, 10 - flops])

    monkeypatch.setattr(sampled, "flop_values", numbered)
    changes = sampled.sampled_changes(HOLES, STANDARD, [SLIDES, SLIDES], flops=3)
    assert changes.tolist() == [[[1] * 4, [4] * 4], [[-1] * 4, [-4] * 4]]


def test_a_valuation_with_samples_judges_hands() -> None:
    lines = np.full((2, 4), NO_LINE)
    lines[:, 0] = line_number(0, "rrf")
    valuation = Valuation(STANDARD.with_folds("loose-high", (2,)), sampled_flops=1)
    with pytest.raises(InputError, match="no roll-out table"):
        analyse(HOLES, np.full((2, 5), -1), lines, Valuation(valuation.settings))
    found = analyse(HOLES, np.full((2, 5), -1), lines, valuation)
    assert found.money.tolist() == [2.0, 2.0]
    assert (found.actual[:, 0] - found.baseline[:, 0] == found.difference[:, 0]).all()


@pytest.mark.slow
def test_sampled_values_are_unbiased(monkeypatch: pytest.MonkeyPatch) -> None:
    # The slides' settings from the standard table and flops, against their own exact table: within five standard
    # errors of the mean of many independent samples. An error is 0.03 small bets or less, so with 95 % power this
    # notices a bias of 0.18; without the flops the value of the smallest pot would be off by 0.29.
    exact = load_table(SLIDES)
    assert exact is not None
    monkeypatch.setattr(sampled, "shipped_relative", lambda settings: STANDARD)
    rows = np.concatenate([sampled.sampled_values(HOLES[:1], SLIDES, flops=1, seed=seed) for seed in range(600)])
    expected = exact.values(pair_numbers(HOLES[:1, 0]), pair_numbers(HOLES[:1, 1]))[0]
    stderr = rows.std(axis=0, ddof=1) / np.sqrt(len(rows))
    assert (stderr > 0).all()
    assert (np.abs(rows.mean(axis=0) - expected) < 5 * stderr).all()


def test_the_position_of_settings_with_a_table_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(position, "SAMPLED_PAIRS", 60)  # any number: with a table the samples differ by nothing
    exact = position_value(Valuation(STANDARD))
    assert exact.value == pytest.approx(-0.1041, abs=5e-5)
    assert position_value.__wrapped__(Valuation(STANDARD, sampled_flops=1)) == pytest.approx(exact, abs=1e-12)


def test_a_sampled_position_says_how_far_it_may_be_off(monkeypatch: pytest.MonkeyPatch) -> None:
    # The slides' position from that of the standard settings and 400 flops; within five standard errors.
    monkeypatch.setattr(position, "SAMPLED_PAIRS", 400)
    monkeypatch.setattr(position, "shipped_relative", lambda settings: STANDARD)
    monkeypatch.setattr(sampled, "shipped_relative", lambda settings: STANDARD)
    found = position_value.__wrapped__(Valuation(SLIDES, sampled_flops=9))
    assert 0 < found.stderr < 0.1
    assert abs(found.value - position_value(Valuation(SLIDES)).value) < 5 * found.stderr


def test_no_flops_is_refused() -> None:
    with pytest.raises(InputError, match="too few"):
        sampled.sampled_values(HOLES, DivatSettings(makes=((Fraction(1),) * 4,) * 4), flops=0)
