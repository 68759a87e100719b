"""A tournament in a notebook: its rankings, one row a bot."""

from typing import Any

from luckless.report.escaping import escaped
from luckless.report.page import table
from luckless.report.ranking_tables import ranking_header, ranking_rows
from luckless.report.tournament_figures import mean_figure as figure
from luckless.report.tournament_report import conclusion, known_columns, summary_text
from luckless.tournaments.result import TournamentResult

__all__ = ["block", "figure", "rows", "summary"]


def summary(result: TournamentResult) -> str:
    """What was played, and the verdict."""
    return f"{summary_text(result)}: {conclusion(result)}"


def block(result: TournamentResult) -> str:
    """The rankings and the verdict."""
    known = known_columns(result)
    ranks = table(
        ranking_header(result.rankings, known=known), ranking_rows(result.names, result.rankings, known), stacked=True
    )
    return f"{ranks}<p><b>{escaped(conclusion(result))}</b></p>"


def rows(result: TournamentResult) -> list[dict[str, Any]]:
    """One row a bot."""
    by = result.rankings.by
    return [
        {"name": name, **{key: ranking.values[bot] for key, ranking in by.items()}}
        for bot, name in enumerate(result.names)
    ]
