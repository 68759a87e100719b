"""A season of the league: boards, the figures of its report, learning curves as it runs, a page for each agent."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from fastapi import APIRouter, Request
from fastapi.responses import Response
from markupsafe import Markup
from numpy.typing import NDArray

from luckless.errors import InputError
from luckless.league.agents import Agent
from luckless.league.analysis import styles
from luckless.league.boards import METRICS, SORTED_BY, BoardRow, Winnings, board, winnings
from luckless.league.run import Run
from luckless.league.season_record import SeasonRecord
from luckless.report import league_figures as drawing
from luckless.report.league_report import (
    BOARD_UNITS,
    board_header,
    board_rows,
    conclusion,
    report_sections,
)
from luckless.report.match_report import signed
from luckless.report.page import contents_html, sections_html
from luckless.report.style import PALETTE, new_figure
from luckless.rules.game import STREETS
from luckless.stats.estimate import quantile
from luckless.style.behaviour import CALLS, CHECKS, FOLDS, RAISES
from luckless.style.situations import all_situations
from luckless.web.figures import Figures
from luckless.web.finding import Found, NotThere, is_running
from luckless.web.kept import Kept
from luckless.web.rendering import address, json_answer, render

router = APIRouter()

_PAGES: Kept[dict[str, Any]] = Kept(4)
_BOARDS: Kept[list[BoardRow]] = Kept(40)

ENDS = 5
"""Best and worst opponents that a page names."""


@contextmanager
def opened(found: Found) -> Iterator[Run]:
    """A season for reading."""
    run = Run.open(found.path, trusted=True)
    try:
        yield run
    finally:
        run.store.close()


@router.get("/season/{place:path}")
def page(request: Request, place: str, by: str = "trueskill") -> Response:
    """The season, its board ranked by one metric."""
    found = request.app.state.finder.run(place, "season")
    _check_metric(by)
    values = _PAGES.get(found, lambda: _values(found))
    lines = board_of(found, by)
    return render(
        request, "season.html", title=found.outline.title, found=found, by=by, metrics=SORTED_BY,
        board=_board(found, lines), header=board_header(lines), units=BOARD_UNITS, **values,
    )  # fmt: skip


@router.get("/api/season/{place:path}")
def api(request: Request, place: str, by: str = "trueskill", part: str = "board") -> Response:
    """The board as `luckless league board --json` prints it; `part=curves` are the learning curves as figures."""
    found = request.app.state.finder.run(place, "season")
    _check_metric(by)
    if part not in ("board", "curves"):
        raise InputError(f"part is {part!r}; allowed is board or curves")
    with opened(found) as run:
        if part == "curves":
            figures = Figures()
            places = [figures.add(one) for one in learning_figures(run)]
            drawn = {f"live{number}": figures.data[one.id] for number, one in enumerate(places)}
            return json_answer({"figures": drawn, "state": found.outline.state, "done": found.outline.done})
        return json_answer({**SeasonRecord(run).to_dict(by), "state": found.outline.state})


@router.get("/agent/{place:path}")
def agent_page(request: Request, place: str, name: str = "") -> Response:
    """One agent."""
    found = request.app.state.finder.run(place, "season")
    with opened(found) as run:
        told, figures = _agent(found, run, name)
    title = f"{told['name']} in {found.outline.title}"
    return render(request, "agent.html", title=title, found=found, agent=told, figures=figures)


@router.get("/api/agent/{place:path}")
def agent_api(request: Request, place: str, name: str = "") -> Response:
    """One agent as JSON."""
    found = request.app.state.finder.run(place, "season")
    with opened(found) as run:
        return json_answer(_agent(found, run, name)[0])


def learning_figures(run: Run) -> list[Any]:
    """Results and losses of the students of each division."""
    makers = (drawing.learning_figure, drawing.loss_figure)
    return [make(run, division) for division in range(run.divisions) for make in makers]


def _check_metric(by: str) -> None:
    if by not in SORTED_BY:
        raise InputError(f"by is {by!r}; allowed is {', '.join(SORTED_BY)}")


def board_of(found: Found, by: str) -> list[BoardRow]:
    """The board ranked by a metric, kept until the season goes on."""

    def ranked() -> list[BoardRow]:
        with opened(found) as run:
            return board(run, by)

    return _BOARDS.get(found, ranked, by)


def _values(found: Found) -> dict[str, Any]:
    """What the page has whatever its board is ranked by."""
    with opened(found) as run:
        lines = board(run, "trueskill")
        sections = report_sections(run, lines)
        body, figures = sections_html(sections[1:])  # the board comes first, with an address for each agent
        live = [drawing_of(figure) for figure in learning_figures(run)] if is_running(found) else []
        return {
            "lead": conclusion(run, lines),
            "body": Markup(body),
            "contents": Markup(contents_html(sections[1:])),
            "live": live,
            "figures": figures,
        }


def drawing_of(figure: Any) -> str:
    """The heading of a figure."""
    return str(figure.layout.title.text or "")


def _board(found: Found, lines: list[BoardRow]) -> list[dict[str, Any]]:
    rows = board_rows(lines)
    return [
        {"address": address("agent", found.place, name=line.agent.name), "cells": cells}
        for line, cells in zip(lines, rows, strict=True)
    ]


# One agent


def _agent(found: Found, run: Run, name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is known of an agent, and its figures."""
    agent = next((one for one in run.roster if one.name == name), None)
    if agent is None:
        raise NotThere(f"no agent of {found.outline.title if found.outline else 'this season'} is called {name!r}")
    lines = board_of(found, "trueskill")
    place = next((rank for rank, line in enumerate(lines, 1) if line.agent.id == agent.id), None)
    line = next((one for one in lines if one.agent.id == agent.id), None)
    behaviour = styles(run).get(agent.id)
    figures = Figures()
    rating = rating_of(run, agent)
    vector = strategy_rows(run, agent)
    told: dict[str, Any] = {
        "name": agent.name,
        "type": agent.type,
        "division": run.division_name(agent.division),
        "generation": agent.generation,
        "student": agent.trainable,
        "rank": place,
        "agents": len(lines),
        "board": None if line is None else line.to_dict(),
        "metrics": [] if line is None else _metrics(line),
        "family": _family(found, run, agent),
        "aggression": behaviour.aggression if behaviour else None,
        "tightness": behaviour.tightness if behaviour else None,
        "decisions": sum(behaviour) if behaviour else 0,
        "strategy": vector,
        "best": [],
        "worst": [],
        "rating": figures.add(rating) if rating is not None else None,
    }
    told["best"], told["worst"] = opponents_of(found, run, agent, winnings(run))
    return told, figures.data


def _metrics(line: BoardRow) -> list[dict[str, Any]]:
    """The agent's numbers by every metric, with half their intervals."""
    rows = []
    for metric, words in METRICS.items():
        value, half = getattr(line, metric, None), line.half_width(metric)
        if value is not None:
            unit = "" if metric == "trueskill" else " mbb/h"
            text = f"{value:.1f}" if metric == "trueskill" else signed(value)
            around = "" if half is None else f" ± {half:.1f}" if metric == "trueskill" else f" ± {half:,.0f}"
            rows.append({"name": words, "text": f"{text}{around}{unit}"})
    return rows


def _family(found: Found, run: Run, agent: Agent) -> list[dict[str, Any]]:
    """The student and all its clones, oldest first: ancestors and descendants of an agent."""
    head = agent.parent if agent.parent is not None else agent.id
    family = [one for one in run.roster if one.id == head or one.parent == head]
    if len(family) < 2:
        return []
    return [
        {
            "name": one.name,
            "generation": one.generation,
            "student": one.trainable,
            "self": one.id == agent.id,
            "address": address("agent", found.place, name=one.name),
        }
        for one in sorted(family, key=lambda one: (one.trainable, one.generation))
    ]


def rating_of(run: Run, agent: Agent) -> Any:
    """The agent's rating after each of its rounds, a line a division, with the 95 % band; None before its first."""
    from luckless.league.results import rated

    figure = new_figure("Rating over time", "round of the division", "TrueSkill (band: 95 % interval)")
    for division in run.all_divisions:
        history = rated(run.store, [division], len(run.roster))
        mine = history.agents == agent.id
        if not mine.any():
            continue
        rounds, mu = history.rounds[mine] + 1, history.mu[mine]
        half = quantile(0.975, None) * history.sigma[mine]
        name, shown = run.division_name(division), PALETTE[len(figure.data) // 3 % len(PALETTE)]
        band = {"mode": "lines", "line": {"width": 0}, "showlegend": False, "hoverinfo": "skip", "legendgroup": name}
        figure.add_scatter(x=rounds, y=np.round(mu + half, 2), **band)
        figure.add_scatter(
            x=rounds, y=np.round(mu - half, 2), fill="tonexty", fillcolor="rgba(120,140,160,0.18)", **band
        )
        figure.add_scatter(
            x=rounds, y=np.round(mu, 2), mode="lines", name=name, legendgroup=name, line={"color": shown, "width": 2}
        )
    return figure if figure.data else None


def opponents_of(
    found: Found, run: Run, agent: Agent, matrix: Winnings
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The opponents from whom an agent won most and least in direct meetings, with intervals."""
    if agent.id not in matrix.agents:
        return [], []
    row = matrix.agents.index(agent.id)
    met = [column for column in range(len(matrix.agents)) if column != row and not np.isnan(matrix.mbb[row, column])]
    order = sorted(met, key=lambda column: -matrix.mbb[row, column])

    def told(column: int) -> dict[str, Any]:
        half = quantile(0.975, None) * matrix.stderr_mbb[row, column]
        other = run.roster[matrix.agents[column]]
        width = "" if np.isnan(half) else f" ± {half:,.0f}"
        return {
            "name": other.name,
            "type": other.type,
            "mbb": float(matrix.mbb[row, column]),
            "text": f"{signed(matrix.mbb[row, column])}{width}",
            "address": address("agent", found.place, name=other.name),
        }

    many = min(ENDS, len(order) // 2 + len(order) % 2)
    return [told(column) for column in order[:many]], [
        told(column) for column in order[::-1][: len(order) - many][:ENDS]
    ]


def strategy_rows(run: Run, agent: Agent) -> list[dict[str, Any]]:
    """The strategy vector in short: by street and third of the cards, how often it folds, calls or checks, raises."""
    vector = _vector(run.directory / "styles" / f"{agent.name}.npz")
    situations = all_situations(run.game.seats)
    if vector is None or len(vector) != len(situations):
        return []
    rows = []
    for street, name in enumerate(STREETS):
        own = vector[[place for place, one in enumerate(situations) if one.street == street]].sum(
            axis=0, dtype=np.int64
        )
        for words, tenths in (
            ("weakest 30 %", slice(0, 3)),
            ("middle", slice(3, 7)),
            ("strongest 30 %", slice(7, 10)),
        ):
            counts = own[tenths].sum(axis=0)
            total = int(counts.sum())
            if total:
                shares = (counts[FOLDS], counts[CALLS], counts[CHECKS], counts[RAISES:].sum())
                rows.append({"street": name, "cards": words, "shares": [float(one) / total for one in shares]})
    return rows


def _vector(path: Path) -> NDArray[np.int32] | None:
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
            vector: NDArray[np.int32] = file["vector"]
            return vector
    except (OSError, ValueError, KeyError, EOFError):
        return None
