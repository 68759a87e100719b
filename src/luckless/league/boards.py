"""Boards: agents ranked by TrueSkill and by their winnings against every other one (thesis, section 3.2).

Nothing here is stored: every number follows from the results in the catalogue, taken in canonical order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError
from luckless.league.agents import Agent
from luckless.league.ratings import Ratings
from luckless.league.results import meetings_of, rated
from luckless.league.run import Run
from luckless.rankings.ranking import Rankings, rank_means
from luckless.stats.estimate import quantile
from luckless.stats.units import CHIPS, MILLI_BIG_BLINDS, unit_factor

METRICS = {
    "trueskill": "TrueSkill",
    "mean": "mean",
    "median": "median",
    "p20": "20th percentile",
}
"""What agents are ranked by, with its name for people; all but the first are of the winnings matrix, in mbb/h."""


DRAWS = 1_000
"""Draws for the standard errors of median and percentile, which are then right to about 2 %."""


@dataclass(frozen=True)
class Winnings:
    """The winnings matrix: what the agent of a row won from the agent of a column, in mbb/h for each of its seats.

    NaN where two have not met. Rows and columns run like `agents`.
    """

    agents: tuple[int, ...]
    mbb: NDArray[np.float64]
    stderr_mbb: NDArray[np.float64]

    @property
    def complete(self) -> bool:
        """Whether every pair has met."""
        return bool(np.isnan(self.mbb).sum() == len(self.agents))


def winnings(run: Run) -> Winnings:
    """The winnings matrix of all direct meetings; the sample of its standard errors is the hand."""
    met = meetings_of(run.store, run.evaluations("direct"), len(run.roster))
    of = np.ix_(run.teachers, run.teachers)
    hands = met.hands[of].astype(np.float64)
    scale = unit_factor(CHIPS, MILLI_BIG_BLINDS, big_blind=run.game.big_blind) / met.seats
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = met.chips[of] / hands
        variance = (met.squares[of] - hands * mean**2) / (hands - 1)
        return Winnings(tuple(run.teachers), mean * scale, np.sqrt(variance / hands) * scale)


MOST_RANKED = 300
"""Agents of a season that are ranked as a game at most: time and memory grow faster than their square."""


def rankings(run: Run) -> Rankings:
    """All rankings of the direct meetings: Nash averaging and alpha-rank too, if every pair has met."""
    matrix = winnings(run)
    if len(matrix.agents) > MOST_RANKED:
        raise InputError(f"the season has {len(matrix.agents):,} teachers; at most {MOST_RANKED} can be ranked so")
    if np.isnan(matrix.mbb).all(axis=1).any():
        raise InputError("the season has no direct meetings of all its teachers yet, which these rankings need")
    return rank_means(matrix.mbb, matrix.stderr_mbb)


@dataclass(frozen=True)
class BoardRow:
    """One agent on a board; what has not been measured yet is None. Amounts are mbb/h."""

    agent: Agent
    division: str
    trueskill: float | None
    sigma: float | None
    mean: float | None = None
    stderr_mean: float | None = None
    median: float | None = None
    p20: float | None = None
    stderr_median: float | None = None
    stderr_p20: float | None = None

    def half_width(self, metric: str) -> float | None:
        """Half the width of the 95 % interval of one of `METRICS`; None where it is not known."""
        errors = {
            "trueskill": self.sigma,
            "mean": self.stderr_mean,
            "median": self.stderr_median,
            "p20": self.stderr_p20,
        }
        error = errors[metric]
        return None if error is None else quantile(0.975, None) * error

    def to_dict(self) -> dict[str, Any]:
        """The line as plain values for JSON."""
        agent = self.agent
        return {
            "name": agent.name,
            "type": agent.type,
            "division": self.division,
            "generation": agent.generation,
            "trueskill": self.trueskill,
            "sigma": self.sigma,
            "mean_mbb": self.mean,
            "stderr_mean_mbb": self.stderr_mean,
            "median_mbb": self.median,
            "stderr_median_mbb": self.stderr_median,
            "p20_mbb": self.p20,
            "stderr_p20_mbb": self.stderr_p20,
        }


def board(run: Run, by: str = "trueskill") -> list[BoardRow]:
    """All teachers of all divisions, best first; TrueSkill is that of all rounds of like rank."""
    _check_metric(by)
    history = rated(run.store, run.evaluations("similar"), len(run.roster))
    matrix = winnings(run)
    lines = [_line(run, agent, history.final, set(history.agents.tolist()), matrix) for agent in run.teachers]
    return ranked(lines, by)


def division_board(run: Run, number: int, by: str = "trueskill") -> list[BoardRow]:
    """The agents that have played in one division, students too, by TrueSkill of its rounds, its only metric."""
    _check_metric(by)
    if by != "trueskill":
        raise InputError(f"the board of a division is sorted by trueskill only; {by} is for the whole season")
    history = rated(run.store, [number], len(run.roster))
    lines = [_line(run, agent, history.final, {agent}, None) for agent in np.unique(history.agents).tolist()]
    return ranked(lines, "trueskill")


def _check_metric(by: str) -> None:
    if by not in METRICS:
        raise InputError(f"no board is sorted by {by!r}; allowed is {', '.join(METRICS)}")


def ranked(lines: Sequence[BoardRow], by: str) -> list[BoardRow]:
    """Lines with the best first; those without a number come last, and equal ones stay in the order of agents."""
    known = [line for line in lines if getattr(line, by) is not None]
    return sorted(known, key=lambda line: -getattr(line, by)) + [line for line in lines if line not in known]


def _line(run: Run, agent: int, ratings: Ratings, met: set[int], matrix: Winnings | None) -> BoardRow:
    who = run.roster[agent]
    division = run.division_name(who.division)
    mu, sigma = (float(ratings.mu[agent]), float(ratings.sigma[agent])) if agent in met else (None, None)
    if matrix is None:
        return BoardRow(who, division, mu, sigma)
    row = matrix.agents.index(agent)
    against = ~np.isnan(matrix.mbb[row])
    won = matrix.mbb[row, against]
    if not len(won):
        return BoardRow(who, division, mu, sigma)
    middle, low = float(np.median(won)), float(np.percentile(won, 20))
    errors = _standard_errors(won, matrix.stderr_mbb[row, against])
    return BoardRow(who, division, mu, sigma, float(won.mean()), errors[0], middle, low, *errors[1:])


def _standard_errors(won: NDArray[np.float64], errors: NDArray[np.float64]) -> tuple[float | None, ...]:
    """The standard errors of mean, median and 20th percentile of winnings that each have their own.

    Those of the last two are the spread over draws in which every winning errs by its own error; the draws are always
    the same.
    """
    if not np.isfinite(errors).all():
        return None, None, None
    mean = float(np.sqrt(np.square(errors).sum())) / len(won)
    drawn = won + errors * np.random.default_rng(DRAWS).standard_normal((DRAWS, len(won)))
    return mean, float(np.median(drawn, axis=1).std()), float(np.percentile(drawn, 20, axis=1).std())
