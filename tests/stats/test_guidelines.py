"""Readings: every band, intervals that straddle, opponents, caveats, and the spread that corrects the document."""

import itertools
import math

import pytest

from luckless.errors import InputError
from luckless.stats.estimate import Estimate
from luckless.stats.guidelines import BANDS, EXPECTATIONS, caveats, precision, reading


def test_bands_cover_every_win_rate_once() -> None:
    assert BANDS[0].low_mbb == -math.inf
    assert BANDS[-1].high_mbb == math.inf
    assert all(below.high_mbb == above.low_mbb for below, above in itertools.pairwise(BANDS))
    assert [band.high_mbb for band in BANDS[:-1]] == [-100, -20, 20, 100, 500, 2000]


@pytest.mark.parametrize(
    ("mbb", "word"),
    [
        (-102, "exploitable"),
        (-60, "leaks"),
        (0, "break-even"),
        (60, "moderate"),
        (300, "strong edge"),
        (1000, "dominance"),
        (2002, "trivial"),
    ],
)
def test_an_interval_inside_a_band_is_read_as_that_band(mbb: float, word: str) -> None:
    sentence = reading(mbb, (mbb - 1, mbb + 1)).sentence
    assert word in sentence.lower()
    assert "more hands" not in sentence


def test_an_interval_over_several_bands_says_so() -> None:
    two = reading(90, (60, 120)).sentence
    assert two == "A moderate edge or a strong edge, as against weak opponents: more hands are needed to tell."
    many = reading(90, (-150, 330)).sentence
    assert many.startswith("Anything from severely exploitable to a strong edge")
    assert "whether it wins or loses is open" in many
    assert "wins or loses" not in two


def test_a_band_begins_at_its_lower_end_and_ends_before_its_upper_one() -> None:
    assert reading(50, (20, 99)).sentence == "A moderate edge."
    assert reading(10, (0, 20)).sentence.startswith("Near break-even or a moderate edge:")


@pytest.mark.parametrize(
    ("interval", "word"),
    [
        ((100, 200), "Below"),
        ((100, 500), "Compatible with"),
        ((400, 900), "Compatible with"),
        ((500, 2000), "Within"),
        ((600, 900), "Within"),
        ((2000, 3000), "Compatible with"),
        ((2500, 3000), "Above"),
    ],
)
def test_expectation_against_an_opponent(interval: tuple[float, float], word: str) -> None:
    sentence = reading(sum(interval) / 2, interval, opponent="call").sentence
    assert f"{word} the +500 to +2,000 mbb/h" in sentence


def test_opponents_of_the_document() -> None:
    ranges = {name: (row.low_mbb, row.high_mbb) for name, row in EXPECTATIONS.items()}
    assert ranges == {
        "random": (1000, 5000),
        "uniform": (1000, 5000),
        "call": (500, 2000),
        "fold": (500, 750),  # the document's "about 500" is corrected: who bets every hand wins 750
        "equilibrium": (0, 0),
        "nash": (0, 0),
        "professional": (10, 100),
    }
    assert "Within the +500 to +750 mbb/h" in reading(750, (750, 750), opponent="fold").sentence
    assert caveats("fold") == ()  # no footnote against the guideline
    assert "about +0 mbb/h" in reading(0, (-10, 10), opponent="equilibrium").sentence
    assert reading(0, (-10, 10), opponent="nash").sentence == reading(0, (-10, 10), opponent="equilibrium").sentence
    assert "a calling station" in reading(1, (0, 2), opponent="call:seed=3").sentence
    assert "expected" not in reading(1, (0, 2), opponent="my_bot.py:MyBot").sentence


def test_caveats_of_other_games() -> None:
    assert caveats("call", "nolimit-hu") == ()
    assert "not comparable" in caveats("call", "river-hu")[0]
    assert "for limit-hu it is a rough orientation" in caveats("call", "limit-hu")[0]
    assert "relative to its opponent" in caveats()[0]
    text = str(reading(300, (250, 350), "call", "river-hu"))
    assert text.endswith("Win rates of the river alone are not comparable with those of the full game.")


def test_one_sample_allows_no_reading() -> None:
    assert "no reading" in reading(5_000, None).sentence


@pytest.mark.parametrize("interval", [(5, 10), (-10, -5), (-math.inf, 3), (0, math.nan)])
def test_impossible_intervals_are_refused(interval: tuple[float, float]) -> None:
    with pytest.raises(InputError, match="allowed is a finite win rate inside its interval"):
        reading(0, interval)


def test_precision_is_that_of_the_measured_spread() -> None:
    """The document's table is for 0.1 big blinds a hand; at 10 to 20, 100,000 hands give 60 to 120 mbb/h."""
    for sd_bb, low, high in ((10, 61, 63), (20, 123, 125)):
        measured = Estimate(0, sd_bb / 100, (0, 0), 10_000, sd_bb, "bb/h", "money", 10_000)
        rows = {row.hands: row for row in precision(measured)}
        assert low <= rows[100_000].half_width_mbb <= high
        assert rows[1_000_000].stderr_mbb == pytest.approx(sd_bb)
    document = precision(Estimate(0, 0.1, (0, 0), 1_000, 100, "mbb/h", "money", 1_000))
    assert [round(row.stderr_mbb, 2) for row in document] == [3.16, 1.0, 0.32, 0.1]


def test_precision_counts_the_hands_of_a_set() -> None:
    hands = Estimate(0, 100, (0, 0), 10_000, 10_000, "mbb/h", "money", 10_000)
    pairs = Estimate(0, 100, (0, 0), 10_000, 10_000, "mbb/h", "money, duplicate sets", 20_000)
    assert precision(pairs)[0].stderr_mbb == pytest.approx(math.sqrt(2) * precision(hands)[0].stderr_mbb)
    assert precision(Estimate(5, None, None, 1, None, "mbb/h", "money", 1)) == ()
