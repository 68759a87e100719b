"""All rankings of one table side by side, each with intervals from the same resamples of the deals."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.rankings.alpha_rank import alpha_rank
from luckless.rankings.cycles import Cycle, find_cycles
from luckless.rankings.elo import elo
from luckless.rankings.pair_values import PairValues, Table
from luckless.rankings.true_skill import true_skill
from luckless.rankings.zero_sum import maximal_lottery, nash_average

Matrix = NDArray[np.float64]

RESAMPLES = 400
"""The ends of an interval are then right to about 5 % of its width."""

NO_SPREAD = 1e-11
"""A spread below this share of the largest mean is none."""

RANKINGS = {
    "mean": "mean win rate",
    "worst": "worst pairing",
    "elo": "Elo",
    "trueskill": "TrueSkill",
    "nash": "share in the Nash mixture",
    "nash_rating": "Nash rating",
    "alpha_rank": "alpha-rank",
    "lottery": "maximal lottery",
}
"""Keys of JSON, with names for people. The first two and the Nash rating have the unit of the table."""


@dataclass(frozen=True)
class Ranking:
    """One number for each player and its 95 % interval."""

    values: tuple[float, ...]
    intervals: tuple[tuple[float, float], ...]

    @property
    def order(self) -> list[int]:
        """The players, best first; those that are equal to nine digits in their order, the unknown last."""
        known = [-math.inf if math.isnan(value) else value for value in self.values]
        largest = max(abs(value) for value in known if math.isfinite(value)) or 1.0
        return sorted(range(len(known)), key=lambda player: -round(known[player] / largest, 9))


@dataclass(frozen=True)
class Rankings:
    """All rankings that the table allows, by their key in `RANKINGS`, and its cycles."""

    by: Mapping[str, Ranking]
    cycles: tuple[Cycle, ...]

    def to_dict(self, names: Sequence[str]) -> dict[str, Any]:
        """As plain values for JSON; lists run like the names."""
        return {
            "bots": list(names),
            "rankings": {key: as_json([ranking.values])[0] for key, ranking in self.by.items()},
            "ci95": {key: as_json(ranking.intervals) for key, ranking in self.by.items()},
            "cycles": [cycle.to_dict(names) for cycle in self.cycles],
        }


def rank(values: PairValues, *, resamples: int = RESAMPLES, seed: int = 1) -> Rankings:
    """Every ranking with its intervals. Nash averaging, alpha-rank and the lottery need a complete table."""
    table, drawn = values.table, values.resampled(resamples, seed)
    deals = values.deals.astype(np.float64)
    found = {**_of_rows(table, drawn), **_of_games_won(table, drawn, deals)}
    if values.complete:
        found |= _of_games(table.mean, drawn.mean)
        found["lottery"] = _lottery(table.score, drawn.score)
    return Rankings({key: found[key] for key in RANKINGS if key in found}, _cycles(table.mean, values.stderr))


def rank_means(mean: Matrix, stderr: Matrix, *, resamples: int = RESAMPLES, seed: int = 1) -> Rankings:
    """The rankings of a table of means of which only the standard errors are known, not the deals: each mean is
    drawn anew from its normal law, and independent of the others. `rank_games` gives Elo and the lottery."""
    upper = np.triu(np.random.default_rng(seed).standard_normal((resamples, *mean.shape)), 1)
    several = mean + (upper - upper.transpose(0, 2, 1)) * np.nan_to_num(stderr)
    nothing = np.full_like(mean, np.nan)
    table, drawn = Table(mean, nothing), Table(several, nothing)
    found = _of_rows(table, drawn)
    if np.isnan(mean).sum() == len(mean):
        found |= _of_games(mean, several)
    return Rankings(found, _cycles(mean, stderr))


def rank_games(won: Matrix, games: Matrix, drawn: tuple[Matrix, Matrix]) -> dict[str, Ranking]:
    """Elo and, if every pair has met, the lottery of counted games: `won[i, j]` of `games[i, j]`, draws as halves.

    `drawn` are the same two tables for every resample; a pair that a resample misses is even there.
    """
    several, of = drawn
    found = {"elo": _ranking(elo(won, games), elo(several, of))}
    if ((games > 0) | np.eye(len(games), dtype=bool)).all():
        shares = maximal_lottery(_margins(won, games))
        mixtures = [maximal_lottery(one, support=shares > 0) for one in _margins(several, of)]
        found["lottery"] = _ranking(shares, np.array(mixtures))
    return found


def _margins(won: Matrix, games: Matrix) -> Matrix:
    """The share of games that the row won minus the share that it lost."""
    with np.errstate(invalid="ignore", divide="ignore"):
        margins: Matrix = np.where(games > 0, (won - np.swapaxes(won, -1, -2)) / games, 0.0)
    return margins


def _cycles(mean: Matrix, stderr: Matrix) -> tuple[Cycle, ...]:
    return tuple(find_cycles(mean, stderr))


def _of_rows(table: Table, drawn: Table) -> dict[str, Ranking]:
    """Mean and worst pairing of every row."""
    means = _ranking(mean_of_met(table.mean), mean_of_met(drawn.mean))
    return {"mean": means, "worst": _worst(table.mean, drawn.mean)}


def _worst(mean: Matrix, drawn: Matrix) -> Ranking:
    """The lowest entry of each row.

    The lowest of several estimates lies below the lowest truth on average, so that plain resampling covers far too
    seldom. The interval is that of the lowest ends of a band which holds the whole row at once with 95 %.
    """
    errors = drawn.std(axis=0)
    errors[errors <= NO_SPREAD * np.nanmax(np.abs(mean))] = 0.0  # equal deals: what is left is rounding
    with np.errstate(invalid="ignore", divide="ignore"):
        far = np.nanmax(np.nan_to_num(np.abs(drawn - mean) / errors, posinf=0.0), axis=-1)
    width = np.quantile(far, 0.95, axis=0)[:, None] * errors
    ends = zip(_lowest(mean - width), _lowest(mean + width), strict=True)
    return Ranking(tuple(map(float, _lowest(mean))), tuple((float(low), float(high)) for low, high in ends))


def mean_of_met(table: Matrix) -> Matrix:
    """The mean of each row over those that were met; NaN where nobody was."""
    met = ~np.isnan(table)
    counts = met.sum(axis=-1)
    means: Matrix = np.where(counts > 0, np.where(met, table, 0.0).sum(axis=-1) / np.maximum(counts, 1), np.nan)
    return means


def _lowest(table: Matrix) -> Matrix:
    """The lowest number of each row; NaN where there is none."""
    lowest = np.where(np.isnan(table), np.inf, table).min(axis=-1)
    found: Matrix = np.where(np.isinf(lowest), np.nan, lowest)
    return found


def _of_games_won(table: Table, drawn: Table, deals: Matrix) -> dict[str, Ranking]:
    """The ratings that count who won each deal."""

    def rated(rating: Callable[[Matrix, Matrix], Matrix]) -> Ranking:
        point, several = (
            rating(np.nan_to_num(score + 1) / 2 * deals, np.broadcast_to(deals, score.shape))
            for score in (table.score, drawn.score)
        )
        return _ranking(point, several)

    return {"elo": rated(elo), "trueskill": rated(true_skill)}


def _lottery(score: Matrix, drawn: Matrix) -> Ranking:
    lottery = maximal_lottery(np.nan_to_num(score))
    several = [maximal_lottery(one, support=lottery > 0) for one in np.nan_to_num(drawn)]
    return _ranking(lottery, np.array(several))


def _of_games(mean: Matrix, drawn: Matrix) -> dict[str, Ranking]:
    """The rankings that look at the table of means as a game, resample by resample."""
    mean, drawn = np.nan_to_num(mean), np.nan_to_num(drawn)
    shares, ratings = nash_average(mean)
    mixtures = [nash_average(one, support=shares > 0) for one in drawn]
    return {
        "nash": _ranking(shares, np.array([mixture for mixture, _ in mixtures])),
        "nash_rating": _ranking(ratings, np.array([worth for _, worth in mixtures])),
        "alpha_rank": _ranking(alpha_rank(mean), np.array([alpha_rank(one) for one in drawn])),
    }


def _ranking(point: Matrix, drawn: Matrix) -> Ranking:
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    ends = tuple((float(one), float(other)) for one, other in zip(low, high, strict=True))
    return Ranking(tuple(map(float, point)), ends)


def as_json(table: Matrix | Sequence[Sequence[float]]) -> list[list[Any]]:
    """A table as plain values for JSON: null where nothing is known."""
    return [[None if np.isnan(value) else float(value) for value in row] for row in table]
