"""How every figure looks: one palette (Okabe and Ito's, safe for colour-blind readers), one layout."""

from typing import Any

PALETTE = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#E69F00",
    "#56B4E9",
    "#000000",
    "#999999",
    "#F0E442",
    "#7570B3",
)
GREY = "rgba(120, 120, 120, 0.15)"


def player_colour(player: int) -> str:
    """The colour of a player, the same in every figure."""
    return PALETTE[player % len(PALETTE)]


def new_figure(title: str, x_title: str, y_title: str) -> Any:
    """An empty figure with its labels."""
    import plotly.graph_objects as go

    figure = go.Figure()
    figure.update_layout(
        template="plotly_white",
        title={"text": title, "x": 0, "xanchor": "left", "font": {"size": 17}},
        margin={"l": 70, "r": 20, "t": 60, "b": 55},
        height=400,
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.0, "xanchor": "right", "x": 1},
        font={"family": "system-ui, -apple-system, Segoe UI, Roboto, sans-serif", "size": 13},
    )
    figure.update_xaxes(title_text=x_title)
    figure.update_yaxes(title_text=y_title)
    return figure
