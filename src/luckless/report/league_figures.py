"""The figures of a season."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from luckless.league.agents import Agent
from luckless.league.analysis import Coherence, TypeCashflow
from luckless.league.boards import METRICS, BoardRow, Winnings
from luckless.league.results import rated
from luckless.league.run import Run
from luckless.report.style import GREY, error_bars, new_figure, player_colour
from luckless.stats.estimate import quantile
from luckless.style.behaviour import Behaviour

SMOOTHED = 10
"""Rounds of a running mean."""


def types_of(run: Run) -> list[str]:
    """All types of agent, students first, in the order of the season; the place is the colour."""
    return list(dict.fromkeys(agent.type for agent in sorted(run.roster, key=lambda agent: not agent.trainable)))


def colour_of(run: Run, agent: Agent) -> str:
    """The colour of an agent's type, the same in every figure."""
    return player_colour(types_of(run).index(agent.type))


def _label(run: Run, agent: Agent) -> str:
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
            legendgroup=who.type, showlegend=who.type not in shown, text=_label(run, who),
            hovertemplate="%{text}<br>round %{x}: %{y:.1f}<extra></extra>",
            line={"color": colour_of(run, who), "width": 2.2 if who.trainable else 1},
        )  # fmt: skip
        shown.add(who.type)
    return figure


def learning_figure(run: Run, division: int) -> Any:
    """How the students of a division did in their rounds, as a running mean."""
    title = f"Students at work: {run.division_name(division)}"
    figure = new_figure(title, "round", f"mbb/h, mean of {SMOOTHED} rounds")
    rows = run.store.rows(
        "select rounds.student, number, 1000.0 * chips / hands / seats from rounds join entrants "
        "using (division, number) where division = ? and agent = rounds.student order by number",
        division,
    )
    for student in dict.fromkeys(row[0] for row in rows):
        numbers = np.array([row[1] for row in rows if row[0] == student])
        won = np.array([row[2] for row in rows if row[0] == student]) / run.game.big_blind
        window = min(SMOOTHED, len(won))
        means = np.convolve(won, np.full(window, 1 / window), mode="valid")
        who = run.roster[student]
        figure.add_scatter(
            x=numbers[window - 1 :] + 1, y=np.round(means, 1), mode="lines", name=f"{who.name} ({who.type})",
            line={"color": colour_of(run, who)},
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
    labels = [_label(run, agent) for agent in agents]
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


def style_figure(run: Run, behaviours: Mapping[int, Behaviour]) -> Any:
    """Aggression and tightness of every agent (figures 4.5 and 4.8 of the thesis); a symbol a division."""
    figure = new_figure("Style", "tightness: folds for each call, bet or raise", "aggression: 1 is never a call")
    symbols = ("circle", "diamond", "square", "cross", "x", "triangle-up", "star", "hexagon")
    for name in types_of(run):
        agents = [run.roster[agent] for agent in behaviours if run.roster[agent].type == name]
        points = [(agent, behaviours[agent.id]) for agent in agents if behaviours[agent.id].aggression is not None]
        if points:
            figure.add_scatter(
                x=[one.tightness for _, one in points], y=[one.aggression for _, one in points], name=name,
                mode="markers", text=[_label(run, who) for who, _ in points], hovertemplate="%{text}<extra></extra>",
                marker={"color": colour_of(run, points[0][0]), "size": 9, "line": {"width": 1, "color": GREY},
                        "symbol": [symbols[agent.division % len(symbols)] for agent, _ in points]},
            )  # fmt: skip
    figure.update_yaxes(range=[-0.03, 1.03])
    figure.update_layout(height=520)
    return figure


def coherence_figure(run: Run, coherence: Coherence) -> Any:
    """The rank of every agent in two divisions that know nothing of each other (figure 4.4 of the thesis)."""
    first, second = (run.division_name(number) for number in run.evaluations("similar")[:2])
    figure = new_figure("Two ratings of the same agents", f"rank in {first}", f"rank in {second}")
    ranks = [np.argsort(np.argsort(-ratings, kind="stable")) + 1 for ratings in (coherence.first, coherence.second)]
    count = len(coherence.agents)
    figure.add_scatter(x=[1, count], y=[1, count], mode="lines", line={"color": GREY}, showlegend=False)
    for name in types_of(run):
        rows = [place for place, agent in enumerate(coherence.agents) if run.roster[agent].type == name]
        if rows:
            figure.add_scatter(
                x=ranks[0][rows], y=ranks[1][rows], mode="markers", name=name, hovertemplate="%{text}<extra></extra>",
                text=[_label(run, run.roster[coherence.agents[row]]) for row in rows],
                marker={"color": colour_of(run, run.roster[coherence.agents[rows[0]]]), "size": 8},
            )  # fmt: skip
    return figure


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
