"""What a DIVAT judgement says and draws: envelopes counted by hand, the right winner, what is saved."""

import dataclasses
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from test_divat_logs import batch, hidden, judged

from luckless.divat.continuations import Valuation
from luckless.divat.judgement import Judgement
from luckless.divat.plain_values import judgement_dict
from luckless.report import divat_report
from luckless.report.divat_report import bankroll_figure, rounds_figure
from luckless.report.divat_words import conclusion, judgement_rows, notes, round_rows


@pytest.fixture(scope="module")
def fresh() -> Judgement:
    return judged(batch(("uniform", "raise")))


def with_skill(found: Judgement, skill: NDArray[np.float64]) -> Judgement:
    """The same hands with another skill in each."""
    return dataclasses.replace(found, values=found.values | {"divat": skill})


def ends(figure: Any) -> list[float]:
    """Where the lines of a figure end, in the order in which they were drawn."""
    return [float(line.y[-1]) for line in figure.data]


def bound(samples: NDArray[np.float64]) -> float:
    """Half the width of the 95 % band of a sum of independent results."""
    return float(1.96 * samples.std(ddof=1) * np.sqrt(len(samples)))


def test_lines_end_at_the_totals_and_envelopes_at_the_spread_of_a_sum(fresh: Judgement) -> None:
    money, skill = fresh.values["money"], fresh.values["divat"]
    expected = [bound(money), -bound(money), money.sum(), bound(skill), -bound(skill), skill.sum()]
    assert ends(bankroll_figure(fresh)) == pytest.approx(expected, abs=2e-3)
    assert ends(rounds_figure(fresh)) == pytest.approx(fresh.rounds["divat"].sum(axis=0), abs=2e-3)


def test_envelopes_grow_with_the_root_of_the_hands(fresh: Judgement) -> None:
    upper = bankroll_figure(fresh).data[0]
    assert (upper.x[0], upper.y[0]) == (0, 0)
    assert upper.y[15] == pytest.approx(upper.y[60] / 2, abs=2e-3)


def test_envelopes_of_a_duplicate_match_are_those_of_its_sets() -> None:
    found = judged(batch(("uniform", "raise"), decks="duplicate"))
    sets = [found.values[name].reshape(-1, 2).sum(axis=1) for name in ("money", "divat")]
    lines = ends(bankroll_figure(found))
    assert [lines[0], lines[3]] == pytest.approx([bound(of) for of in sets], abs=2e-3)


def test_hands_that_are_left_out_do_not_widen_the_envelope() -> None:
    found = judged(hidden(batch(("uniform", "raise")), list(range(30))))
    shown = found.values["divat"][30:]
    upper = bankroll_figure(found).data[3]
    assert upper.y[30] == 0
    assert upper.y[60] == pytest.approx(bound(shown), abs=2e-3)


def test_a_long_line_is_thinned_but_true(fresh: Judgement, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(divat_report, "LINE_POINTS", 7)
    line = bankroll_figure(fresh).data[2]
    sums = np.append(0, np.cumsum(fresh.values["money"]))
    assert len(line.x) < 12
    assert line.x[-1] == 60
    assert list(line.y) == pytest.approx(sums[np.array(line.x)], abs=2e-3)


@pytest.mark.parametrize(
    ("mean", "said"),
    [
        (1.0, "uniform outplays raise by 1.000 ± "),
        (-1.0, "raise outplays uniform by 1.000 ± "),
        (0.1, "No difference in skill is shown: uniform +0.100 ± "),
    ],
)
def test_the_conclusion_names_the_better_player(fresh: Judgement, mean: float, said: str) -> None:
    found = with_skill(fresh, mean + np.tile([2.0, -2.0], 30))
    assert conclusion(found).startswith(said)
    assert f"the money says {fresh.values['money'].mean():+.3f} ± " in conclusion(found)
    assert conclusion(found).endswith(" for uniform.")


def test_what_is_saved_is_said_either_way(fresh: Judgement) -> None:
    money = fresh.values["money"]
    assert notes(with_skill(fresh, money / 2))[0] == (
        "DIVAT divides the variance by 4.0: 60 hands tell as much as 240 judged by money."
    )
    assert (
        "variance is 4.0 times that of money: 60 hands tell only as much as 15"
        in notes(with_skill(fresh, money * 2))[0]
    )
    assert judgement_dict(with_skill(fresh, money / 2))["saving"] == pytest.approx(
        {"variance_ratio": 4, "hands_worth": 240, "hands_saved": 180}
    )


def test_rounds_add_up_to_the_whole(fresh: Judgement) -> None:
    result = judgement_dict(fresh)
    for measure in ("divat", "luck", "lfat", "evat", "redgreen", "redgreen_opponent", "round_ev", "fold_equity"):
        for figure in ("mean", "total"):
            parts = [part[figure] for part in result[measure]["by_round"]]
            assert sum(parts) == pytest.approx(result[measure][figure], abs=1e-9)
    river = round_rows(fresh)[3]
    assert (river[0], river[1]) == ("river", f"{fresh.rounds['divat'][:, 3].mean():+.3f}")
    skill = judgement_rows(fresh)[1]
    assert skill[1] == f"{fresh.values['divat'].mean():+.3f}"
    assert skill[3] == f"{fresh.values['divat'].std(ddof=1):.3f}"


def test_lfat_has_a_row_of_its_own_where_it_is_not_the_luck(fresh: Judgement) -> None:
    by_equity = dataclasses.replace(fresh, valuation=Valuation(equity="aie"))
    assert [row[0] for row in judgement_rows(fresh)][2:4] == ["luck of the cards (LFAT)", "position"]
    assert [row[0] for row in judgement_rows(by_equity)][2:5] == ["luck of the cards", "LFAT", "position"]
