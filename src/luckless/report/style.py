"""How every figure looks: one palette, one layout, readable on light and dark pages and in narrow windows.

The first colours are Okabe and Ito's, safe for colour-blind readers (M. Okabe and K. Ito, Color Universal Design,
2008); their black and yellow, which vanish on a dark or a light page, are replaced.
"""

from typing import Any

from luckless.stats.estimate import Estimate

PALETTE = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#E69F00",
    "#56B4E9",
    "#A6761D",
    "#888888",
    "#E7298A",
    "#7570B3",
)
STREET_COLOURS = ("#8C96C6", "#8C6BB1", "#88419D", "#C51B8A")
"""Streets in their order; no player has these colours."""

RANK_COLOURS = ((0.0, "#D55E00"), (0.5, "#BDBDBD"), (1.0, "#0072B2"))
"""From the last rank to the first: blue is better, and the middle is seen on light and dark pages."""

GREY = "rgba(128, 128, 128, 0.18)"
LINE_GREY = "#999999"


def player_colour(player: int) -> str:
    """The colour of a player, the same in every figure."""
    return PALETTE[player % len(PALETTE)]


def half_width(rate: Estimate) -> float | None:
    """Half the width of the 95 % interval: what stands behind ± everywhere."""
    return None if rate.ci95 is None else (rate.ci95[1] - rate.ci95[0]) / 2


def error_bars(widths: list[float | None], digits: int = 1) -> dict[str, Any]:
    """Intervals for bars and points; where there is none, none is drawn."""
    array = [None if width is None else round(width, digits) for width in widths]
    return {"type": "data", "array": array, "thickness": 1.2, "width": 3, "color": LINE_GREY}


def new_figure(title: str, x_title: str, y_title: str) -> Any:
    """An empty figure with its labels; the legend stands above it, from the left, and takes the room it needs."""
    import plotly.graph_objects as go

    figure = go.Figure()
    figure.update_layout(
        template="plotly_white",
        title={"text": title, "x": 0, "xanchor": "left", "yref": "container", "y": 1, "yanchor": "top",
               "pad": {"t": 8}, "font": {"size": 17}},
        margin={"l": 50, "r": 16, "t": 56, "b": 40},
        height=400,
        legend={"orientation": "h", "traceorder": "normal", "yanchor": "bottom", "y": 1.0, "xanchor": "left", "x": 0},
        font={"family": "system-ui, -apple-system, Segoe UI, Roboto, sans-serif", "size": 13},
    )  # fmt: skip
    figure.update_xaxes(title_text=x_title, automargin=True)
    figure.update_yaxes(title_text=y_title, automargin=True)
    return figure
