"""Rating rounds of a season, beside the packages that people use for it, and how long a whole season takes."""

import importlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from luckless.bench import season
from luckless.bench.timing import Row, once, seconds_of
from luckless.league.ratings import BETA, START_MU, START_SIGMA, Ratings, Standings

GAMES, SEATS, AGENTS = 5_000, 6, 100


def measure() -> Iterator[Row]:
    """All rows."""
    yield from _rating()
    yield from season.measure()


def _rating() -> Iterator[Row]:
    """TrueSkill over 5,000 rounds of six agents; openskill is another, simpler system, shown for its speed."""
    random = np.random.default_rng(1)
    tables = np.array([random.choice(AGENTS, SEATS, replace=False) for _ in range(GAMES)])
    scores = random.integers(-10_000, 10_000, tables.shape) + 200 * tables
    ends = np.arange(1, GAMES + 1) * SEATS
    standings = Standings(ends, tables.ravel(), scores.ravel())
    ours = seconds_of(lambda: Ratings.start(AGENTS).update(standings))
    work = f"rating {GAMES:,} rounds of six agents"
    try:
        import trueskill

        package = trueskill.TrueSkill(mu=START_MU, sigma=START_SIGMA, beta=BETA)
        beginners = [package.create_rating() for _ in range(AGENTS)]
        yield Row(work, ours, "trueskill", once(lambda: _rate(package, beginners, tables, scores)), 10)
    except ImportError:
        yield Row(work, ours)
    try:
        model = importlib.import_module("openskill.models").PlackettLuce()
        players = [model.rating() for _ in range(AGENTS)]
        yield Row(work, ours, "openskill", once(lambda: _rate(model, players, tables, scores)), 1)
    except ImportError:
        pass


def _rate(package: Any, ratings: list[Any], tables: Any, scores: Any) -> None:
    """Rates all rounds with a package; both take teams of one, and the lower rank for the better."""
    for table, score in zip(tables.tolist(), scores.tolist(), strict=True):
        teams = package.rate([[ratings[agent]] for agent in table], ranks=[-points for points in score])
        for agent, (rating,) in zip(table, teams, strict=True):
            ratings[agent] = rating
