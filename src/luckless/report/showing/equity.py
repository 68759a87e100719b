"""Equity in a notebook: one row a hand."""

from typing import Any

from luckless.hands.equity import Equity
from luckless.report.page import table
from luckless.report.style import new_figure, player_colour


def summary(result: Equity) -> str:
    """Each hand with its share of the pot."""
    shares = (
        f"{hand.text} {100 * share:.2f} %" for hand, share in zip(result.spot.hands, result.equity, strict=True)
    )
    return f"{', '.join(shares)} ({'exact' if result.exact else 'sampled'}, {result.deals:,} deals)"


def block(result: Equity) -> str:
    """The table of hands."""
    shown = [
        (row["hand"], *(f"{100 * row[key]:.4f}" for key in ("equity", "stderr", "win", "tie")))
        for row in rows(result)
    ]
    return table(("hand", "equity %", "standard error %", "win %", "tie %"), shown)


def figure(result: Equity) -> Any:
    """One bar a hand."""
    chart = new_figure("Equity", "hand", "share of the pot (%)")
    for place, row in enumerate(rows(result)):
        chart.add_bar(x=[row["hand"]], y=[100 * row["equity"]], name=row["hand"], marker_color=player_colour(place))
    return chart


def rows(result: Equity) -> list[dict[str, Any]]:
    """One row a hand."""
    columns = zip(result.spot.hands, result.equity, result.stderr, result.win, result.tie, strict=True)
    return [
        {"hand": hand.text, "equity": share, "stderr": error, "win": win, "tie": tie}
        for hand, share, error, win, tie in columns
    ]
