"""TrueSkill of a whole table at once: the most likely skills of its model (R. Herbrich, T. Minka and T. Graepel,
"TrueSkill: a Bayesian skill rating system", 2006), so that the order in which games were played does not count.

Skills come from a normal law. Whoever performs better wins, and performances scatter around skills. A draw is half a
win for both, and skills do not drift, as nobody learns during a tournament.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

from luckless.rankings.elo import games_of

Matrix = NDArray[np.float64]

MEAN, SPREAD, PERFORMANCE = 25.0, 25 / 3, 25 / 6
"""Of skills before any game, and how far a performance lies from a skill: the defaults of the published system."""

_SCALE = np.sqrt(2.0) * PERFORMANCE


def true_skill(won: Matrix, games: Matrix) -> Matrix:
    """The skill of each player; `won[i, j]` are the games that i won from j, draws as halves, of `games[i, j]`.

    Leading axes hold several tables. Pairs that did not meet have 0 games.
    """
    won, games, met = games_of(won, games)
    won, lost = np.where(met, won, 0.0), np.where(met, games - won, 0.0)
    skill = np.zeros(won.shape[:-1])
    for _ in range(200):
        gap = (skill[..., :, None] - skill[..., None, :]) / _SCALE
        up, down = _pull(gap), _pull(-gap)
        slope = (won * up - lost * down).sum(axis=-1) / _SCALE - skill / SPREAD**2
        weights = (won * up * (up + gap) + lost * down * (down - gap)) / _SCALE**2
        move = _step(weights, slope)
        largest = np.abs(move).max()
        skill = skill + move * min(1.0, SPREAD / largest if largest else 1.0)
        if largest < 1e-10:
            break
    return MEAN + skill


def _pull(gap: Matrix) -> Matrix:
    """How much the logarithm of the chance to win rises with the gap: density over distribution."""
    ratio: Matrix = np.exp(-(gap**2) / 2 - np.log(2 * np.pi) / 2 - log_ndtr(gap))
    return ratio


def _step(weights: Matrix, slope: Matrix) -> Matrix:
    """Newton's step; the prior holds the sum of all skills."""
    places = np.arange(weights.shape[-1])
    curvature = -weights
    curvature[..., places, places] += weights.sum(axis=-1) + 1 / SPREAD**2
    return np.asarray(np.linalg.solve(curvature, slope[..., None])[..., 0], np.float64)
