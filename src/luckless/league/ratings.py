"""TrueSkill for rounds of any number of agents, each for itself (Herbrich, Minka and Graepel, "TrueSkill: a Bayesian
skill rating system", NIPS 2006), with the thesis's numbers: beta 25/6, start 100 +- 30 (section 3.2.1).

The rest follows the `trueskill` package, which the thesis used: tau 25/300, 10 % draws, and messages passed until
none moves by more than 1e-4, at most ten times. Compiled, because boards are computed from all stored results.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.kernels import njit

START_MU, START_SIGMA, BETA, TAU, DRAWS = 100.0, 30.0, 25 / 6, 25 / 300, 0.1
SWEEPS, SMALLEST_MOVE = 10, 1e-4
DRAW_MARGIN = NormalDist().inv_cdf((DRAWS + 1) / 2) * math.sqrt(2) * BETA
"""Two performances closer than this count as a draw."""

FAR_TAIL = -10.0
"""Below this the share of the normal curve is so small that its continued fraction is exact to the last digit."""


@njit(cache=True, nogil=True)
def _excess(z: float) -> Any:
    """How far the mean of the normal curve above z lies above z, for large z: Laplace's continued fraction."""
    rest = z
    for term in range(30, 1, -1):
        rest = z + term / rest
    return 1.0 / rest


@njit(cache=True, nogil=True)
def _tail(z: float) -> Any:
    """The share of the normal curve above z, divided by its height at z (Mills' ratio)."""
    if z > -FAR_TAIL:
        return 1.0 / (z + _excess(z))
    return math.erfc(z / math.sqrt(2.0)) * math.sqrt(math.pi / 2.0) * math.exp(z * z / 2.0)


@njit(cache=True, nogil=True)
def shift_of_win(ahead: float, margin: float) -> Any:
    """By how much a win moves the mean and narrows the variance: V and W of the paper, in units of the spread."""
    x = ahead - margin
    if x < FAR_TAIL:
        excess = _excess(-x)
        return excess - x, (excess - x) * excess
    v = math.exp(-x * x / 2.0) / math.sqrt(2.0 * math.pi) / (0.5 * math.erfc(-x / math.sqrt(2.0)))
    return v, v * (v + x)


@njit(cache=True, nogil=True)
def shift_of_draw(ahead: float, margin: float) -> Any:
    """The same for a draw; everything is divided by the height of the curve at the nearer edge of the margin."""
    near, far = abs(ahead) - margin, abs(ahead) + margin
    ratio = math.exp((near - far) * (near + far) / 2.0)
    share = _tail(near) - ratio * _tail(far)
    v = (ratio - 1.0) / share
    w = v * v + (ratio * far - near) / share
    return (v if ahead >= 0 else -v), w


@njit(cache=True, nogil=True)
def _without(message: Any, taken: Any) -> Any:
    """Mean and variance of a normal belief after a message has been taken out of it."""
    precision = message[0] - taken[0]
    return (message[1] - taken[1]) / precision, 1.0 / precision


class _Round(NamedTuple):
    """Beliefs as (precision, precision x mean): of performances, and the messages between them."""

    performance: NDArray[np.float64]
    to_better: NDArray[np.float64]
    to_worse: NDArray[np.float64]
    result: NDArray[np.float64]
    drawn: NDArray[np.bool_]


@njit(cache=True, nogil=True)
def _judge(game: _Round, pair: int, margin: float) -> Any:
    """Compares neighbours `pair` and `pair + 1` of the ranking; returns how far the belief about them has moved."""
    better_mean, better_variance = _without(game.performance[pair], game.to_better[pair])
    worse_mean, worse_variance = _without(game.performance[pair + 1], game.to_worse[pair])
    precision = 1.0 / (better_variance + worse_variance)
    weighted = precision * (better_mean - worse_mean)
    spread = math.sqrt(precision)
    if game.drawn[pair]:
        v, w = shift_of_draw(weighted / spread, margin * spread)
    else:
        v, w = shift_of_win(weighted / spread, margin * spread)
    w = min(max(w, 1e-12), 1.0 - 1e-12)
    new_precision, new_weighted = precision / (1.0 - w), (weighted + spread * v) / (1.0 - w)
    moved = max(
        abs(new_weighted - weighted - game.result[pair, 1]),
        math.sqrt(abs(new_precision - precision - game.result[pair, 0])),
    )
    game.result[pair, 0] = new_precision - precision
    game.result[pair, 1] = new_weighted - weighted
    return moved


@njit(cache=True, nogil=True)
def _tell(game: _Round, pair: int, worse: bool) -> None:
    """Passes what is known of the difference on to the worse of a pair, or to the better."""
    told = pair + 1 if worse else pair
    messages = game.to_worse if worse else game.to_better
    if worse:
        mean, variance = _without(game.performance[pair], game.to_better[pair])
    else:
        mean, variance = _without(game.performance[pair + 1], game.to_worse[pair])
    difference = game.result[pair, 1] / game.result[pair, 0]
    precision = 1.0 / (variance + 1.0 / game.result[pair, 0])
    weighted = precision * (mean - difference if worse else mean + difference)
    game.performance[told, 0] += precision - messages[pair, 0]
    game.performance[told, 1] += weighted - messages[pair, 1]
    messages[pair, 0], messages[pair, 1] = precision, weighted


@njit(cache=True, nogil=True)
def _compare_all(game: _Round, margin: float) -> None:
    """Passes messages down and up the ranking until they settle."""
    pairs = len(game.drawn)
    for _ in range(SWEEPS):
        moved = 0.0
        for pair in range(max(pairs - 1, 1)):
            moved = max(moved, _judge(game, pair, margin))
            if pairs > 1:
                _tell(game, pair, True)
        for pair in range(pairs - 1, 0, -1):
            moved = max(moved, _judge(game, pair, margin))
            _tell(game, pair, False)
        if moved <= SMALLEST_MOVE:
            break
    _tell(game, 0, False)
    _tell(game, pairs - 1, True)


@njit(cache=True, nogil=True)
def rate_round(agents: NDArray[np.int64], scores: NDArray[np.int64], mu: Any, sigma: Any) -> None:
    """Updates the ratings of the agents of one round; the higher score is the better, equal scores are a draw."""
    order = np.argsort(-scores, kind="mergesort")
    size = len(order)
    game = _Round(
        np.empty((size, 2)), np.zeros((size - 1, 2)), np.zeros((size - 1, 2)), np.zeros((size - 1, 2)),
        np.empty(size - 1, np.bool_),
    )  # fmt: skip
    for place in range(size):
        agent = agents[order[place]]
        precision = 1.0 / (sigma[agent] ** 2 + TAU**2 + BETA**2)
        game.performance[place, 0], game.performance[place, 1] = precision, precision * mu[agent]
        if place:
            game.drawn[place - 1] = scores[order[place - 1]] == scores[order[place]]
    _compare_all(game, DRAW_MARGIN)
    for place in range(size):
        agent = agents[order[place]]
        prior = 1.0 / (sigma[agent] ** 2 + TAU**2)
        performance = 1.0 / (sigma[agent] ** 2 + TAU**2 + BETA**2)
        told = game.performance[place, 0] - performance
        told_weighted = game.performance[place, 1] - performance * mu[agent]
        share = 1.0 / (1.0 + BETA**2 * told)
        precision = prior + share * told
        mu[agent] = (prior * mu[agent] + share * told_weighted) / precision
        sigma[agent] = math.sqrt(1.0 / precision)


@njit(cache=True, nogil=True)
def _rate_rounds(ends: Any, agents: Any, scores: Any, mu: Any, sigma: Any, history: Any) -> None:
    start = 0
    for end in ends:
        if end - start > 1:
            rate_round(agents[start:end], scores[start:end], mu, sigma)
        for place in range(start, end):
            history[place, 0], history[place, 1] = mu[agents[place]], sigma[agents[place]]
        start = end


@dataclass
class Ratings:
    """The ratings of all agents of a season, by agent number."""

    mu: NDArray[np.float64]
    sigma: NDArray[np.float64]

    @classmethod
    def start(cls, agents: int) -> "Ratings":
        """All agents at the initial rating."""
        return cls(np.full(agents, START_MU), np.full(agents, START_SIGMA))

    def update(self, standings: "Standings") -> NDArray[np.float64]:
        """Rates rounds in their order; returns mu and sigma of each entrant after its round, shape (entrants, 2)."""
        history = np.empty((len(standings.agents), 2))
        _rate_rounds(standings.ends, standings.agents, standings.scores, self.mu, self.sigma, history)
        return history


@dataclass(frozen=True)
class Standings:
    """Who came where in each of several rounds: the entrants of round i end before `ends[i]`."""

    ends: NDArray[np.int64]
    agents: NDArray[np.int64]
    scores: NDArray[np.int64]
