"""A season in a notebook: its board."""

from typing import Any

from luckless.league.boards import board, winnings
from luckless.league.season_record import SeasonRecord
from luckless.report.escaping import escaped
from luckless.report.league_figures import winnings_figure
from luckless.report.league_report import board_header, board_rows, conclusion
from luckless.report.page import table
from luckless.report.showing.plain import plain_row


def summary(record: SeasonRecord) -> str:
    """The name of the season and the verdict."""
    return f"{record.run.season.name}: {conclusion(record.run, board(record.run))}"


def block(record: SeasonRecord) -> str:
    """The board and the verdict."""
    ranked = board(record.run)
    return f"{table(board_header(ranked), board_rows(ranked))}<p><b>{escaped(conclusion(record.run, ranked))}</b></p>"


def figure(record: SeasonRecord) -> Any:
    """Who wins from whom."""
    return winnings_figure(record.run, winnings(record.run), board(record.run))


def rows(record: SeasonRecord) -> list[dict[str, Any]]:
    """One row an agent."""
    return [plain_row(agent) for agent in record.to_dict()["agents"]]
