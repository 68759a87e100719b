"""Saved solutions: safetensors with the game, the settings and a digest inside, from which a run can also go on."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from luckless.errors import InputError
from luckless.solve.deep.river import RIVER_GAME, RiverSolver
from luckless.solve.deep.solver import DeepSolver
from luckless.solve.flat import flatten
from luckless.solve.holdem import HoldemSolver
from luckless.solve.kuhn import Kuhn
from luckless.solve.leduc import Leduc
from luckless.solve.sampling import SamplingSolver
from luckless.solve.schedules import DEEP, SAMPLERS
from luckless.solve.spot_file import make_spot
from luckless.solve.tabular import TabularSolver
from luckless.solve.tree_game import TreeGame
from luckless.tensors import as_safetensors, content_digest, read_facts, read_safetensors
from luckless.whole_files import write_bytes

FORMAT = "2"
TREE_GAMES: dict[str, type[TreeGame]] = {"kuhn": Kuhn, "leduc": Leduc}

TreeSolver = TabularSolver | SamplingSolver | DeepSolver
AnySolver = TreeSolver | RiverSolver | HoldemSolver


@dataclass(frozen=True)
class Task:
    """What is solved and how: the game's name, for a spot its values, the algorithm and the seed."""

    game: str
    spot: dict[str, Any] | None
    algorithm: str
    seed: int = 0

    def solver(self) -> AnySolver:
        """A solver that has learned nothing."""
        if self.spot is not None:
            return HoldemSolver(make_spot(self.spot), self.algorithm)
        if self.game == RIVER_GAME:
            return RiverSolver(self.seed)
        if self.algorithm == DEEP:
            return DeepSolver(TREE_GAMES[self.game](), self.seed)
        game = flatten(TREE_GAMES[self.game]())
        if self.algorithm in SAMPLERS:
            return SamplingSolver(game, self.algorithm, self.seed)
        return TabularSolver(game, self.algorithm)


def save_solution(
    path: Path, task: Task, solver: AnySolver, exploitability: float, curve: Sequence[tuple[int, float]] = ()
) -> str:
    """Writes what a solver has learned, and the exploitability on the way; returns its digest."""
    arrays = solver.state()
    facts = {
        "luckless": "solution",
        "format": FORMAT,
        "game": task.game,
        "spot": json.dumps(task.spot, sort_keys=True),
        "algorithm": task.algorithm,
        "seed": str(task.seed),
        "exploitability": repr(exploitability),
        **({"curve": json.dumps([list(point) for point in curve])} if curve else {}),
    }
    digest = content_digest(arrays, facts)
    write_bytes(path, as_safetensors(arrays, {**facts, "digest": digest}))
    return digest


def load_solution(path: Path) -> tuple[Task, AnySolver]:
    """The solver of a file, ready to be asked or to go on."""
    arrays, facts = read_safetensors(path, "solution")
    if facts.get("luckless") != "solution":
        raise InputError(
            f"{path} holds {facts.get('luckless', 'other tensors')}; a file of `luckless solve` is required"
        )
    if facts.get("format") != FORMAT:
        raise InputError(f"{path} has format {facts.get('format')}; this program reads format {FORMAT}")
    if content_digest(arrays, {key: text for key, text in facts.items() if key != "digest"}) != facts.get("digest"):
        raise InputError(f"{path} is damaged: its content does not have the digest that is written in it")
    task = _task_of(path, facts)
    solver = task.solver()
    growing = solver.growing if isinstance(solver, DeepSolver | RiverSolver) else ()
    for name, array in solver.state().items():
        fixed = 1 if name in growing else 0
        if name not in arrays or arrays[name].shape[fixed:] != array.shape[fixed:]:
            raise InputError(f"{path} does not fit its game {task.game}: {name} is missing or of another size")
    solver.restore(arrays)
    return task, solver


def stored_curve(path: Path) -> list[tuple[int, float]]:
    """Exploitability by iteration as a file keeps it; empty where an earlier version wrote none."""
    try:
        points = json.loads(read_facts(path).get("curve", "[]"))
        return [(int(iterations), float(left)) for iterations, left in points]
    except (ValueError, TypeError):
        return []


def _task_of(path: Path, facts: dict[str, str]) -> Task:
    try:
        spot = json.loads(facts.get("spot", ""))
        seed = int(facts.get("seed", ""))
    except ValueError:
        raise InputError(f"{path} has no settings that can be read") from None
    game = facts.get("game", "")
    whole = game == RIVER_GAME and facts.get("algorithm") == DEEP
    if spot is None and game not in TREE_GAMES and not whole:
        raise InputError(f"{path} solves {game!r}; this program knows {', '.join(TREE_GAMES)} and spots")
    return Task(game, spot, facts.get("algorithm", ""), seed)
