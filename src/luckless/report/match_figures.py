"""The figures of a match, built here for the report, the dashboard and notebooks alike."""

import itertools
from typing import Any

import numpy as np

from luckless.matches.parts import ending_rate, seat_rate
from luckless.matches.result import MatchResult
from luckless.matches.tally import ENDINGS, RESULT_EDGES_BB
from luckless.report.style import GREY, error_bars, half_width, new_figure, player_colour
from luckless.stats.estimate import Estimate


def winnings_figure(result: MatchResult) -> Any:
    """Winnings of each player by hand, with the ±1.96·σ·√n envelope that luck alone stays in 95 % of the time."""
    band = f"±1.96·σ·√n of {result.match.labels[0]} around 0"
    figure = new_figure(f"Winnings (grey: {band})", "hands", "big blinds won")
    hands = np.array([point[0] for point in result.tally.line])
    won_bb = np.array([point[1] for point in result.tally.line]) / result.match.game.big_blind
    stderr_mbb = result.estimate(0).stderr
    if stderr_mbb:
        sigma_bb = stderr_mbb / 1000 * np.sqrt(result.hands)
        bound = np.round(1.96 * sigma_bb * np.sqrt(hands), 2)
        for sign, fill in ((1, None), (-1, "tonexty")):
            figure.add_scatter(
                x=hands, y=sign * bound, mode="lines", line={"width": 0}, fill=fill, fillcolor=GREY,
                showlegend=sign < 0, name="luck alone, 95 %", hoverinfo="skip",
            )  # fmt: skip
    for player, name in enumerate(result.match.labels):
        line = {"color": player_colour(player), "width": 1.8}
        figure.add_scatter(x=hands, y=np.round(won_bb[:, player], 2), mode="lines", name=name, line=line)
    return figure


def _result_names() -> list[str]:
    """The classes of hand results from the largest loss to the largest win."""
    ends = [f"{edge:g}" for edge in RESULT_EDGES_BB]
    wins = [f"{low} to {high}" for low, high in itertools.pairwise(ends)]
    losses = [f"-{high} to {'-' if low != '0' else ''}{low}" for low, high in itertools.pairwise(ends)]
    return [f"below -{ends[-1]}", *reversed(losses), "0", *wins, f"above {ends[-1]}"]


def result_classes(result: MatchResult) -> range:
    """The classes of hand results (`tally.RESULT_CLASSES`) from the first to the last that occurs."""
    used = np.flatnonzero(result.tally.result_hands.sum(axis=0))
    return range(int(used[0]), int(used[-1]) + 1)


def result_bounds(number: int) -> tuple[float | None, float | None]:
    """The bounds of a class of hand results in big blinds; the one farther from zero belongs to it, None is open."""
    middle = len(RESULT_EDGES_BB)
    size = abs(number - middle)
    ends = (*RESULT_EDGES_BB, None)
    near, far = (0.0, 0.0) if size == 0 else (ends[size - 1], ends[size])
    if number >= middle:
        return near, far
    return None if far is None else -far, None if near is None else -near


def distribution_figure(result: MatchResult) -> Any:
    """How often a hand ended with which result."""
    figure = new_figure("Results of single hands", "result of the hand (big blinds)", "share of hands (%)")
    names = _result_names()
    shown = result_classes(result)
    for player, name in enumerate(result.match.labels):
        share = 100 * result.tally.result_hands[player] / max(result.hands, 1)
        figure.add_bar(
            x=[names[i] for i in shown], y=np.round(share[shown.start : shown.stop], 3), name=name,
            marker_color=player_colour(player),
        )  # fmt: skip
    figure.update_layout(barmode="group")
    return figure


def seat_names(seats: int) -> list[str]:
    """What players call the seats, in our order (seat 0 acts first after the flop, the last is the button)."""
    if seats == 2:
        return ["big blind", "button"]
    between = [f"seat {seat}" for seat in range(2, seats - 1)]
    return ["small blind", "big blind", *between, "button"]


def seat_figure(result: MatchResult) -> Any:
    """The win rate of each player in each seat, with its 95 % interval."""
    figure = new_figure("By seat", "", "mbb/h in that seat")
    seats = len(result.match.names)
    for player in range(seats):
        _add_rates(
            figure, result, player, seat_names(seats), [seat_rate(result, player, seat) for seat in range(seats)]
        )
    figure.update_layout(barmode="group")
    return figure


def _add_rates(figure: Any, result: MatchResult, player: int, places: list[str], rates: list[Estimate]) -> None:
    """One bar a part of a player's win rate, with its interval."""
    figure.add_bar(
        x=places, y=[round(rate.mean, 1) for rate in rates], name=result.match.labels[player],
        marker_color=player_colour(player), error_y=error_bars([half_width(rate) for rate in rates]),
        hovertemplate="%{x}: %{y:,.1f} ± %{error_y.array:,.1f} mbb/h",
    )  # fmt: skip


def ending_figure(result: MatchResult) -> Any:
    """Where the win rate comes from: what hands that ended on each street, or at showdown, add to it."""
    figure = new_figure("By the end of the hand", "street of the last fold, or showdown", "mbb/h from those hands")
    share = 100 * result.tally.ending_hands / max(result.hands, 1)
    where = [f"{name}<br>{part:.1f} %" for name, part in zip(ENDINGS, share, strict=True)]
    for player in range(len(result.match.names)):
        rates = [ending_rate(result, player, ending) for ending in range(len(ENDINGS))]
        _add_rates(figure, result, player, where, rates)
    figure.update_layout(barmode="group")
    return figure
