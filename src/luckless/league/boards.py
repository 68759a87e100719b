"""Boards: agents ranked by TrueSkill and by their winnings against every other one (thesis, section 3.2).

Nothing here is stored: every number follows from the results in the catalogue, taken in canonical order.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError
from luckless.league.agents import Agent
from luckless.league.bounds import Bound, bounds
from luckless.league.ratings import Ratings
from luckless.league.results import meetings_of, rated, standings_of
from luckless.league.run import Run
from luckless.rankings.ranking import RANKINGS, RESAMPLES, Rankings, rank_games, rank_means
from luckless.rankings.zero_sum import nash_average
from luckless.stats.estimate import quantile
from luckless.stats.units import CHIPS, MILLI_BIG_BLINDS, unit_factor

Matrix = NDArray[np.float64]

METRICS = {
    "trueskill": "TrueSkill",
    "mean": "mean",
    "median": "median",
    "p20": "20th percentile",
}
"""What agents are ranked by, with its name for people; all but the first are of the winnings matrix, in mbb/h."""


SORTED_BY = {**METRICS, "nash": "Nash rating"}
"""What a board can be sorted by: the thesis's metrics, and what an agent wins from the mixture that nobody beats."""

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
    """All rankings: of the direct meetings, Nash averaging and alpha-rank too, if every pair has met; Elo and the
    lottery count who finished a round of the evaluation ahead of whom."""
    matrix = winnings(run)
    if len(matrix.agents) > MOST_RANKED:
        raise InputError(f"the season has {len(matrix.agents):,} teachers; at most {MOST_RANKED} can be ranked so")
    if np.isnan(matrix.mbb).all(axis=1).any():
        raise InputError("the season has no direct meetings of all its teachers yet, which these rankings need")
    found = rank_means(matrix.mbb, matrix.stderr_mbb)
    by = {**found.by, **rank_games(*_counted(run))}
    return Rankings({key: by[key] for key in RANKINGS if key in by}, found.cycles)


def _counted(run: Run) -> tuple[Matrix, Matrix, tuple[Matrix, Matrix]]:
    """Who finished a round ahead of whom, over all evaluation rounds: games won and played, draws as halves; and the
    same for resamples, in which the round is the unit."""
    standings = standings_of(run.store, [*run.evaluations("similar"), *run.evaluations("direct")])
    agents = len(run.teachers)
    place = np.full(len(run.roster), -1)
    place[run.teachers] = np.arange(agents)
    rounds = np.repeat(np.arange(len(standings.ends)), np.diff(standings.ends, prepend=0))
    ones, others = _pairs_of_rounds(standings.ends)
    who, whom = place[standings.agents[ones]], place[standings.agents[others]]
    kept = (who >= 0) & (whom >= 0) & (who != whom)
    ahead = (np.sign(standings.scores[ones] - standings.scores[others])[kept] + 1) / 2
    cells, unit = who[kept] * agents + whom[kept], rounds[ones][kept]

    def tables(weights: Matrix) -> tuple[Matrix, Matrix]:
        counts = (np.bincount(cells, weights[unit] * of, agents**2) for of in (ahead, np.ones(len(ahead))))
        won, games = (np.asarray(count, np.float64) for count in counts)
        return won.reshape(agents, agents), games.reshape(agents, agents)

    rng, count = np.random.default_rng(1), len(standings.ends)
    drawn = [tables(rng.multinomial(count, np.full(count, 1 / count)).astype(float)) for _ in range(RESAMPLES)]
    return *tables(np.ones(count)), (np.array([won for won, _ in drawn]), np.array([games for _, games in drawn]))


def _pairs_of_rounds(ends: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All ordered pairs of entrants of each round, as places in the list of entrants."""
    firsts = np.concatenate([[0], ends[:-1]])
    pairs = [
        (one, other)
        for first, end in zip(firsts.tolist(), ends.tolist(), strict=True)
        for one, other in itertools.permutations(range(first, end), 2)
    ]
    ones, others = np.array(pairs, np.int64).reshape(-1, 2).T
    return ones, others


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
    nash: float | None = None
    """What it wins from the Nash mixture of all agents, where every pair has met."""
    nash_share: float | None = None
    """Its weight in that mixture."""
    bound: Bound | None = None
    """What an opponent was found to win from it."""

    def half_width(self, metric: str) -> float | None:
        """Half the width of the 95 % interval of one of `METRICS`; None where it is not known."""
        errors = {
            "trueskill": self.sigma,
            "mean": self.stderr_mean,
            "median": self.stderr_median,
            "p20": self.stderr_p20,
        }
        error = errors.get(metric)
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
            "nash_rating_mbb": self.nash,
            "nash_share": self.nash_share,
            "exploited": None if self.bound is None else self.bound.to_dict(),
        }


def board(run: Run, by: str = "trueskill") -> list[BoardRow]:
    """All teachers of all divisions, best first; TrueSkill is that of all rounds of like rank."""
    _check_metric(by)
    history = rated(run.store, run.evaluations("similar"), len(run.roster))
    matrix = winnings(run)
    lines = [_line(run, agent, history.final, set(history.agents.tolist()), matrix) for agent in run.teachers]
    return ranked(_with_bounds(run, _with_nash(lines, matrix)), by)


def _with_nash(lines: list[BoardRow], matrix: Winnings) -> list[BoardRow]:
    """Adds Nash averaging; its intervals are in `rankings`, which takes longer."""
    if not matrix.complete or len(lines) > MOST_RANKED:
        return lines
    shares, ratings = nash_average(np.nan_to_num(matrix.mbb))
    return [
        replace(line, nash=round(float(rating), 6) + 0.0, nash_share=float(share))
        for line, share, rating in zip(lines, shares, ratings, strict=True)
    ]


def _with_bounds(run: Run, lines: list[BoardRow]) -> list[BoardRow]:
    known = bounds(run)
    return [replace(line, bound=known.get(line.agent.id)) for line in lines]


def trueskill(run: Run) -> list[BoardRow]:
    """The lines of all teachers in their order, which is that of `rankings`."""
    lines = {line.agent.id: line for line in board(run)}
    return [lines[run.roster[agent].id] for agent in run.teachers]


def trueskill_ends(line: BoardRow) -> list[float] | None:
    """The 95 % interval of a TrueSkill."""
    half = line.half_width("trueskill")
    return None if half is None or line.trueskill is None else [line.trueskill - half, line.trueskill + half]


def division_board(run: Run, number: int, by: str = "trueskill") -> list[BoardRow]:
    """The agents that have played in one division, students too, by TrueSkill of its rounds, its only metric."""
    _check_metric(by)
    if by != "trueskill":
        raise InputError(f"the board of a division is sorted by trueskill only; {by} is for the whole season")
    history = rated(run.store, [number], len(run.roster))
    lines = [_line(run, agent, history.final, {agent}, None) for agent in np.unique(history.agents).tolist()]
    return ranked(lines, "trueskill")


def _check_metric(by: str) -> None:
    if by not in SORTED_BY:
        raise InputError(f"no board is sorted by {by!r}; allowed is {', '.join(SORTED_BY)}")


def ranked(lines: Sequence[BoardRow], by: str) -> list[BoardRow]:
    """Lines with the best first; those without a number come last, and equal ones stay in the order of agents."""
    known = [line for line in lines if getattr(line, by) is not None]
    share = {line.agent.id: line.nash_share or 0.0 for line in known if by == "nash"}  # inside the mixture all are 0
    order = sorted(known, key=lambda line: (-getattr(line, by), -share.get(line.agent.id, 0.0)))
    return order + [line for line in lines if line not in known]


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
    of_mean, of_median, of_p20 = _standard_errors(won, matrix.stderr_mbb[row, against])
    return BoardRow(who, division, mu, sigma, float(won.mean()), of_mean, middle, low, of_median, of_p20)


def _standard_errors(
    won: NDArray[np.float64], errors: NDArray[np.float64]
) -> tuple[float | None, float | None, float | None]:
    """The standard errors of mean, median and 20th percentile of winnings that each have their own.

    Those of the last two are the spread over draws in which every winning errs by its own error; the draws are always
    the same.
    """
    if not np.isfinite(errors).all():
        return None, None, None
    mean = float(np.sqrt(np.square(errors).sum())) / len(won)
    drawn = won + errors * np.random.default_rng(DRAWS).standard_normal((DRAWS, len(won)))
    return mean, float(np.median(drawn, axis=1).std()), float(np.percentile(drawn, 20, axis=1).std())
