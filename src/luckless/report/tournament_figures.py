"""Figures of a tournament: the means with their intervals, and the cycles as arrows."""

import math
from typing import Any

from luckless.report.style import error_bars, new_figure, player_colour
from luckless.tournaments.result import TournamentResult

MOST_DRAWN = 6
"""Cycles that are drawn; more make a tangle."""


def mean_figure(result: TournamentResult) -> Any:
    """The mean of every bot with its interval."""
    import plotly.graph_objects as go

    figure = new_figure("Mean over all opponents", "", result.unit)
    ranking = result.rankings.by["mean"]
    for bot in ranking.order:
        low, high = ranking.intervals[bot]
        bars = error_bars([high - ranking.values[bot]], 3)
        bars |= {"symmetric": False, "arrayminus": [round(ranking.values[bot] - low, 3)]}
        figure.add_trace(
            go.Bar(x=[result.names[bot]], y=[ranking.values[bot]], error_y=bars, marker_color=player_colour(bot),
                   name=result.names[bot], showlegend=False)
        )  # fmt: skip
    return figure


def cycle_figure(result: TournamentResult) -> Any:
    """Who beats whom in the cycles that were found: bots on a circle, an arrow from each winner to whom it beats."""
    import plotly.graph_objects as go

    cycles = result.rankings.cycles[:MOST_DRAWN]
    bots = sorted({bot for cycle in cycles for bot in cycle.players})
    figure = new_figure("Cycles", "", "")
    angles = {bot: math.pi / 2 - 2 * math.pi * place / len(bots) for place, bot in enumerate(bots)}
    spots = {bot: (math.cos(angle), math.sin(angle)) for bot, angle in angles.items()}
    wins = dict.fromkeys(
        step for cycle in cycles for step in zip(cycle.players, (*cycle.players[1:], cycle.players[0]), strict=True)
    )
    for winner, loser in wins:
        _arrow(figure, spots[winner], spots[loser], player_colour(winner))
    figure.add_trace(
        go.Scatter(
            x=[spots[bot][0] for bot in bots], y=[spots[bot][1] for bot in bots], mode="markers+text",
            text=[result.names[bot] for bot in bots], hoverinfo="text", showlegend=False,
            textposition=[_side(*spots[bot]) for bot in bots],
            marker={"size": 16, "color": [player_colour(bot) for bot in bots]},
        )
    )  # fmt: skip
    hidden = {"visible": False, "fixedrange": True}
    figure.update_xaxes(range=[-2.1, 2.1], **hidden)
    figure.update_yaxes(range=[-1.35, 1.35], scaleanchor="x", **hidden)
    return figure


def _arrow(figure: Any, start: tuple[float, float], end: tuple[float, float], colour: str) -> None:
    """From one place to another, with room for the markers at both."""
    figure.add_annotation(
        x=end[0], y=end[1], ax=start[0], ay=start[1], xref="x", yref="y", axref="x", ayref="y", text="",
        showarrow=True, arrowhead=2, arrowsize=1.2, arrowwidth=2, arrowcolor=colour, standoff=12, startstandoff=10,
    )  # fmt: skip


def _side(x: float, y: float) -> str:
    """On which side of its marker a name stands: away from the middle."""
    if abs(x) < 0.3:
        return "top center" if y > 0 else "bottom center"
    return "middle right" if x > 0 else "middle left"
