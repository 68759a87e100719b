"""The probability of winning a game (a session, a tournament) from games won and lost, with an exact interval."""

from dataclasses import dataclass

from luckless.errors import InputError


@dataclass(frozen=True)
class WinProbability:
    """The share of games won, its exact 95 % interval, and the exact test of wins against losses.

    `p_value` is two-sided: how often two equal players would part their decided games at least this unevenly; None if
    no game was decided.
    """

    probability: float
    ci95: tuple[float, float]
    p_value: float | None
    wins: int
    losses: int
    draws: int
    games: int


def win_probability(wins: int, losses: int, draws: int = 0) -> WinProbability:
    """The probability that a game is won, estimated from finished games; a draw is a game not won.

    The interval is that of C. J. Clopper and E. S. Pearson (Biometrika 26, 1934): it covers the truth at least 95 %
    of the time for every number of games. The test is the sign test, which leaves draws out.

    >>> result = win_probability(9, 1)
    >>> [round(end, 4) for end in result.ci95], round(result.p_value, 4)
    ([0.555, 0.9975], 0.0215)
    """
    for count, what in ((wins, "won"), (losses, "lost"), (draws, "drawn")):
        if count < 0:
            raise InputError(f"games {what} is {count}; allowed is 0 or more")
    games = wins + losses + draws
    if games == 0:
        raise InputError("no games were played: a win probability needs at least one")
    return WinProbability(
        wins / games, exact_interval(wins, games), _sign_test(wins, losses), wins, losses, draws, games
    )


def exact_interval(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """The Clopper-Pearson interval of a probability."""
    from scipy.special import betaincinv

    tail = (1 - confidence) / 2
    failures = trials - successes
    low = float(betaincinv(successes, failures + 1, tail)) if successes else 0.0
    high = float(betaincinv(successes + 1, failures, 1 - tail)) if failures else 1.0
    return low, high


def _sign_test(wins: int, losses: int) -> float | None:
    from scipy.special import bdtr

    if wins + losses == 0:
        return None
    return min(1.0, 2 * float(bdtr(min(wins, losses), wins + losses, 0.5)))
