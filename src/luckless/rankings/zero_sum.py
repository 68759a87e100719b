"""The maximum-entropy equilibrium of a symmetric zero-sum game, on which Nash averaging and maximal lotteries rest.

The game is an antisymmetric matrix: what the row wins from the column. All its equilibria form a polytope. The one of
greatest entropy is unique, does not depend on the order of the players, and shares the weight of a player among its
copies (D. Balduzzi, K. Tuyls, J. Perolat and T. Graepel, "Re-evaluating evaluation", NeurIPS 2018).
"""

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError

Matrix = NDArray[np.float64]

TOLERANCE = 1e-9
"""Below this share of the largest entry a number counts as 0."""

BARRIER_STEPS = 14
"""The weight of the entropy grows tenfold so often: at the end the barrier moves the result by less than 1e-12."""


def equilibrium(game: Matrix, support: NDArray[np.bool_] | None = None) -> Matrix:
    """The equilibrium of greatest entropy: the probability of each player.

    `support` is a guess which players have a probability above 0, such as those of a similar game: if it is right and
    the equilibrium is the only one, no linear program is solved.

    >>> equilibrium(np.array([[0.0, 1, -1], [-1, 0, 1], [1, -1, 0]])).round(6).tolist()
    [0.333333, 0.333333, 0.333333]
    """
    game = np.asarray(game, np.float64)
    if game.ndim != 2 or game.shape[0] != game.shape[1] or not len(game):
        raise InputError(f"the table has the shape {game.shape}; a square one is needed")
    if not np.isfinite(game).all() or not np.allclose(game, -game.T, atol=TOLERANCE * max(1.0, np.abs(game).max())):
        raise InputError("the table is not antisymmetric: what the row wins, the column must lose")
    largest = np.abs(game).max()
    if largest == 0:
        return np.full(len(game), 1 / len(game))
    game = (game - game.T) / (2 * largest)
    unbeaten = np.flatnonzero((game > TOLERANCE).sum(axis=1) == len(game) - 1)
    if len(unbeaten):
        return _placed(np.ones(1), np.arange(len(game)) == unbeaten[0])
    if support is not None and (guessed := _only_one_on(game, support)) is not None:
        return guessed
    inside, start = _widest_support(game)
    return _greatest_entropy(game, inside, start)


def _only_one_on(game: Matrix, inside: NDArray[np.bool_]) -> Matrix | None:
    """The equilibrium with this support if it is one and there is no other; else None."""
    own = game[np.ix_(inside, inside)]
    if len(own) == 0:
        return None
    basis = _null_space(own)
    if basis.shape[1] != 1 or abs(basis.sum()) < TOLERANCE:
        return None
    shares = basis[:, 0] / basis.sum()
    outside = game[np.ix_(~inside, inside)] @ shares
    if (shares <= TOLERANCE).any() or (outside >= -TOLERANCE).any():
        return None
    return _placed(shares, inside)


def _placed(shares: Matrix, inside: NDArray[np.bool_]) -> Matrix:
    result = np.zeros(len(inside))
    result[inside] = shares
    return result


def _null_space(matrix: Matrix) -> Matrix:
    """An orthonormal basis of what a matrix maps to 0, as columns."""
    _, sizes, rows = np.linalg.svd(matrix)
    rank = int((sizes > TOLERANCE * sizes.max(initial=1.0)).sum())
    return rows[rank:].T


def _widest_support(game: Matrix) -> tuple[NDArray[np.bool_], Matrix]:
    """The players that have a probability above 0 in some equilibrium, and an equilibrium in which all of them have.

    In an equilibrium p, s = -game p is at least 0, and of p_i and s_i one is 0. By Goldman and Tucker (1956) there is
    one in which the other is above 0 for every i: it is found by a linear program that makes the least p_i + s_i as
    large as possible.
    """
    from scipy.optimize import linprog

    count = len(game)
    least = np.hstack([game - np.eye(count), np.ones((count, 1))])  # t - p_i - s_i <= 0
    beaten = np.hstack([game, np.zeros((count, 1))])  # -s_i <= 0
    tight = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    solved = linprog(
        np.append(np.zeros(count), -1.0),
        A_ub=np.vstack([least, beaten]),
        b_ub=np.zeros(2 * count),
        A_eq=np.append(np.ones(count), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0, 1)] * count + [(None, None)],
        method="highs",
        options=tight,
    )
    shares = solved.x[:count]
    return shares > -game @ shares, shares


def _greatest_entropy(game: Matrix, inside: NDArray[np.bool_], start: Matrix) -> Matrix:
    """Among the equilibria with a support, the one of greatest entropy."""
    own = _null_space(game[np.ix_(inside, inside)])
    if own.shape[1] <= 1:
        shares = own[:, 0] / own.sum() if own.shape[1] else start[inside] / start[inside].sum()
        return _placed(np.maximum(shares, 0.0), inside)
    first = own @ (own.T @ start[inside])
    first /= first.sum()
    sums = own.sum(axis=0)
    directions = own @ _null_space(sums[None])
    slack = -game[np.ix_(~inside, inside)]
    free = _minimised(first, directions, slack[:0], 1.0)
    if (slack @ free >= -TOLERANCE).all():
        return _placed(free, inside)
    return _placed(_polished(_barrier(first, directions, slack), directions, slack), inside)


def _barrier(shares: Matrix, directions: Matrix, slack: Matrix) -> Matrix:
    """The greatest entropy of `shares + directions z` with `slack @ shares` at least 0, from an inner point."""
    for step in range(BARRIER_STEPS):
        shares = _minimised(shares, directions, slack, 10.0**step)
    return shares


def _polished(shares: Matrix, directions: Matrix, slack: Matrix) -> Matrix:
    """The end of a barrier to the last digits: what it drove to 0 is 0, and the rest is free.

    At the end of a barrier of weight w, slack times multiplier is 1 / w: the smaller of the two is the one that is 0.
    """
    spare = slack @ shares
    tight = slack[spare**2 < 10.0 ** (1 - BARRIER_STEPS)]
    along = tight @ directions
    start = shares - directions @ (np.linalg.pinv(along) @ (tight @ shares))
    if (start <= 0).any():
        return shares
    best = _minimised(start, directions @ _null_space(along), slack[:0], 1.0)
    return best if (slack @ best >= -TOLERANCE).all() else shares


def _minimised(shares: Matrix, directions: Matrix, slack: Matrix, weight: float) -> Matrix:
    """Newton's method, with shorter steps as long as it is far from its end."""
    for _ in range(60):
        move, decrease = _newton(shares, directions, slack, weight)
        length = 1.0
        value = _objective(shares, slack, weight)
        while length > 1e-9 and not _objective(shares + length * move, slack, weight) <= value + 1e-15:
            length /= 2
        if length <= 1e-9:
            break
        shares = shares + length * move
        if decrease < 1e-22:
            break
    return shares


def _newton(shares: Matrix, directions: Matrix, slack: Matrix, weight: float) -> tuple[Matrix, float]:
    """The step, and about twice by how much it lowers the objective."""
    spare = slack @ shares
    gradient = directions.T @ (np.log(shares) + 1 - slack.T @ (1 / spare) / weight)
    along = slack @ directions
    curvature = directions.T @ (directions / shares[:, None]) + along.T @ (along / (spare**2)[:, None]) / weight
    try:
        solved = np.linalg.solve(curvature, gradient)
    except np.linalg.LinAlgError:  # slacks that are nearly 0 leave no digits for the other directions
        solved = np.linalg.pinv(curvature, hermitian=True) @ gradient
    return -(directions @ solved), float(gradient @ solved)


def _objective(shares: Matrix, slack: Matrix, weight: float) -> float:
    spare = slack @ shares
    if (shares <= 0).any() or (spare <= 0).any():
        return np.inf
    return float((shares * np.log(shares)).sum() - np.log(spare).sum() / weight)


def nash_average(game: Matrix, support: NDArray[np.bool_] | None = None) -> tuple[Matrix, Matrix]:
    """Nash averaging: the equilibrium, and the rating of each player, which is what it wins from that mixture.

    A rating is 0 for whoever belongs to the equilibrium, and at most 0 for all others.
    """
    shares = equilibrium(game, support)
    return shares, np.asarray(game, np.float64) @ shares


def maximal_lottery(margins: Matrix, support: NDArray[np.bool_] | None = None) -> Matrix:
    """The maximal lottery of a vote: the mixture that no other one beats by its margin (G. Kreweras 1965; P. Fishburn
    1984). Row beats column by `margins`, such as votes for minus votes against. Of several, the one of greatest
    entropy.

    >>> maximal_lottery(np.array([[0.0, 1, 3], [-1, 0, 1], [-3, -1, 0]])).tolist()
    [1.0, 0.0, 0.0]
    """
    return equilibrium(margins, support)
