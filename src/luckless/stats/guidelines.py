"""Win rates in words: the reading tables of the Aion-26 win-rate document, applied to a whole interval.

The bands and the expectations against standard opponents are that document's (its sections 3.1 and 3.2; it cites N.
Brown and T. Sandholm, Science 365, 2019, and M. Moravcik et al., Science 356, 2017), with one correction. Against a
bot that always folds the document says about 500 mbb/h; but heads-up a bot that bets every hand wins half a big blind
and a whole one in turn, 750 mbb/h, and no bot wins more. So 500 to 750 are expected here. Its table of standard
errors is not taken over: it assumes a spread of 0.1 big blinds a hand, a hundredth of what no-limit shows.
`precision` makes that table from the measured spread instead.
"""

import math
from dataclasses import dataclass

from luckless.errors import InputError
from luckless.stats.estimate import Estimate, quantile
from luckless.stats.units import MILLI_BIG_BLINDS, unit_factor

GUIDELINE_GAME = "nolimit-hu"
RIVER_GAME = "river-hu"


@dataclass(frozen=True)
class Band:
    """A range of win rates, from `low_mbb` up to but not including `high_mbb`, and what it is called."""

    low_mbb: float
    high_mbb: float
    meaning: str


BANDS = (
    Band(-math.inf, -100, "severely exploitable"),
    Band(-100, -20, "weak, with significant leaks"),
    Band(-20, 20, "near break-even"),
    Band(20, 100, "a moderate edge"),
    Band(100, 500, "a strong edge, as against weak opponents"),
    Band(500, 2000, "dominance, as over bots that do not adapt"),
    Band(2000, math.inf, "the exploitation of a trivial strategy"),
)


@dataclass(frozen=True)
class Expectation:
    """What a competent bot is expected to win from an opponent; equal ends mean "about"."""

    low_mbb: float
    high_mbb: float
    opponent: str


_RANDOM = Expectation(1000, 5000, "a random bot")
_EQUILIBRIUM = Expectation(0, 0, "an equilibrium strategy")
EXPECTATIONS = {
    "random": _RANDOM,
    "uniform": _RANDOM,
    "call": Expectation(500, 2000, "a calling station"),
    "fold": Expectation(500, 750, "a bot that always folds"),
    "equilibrium": _EQUILIBRIUM,
    "nash": _EQUILIBRIUM,
    "professional": Expectation(10, 100, "a professional player"),
}


@dataclass(frozen=True)
class Reading:
    """What a win rate means, and what keeps it from meaning more."""

    sentence: str
    caveats: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join((self.sentence, *self.caveats))


def reading(
    mbb: float, interval: tuple[float, float] | None, opponent: str | None = None, game: str = GUIDELINE_GAME
) -> Reading:
    """A win rate and its 95 % interval (both mbb/h) in words.

    `opponent` is the name of the bot played against, where it was one (a key of `EXPECTATIONS` gets its own sentence;
    parameters after a colon do not count); `game` is the name of the game, which decides the caveats.

    >>> print(reading(60, (30, 90), opponent="call").sentence)
    A moderate edge. Below the +500 to +2,000 mbb/h that are expected against a calling station.
    """
    low, high = (mbb, mbb) if interval is None else interval
    if not (math.isfinite(mbb) and math.isfinite(low) and math.isfinite(high) and low <= mbb <= high):
        raise InputError(
            f"a win rate of {mbb} with the interval {low} to {high}; allowed is a finite win rate inside its interval"
        )
    if interval is None:
        sentence = "One sample has no interval and allows no reading."
        return Reading(sentence, caveats(opponent, game))
    expectation = _expectation(opponent)
    parts = [_band_sentence(low, high)]
    if expectation:
        parts.append(_expectation_sentence(low, high, expectation))
    return Reading(" ".join(parts), caveats(opponent, game))


def caveats(opponent: str | None = None, game: str = GUIDELINE_GAME) -> tuple[str, ...]:
    """What to bear in mind with any reading of a match of this game against this opponent."""
    remarks = []
    if game == RIVER_GAME:
        remarks.append("Win rates of the river alone are not comparable with those of the full game.")
    elif game != GUIDELINE_GAME:
        remarks.append(f"The guideline is made for heads-up no-limit hold'em; for {game} it is a rough orientation.")
    if _expectation(opponent) is None:
        remarks.append("A win rate says how strong a bot is only relative to its opponent.")
    return tuple(remarks)


def _expectation(opponent: str | None) -> Expectation | None:
    return None if opponent is None else EXPECTATIONS.get(opponent.split(":")[0])


def _band_sentence(low: float, high: float) -> str:
    meanings = [band.meaning for band in BANDS if low < band.high_mbb and high >= band.low_mbb]
    if len(meanings) == 1:
        return f"{meanings[0].capitalize()}."
    straddle = f"anything from {meanings[0]} to {meanings[-1]}" if len(meanings) > 2 else " or ".join(meanings)
    open_sign = " whether it wins or loses is open;" if low < 0 < high else ""
    return f"{straddle.capitalize()}:{open_sign} more hands are needed to tell."


def _expectation_sentence(low: float, high: float, expectation: Expectation) -> str:
    if expectation.low_mbb == expectation.high_mbb:
        expected = f"the about {expectation.low_mbb:+,.0f} mbb/h that is expected against {expectation.opponent}"
    else:
        ends = f"{expectation.low_mbb:+,.0f} to {expectation.high_mbb:+,.0f} mbb/h"
        expected = f"the {ends} that are expected against {expectation.opponent}"
    if high < expectation.low_mbb:
        return f"Below {expected}."
    if low > expectation.high_mbb:
        return f"Above {expected}."
    if low >= expectation.low_mbb and high <= expectation.high_mbb:
        return f"Within {expected}."
    return f"Compatible with {expected}."


@dataclass(frozen=True)
class Precision:
    """What a number of hands gives: the standard error and the half width of the 95 % interval."""

    hands: int
    stderr_mbb: float
    half_width_mbb: float


def precision(
    measured: Estimate, hands: tuple[int, ...] = (1_000, 10_000, 100_000, 1_000_000)
) -> tuple[Precision, ...]:
    """How precise matches of these lengths are, by the spread that was measured; empty if there is none.

    The estimate must be in a unit of big blinds.
    """
    if measured.sd is None:
        return ()
    sd_mbb = measured.sd * unit_factor(measured.unit, MILLI_BIG_BLINDS)
    hands_per_sample = measured.hands / measured.samples
    rows = []
    for count in hands:
        stderr_mbb = sd_mbb * math.sqrt(hands_per_sample / count)
        rows.append(Precision(count, stderr_mbb, quantile(0.975, None) * stderr_mbb))
    return tuple(rows)
