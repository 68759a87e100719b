"""The time of a whole season from the paces of a short one: sums that can be done by hand."""

import pytest

from luckless.bench.season import TENTH, Paces, season_seconds
from luckless.league.config import read_config, season_of


def test_tenth_is_the_sum_of_its_rounds_shared_out() -> None:
    season = season_of(read_config(TENTH), "tenth")
    paces = Paces({"qlearn-8": 1.0, "qlearn-all": 2.0, "sac-low": 4.0, "sac-high": 5.0}, 0.5, 0.25, 1e-6)
    climbing = [200 * (0.8 * lesson + 0.2 * 0.5) for lesson in (1.0, 2.0, 4.0, 5.0, 3.0)]
    training = sum(climbing) + 200 * 2.0  # the random division has no rounds of six teachers
    similar, direct, styles = 530 * 0.5, 5_151 * 0.25, 102 * 43_200 * 1e-6
    assert season_seconds(season, paces, 1) == pytest.approx(training + 2 * similar + direct + styles)
    assert season_seconds(season, paces, 2) == pytest.approx((training + 2 * similar + direct + styles) / 2)
    many = season_seconds(season, paces, 1_000)  # no shorter than the slowest division, then the longest evaluation
    assert many == pytest.approx(max(climbing) + similar)
