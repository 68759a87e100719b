"""The parts of a season's page that answer the questions of the thesis's results: its metrics, types and divisions.

All ten figures of its chapter 4 are drawn, with their numbers in the captions, and its tables stand beside ours.
"""

from collections.abc import Callable, Sequence
from typing import Any

from luckless.league.agents import Agent
from luckless.league.analysis import coherence, compared_matchups, correlations, internal_ranks, prediction
from luckless.league.boards import METRICS, BoardRow, Winnings, ranked
from luckless.league.run import Run
from luckless.report import league_figures, thesis_tables
from luckless.report.league_rank_figures import (
    coherence_figure,
    internal_figure,
    matchup_figure,
    prediction_figure,
    type_figure,
)
from luckless.report.league_style_figures import Behaviours, style_by_division, style_by_rank, style_by_type
from luckless.report.match_report import signed
from luckless.report.page import Panel, Section, beside, facts, folded, table

TOP, TOP_KINDS = 10, 20
"""Rows of the tables of agents, and of those of types and divisions, as many as in the thesis."""

SHORT_HEADER = ("agent", "TrueSkill", "mean", "median", "20th pct.")
STYLE_NOTE = "A point an agent: how tight and how aggressive it plays in the situations of the strategy vector."
SPREAD_NOTE = "A box holds the middle half of the agents, the line in it is the median, and every point an agent."


def metrics_section(run: Run, lines: Sequence[BoardRow], matrix: Winnings, behaviours: Behaviours) -> Section:
    """The best by each metric, how well metrics foretell winners, and which styles they favour."""
    boards = [
        _beside_thesis(run, "4.2", f"Sorted by {name}", table(SHORT_HEADER, _short_rows(lines, metric)),
                       table(SHORT_HEADER, thesis_tables.board_table(metric)))
        for metric, name in METRICS.items()
    ]  # fmt: skip
    foretold = Panel(
        "Winners foretold",
        [prediction_figure(prediction(lines, matrix))],
        "Direct meetings won by the agent that stands higher on the board of the metric (figure 4.2 of the thesis). "
        "TrueSkill does not know these meetings; the other three are computed from them. The dotted line is chance.",
    )
    styles = Panel(
        "Style and rank",
        [style_by_rank(run, behaviours, lines, metric) for metric in METRICS],
        f"{STYLE_NOTE} Its colour is its rank by the metric: blue is better (figure 4.1 of the thesis).",
    )
    return Section("Four metrics side by side", "".join(boards), [foretold, styles])


def _short_rows(lines: Sequence[BoardRow], metric: str) -> list[tuple[str, ...]]:
    return [
        (
            line.agent.name,
            "-" if line.trueskill is None else f"{line.trueskill:.1f}",
            *("-" if amount is None else signed(amount) for amount in (line.mean, line.median, line.p20)),
        )
        for line in ranked(lines, metric)[:TOP]
    ]


def _beside_thesis(run: Run, number: str, title: str, ours: str, theirs: str) -> str:
    """Our table beside the thesis's where the season has its divisions; else the thesis's is folded away."""
    named = f"The thesis, table {number}"
    if {division.name for division in run.season.division} == thesis_tables.TRAINING_DIVISIONS:
        return beside(f"<h4>{title}</h4>{ours}", f"<h4>{named}</h4>{theirs}")
    return f"<h4>{title}</h4>{ours}" + folded(f"{named}, for comparison", theirs)


def coherence_section(run: Run) -> list[Section]:
    """How far two independent ratings agree; nothing where there are not two."""
    agreement = coherence(run)
    if agreement is None:
        return []
    said = [(name, "-" if value is None else f"{value:.3f}") for name, value in correlations(run, agreement).items()]
    body = "<p>Rank correlation (Spearman) of two independent ratings:</p>" + facts(said)
    drawn = Panel(
        "Two ratings of the same agents",
        [coherence_figure(run, agreement)],
        "The rank of every agent in two divisions of like rank that know nothing of each other (figure 4.4 of the "
        "thesis). Were ratings certain, all points would lie on the line.",
    )
    return [Section("How far TrueSkill can be trusted", body, [drawn])]


def types_section(run: Run, lines: Sequence[BoardRow], behaviours: Behaviours) -> Section:
    """How the types of agent compare: style, ranks and progress."""
    kinds = _kinds_table(
        run, "4.3", "Types of the best", lines, lambda agent: agent.type, thesis_tables.type_columns()
    )
    style = Panel(
        "Style by type",
        [style_by_type(run, behaviours)],
        f"{STYLE_NOTE} A colour is a type, a symbol a division (figure 4.5 of the thesis).",
    )
    spread = Panel(
        "Distribution by type and rank",
        [type_figure(run, lines, metric) for metric in METRICS],
        f"{SPREAD_NOTE} By type of agent (figure 4.6 of the thesis).",
    )
    progress = Panel(
        "Progress by generation",
        [league_figures.generation_figure(run, lines, metric) for metric in METRICS],
        "What became of each student, clone by clone, with 95 % intervals (figure 4.7 of the thesis).",
    )
    return Section("Types of agent", kinds, [style, spread, progress])


def divisions_section(run: Run, lines: Sequence[BoardRow], behaviours: Behaviours) -> Section:
    """How the divisions compare: style, line-ups by chance and by rating, and ranks at home and among all."""
    names = [division.name for division in run.season.division]
    kinds = _kinds_table(
        run, "4.4", "Divisions of the best", lines, lambda agent: names[agent.division],
        thesis_tables.division_columns(),
    )  # fmt: skip
    style = Panel(
        "Style by division",
        [style_by_division(run, behaviours)],
        f"{STYLE_NOTE} A colour is a division, a symbol a type (figure 4.8 of the thesis).",
    )
    inside = Panel(
        "Rank at home and among all",
        [internal_figure(run, ranks) for ranks in internal_ranks(run)],
        "Teachers of each division by TrueSkill of its own rounds and of the rounds of like rank among all (figure "
        "4.10 of the thesis). Where agents have learned only to beat their own division, the ranks disagree.",
    )
    return Section("Divisions", kinds, [style, _matchups(run, lines), inside])


def _matchups(run: Run, lines: Sequence[BoardRow]) -> Panel:
    compared = compared_matchups(run)
    note = "of divisions that differ in nothing else" if compared else "of all divisions, whose students differ too"
    return Panel(
        "Distribution by matchup",
        [matchup_figure(run, compared or range(run.divisions), lines, metric) for metric in METRICS],
        f"{SPREAD_NOTE} Clones {note}, by the rule of their line-ups (figure 4.9 of the thesis).",
    )


def _kinds_table(
    run: Run, number: str, title: str, lines: Sequence[BoardRow], kind_of: Callable[[Agent], str],
    theirs: Sequence[Sequence[str]],
) -> str:  # fmt: skip
    """What the best by each metric are, rank by rank, beside the thesis's table."""
    ours = [[kind_of(line.agent) for line in ranked(lines, metric)[:TOP_KINDS]] for metric in METRICS]
    return _beside_thesis(run, number, f"{title} by each metric", _ranks_table(ours), _ranks_table(theirs))


def _ranks_table(columns: Sequence[Sequence[Any]]) -> str:
    rows = [(str(rank), *row) for rank, row in enumerate(zip(*columns, strict=True), start=1)]
    return table(("rank", *METRICS.values()), rows)
