"""Figures of a season: ratings and learning over time, progress, winnings, cashflow."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from luckless.league.agents import Agent
from luckless.league.analysis import TypeCashflow
from luckless.league.boards import METRICS, BoardRow, Winnings
from luckless.league.results import rated
from luckless.league.run import Run
from luckless.report.style import error_bars, new_figure, player_colour
from luckless.stats.estimate import quantile

SMOOTHED = 10
"""Rounds of a running mean."""


def types_of(run: Run) -> list[str]:
    """All types of agent, students first, in the order of the season; the place is the colour."""
    return list(dict.fromkeys(agent.type for agent in sorted(run.roster, key=lambda agent: not agent.trainable)))


def colour_of(run: Run, agent: Agent) -> str:
    """The colour of an agent's type, the same in every figure."""
    return player_colour(types_of(run).index(agent.type))


def label(run: Run, agent: Agent) -> str:
    """An agent in full, for texts that show when pointed at."""
    generation = f", generation {agent.generation}" if agent.generation else ""
    return f"{agent.name} ({agent.type}, {run.division_name(agent.division)}{generation})"


def rating_figure(run: Run, division: int) -> Any:
    """The ratings of all agents round by round in one division (figure 4.3 of the thesis)."""
    figure = new_figure(f"Rating over time: {run.division_name(division)}", "round", "TrueSkill")
    history = rated(run.store, [division], len(run.roster))
    shown: set[str] = set()
    for agent in np.unique(history.agents).tolist():
        mine, who = history.agents == agent, run.roster[agent]
        figure.add_scatter(
            x=history.rounds[mine] + 1, y=np.round(history.mu[mine], 2), mode="lines", name=who.type,
            legendgroup=who.type, showlegend=who.type not in shown, text=label(run, who),
            hovertemplate="%{text}<br>round %{x}: %{y:.1f}<extra></extra>",
            line={"color": colour_of(run, who), "width": 2.2 if who.trainable else 1},
        )  # fmt: skip
        shown.add(who.type)
    return figure


def learning_figure(run: Run, division: int) -> Any:
    """How the students of a division did in their rounds: the mean of the last ones, of fewer at the beginning."""
    title = f"Students at work: {run.division_name(division)}"
    figure = new_figure(title, "round", f"mbb/h, mean of the last {SMOOTHED} rounds")
    rows = run.store.rows(
        "select rounds.student, number, 1000.0 * chips / hands / seats from rounds join entrants "
        "using (division, number) where division = ? and agent = rounds.student order by number",
        division,
    )
    for student in dict.fromkeys(row[0] for row in rows):
        numbers = np.array([row[1] for row in rows if row[0] == student])
        won = np.array([row[2] for row in rows if row[0] == student]) / run.game.big_blind
        sums = np.concatenate([[0.0], np.cumsum(won)])
        ends = np.arange(1, len(won) + 1)
        starts = np.maximum(ends - SMOOTHED, 0)
        means = (sums[ends] - sums[starts]) / (ends - starts)
        who = run.roster[student]
        figure.add_scatter(
            x=numbers + 1, y=np.round(means, 1), mode="lines" if len(won) > 1 else "markers",
            name=f"{who.name} ({who.type})", line={"color": colour_of(run, who)},
        )  # fmt: skip
    figure.update_layout(showlegend=True)
    return figure


def loss_figure(run: Run, division: int) -> Any:
    """The losses of a division's students, lesson by lesson."""
    figure = new_figure(f"Losses: {run.division_name(division)}", "round", "loss")
    rows = run.store.rows("select agent, number, losses from lessons where division = ? order by 2", division)
    curves: dict[tuple[int, str], list[tuple[int, float]]] = {}
    for agent, number, losses in rows:
        for name, loss in json.loads(losses).items():
            curves.setdefault((agent, name), []).append((number + 1, loss))
    kinds = list(dict.fromkeys(name for _, name in curves))
    for (agent, name), points in curves.items():
        rounds, values = zip(*points, strict=True)
        figure.add_scatter(
            x=rounds, y=values, mode="lines", name=f"{run.roster[agent].name}: {name}",
            line={"color": colour_of(run, run.roster[agent]), "dash": _dash(kinds.index(name))},
        )  # fmt: skip
    figure.update_layout(showlegend=True)
    return figure


def generation_figure(run: Run, lines: Sequence[BoardRow], metric: str) -> Any:
    """What became of each student, clone by clone, by one metric with its interval (figure 4.7 of the thesis)."""
    unit = "" if metric == "trueskill" else " (mbb/h)"
    figure = new_figure(f"Progress by generation: {METRICS[metric]}", "generation", METRICS[metric] + unit)
    by_agent = {line.agent.id: line for line in lines}
    for student in (agent for agent in run.roster if agent.trainable):
        clones = [agent for agent in run.roster if agent.parent == student.id]
        figure.add_scatter(
            x=[clone.generation for clone in clones], y=[getattr(by_agent[clone.id], metric) for clone in clones],
            error_y=error_bars([by_agent[clone.id].half_width(metric) for clone in clones]),
            name=f"{student.type}, {run.division_name(student.division)}", mode="lines+markers",
            text=[clone.name for clone in clones], hovertemplate="%{text}, generation %{x}: %{y:.1f}",
            line={"color": colour_of(run, student), "dash": _dash(student.division)},
        )  # fmt: skip
    figure.update_xaxes(dtick=1)
    return figure


def _dash(number: int) -> str:
    return ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")[number % 6]


def winnings_figure(run: Run, matrix: Winnings, lines: Sequence[BoardRow]) -> Any:
    """The winnings matrix, agents in the order of their mean."""
    figure = new_figure("Winnings of the row against the column (mbb/h)", "against", "agent")
    order = [matrix.agents.index(line.agent.id) for line in lines]
    agents = [run.roster[matrix.agents[place]] for place in order]
    labels = [label(run, agent) for agent in agents]
    shown = matrix.mbb[np.ix_(order, order)]
    widths = np.round(quantile(0.975, None) * matrix.stderr_mbb[np.ix_(order, order)], 0)
    known = np.abs(shown[~np.isnan(shown)])
    edge = float(np.percentile(known, 90)) if len(known) else 1.0
    figure.add_heatmap(
        z=_plain(np.round(shown, 0)), x=labels, y=labels, customdata=_plain(widths), zmin=-edge, zmax=edge, zmid=0,
        colorscale="RdBu", hovertemplate="%{y}<br>against %{x}<br>%{z:,} ± %{customdata:,} mbb/h<extra></extra>",
        colorbar={"thickness": 12, "title": {"text": "mbb/h"}},
    )  # fmt: skip
    ticks = {"showticklabels": len(agents) <= 30, "tickvals": labels, "ticktext": [agent.name for agent in agents]}
    figure.update_xaxes(**ticks)
    figure.update_yaxes(**ticks, autorange="reversed")
    figure.update_layout(height=700)
    return figure


def _plain(table: Any) -> list[list[float | None]]:
    return [[None if np.isnan(value) else float(value) for value in row] for row in table]


def cashflow_figure(flow: TypeCashflow) -> Any:
    """Who takes from whom, by type, in rounds of like rank."""
    figure = new_figure("Chips from the row to the column, less what came back (mbb/h a seat)", "taker", "giver")
    edge = float(np.abs(flow.mbb).max()) or 1.0
    figure.add_heatmap(
        z=np.round(flow.mbb, 0), x=flow.types, y=flow.types, zmin=-edge, zmax=edge, zmid=0, colorscale="RdBu_r",
        texttemplate="%{z:,}", colorbar={"thickness": 12, "title": {"text": "mbb/h"}},
    )  # fmt: skip
    figure.update_yaxes(autorange="reversed")
    return figure
