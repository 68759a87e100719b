"""Sessions in a notebook: who came out ahead of whom, one row a pairing."""

from typing import Any

from luckless.matches.session_result import SessionResult
from luckless.report.escaping import escaped
from luckless.report.page import table
from luckless.report.session_report import PAIRING_HEADER, conclusion, pairing_rows
from luckless.report.session_report import probability_figure as figure
from luckless.report.showing.plain import plain_row

__all__ = ["block", "figure", "rows", "summary"]


def summary(result: SessionResult) -> str:
    """How many were played, and the verdict."""
    return f"{result.games:,} sessions: {conclusion(result)}"


def block(result: SessionResult) -> str:
    """The table of pairings and the verdict."""
    pairings = table(PAIRING_HEADER, pairing_rows(result, result.sessions.names))
    return f"{pairings}<p><b>{escaped(conclusion(result))}</b></p>"


def rows(result: SessionResult) -> list[dict[str, Any]]:
    """One row a pairing."""
    return [plain_row(pairing) for pairing in result.to_dict()["pairings"]]
