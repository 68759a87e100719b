"""Solutions, walked node by node; and spots solved from the page, as jobs that are watched and can be stopped."""

import math
import threading
import time
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field, StrictInt

from luckless.cards import RANKS, SUITS
from luckless.errors import InputError
from luckless.hands.pairs import PAIR_CARDS
from luckless.hands.preflop import class_numbers
from luckless.hands.weighted_ranges import parse_weights
from luckless.report.solution_page import spot_text
from luckless.report.solve_report import COLOURS, curve_figure, distance_text
from luckless.solve.decisions import tree_decisions
from luckless.solve.deep.river import RiverSolver
from luckless.solve.given_games import needed_memory, tasks_of
from luckless.solve.holdem import HoldemSolver
from luckless.solve.memory import amount
from luckless.solve.nodes import Walk
from luckless.solve.solution import Measured, solve, stored_solution
from luckless.solve.spot_file import make_spot
from luckless.solve.strategy_file import AnySolver, Task, save_solution
from luckless.web.figures import Figures
from luckless.web.finding import Found
from luckless.web.jobs import Job
from luckless.web.kept import Kept
from luckless.web.rendering import address, json_answer, render
from luckless.web.solver_nodes import decision_rows, label_of, node_of

router = APIRouter()
NAVIGATION = (("Solver", "/solver", 30),)

FOLDER = "solved"
"""Where solutions of the page are stored, below the folder that is served."""
MOST_MEMORY = 1_000_000_000
"""Bytes of the largest spot that a page may solve."""
MOST_MINUTES = 30

_WALKS: "Kept[Opened]" = Kept(4)


class Opened:
    """A solution that was read: how it was made, how good it is, and its tree."""

    def __init__(self, path: Path) -> None:
        self.task, solver, self.solution = stored_solution(path)
        self.lock = threading.Lock()
        self.walk = _walk_of(solver)
        self.decisions = [] if self.walk else decision_rows(tree_decisions(solver.game, solver.policy()))  # type: ignore[union-attr]


def _walk_of(solver: AnySolver) -> Walk | None:
    if isinstance(solver, RiverSolver):
        solver = solver.averages()[0].spot
    return Walk(solver) if isinstance(solver, HoldemSolver) else None


class Wanted(BaseModel):
    """A spot to solve."""

    board: str = Field(max_length=40)
    ranges: tuple[str, str]
    pot: StrictInt = Field(ge=1, le=10**9)
    stack: StrictInt = Field(ge=1, le=10**9)
    sizes: str = Field("50%,100%,all-in", max_length=200)
    target: float = Field(0.5, gt=0, le=100)
    """Percent of the pot at which it ends."""
    minutes: float = Field(5, gt=0, le=MOST_MINUTES)


@router.get("/solver")
def page(request: Request) -> Response:
    """The form for a spot, and the solutions that are there."""
    cards = [[f"{rank}{suit}" for rank in RANKS[::-1]] for suit in SUITS[::-1]]
    labels = [[label_of(row, column) for column in range(13)] for row in range(13)]
    return render(request, "solver.html", title="Solver", listed=_listed(request), cards=cards, labels=labels)


@router.get("/api/solver")
def api(request: Request) -> Response:
    """The solutions that are there."""
    return json_answer(_listed(request))


@router.get("/api/range")
def range_text(text: str = "") -> Response:
    """A range in words as weights of the 169 classes, aces first, suited hands above the diagonal."""
    if len(text) > 4000:
        raise InputError("the range is too long; allowed is up to 4,000 characters")
    weights = parse_weights(text)
    classes = class_numbers(PAIR_CARDS)
    square = [[0.0] * 13 for _ in range(13)]
    mixed = False
    for number in range(169):
        some = weights[classes == number]
        row, column = 12 - number // 13, 12 - number % 13
        square[row][column] = round(float(some.mean()), 4)
        mixed = mixed or bool((some != some[0]).any())
    return json_answer({"weights": square, "hands": float(weights.sum()), "mixed": mixed})


@router.post("/api/solver")
def start(request: Request, wanted: Wanted) -> Response:
    """Begins to solve a spot; `/api/jobs/NAME` tells how that goes."""
    values = _spot_values(wanted)
    make_spot(values)
    tasks = tasks_of("spot", values, None, 1)
    needed = needed_memory(tasks, MOST_MEMORY)
    place = _new_place(request.app.state.finder.root, wanted.board)
    path = request.app.state.finder.root / place
    end = time.monotonic() + 60 * wanted.minutes
    job = request.app.state.jobs.start(
        f"solve {wanted.board} {time.monotonic_ns()}",
        lambda job: _solve(job, tasks[0], path, place, wanted.target / 100, end),
    )
    return json_answer({**job.to_dict(), "address": f"/api/jobs/{job.name}", "memory": amount(needed)}, 202)


@router.get("/solve/{place:path}")
def solution_page(request: Request, place: str, line: str = "") -> Response:
    """A solution: its curve and its tree."""
    found = request.app.state.finder.run(place, "solve")
    opened = _opened(found)
    figures = Figures()
    curve = figures.add(curve_figure(opened.solution)) if len(opened.solution.curve) > 1 else None
    return render(
        request, "solve.html", title=found.outline.title, found=found, figures=figures.data, curve=curve,
        facts=_facts(opened), node=_node(opened, line), decisions=opened.decisions, colours=COLOURS,
    )  # fmt: skip


@router.get("/api/solve/{place:path}")
def solution_api(request: Request, place: str, line: str = "") -> Response:
    """A node of a solution; for small games all decisions."""
    found = request.app.state.finder.run(place, "solve")
    opened = _opened(found)
    told = {**opened.solution.to_dict(), "place": place}
    return json_answer({**told, "node": _node(opened, line), "decisions": opened.decisions})


def _opened(found: Found) -> Opened:
    return _WALKS.get(found, lambda: Opened(found.path))


def _node(opened: Opened, line: str) -> dict[str, Any] | None:
    if opened.walk is None:
        if line:
            raise InputError("this game is small: all its decisions stand on one page, and no line leads further")
        return None
    with opened.lock:
        return node_of(opened.walk, line.split())


def _facts(opened: Opened) -> list[tuple[str, str]]:
    spot = opened.task.spot or {}
    rows = [("game", Path(opened.task.game).name), *((key, spot_text(value)) for key, value in spot.items())]
    rows += [("algorithm", opened.task.algorithm), ("iterations", f"{opened.solution.iterations:,}")]
    value = opened.solution.measured.value
    unit = "antes" if opened.solution.measured.pot_share is None else "chips"
    rows.append(("value for the first player", f"{value:,.4f} {unit}"))
    return [*rows, ("exploitability", distance_text(opened.solution))]


def _spot_values(wanted: Wanted) -> dict[str, Any]:
    for text in wanted.ranges:
        if len(text) > 4000:
            raise InputError("a range is too long; allowed is up to 4,000 characters")
    return {
        "board": wanted.board,
        "ranges": list(wanted.ranges),
        "pot": wanted.pot,
        "stack": wanted.stack,
        "sizes": {"bets": wanted.sizes},
    }


def _solve(job: Job, task: Task, path: Path, place: str, target: float, end: float) -> dict[str, Any]:
    """Solves until the target, the end of the time, or a wish to stop; stores what was reached."""
    solver = task.solver()

    def on_point(iterations: int, measured: Measured) -> None:
        job.say(f"{iterations} {measured.exploitability!r} {measured.distance!r}")
        if job.stopping.is_set() or time.monotonic() > end:
            raise KeyboardInterrupt  # `solve` keeps what was solved

    solution = solve(solver, task.game, None, target, on_point)
    path.parent.mkdir(exist_ok=True)
    save_solution(path, task, solver, solution.measured.exploitability, solution.steps)
    left = solution.measured.distance
    return {
        "address": address("solve", place),
        "iterations": solution.iterations,
        "exploitability_pot": left if math.isfinite(left) else None,
        "stopped": solution.interrupted,
    }


def _listed(request: Request) -> dict[str, Any]:
    runs = [found for found in request.app.state.finder.runs() if found.kind == "solve"]
    return {"solutions": [{**found.to_dict(), "address": address("solve", found.place)} for found in runs[:200]]}


def _new_place(root: Path, board: str) -> str:
    name = "".join(sign for sign in board if sign.isalnum())[:10]
    base = f"{FOLDER}/{time.strftime('%Y-%m-%d-%H%M%S')}-{name}"
    number, place = 1, f"{base}.safetensors"
    while (root / place).exists():
        number += 1
        place = f"{base}-{number}.safetensors"
    return place
