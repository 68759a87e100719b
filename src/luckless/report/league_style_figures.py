"""Figures of style: aggression and tightness of every agent, coloured by type, by division, or by rank."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from luckless.league.agents import Agent
from luckless.league.boards import METRICS, BoardRow, ranked
from luckless.league.run import Run
from luckless.report.league_figures import label, types_of
from luckless.report.style import LINE_GREY, RANK_COLOURS, new_figure, player_colour
from luckless.style.behaviour import Behaviour

SYMBOLS = ("circle", "diamond", "square", "cross", "x", "triangle-up", "star", "hexagon")
TIGHTNESS = "tightness: folds for each call, bet or raise"
AGGRESSION = "aggression: 1 is never a call"
Behaviours = Mapping[int, Behaviour]


def style_by_type(run: Run, behaviours: Behaviours) -> Any:
    """Style with a colour a type and a symbol a division (figure 4.5 of the thesis)."""
    types = types_of(run)
    symbols = [SYMBOLS[number % len(SYMBOLS)] for number in range(run.divisions)]
    return _coloured(
        run, behaviours, "Style by type", types, lambda agent: agent.type, lambda agent: symbols[agent.division]
    )


def style_by_division(run: Run, behaviours: Behaviours) -> Any:
    """The same with a colour a division and a symbol a type (figure 4.8 of the thesis)."""
    types, names = types_of(run), [division.name for division in run.season.division]
    return _coloured(
        run, behaviours, "Style by division", names, lambda agent: names[agent.division],
        lambda agent: SYMBOLS[types.index(agent.type) % len(SYMBOLS)],
    )  # fmt: skip


def _coloured(
    run: Run, behaviours: Behaviours, title: str, groups: Sequence[str], group_of: Callable[[Agent], str],
    symbol_of: Callable[[Agent], str],
) -> Any:  # fmt: skip
    figure = _empty(title, 520)
    for place, name in enumerate(groups):
        agents = [agent for agent in _known(run, behaviours) if group_of(agent) == name]
        if agents:
            symbols = [symbol_of(agent) for agent in agents]
            _add(figure, run, behaviours, agents, {"color": player_colour(place), "symbol": symbols}, name)
    return figure


def style_by_rank(run: Run, behaviours: Behaviours, lines: Sequence[BoardRow], metric: str) -> Any:
    """Style with the rank on the board of a metric as the colour: blue is better (figure 4.1 of the thesis)."""
    figure = _empty(METRICS[metric], 360)
    measured = [line for line in ranked(lines, metric) if getattr(line, metric) is not None]
    known = {agent.id for agent in _known(run, behaviours)}
    shown = [(place, line.agent) for place, line in enumerate(measured, start=1) if line.agent.id in known]
    if shown:
        places, agents = [place for place, _ in shown], [agent for _, agent in shown]
        marker = {
            "color": [-place for place in places], "cmin": -max(len(measured), 2), "cmax": -1, "showscale": True,
            "colorscale": RANK_COLOURS,
            "colorbar": {"thickness": 10, "title": {"text": "rank"}, "tickvals": [-1, -len(measured)],
                         "ticktext": ["1", str(len(measured))]},
        }  # fmt: skip
        _add(figure, run, behaviours, agents, marker, texts=[f"rank {place}: " for place in places])
        figure.update_layout(showlegend=False)
    return figure


def _known(run: Run, behaviours: Behaviours) -> list[Agent]:
    """The agents that have a style; one that always folds or checks has none."""
    return [run.roster[agent] for agent, behaviour in behaviours.items() if behaviour.aggression is not None]


def _empty(title: str, height: int) -> Any:
    figure = new_figure(title, TIGHTNESS, AGGRESSION)
    figure.update_yaxes(range=[-0.03, 1.03])
    figure.update_layout(height=height)
    return figure


def _add(
    figure: Any, run: Run, behaviours: Behaviours, agents: Sequence[Agent], marker: dict[str, Any], name: str = "",
    texts: Sequence[str] = (),
) -> None:  # fmt: skip
    before = texts or [""] * len(agents)
    figure.add_scatter(
        x=[behaviours[agent.id].tightness for agent in agents], mode="markers", name=name,
        y=[behaviours[agent.id].aggression for agent in agents], hovertemplate="%{text}<extra></extra>",
        text=[text + label(run, agent) for text, agent in zip(before, agents, strict=True)],
        marker={"size": 9, "line": {"width": 1, "color": LINE_GREY}, **marker},
    )  # fmt: skip
