"""The figures of a match, built here for the report, the dashboard and notebooks alike."""

import itertools
from typing import Any

import numpy as np

from luckless.matches.result import MatchResult
from luckless.matches.tally import ENDINGS, RESULT_EDGES_BB
from luckless.report.style import GREY, new_figure, player_colour


def winnings_figure(result: MatchResult) -> Any:
    """Winnings of each player by hand, with the ±1.96·σ·√n envelope that luck alone stays in 95 % of the time."""
    figure = new_figure("Winnings", "hands", "big blinds won")
    hands = np.array([point[0] for point in result.tally.line])
    won_bb = np.array([point[1] for point in result.tally.line]) / result.match.game.big_blind
    stderr_mbb = result.estimate(0).stderr
    if stderr_mbb:
        sigma_bb = stderr_mbb / 1000 * np.sqrt(result.hands)
        bound = np.round(1.96 * sigma_bb * np.sqrt(hands), 2)
        for sign, fill in ((1, None), (-1, "tonexty")):
            figure.add_scatter(
                x=hands, y=sign * bound, mode="lines", line={"width": 0}, fill=fill, fillcolor=GREY,
                showlegend=sign < 0, name=f"±1.96·σ·√n of {result.match.labels[0]} around 0", hoverinfo="skip",
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


def distribution_figure(result: MatchResult) -> Any:
    """How often a hand ended with which result."""
    figure = new_figure("Results of single hands", "result of the hand (big blinds)", "share of hands (%)")
    names = _result_names()
    used = np.flatnonzero(result.tally.result_hands.sum(axis=0))
    shown = range(used[0], used[-1] + 1)
    for player, name in enumerate(result.match.labels):
        share = 100 * result.tally.result_hands[player] / max(result.hands, 1)
        figure.add_bar(
            x=[names[i] for i in shown], y=np.round(share[used[0] : used[-1] + 1], 3), name=name,
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
    """The win rate of each player in each seat."""
    figure = new_figure("By seat", "", "mbb/h in that seat")
    big_blind, seats = result.match.game.big_blind, len(result.match.names)
    for player, name in enumerate(result.match.labels):
        hands = np.maximum(result.tally.seat_hands[player], 1)
        rate = 1000 * result.tally.seat_chips[player] / hands / big_blind
        figure.add_bar(x=seat_names(seats), y=np.round(rate, 1), name=name, marker_color=player_colour(player))
    figure.update_layout(barmode="group")
    return figure


def ending_figure(result: MatchResult) -> Any:
    """Where the win rate comes from: what hands that ended on each street, or at showdown, add to it."""
    figure = new_figure("By the end of the hand", "", "mbb/h from those hands")
    share = 100 * result.tally.ending_hands / max(result.hands, 1)
    where = [
        f"{'at' if name == 'showdown' else 'fold,'} {name}<br>({part:.1f} % of hands)"
        for name, part in zip(ENDINGS, share, strict=True)
    ]
    for player, name in enumerate(result.match.labels):
        rate = 1000 * result.tally.ending_chips[player] / max(result.hands, 1) / result.match.game.big_blind
        figure.add_bar(x=where, y=np.round(rate, 1), name=name, marker_color=player_colour(player))
    figure.update_layout(barmode="group")
    return figure
