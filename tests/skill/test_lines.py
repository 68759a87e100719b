"""Lines of what was won so far: few points, all of them right, the last hand among them."""

import numpy as np
import pytest

from luckless.skill.lines import MOST_POINTS, RunningLine


@pytest.mark.parametrize("sizes", [[1], [7, 0, 5], [999, 1], [1000, 3000, 17], [64] * 100])
def test_points_are_running_sums_wherever_batches_end(sizes: list[int]) -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(size=sum(sizes))
    line = RunningLine()
    for part in np.split(values, np.cumsum(sizes)[:-1]):
        line.add({"money": part, "twice": 2 * part})
    hands, sums = line.points()
    assert len(hands) <= MOST_POINTS + 1
    assert (hands[0], hands[-1]) == (0, len(values))
    assert np.all(np.diff(hands) > 0)
    exact = np.concatenate([[0.0], np.cumsum(values)])
    np.testing.assert_allclose(sums["money"], exact[hands], atol=1e-9)
    np.testing.assert_allclose(sums["twice"], 2 * exact[hands], atol=1e-9)
