"""The HTML page of a verdict: who wins by skill, the lines of money and skill, and where it comes from."""

from collections.abc import Sequence
from typing import Any

import numpy as np

import luckless
from luckless.counted import counted
from luckless.report.commands import command_text
from luckless.report.escaping import escaped
from luckless.report.match_report import interval_text, signed
from luckless.report.page import Section, command, facts, page, table
from luckless.report.style import LINE_GREY, PALETTE, new_figure, player_colour
from luckless.skill.verdict import PlayerVerdict, Verdict
from luckless.stats.estimate import Estimate

PLAYERS_HEADER = (
    "player",
    "hands",
    "money mbb/h",
    "95 % interval",
    "adjusted mbb/h",
    "95 % interval",
    "variance divided by",
    "worth hands of money",
)
DRAWN = 6
"""Players whose lines are drawn, in the order of their hands."""


def conclusion(verdict: Verdict, shown: Sequence[PlayerVerdict]) -> str:
    """What the numbers say of the players, in a sentence; of many, those of whom something is sure."""
    sure = [
        f"{player.name} {'wins' if player.adjusted.mean > 0 else 'loses'} {_size(player.adjusted)}"
        for player in shown
        if player.adjusted.ci95 is not None and (player.adjusted.ci95[0] > 0 or player.adjusted.ci95[1] < 0)
    ]
    judged = f"{counted(verdict.hands, 'hand')} judged by {verdict.by}"
    if not sure:
        return f"{judged}: every interval holds zero, so it may all be luck."
    return f"{judged}: {'; '.join(sure)} (95 % intervals without zero, each for itself)."


def _size(rate: Estimate) -> str:
    half = "" if rate.ci95 is None else f" ± {(rate.ci95[1] - rate.ci95[0]) / 2:,.0f}"
    return f"{abs(rate.mean):,.0f}{half} mbb/h"


def player_rows(shown: Sequence[PlayerVerdict]) -> list[tuple[str, ...]]:
    """One row a player, under `PLAYERS_HEADER`."""
    return [
        (
            player.name,
            f"{player.hands:,}",
            signed(player.money.mean),
            interval_text(player.money),
            signed(player.adjusted.mean),
            interval_text(player.adjusted),
            "-" if player.variance_ratio is None else f"{player.variance_ratio:.1f}",
            "-" if player.hands_worth is None else f"{player.hands_worth:,.0f}",
        )
        for player in shown
    ]


def line_figure(player: PlayerVerdict, by: str, colour: str) -> Any:
    """What a player won so far by money, with all-ins at their equity, and adjusted; with ±1.96·σ·√n of the ends."""
    figure = new_figure(f"Luck and skill of {player.name}", "hands", "big blinds won")
    if player.line is None:
        return figure
    hands, sums = player.line.points()
    kinds = {
        "money": ("money", player.money, LINE_GREY),
        "all-in": ("all-in equity", None, PALETTE[4]),
        "adjusted": (f"adjusted ({by})", player.adjusted, colour),
    }
    for measure, (name, rate, shade) in kinds.items():
        if measure not in sums or (measure == "all-in" and by == "all-in"):
            continue
        if rate is not None and rate.stderr:
            bound = np.round(1.96 * rate.stderr / 1000 * np.sqrt(rate.hands) * np.sqrt(hands), 2)
            for sign in (1, -1):
                figure.add_scatter(
                    x=hands, y=sign * bound, mode="lines", hoverinfo="skip", showlegend=sign > 0,
                    name=f"±1.96·σ·√n, {measure}", line={"color": shade, "width": 1, "dash": "dot"},
                )  # fmt: skip
        line = {"color": shade, "width": 2}
        figure.add_scatter(x=hands, y=np.round(sums[measure], 2), mode="lines", name=name, line=line)
    return figure


def _part_tables(player: PlayerVerdict) -> str:
    parts = []
    for title, rates in (("won on", player.by_street), ("taken out or left over", player.terms)):
        if rates:
            rows = [(word, signed(rate.mean), interval_text(rate)) for word, rate in rates.items()]
            parts.append(table((title, "mbb/h", "95 % interval"), rows))
    for kind, words in player.groups.items():
        if len(words) > 1:
            groups = [
                (word, f"{money.hands:,}", signed(money.mean), signed(adjusted.mean), interval_text(adjusted))
                for word, (money, adjusted) in words.items()
            ]
            parts.append(table((kind, "hands", "money mbb/h", "adjusted mbb/h", "95 % interval"), groups))
    return "".join(parts)


def verdict_report(verdict: Verdict, shown: Sequence[PlayerVerdict], words: Sequence[str] = ()) -> str:
    """The report as one HTML text; `words` are those of the command that judges the hands again."""
    remarks = "".join(f'<p class="note">{escaped(note)}</p>' for note in (verdict.reason, *verdict.notes))
    sections = [Section("Result", table(PLAYERS_HEADER, player_rows(shown)) + remarks, verdict_lines(verdict, shown))]
    sections += [Section(player.name, _part_tables(player)) for player in shown[:DRAWN] if _part_tables(player)]
    how = [("hands", f"{verdict.hands:,}"), ("estimator", verdict.by)]
    if verdict.values is not None:
        how.append(("value function", f"{verdict.values.name} ({verdict.values.digest})"))
    sections.append(Section("How it was judged", facts(how) + command(command_text("judge", list(words), {}))))
    footer = f"Made by luckless {luckless.__version__}. mbb/h: thousandths of a big blind a hand."
    return page("Skill and luck", conclusion(verdict, shown), sections, footer)


def verdict_lines(verdict: Verdict, shown: Sequence[PlayerVerdict]) -> list[Any]:
    """The figures of money and skill, of at most `DRAWN` players."""
    if verdict.detail is not None and verdict.by == "divat":
        from luckless.report.divat_report import bankroll_figure, streets_figure

        return [bankroll_figure(verdict.detail), streets_figure(verdict.detail)]
    drawn = sorted(shown, key=lambda player: -player.hands)[:DRAWN]
    return [line_figure(player, verdict.by, player_colour(place)) for place, player in enumerate(drawn)]
