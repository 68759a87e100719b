"""Solving with an eye on the clock: iterations or a target, the curve on the way, and what came out."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from luckless.solve.deep.river import RiverSolver
from luckless.solve.holdem import HoldemSolver, Judgement
from luckless.solve.strategy_file import AnySolver, Task, load_solution, stored_curve
from luckless.stats.estimate import Estimate, estimate
from luckless.work_clock import seconds as work_seconds

TREE_ITERATIONS = 1000
DEEP_ITERATIONS = 100
SPOT_TARGET = 0.005
MOST_ITERATIONS = 10_000_000
_BATCH_SECONDS = 0.5


class Solver(Protocol):
    """What is solved step by step."""

    @property
    def iterations(self) -> int:
        """Iterations done."""

    def run(self, iterations: int) -> None:
        """Goes on."""


@dataclass(frozen=True)
class Measured:
    """Where a solver stands: the value to the first player, and the exploitability; for spots also by the pot."""

    value: float
    exploitability: float
    pot_share: float | None = None
    boards: Estimate | None = None
    """The share of the pot as a mean over drawn boards, where these stand for all."""

    @property
    def distance(self) -> float:
        """What a target is compared with: a share of the pot, or antes."""
        return self.exploitability if self.pot_share is None else self.pot_share


@dataclass
class Solution:
    """The result of a run; `to_dict` is what `--json` prints."""

    game: str
    algorithm: str
    iterations: int
    seconds: float
    measured: Measured
    curve: list[tuple[int, float]]
    interrupted: bool = False
    curves: dict[str, list[tuple[int, float]]] = field(default_factory=dict)
    """With several algorithms: the curve of each."""

    @property
    def steps(self) -> list[tuple[int, float]]:
        """The points of the curve that a run without a stop has too: what a file keeps."""
        return [point for point in self.curve if _next_point(point[0] - 1) == point[0]]

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        values: dict[str, Any] = {
            "game": self.game,
            "algorithm": self.algorithm,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "value": self.measured.value,
            "exploitability": self.measured.exploitability,
        }
        if self.measured.pot_share is not None:
            values["exploitability_pot"] = self.measured.pot_share
        if self.measured.boards is not None:
            values["exploitability_pot_ci95"] = self.measured.boards.ci95
            values["boards"] = self.measured.boards.samples
        values["curve"] = [list(point) for point in self.curve]
        values["interrupted"] = self.interrupted
        if self.curves:
            values["curves"] = {name: [list(point) for point in curve] for name, curve in self.curves.items()}
        return values


def measure(solver: AnySolver) -> Measured:
    """Value and exploitability of the average strategy, exact."""
    if isinstance(solver, HoldemSolver):
        judged = solver.judge()
        return Measured(judged.first_ev, judged.exploitability, judged.share)
    if isinstance(solver, RiverSolver):
        return _over_boards(solver.judgements())
    return Measured(solver.value(), solver.exploitability())


def _over_boards(judged: list[Judgement]) -> Measured:
    """The means over boards that were drawn."""
    shares = estimate([one.share for one in judged], unit="pot", method="best response")
    value = sum(one.first_ev for one in judged) / len(judged)
    return Measured(value, shares.mean * judged[0].pot, shares.mean, shares)


def stored_solution(path: Path) -> tuple[Task, AnySolver, Solution]:
    """A saved run, read and measured again; its curve ends where it stopped."""
    task, solver = load_solution(path)
    measured, curve = measure(solver), stored_curve(path)
    if not curve or curve[-1][0] < solver.iterations:
        curve.append((max(solver.iterations, 1), measured.exploitability))
    return task, solver, Solution(task.game, task.algorithm, solver.iterations, 0.0, measured, curve)


def solve(
    solver: AnySolver,
    game: str,
    iterations: int | None,
    target: float | None,
    on_point: Callable[[int, Measured], None] = lambda *_: None,
    before: Sequence[tuple[int, float]] = (),
) -> Solution:
    """Runs a solver to a number of iterations or until a target is met; an interrupt keeps what was solved.

    The exploitability is measured at fixed points that lie a tenth further apart each time, at the end, and counts in
    the seconds. `before` is the curve of a run that goes on.
    """
    began, interrupted = work_seconds(), False
    curve = list(before)
    end = iterations if iterations is not None else MOST_ITERATIONS
    measured = measure(solver)
    try:
        while solver.iterations < end and (target is None or measured.distance > target):
            _run_to(solver, min(_next_point(solver.iterations), end))
            measured = measure(solver)
            curve.append((solver.iterations, measured.exploitability))
            on_point(solver.iterations, measured)
    except KeyboardInterrupt:
        interrupted = True
        measured = measure(solver)
    if curve[-1:] != [(solver.iterations, measured.exploitability)]:
        curve.append((solver.iterations, measured.exploitability))
    seconds = work_seconds() - began
    return Solution(game, solver.algorithm, solver.iterations, seconds, measured, curve, interrupted)


def _points() -> Iterator[int]:
    """Where the curve is measured: 1, 2, 5, 10, then every ten, then a tenth further each time."""
    yield from (1, 2, 5)
    point = 10
    while True:
        yield point
        point += max(10, point // 100 * 10)


def _next_point(done: int) -> int:
    """The first point of the curve after so many iterations."""
    return next(itertools.dropwhile(lambda point: point <= done, _points()))


def _run_to(solver: Solver, point: int) -> None:
    """Goes on in batches of about half a second, so that an interrupt is heard."""
    batch = 1
    while solver.iterations < point:
        count = min(batch, point - solver.iterations)
        began = work_seconds()
        whole(lambda: solver.run(count))  # noqa: B023 - done before the next one
        spent = (work_seconds() - began) / count
        batch = max(1, int(_BATCH_SECONDS / max(spent, 1e-7)))


def whole(work: Callable[[], None]) -> None:
    """Does some work to its end. A Ctrl-C that comes meanwhile is raised after it: else iterations could be half
    done, or done and not counted, and a run that goes on from them would not be the same."""
    with ThreadPoolExecutor(1) as alone:
        working = alone.submit(work)
        try:
            working.result()
        except KeyboardInterrupt:
            working.result()
            raise
