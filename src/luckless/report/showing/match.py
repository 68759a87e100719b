"""A match in a notebook: the block that the terminal prints, the winnings line, one row a player."""

from typing import Any

from luckless.counted import counted
from luckless.matches.result import MatchResult
from luckless.report.escaping import escaped
from luckless.report.match_figures import winnings_figure as figure
from luckless.report.match_report import RESULT_HEADER, conclusion, notes, result_rows
from luckless.report.page import table
from luckless.report.showing.plain import plain_row

__all__ = ["block", "figure", "rows", "summary"]


def summary(result: MatchResult) -> str:
    """The game, the hands, and how the leader does."""
    return f"{result.match.game.name}, {counted(result.hands, 'hand')}: {conclusion(result)}"


def block(result: MatchResult) -> str:
    """The table of players, the verdict and the notes."""
    match = result.match
    seats = f", {match.seats_text}" if match.empty_seats else ""
    head = f"{match.game.name}{seats}, {counted(result.hands, 'hand')}, {match.decks} decks, seed {match.seed}"
    parts = [f"<p><b>{escaped(head)}</b></p>", table(RESULT_HEADER, result_rows(result))]
    parts.append(f"<p><b>{escaped(conclusion(result))}</b></p>")
    parts += [f"<p>{escaped(note)}</p>" for note in notes(result)]
    return "".join(parts)


def rows(result: MatchResult) -> list[dict[str, Any]]:
    """One row a player."""
    return [plain_row(bot) for bot in result.to_dict()["bots"]]
