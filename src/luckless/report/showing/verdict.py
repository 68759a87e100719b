"""A verdict in a notebook: money and luck-adjusted win rate of each player."""

from typing import Any

from luckless.counted import counted
from luckless.report.escaping import escaped
from luckless.report.match_report import interval_text, signed
from luckless.report.page import table
from luckless.report.style import new_figure, player_colour
from luckless.skill.verdict import Verdict

HEADER = ("player", "hands", "money mbb/h", "95 % interval", "adjusted mbb/h", "95 % interval", "variance divided by")


def summary(verdict: Verdict) -> str:
    """How it was judged, and each player's adjusted win rate."""
    players = ", ".join(f"{player.name} {signed(player.adjusted.mean)} mbb/h" for player in verdict.players)
    return f"of {counted(verdict.hands, 'hand')} by {verdict.by}: {players}"


def block(verdict: Verdict) -> str:
    """The table of players and why this estimator was taken."""
    shown = [
        (
            player.name,
            f"{player.hands:,}",
            *(text for rate in (player.money, player.adjusted) for text in (signed(rate.mean), interval_text(rate))),
            "-" if player.variance_ratio is None else f"{player.variance_ratio:.1f}",
        )
        for player in verdict.players
    ]
    return f"{table(HEADER, shown)}<p>{escaped(verdict.reason)}</p>"


def figure(verdict: Verdict) -> Any:
    """Money and adjusted win rates with their intervals."""
    chart = new_figure("Win rates", "player", "mbb/h")
    for place, kind in enumerate(("money", "adjusted")):
        rates = [getattr(player, kind) for player in verdict.players]
        errors = [(rate.ci95[1] - rate.ci95[0]) / 2 if rate.ci95 else 0.0 for rate in rates]
        chart.add_bar(
            x=[player.name for player in verdict.players],
            y=[rate.mean for rate in rates],
            error_y={"type": "data", "array": errors},
            name=kind if kind == "money" else verdict.by,
            marker_color=player_colour(place),
        )
    chart.update_layout(barmode="group")
    return chart


def rows(verdict: Verdict) -> list[dict[str, Any]]:
    """One row a player."""
    return [
        {
            "name": player.name,
            "hands": player.hands,
            **{f"money_{key}": value for key, value in _figures(player.money).items()},
            **{f"adjusted_{key}": value for key, value in _figures(player.adjusted).items()},
            "variance_ratio": player.variance_ratio,
        }
        for player in verdict.players
    ]


def _figures(rate: Any) -> dict[str, Any]:
    low, high = rate.ci95 or (None, None)
    return {"mbb": rate.mean, "stderr_mbb": rate.stderr, "low_mbb": low, "high_mbb": high}
