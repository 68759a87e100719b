"""The page of a stored solution: read, measured again, and told decision by decision."""

from pathlib import Path
from typing import Any

from luckless.cards import format_cards
from luckless.report.solve_report import distance_text, solve_report
from luckless.solve.decisions import Frequencies, Grid, first_grid, spot_decisions, tree_decisions
from luckless.solve.deep.river import RiverSolver
from luckless.solve.holdem import HoldemSolver
from luckless.solve.solution import stored_solution
from luckless.solve.strategy_file import AnySolver
from luckless.tensors import read_facts


def is_solution(path: Path) -> bool:
    """Whether a file holds a solution."""
    return path.is_file() and path.suffix == ".safetensors" and read_facts(path).get("luckless") == "solution"


def solution_page(path: Path) -> str:
    """The page as one HTML text."""
    task, solver, solution = stored_solution(path)
    solution.game = Path(task.game).name
    how = [
        ("game", solution.game),
        *((key, spot_text(value)) for key, value in (task.spot or {}).items()),
        ("algorithm", solution.algorithm),
        ("iterations", f"{solution.iterations:,}"),
        ("value for the first player", f"{solution.measured.value:,.6f}"),
        ("exploitability", distance_text(solution)),
    ]
    if board := shown_board(solver):
        how.append(("board shown", board))
    return solve_report(solution, *decisions_of(solver), how)


def spot_text(value: Any) -> str:
    """A setting of a spot in words."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {one}" for key, one in value.items())
    return " against ".join(value) if isinstance(value, list) else str(value)


def shown_board(solver: AnySolver) -> str | None:
    """The board whose decisions stand for all boards, if networks solved all of them."""
    return format_cards(solver.averages()[0].board) if isinstance(solver, RiverSolver) else None


def decisions_of(solver: AnySolver) -> tuple[list[Frequencies], Grid | None]:
    """All decisions of a small game, or those of the first street of a spot with the grid of the first."""
    if isinstance(solver, RiverSolver):
        solver = solver.averages()[0].spot
    if isinstance(solver, HoldemSolver):
        return spot_decisions(solver), first_grid(solver)
    return tree_decisions(solver.game, solver.policy()), None
