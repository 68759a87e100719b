"""The numbers that docs/league.md gives of a finished season, one section a question of the thesis's chapter 4.

python tools/season_outcome.py runs/thesis
"""

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np

from luckless.league import analysis
from luckless.league.boards import METRICS, BoardRow, board, winnings
from luckless.league.run import Run

SECONDS = """
select division, count(*), sum(rounds.seconds), total(lessons.seconds) from rounds
left join lessons using (division, number) group by division
"""


def _decimals(correlation: float | None) -> str:
    return "-" if correlation is None else f"{correlation:.2f}"


def name_of(run: Run, row: BoardRow) -> str:
    """An agent with what it is."""
    agent = row.agent
    return f"{agent.name} ({agent.type}, {run.division_name(agent.division)}, generation {agent.generation})"


def by_type(rows: list[BoardRow]) -> Iterator[str]:
    """Means over the agents of each type, the best type first."""
    means = {}
    for kind in {row.agent.type for row in rows}:
        of_kind = [row for row in rows if row.agent.type == kind]
        means[kind] = np.array([[getattr(row, metric) for metric in METRICS] for row in of_kind], np.float64)
    for kind, values in sorted(means.items(), key=lambda item: -float(item[1][:, 0].mean())):
        trueskill, *rest = values.mean(axis=0)
        others = " | ".join(f"{value:+,.0f}" for value in rest[:3])
        yield f"| {kind} | {len(values)} | {trueskill:.1f} | {values[:, 0].max():.1f} | {others} |"


def by_metric(run: Run, rows: list[BoardRow]) -> Iterator[str]:
    """Who leads by each metric, how ranks agree, and how many names the ten best by two metrics share."""
    values = {metric: np.array([getattr(row, metric) for row in rows], np.float64) for metric in METRICS}
    best = {metric: {rows[place].agent.name for place in np.argsort(-part)[:10]} for metric, part in values.items()}
    for metric, part in values.items():
        yield f"{metric}: {name_of(run, rows[int(np.argmax(part))])} {part.max():,.1f}"
    for one, other in combinations(values, 2):
        correlation = analysis.rank_correlation(values[one], values[other])
        yield f"{one} with {other}: {correlation:.2f}, {len(best[one] & best[other])} of ten shared"
    yield f"among the ten best by all: {', '.join(sorted(set.intersection(*best.values())))}"


def best_twenty(run: Run, rows: list[BoardRow]) -> Iterator[str]:
    """Which types and divisions the twenty best by each metric are of, and how the rest of a metric lies."""
    for metric in METRICS:
        values = np.array([getattr(row, metric) for row in rows], np.float64)
        best = [rows[place].agent for place in np.argsort(-values)[:20]]
        types = Counter(agent.type for agent in best)
        divisions = Counter(run.division_name(agent.division) for agent in best)
        counts = (", ".join(f"{count} {word}" for word, count in of.most_common()) for of in (types, divisions))
        quarters = " ".join(f"{value:,.1f}" for value in np.percentile(values, [0, 25, 50, 75, 100]))
        yield f"{metric}: {'; '.join(counts)}; lowest to highest by quarters {quarters}"


def by_generation(run: Run, rows: list[BoardRow]) -> Iterator[str]:
    """TrueSkill of the clones of each student in their order."""
    for student in (agent for agent in run.roster if agent.trainable):
        clones = sorted((row for row in rows if row.agent.parent == student.id), key=lambda row: row.agent.generation)
        ratings = np.array([row.trueskill for row in clones])
        correlation = analysis.rank_correlation(ratings, np.arange(len(ratings), dtype=np.float64))
        told = " | ".join(f"{rating:.0f}" for rating in ratings)
        yield f"| {student.type}, {run.division_name(student.division)} | {told} | {_decimals(correlation)} |"


def by_division(run: Run, rows: list[BoardRow]) -> Iterator[str]:
    """The clones of each division, and how its own ranking agrees with that of all."""
    agreeing = {found.division: _decimals(found.correlation) for found in analysis.internal_ranks(run)}
    for division in range(run.divisions):
        clones = [row for row in rows if row.agent.division == division and row.agent.is_clone]
        ratings = [row.trueskill for row in clones if row.trueskill is not None]
        if ratings:
            yield (
                f"{run.division_name(division)}: mean {np.mean(ratings):.0f}, best {max(ratings):.0f}, "
                f"internal with global rank {agreeing.get(division, '-')}"
            )


def by_style(run: Run) -> Iterator[str]:
    """How often each type folds, calls, checks and raises."""
    styles = analysis.styles(run)
    for kind in dict.fromkeys(agent.type for agent in run.roster):
        found = [styles[agent.id] for agent in run.roster if agent.type == kind and agent.id in styles]
        if found:
            counts = np.sum(found, axis=0)
            yield f"{kind}: {', '.join(f'{share:.0%}' for share in counts / counts.sum())}"


def sections(run: Run) -> Iterator[tuple[str, list[str]]]:
    """Every section: its title and its lines."""
    rows, matrix = board(run), winnings(run)
    foretold = analysis.prediction(rows, matrix)
    yield "type | agents | TrueSkill | best | mean | median | 20th percentile", list(by_type(rows))
    yield "winners predicted", [f"{key}: {share:.1%}" for key, share in foretold.shares.items()]
    yield "metrics", list(by_metric(run, rows))
    yield "the twenty best", list(best_twenty(run, rows))
    yield "TrueSkill by generation, rank correlation", list(by_generation(run, rows))
    yield "divisions", list(by_division(run, rows))
    coherence = analysis.coherence(run)
    yield (
        "two rankings",
        []
        if coherence is None
        else [f"{kind}: {_decimals(found)}" for kind, found in analysis.correlations(run, coherence).items()],
    )
    yield "fold, call, check, raise", list(by_style(run))
    flow = analysis.cashflow_by_type(run)
    yield "cashflow, mbb/h a seat", [] if flow is None else [str(flow.types), str(np.round(flow.mbb).astype(int))]
    yield (
        "division, rounds, seconds of rounds, of lessons",
        [f"{run.division_name(row[0])}: {row[1]}, {row[2]:,.0f}, {row[3]:,.0f}" for row in run.store.rows(SECONDS)],
    )


def main(folder: Path) -> None:
    """Prints all sections."""
    run = Run.open(folder)
    for title, lines in sections(run):
        print(f"\n## {title}")
        for line in lines:
            print(line)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
