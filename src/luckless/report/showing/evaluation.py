"""An evaluation in a notebook: the win rate against each opponent and what it means."""

from typing import Any

from luckless.matches.evaluation import Evaluation
from luckless.report.escaping import escaped
from luckless.report.evaluation_report import TRIAL_HEADER, conclusion, remarks, trial_rows
from luckless.report.evaluation_report import rate_figure as figure
from luckless.report.page import table
from luckless.report.showing.plain import plain_row

__all__ = ["block", "figure", "rows", "summary"]


def summary(evaluation: Evaluation) -> str:
    """The verdict."""
    return f"of {evaluation.bot}: {conclusion(evaluation)}"


def block(evaluation: Evaluation) -> str:
    """The table of opponents, the verdict and the remarks."""
    parts = [table(TRIAL_HEADER, trial_rows(evaluation)), f"<p><b>{escaped(conclusion(evaluation))}</b></p>"]
    parts += [f"<p>{escaped(remark)}</p>" for remark in remarks(evaluation)]
    return "".join(parts)


def rows(evaluation: Evaluation) -> list[dict[str, Any]]:
    """One row an opponent."""
    return [plain_row(trial) for trial in evaluation.to_dict()["opponents"]]
