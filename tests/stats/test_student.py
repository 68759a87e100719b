"""Student's law against SciPy's."""

import subprocess
import sys

import pytest
from scipy.special import stdtr, stdtrit

from luckless.stats.estimate import quantile
from luckless.stats.student import student_below, student_quantile

DEGREES = (*range(1, 40), 98, 99, 500, 10_000)


@pytest.mark.parametrize("degrees", DEGREES)
def test_quantiles_are_those_of_scipy(degrees: int) -> None:
    for probability in (0.001, 0.025, 0.4, 0.6, 0.9, 0.975, 0.995, 0.9999, 1 - 1e-9):
        assert student_quantile(probability, degrees) == pytest.approx(stdtrit(degrees, probability), rel=1e-7)
    assert student_quantile(0.975, degrees) == pytest.approx(stdtrit(degrees, 0.975), rel=1e-12)
    assert student_quantile(0.5, degrees) == 0


@pytest.mark.parametrize("degrees", DEGREES)
def test_probabilities_are_those_of_scipy(degrees: int) -> None:
    for value in (-30.0, -2.5, -0.1, 0.0, 0.7, 1.96, 12.7, 400.0):
        assert student_below(value, degrees) == pytest.approx(stdtr(degrees, value), abs=1e-13)


def test_degrees_may_be_a_fraction() -> None:
    assert student_quantile(0.975, 7) > quantile(0.975, 7.5) > student_quantile(0.975, 8)


def test_an_interval_of_few_samples_loads_no_scipy() -> None:
    code = (
        "import sys; from luckless.stats.estimate import estimate; "
        "estimate([1, 2, 4], unit='chips', method='money'); print('scipy.special' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
