"""Parts of a win rate with their intervals: what a player won in each seat, and in hands that ended in each way."""

import math

from luckless.matches.result import MatchResult
from luckless.stats.estimate import Estimate, interval95
from luckless.stats.units import CHIPS, MILLI_BIG_BLINDS, unit_factor


def seat_rate(result: MatchResult, player: int, seat: int) -> Estimate:
    """The win rate of a player in one seat, a hand in that seat.

    The sample is the duplicate set, in which everybody sits in every seat equally often, or with fresh decks the hand
    in that seat.
    """
    tally, match = result.tally, result.match
    hands = int(tally.seat_hands[player, seat])
    hands_a_set = match.set_size // len(match.names) if match.decks == "duplicate" else 1
    chips, squares = int(tally.seat_chips[player, seat]), float(tally.seat_squares[player, seat])
    return _rate(result, chips, squares, hands, hands_a_set)


def ending_rate(result: MatchResult, player: int, ending: int) -> Estimate:
    """What hands that ended in one way (`tally.ENDINGS`) add to the win rate of a player, a hand of the match."""
    tally = result.tally
    chips, squares = int(tally.ending_chips[player, ending]), float(tally.ending_squares[player, ending])
    return _rate(result, chips, squares, result.hands, result.match.set_size)


def _rate(result: MatchResult, chips: int, squares: float, hands: int, hands_a_sample: int) -> Estimate:
    """The mean of samples whose sum and sum of squares are known, in mbb/h; no interval where that cannot be said."""
    scale = unit_factor(CHIPS, MILLI_BIG_BLINDS, big_blind=result.match.game.big_blind) / hands_a_sample
    samples = hands // hands_a_sample
    mean = chips / max(samples, 1)
    sd = stderr = None
    if samples > 1 and math.isfinite(squares):  # an older store has no squares
        sd = math.sqrt(max(squares - samples * mean * mean, 0.0) / (samples - 1))
        stderr = sd / math.sqrt(samples)
    raw = Estimate(
        mean=mean,
        stderr=stderr,
        ci95=None if stderr is None else interval95(mean, stderr, samples),
        samples=samples,
        sd=sd,
        unit=MILLI_BIG_BLINDS,
        method="money",
        hands=hands,
    )
    return raw.scaled(scale, MILLI_BIG_BLINDS)
