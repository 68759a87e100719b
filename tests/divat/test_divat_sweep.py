"""The sweep over settings: the same values as judging under each alone, paired with the base; settings files."""

import dataclasses
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from test_divat_logs import batch, hidden
from test_divat_matches import ABSURD

from luckless.divat import sweep
from luckless.divat.continuations import Valuation
from luckless.divat.judgement import judge
from luckless.divat.postflop import roll_out
from luckless.divat.settings import FLOP, SLIDES, STANDARD
from luckless.divat.settings import sweep as styles_of
from luckless.divat.settings_file import parse_settings, read_settings
from luckless.divat.style_rollouts import roll_out_styles
from luckless.divat.sweep import sweep_judgement
from luckless.errors import InputError

LOOSE, TIGHT = STANDARD.with_folds("loose-high", (FLOP,)), STANDARD.with_folds("tight-high", (FLOP,))


def test_flops_under_many_settings_are_those_under_each() -> None:
    rng = np.random.default_rng(5)
    cards = np.array([rng.permutation(52)[:7] for _ in range(6)])
    holes, boards = cards[:, :4].reshape(-1, 2, 2), np.pad(cards[:, 4:], ((0, 0), (0, 2)))
    settings = [STANDARD, SLIDES, LOOSE, ABSURD, STANDARD.with_bets("conservative-high", (2,))]
    together = roll_out_styles(holes, boards, settings)
    pots = np.tile(np.arange(1, 9), (6, 1))
    for some, values in zip(settings, together, strict=True):
        assert values == pytest.approx(roll_out(FLOP, holes, boards, pots, some).values, abs=1e-12)


def test_a_sweep_is_judging_under_each_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Alone, a setting without a table is valued by the shipped table and the same sampled flops."""
    monkeypatch.setattr(sweep, "sweep", lambda base: [base, LOOSE, TIGHT])
    monkeypatch.setattr("luckless.divat.position.SAMPLED_PAIRS", 10)  # it does not matter here
    columns = batch(("uniform", "raise"), 12)
    found = judge([columns])
    swept = sweep_judgement(found)
    assert (swept.hands, swept.drawn) == (12, False)
    skills = []
    for line in swept.swept:
        alone = judge([columns], Valuation(line.settings, sampled_flops=sweep.FLOPS))
        skills.append(alone.values["divat"])
        assert line.skill.mean == pytest.approx(alone.estimate("divat").mean, abs=1e-12)
        change = alone.values["divat"] - found.values["divat"]
        assert line.difference.mean == pytest.approx(change.mean(), abs=1e-12)
        assert line.difference.sd == pytest.approx(change.std(ddof=1), abs=1e-12)
    assert swept.average.mean == pytest.approx(np.mean(skills), abs=1e-12)
    assert swept.average.sd == pytest.approx(np.mean(skills, axis=0).std(ddof=1), abs=1e-12)
    assert swept.swept[1].difference.mean != 0


def test_the_base_of_a_sweep_is_what_was_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own row is exact; values of a sweep do not touch the position."""
    monkeypatch.setattr("luckless.divat.sampled.load_table", lambda settings: pytest.fail("the base has a table"))
    found = judge([batch(("uniform", "raise"), 6)], Valuation(SLIDES))
    monkeypatch.setattr(
        "luckless.divat.analysis.position_value", lambda valuation: pytest.fail("position in a sweep")
    )
    monkeypatch.setattr(sweep, "sweep", lambda base: styles_of(base)[:2])
    base, other = sweep_judgement(found).swept
    assert base.settings == SLIDES
    assert base.skill == found.estimate("divat")
    assert (base.difference.mean, base.difference.sd) == (0, 0)
    assert other.settings.ehr == "max"
    assert {settings.ehr for settings in styles_of(SLIDES)} == {"max"}


def test_a_sweep_draws_whole_sets_and_leaves_hidden_hands_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "sweep", lambda base: [base, LOOSE])
    columns = hidden(batch(("uniform", "raise"), 40, "duplicate"), [0, 7])
    for hands in (10, 30):
        swept = sweep_judgement(judge([columns]), most_hands=hands)
        assert (swept.hands, swept.drawn, swept.swept[1].skill.samples) == (hands, True, hands // 2)
    by_money = judge([columns], unknown="money")
    swept = sweep_judgement(by_money)
    assert swept.swept[0].skill == by_money.estimate("divat")
    assert swept.swept[1].skill.hands == 40
    with pytest.raises(InputError, match="2 or more"):
        sweep_judgement(by_money, most_hands=1)


def test_all_in_equity_is_swept_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "sweep", lambda base: [base, LOOSE])
    columns = batch(("uniform", "raise"), 12)
    swept = sweep_judgement(judge([columns], Valuation(equity="aie")))
    alone = judge([columns], Valuation(LOOSE, "aie"))
    assert swept.swept[1].skill.mean == pytest.approx(alone.estimate("divat").mean, abs=1e-12)


FILE = """\
name = "odd"
ehr = "max"

[fold_offsets]
turn = -0.05

[makes]
preflop = [0.5, 0.6, 0.7, 1]
"""


def test_a_settings_file() -> None:
    found = parse_settings(FILE, "x.toml", "x")
    expected = dataclasses.replace(
        STANDARD,
        name="odd",
        ehr="max",
        fold_offsets=(*STANDARD.fold_offsets[:2], Fraction("-0.05"), STANDARD.fold_offsets[3]),
        makes=((Fraction("0.5"), Fraction("0.6"), Fraction("0.7"), Fraction(1)), *STANDARD.makes[1:]),
    )
    assert found == expected
    assert parse_settings("", "x.toml", "x") == dataclasses.replace(STANDARD, name="x")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('name = "odd"', "name = 3"), "line 1: name is 3; allowed is a text"),
        (('ehr = "max"', 'ehr = "mean"'), "line 2: ehr is 'mean'; allowed is thesis or max"),
        (
            ("turn = -0.05", "tern = -0.05"),
            r"line 5: unknown key 'fold_offsets\.tern'; did you mean 'turn'\? Allowed are preflop, flop",
        ),
        (("turn = -0.05", "turn = true"), r"line 5: fold_offsets\.turn is True; allowed is a number"),
        (("turn = -0.05", "turn = -1.5"), r"line 5: fold_offsets\.turn is -1\.5; allowed is -1 to 1"),
        (("[0.5, 0.6, 0.7, 1]", "[0.5, 0.6]"), r"line 8: makes\.preflop is .*; allowed is a list of four"),
        (
            ("[0.5, 0.6, 0.7, 1]", "[0.5, 0.6, 0.55, 1]"),
            "line 8: the make thresholds of the preflop must not decrease",
        ),
        (("[makes]", "[make]"), "line 7: unknown key 'make'"),
        (("[makes]", "makes = 3\n[x]"), "unknown key 'x'|makes is 3; allowed is a table with"),
        (("turn = -0.05", "turn = "), "not valid TOML"),
        (("turn = -0.05", "turn = nan"), r"line 5: fold_offsets\.turn is nan; allowed is a number"),
        (("turn = -0.05", "turn = 1e-99999999"), "the exponent of 1e-99999999 is above 400"),
    ],
)
def test_wrong_settings_files_name_the_line(change: tuple[str, str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        parse_settings(FILE.replace(*change), "x.toml", "x")


def test_a_settings_file_that_is_not_there() -> None:
    with pytest.raises(InputError, match=r"cannot read the settings nothing\.toml"):
        read_settings(Path("nothing.toml"))
