"""DIVAT's judgement in a notebook: money, skill and luck, street by street."""

from typing import Any

from luckless.counted import counted
from luckless.divat.judgement import Judgement
from luckless.report.divat_report import bankroll_figure as figure
from luckless.report.divat_words import conclusion, header, judgement_rows, notes, street_rows
from luckless.report.escaping import escaped
from luckless.report.page import table
from luckless.report.showing.plain import plain_row
from luckless.rules.game import STREETS

__all__ = ["block", "figure", "rows", "summary"]


def summary(judgement: Judgement) -> str:
    """Who was judged, and the verdict."""
    return f"of {counted(judgement.hands, 'hand')}: {conclusion(judgement)}"


def block(judgement: Judgement) -> str:
    """The measures, the skill by street, the verdict and the notes."""
    parts = [
        table(("small bets a hand", *header(judgement)), judgement_rows(judgement)),
        table(("skill by street", *header(judgement)), street_rows(judgement)),
        f"<p><b>{escaped(conclusion(judgement))}</b></p>",
    ]
    parts += [f"<p>{escaped(note)}</p>" for note in notes(judgement)]
    return "".join(parts)


def rows(judgement: Judgement) -> list[dict[str, Any]]:
    """One row a hand: its number and every measure in small bets."""
    measures = {name: column.tolist() for name, column in judgement.values.items()}
    by_street = {
        f"{name}_{STREETS[street]}": column.tolist()
        for name, matrix in judgement.streets.items()
        for street, column in enumerate(matrix.T)
    }
    columns = {"hand": judgement.played.numbers.tolist(), **measures, **by_street}
    return [plain_row(dict(zip(columns, row, strict=True))) for row in zip(*columns.values(), strict=True)]
