"""Figures of ranks: what metrics foretell, how agents of a kind are spread, and how far two rankings agree."""

from collections.abc import Sequence
from typing import Any

from luckless.league.agents import Agent
from luckless.league.analysis import Coherence, InternalRanks, Prediction, ranks_of
from luckless.league.boards import METRICS, BoardRow
from luckless.league.run import Run
from luckless.report.league_figures import colour_of, label, types_of
from luckless.report.style import GREY, LINE_GREY, PALETTE, new_figure


def prediction_figure(foretold: Prediction) -> Any:
    """How often the winner of a direct meeting stood higher by each metric (figure 4.2 of the thesis)."""
    figure = new_figure("Winners foretold", "", "% of direct meetings")
    metrics = list(foretold.shares)
    shares = [round(100 * foretold.shares[metric], 1) for metric in metrics]
    figure.add_bar(
        x=[METRICS[metric] for metric in metrics], y=shares, text=[f"{share:.1f} %" for share in shares], width=0.55,
        marker={"color": PALETTE[0]}, customdata=[foretold.meetings[metric] for metric in metrics],
        hovertemplate="%{x}: %{y:.1f} % of %{customdata:,} meetings<extra></extra>", cliponaxis=False,
        textposition="outside",
    )  # fmt: skip
    figure.add_hline(y=50, line={"color": LINE_GREY, "dash": "dot", "width": 1.5})
    figure.update_yaxes(range=[0, 105])
    figure.update_layout(showlegend=False)
    return figure


def type_figure(run: Run, lines: Sequence[BoardRow], metric: str) -> Any:
    """How the agents of each type are spread by a metric (figure 4.6 of the thesis)."""
    groups = {name: [line for line in lines if line.agent.type == name] for name in types_of(run)}
    return _spread(run, groups, metric)


def matchup_figure(run: Run, divisions: Sequence[int], lines: Sequence[BoardRow], metric: str) -> Any:
    """How the clones of some divisions are spread, by the rule of their line-ups (figure 4.9 of the thesis)."""
    groups = {
        f"{run.matchup(number)}: {run.division_name(number)}": [
            line for line in lines if line.agent.is_clone and line.agent.division == number
        ]
        for number in sorted(divisions, key=lambda number: (run.matchup(number), number))
    }
    return _spread(run, groups, metric)


def _spread(run: Run, groups: dict[str, list[BoardRow]], metric: str) -> Any:
    """A box and all points for each group of agents."""
    figure = new_figure(METRICS[metric], "", METRICS[metric] + _unit(metric))
    for name, members in groups.items():
        measured = [line for line in members if getattr(line, metric) is not None]
        if measured:
            colour = colour_of(run, measured[0].agent)
            figure.add_box(
                x=[name] * len(measured), y=[round(getattr(line, metric), 1) for line in measured], name=name,
                boxpoints="all", jitter=0.5, pointpos=0, text=[label(run, line.agent) for line in measured],
                hoveron="points", hovertemplate="%{text}: %{y:,}<extra></extra>", fillcolor=GREY,
                line={"color": colour, "width": 1.3}, marker={"color": colour, "size": 6, "opacity": 0.75},
            )  # fmt: skip
    figure.update_layout(showlegend=False, height=360)
    return figure


def _unit(metric: str) -> str:
    return "" if metric == "trueskill" else " (mbb/h)"


def coherence_figure(run: Run, coherence: Coherence) -> Any:
    """The rank of every agent in two divisions that know nothing of each other (figure 4.4 of the thesis)."""
    first, second = (run.division_name(number) for number in run.evaluations("similar")[:2])
    figure = new_figure("Two ratings of the same agents", f"rank in {first}", f"rank in {second}")
    ranks = [ranks_of(ratings) for ratings in (coherence.first, coherence.second)]
    count = len(coherence.agents)
    figure.add_scatter(x=[1, count], y=[1, count], mode="lines", line={"color": LINE_GREY}, showlegend=False)
    _add_ranks(figure, run, coherence.agents, ranks[0].tolist(), ranks[1].tolist())
    return figure


def internal_figure(run: Run, ranks: InternalRanks) -> Any:
    """The ranks of a division's teachers at home and among all (figure 4.10 of the thesis)."""
    said = "" if ranks.correlation is None else f": rank correlation {ranks.correlation:.2f}"
    title = run.division_name(ranks.division) + said
    figure = new_figure(title, "rank in its division", "rank among all")
    _add_ranks(figure, run, ranks.agents, ranks.internal, ranks.overall)
    figure.update_layout(height=340)
    return figure


def _add_ranks(figure: Any, run: Run, agents: Sequence[int], across: Sequence[int], up: Sequence[int]) -> None:
    """A point an agent, a colour a type."""
    who: list[Agent] = [run.roster[agent] for agent in agents]
    for name in types_of(run):
        rows = [row for row, agent in enumerate(who) if agent.type == name]
        if rows:
            figure.add_scatter(
                x=[across[row] for row in rows], y=[up[row] for row in rows], mode="markers", name=name,
                hovertemplate="%{text}: %{x}, %{y}<extra></extra>", text=[label(run, who[row]) for row in rows],
                marker={"color": colour_of(run, who[rows[0]]), "size": 8},
            )  # fmt: skip
