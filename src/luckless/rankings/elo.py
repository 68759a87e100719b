"""Elo ratings from a whole table at once: the maximum likelihood of R. Bradley and M. Terry (1952), so that the order
in which games were played does not count. A draw is half a win for both."""

import math

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError

Matrix = NDArray[np.float64]

CENTRE, SCALE = 1_500.0, 400 / math.log(10)
"""The mean rating; and 400 points for odds of ten to one."""

PRIOR_DRAWS = 1.0
"""Drawn games that every pair begins with: without them a player who won every game would have no finite rating."""


def games_of(won: Matrix, games: Matrix) -> tuple[Matrix, Matrix, NDArray[np.bool_]]:
    """Tables of games won and played, checked, and which pairs met."""
    won, games = np.asarray(won, np.float64), np.asarray(games, np.float64)
    if won.shape != games.shape or won.ndim < 2 or won.shape[-1] != won.shape[-2]:
        raise InputError(
            f"the tables have the shapes {won.shape} and {games.shape}; two equal square ones are needed"
        )
    met = (games > 0) & ~np.eye(won.shape[-1], dtype=bool)
    return won, games, met


def elo(won: Matrix, games: Matrix) -> Matrix:
    """The rating of each player; `won[i, j]` are the games that i won from j, draws as halves, of `games[i, j]`.

    Leading axes hold several tables. Pairs that did not meet have 0 games.
    """
    won, games, met = games_of(won, games)
    played = np.where(met, games + PRIOR_DRAWS, 0.0)
    scored = np.where(met, won + PRIOR_DRAWS / 2, 0.0).sum(axis=-1)
    strength = np.zeros(scored.shape)
    for _ in range(200):
        gap = strength[..., :, None] - strength[..., None, :]
        expected = 1 / (1 + np.exp(-gap))
        slope = scored - (played * expected).sum(axis=-1)
        weights = played * expected * (1 - expected)
        move = _step(weights, slope)
        strength = strength + np.clip(move, -2.0, 2.0)
        if np.abs(move).max() < 1e-12:
            break
    strength -= strength.mean(axis=-1, keepdims=True)
    ratings: Matrix = CENTRE + SCALE * strength
    return ratings


def _step(weights: Matrix, slope: Matrix) -> Matrix:
    """Newton's step; the sum of all strengths is free and stays as it is."""
    size = weights.shape[-1]
    curvature = -weights
    places = np.arange(size)
    curvature[..., places, places] += weights.sum(axis=-1)
    typical = curvature[..., places, places].mean(axis=-1)[..., None, None] + 1e-300
    curvature += typical / size
    curvature += 1e-12 * typical * np.eye(size)  # players that no chain of games connects stay near the centre
    return np.asarray(np.linalg.solve(curvature, slope[..., None])[..., 0], np.float64)
