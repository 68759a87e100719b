"""alpha-rank: how long evolution stays with each strategy (S. Omidshafiei and others, "alpha-Rank: multi-agent
evaluation by evolution", Scientific Reports 9, 2019).

A population plays one strategy. Now and then a single member tries another; the chance that the whole population
takes it over depends on the payoffs. The ranking is the stationary distribution of that Markov chain.
With one population the game is symmetric and two of its members meet. With several, player k comes from population k,
and a state is one strategy for each: any number of players.
"""

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError

Matrix = NDArray[np.float64]

MUTATION = 1e-6
"""In the limit of strong selection: the share of steps to a worse strategy, which keeps the chain in one piece."""

MOST_STATES = 2_000
"""States of several populations at most: the work grows with their third power."""


def alpha_rank(payoffs: Matrix, *, alpha: float | None = None, population: int = 50) -> Matrix:
    """The stationary distribution over the strategies of one population; `payoffs` is what the row gets against the
    column.

    `alpha` is the strength of selection. None is its limit: a better strategy always takes over, an equal one in half
    of the cases and a worse one in a millionth of them.
    """
    payoffs = np.asarray(payoffs, np.float64)
    if payoffs.ndim != 2 or payoffs.shape[0] != payoffs.shape[1] or not np.isfinite(payoffs).all():
        raise InputError(f"the payoffs have the shape {payoffs.shape}; a square table of numbers is needed")
    _check_selection(alpha, population)
    if len(payoffs) == 1:
        return np.ones(1)
    gains = payoffs - payoffs.T
    chances = (
        _limit(gains, float(np.abs(gains).max())).T if alpha is None else _in_population(payoffs, alpha, population)
    )
    return stationary(chances / (len(payoffs) - 1))


def alpha_rank_of_populations(
    payoffs: Sequence[Matrix], *, alpha: float | None = None, population: int = 50
) -> Matrix:
    """The stationary distribution over joint strategies, an array with one axis a population.

    `payoffs[k]` is what player k gets for each joint strategy; all have that same shape.
    """
    tables = [np.asarray(table, np.float64) for table in payoffs]
    shape = tables[0].shape if tables else ()
    if len(tables) < 2 or any(table.shape != shape for table in tables) or len(shape) != len(tables):
        raise InputError("a table for each of two or more populations is needed, with an axis for each of them")
    _check_selection(alpha, population)
    states = int(np.prod(shape))
    if states > MOST_STATES:
        raise InputError(f"the populations have {states:,} joint strategies; allowed are at most {MOST_STATES:,}")
    steps = np.zeros((states, states))
    largest = max(float(np.ptp(table)) for table in tables)
    share = 1 / max(1, sum(size - 1 for size in shape))
    for profile in itertools.product(*map(range, shape)):
        here = int(np.ravel_multi_index(profile, shape))
        for player, size in enumerate(shape):
            others = [(*profile[:player], other, *profile[player + 1 :]) for other in range(size)]
            gain = np.array([tables[player][one] for one in others]) - tables[player][profile]
            chances = _limit(gain, largest) if alpha is None else _takeover(alpha * gain, population)
            there = [int(np.ravel_multi_index(one, shape)) for one in others]
            steps[here, there] = chances * share
        steps[here, here] = 0
    return stationary(steps).reshape(shape)


def _check_selection(alpha: float | None, population: int) -> None:
    if alpha is not None and not alpha > 0:
        raise InputError(f"alpha is {alpha}; allowed is a number above 0")
    if population < 2:
        raise InputError(f"the population is {population}; allowed is 2 or more")


SAME = 1e-11
"""Payoffs that differ by less than this share of the largest difference are equal: their difference is rounding."""


def _limit(gain: Matrix, largest: float) -> Matrix:
    """The chance of taking over when only the sign of the gain counts; `largest` is the largest gain of the game."""
    equal = np.abs(gain) <= SAME * largest
    return np.where(equal, 0.5, np.where(gain > 0, 1 - MUTATION, MUTATION))


def _takeover(push: Matrix, population: int) -> Matrix:
    """The chance that one member takes over: (1 - e^-u) / (1 - e^-mu), and 1/m where u is 0."""
    none = np.abs(push) < 1e-14
    safe = np.where(none, 1.0, push)
    with np.errstate(over="ignore"):
        up = np.expm1(-np.abs(safe)) / np.expm1(-population * np.abs(safe))
        down = up * np.exp(-(population - 1) * np.abs(safe))
    return np.where(none, 1 / population, np.where(push > 0, up, down))


def _in_population(payoffs: Matrix, alpha: float, population: int) -> Matrix:
    """The chance that a member with the column's strategy takes over a population that plays the row's.

    With p members of the new strategy r among m: f_r = ((p-1) M[r,r] + (m-p) M[r,s]) / (m-1), and f_s likewise; the
    chance is 1 / (1 + sum over l < m of exp(-alpha sum over p <= l of (f_r - f_s))).
    """
    mutants = np.arange(1, population)[:, None, None]
    own, swapped = np.diag(payoffs), payoffs.T
    new = (mutants - 1) * own[None, None, :] + (population - mutants) * swapped
    old = mutants * payoffs + (population - mutants - 1) * own[None, :, None]
    exponents = -alpha * np.cumsum((new - old) / (population - 1), axis=0)
    highest = np.maximum(exponents.max(axis=0), 0.0)
    total = np.exp(-highest) + np.exp(exponents - highest).sum(axis=0)
    chances: Matrix = np.exp(-highest) / total
    return chances


def stationary(steps: Matrix) -> Matrix:
    """The stationary distribution of a chain, of which only the steps to other states are used.

    By W. Grassmann, M. Taksar and D. Heyman (1985), which subtracts nothing: exact even for steps of 1e-300.
    """
    work = np.array(steps, np.float64)
    np.fill_diagonal(work, 0.0)
    for last in range(len(work) - 1, 0, -1):
        leaving = work[last, :last].sum()
        if leaving > 0:
            work[:last, last] /= leaving
            work[:last, :last] += np.outer(work[:last, last], work[last, :last])
        else:
            work[:last, last] = np.inf  # nothing leaves this state: it takes all
    weights = np.zeros(len(work))
    weights[0] = 1.0
    for state in range(1, len(work)):
        weights[state] = weights[:state] @ work[:state, state]
    if not np.isfinite(weights).all():
        raise InputError("selection is so strong that the chain falls apart in floating point: choose a lower alpha")
    shares: Matrix = weights / weights.sum()
    return shares
