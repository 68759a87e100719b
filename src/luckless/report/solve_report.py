"""The page of a solution: value and exploitability, the curve, the first decision as a grid, every decision."""

import html
from typing import Any

import luckless
from luckless.cards import RANKS
from luckless.report.page import Section, facts, page, table
from luckless.report.style import new_figure, player_colour
from luckless.solve.decisions import Frequencies, Grid
from luckless.solve.solution import Solution

_MOST_ROWS = 400
_INK = "#111"
"""Text on the colours below, which are the same on light and dark pages."""
COLOURS = ("#9fb8c8", "#E69F00", "#D55E00", "#b08ab5", "#CC79A7", "#7570B3", "#009E73")


def curve_figure(solution: Solution) -> Any:
    """Exploitability by iteration, both on logarithmic axes."""
    unit = "antes" if solution.measured.pot_share is None else "chips"
    figure = new_figure("Convergence", "iterations", f"exploitability ({unit})")
    curves = solution.curves or {solution.algorithm: solution.curve}
    for place, (name, curve) in enumerate(curves.items()):
        figure.add_scatter(
            x=[point for point, _ in curve], y=[value for _, value in curve], name=name, mode="lines",
            line={"color": player_colour(place)}, showlegend=len(curves) > 1, hovertemplate="%{x:,}: %{y:.3g}",
        )  # fmt: skip
    figure.update_xaxes(type="log", dtick="D2")  # 1, 2, 5, 10, ...
    figure.update_yaxes(type="log", dtick="D2")
    return figure


def grid_html(grid: Grid) -> str:
    """The 13 x 13 grid, each class a bar of its actions."""
    names = RANKS[::-1]
    rows = []
    for row in range(13):
        cells = [_cell(_label(names, row, column), grid.shares[row, column]) for column in range(13)]
        rows.append(f"<tr>{''.join(cells)}</tr>")
    legend = " ".join(
        f'<span class="action" style="background:{COLOURS[place % len(COLOURS)]}">{html.escape(action)}</span>'
        for place, action in enumerate(grid.actions)
    )
    style = (
        "table.grid td{width:3.6rem;height:2rem;text-align:center;border:1px solid var(--page);padding:0;"
        f"font-size:12px;color:{_INK}}}table.grid td.none{{background:var(--box);color:var(--quiet)}}"
        f".action{{color:{_INK};padding:.1rem .5rem;border-radius:3px}}"
    )
    return (
        f'<style>{style}</style><p>{legend}</p><div class="scroll"><table class="grid">{"".join(rows)}</table></div>'
    )


def _label(names: str, row: int, column: int) -> str:
    if row == column:
        return names[row] * 2
    return names[min(row, column)] + names[max(row, column)] + ("s" if column > row else "o")


def _cell(label: str, shares: Any) -> str:
    if shares[0] != shares[0]:
        return f'<td class="none">{label}</td>'
    stops, at = [], 0.0
    for place, share in enumerate(shares):
        colour = COLOURS[place % len(COLOURS)]
        stops.append(f"{colour} {100 * at:.1f}% {100 * (at + share):.1f}%")
        at += share
    words = ", ".join(f"{100 * share:.0f} %" for share in shares)
    return f'<td title="{label}: {words}" style="background:linear-gradient(90deg,{",".join(stops)})">{label}</td>'


def decision_rows(decisions: list[Frequencies]) -> list[tuple[str, ...]]:
    """A row a decision."""
    return [
        (
            decision.line or "(start)",
            ("first", "second")[decision.player],
            f"{100 * decision.reach:.2f} %",
            ", ".join(
                f"{name} {100 * share:.1f} %" for name, share in zip(decision.actions, decision.shares, strict=True)
            ),
        )
        for decision in decisions
    ]


def solve_report(
    solution: Solution, decisions: list[Frequencies], grid: Grid | None, how: list[tuple[str, str]]
) -> str:
    """The report as one HTML text."""
    sections = [Section("Result", facts(how), [curve_figure(solution)])]
    if grid is not None:
        sections.append(Section("First decision of the first player", grid_html(grid)))
    shown = decisions[:_MOST_ROWS]
    note = "" if len(shown) == len(decisions) else f"<p>The first {_MOST_ROWS} of {len(decisions):,} decisions.</p>"
    header = ("betting before", "player", "own reach", "does")
    sections.append(Section("Decision by decision", table(header, decision_rows(shown)) + note))
    lead = f"{solution.algorithm}, {solution.iterations:,} iterations: exploitability {distance_text(solution)}."
    footer = f"Made by luckless {luckless.__version__}. Exploitability is what a best response wins on average."
    return page(f"{solution.game} solved", lead, sections, footer)


def distance_text(solution: Solution) -> str:
    """The exploitability in words."""
    measured = solution.measured
    if measured.pot_share is None:
        return f"{measured.exploitability:.3g} antes"
    text = f"{measured.exploitability:.3g} chips ({100 * measured.pot_share:.3g} % of the pot)"
    if measured.boards is None or measured.boards.ci95 is None:
        return text
    low, high = (100 * max(end, 0.0) for end in measured.boards.ci95)
    return f"{text}, mean of {measured.boards.samples} boards, 95 % interval {low:.3g} to {high:.3g} %"
