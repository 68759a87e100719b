"""Policies of small games by name: simple rules, and solutions that were saved (`nash:FILE`)."""

from pathlib import Path

import numpy as np

from luckless.errors import InputError
from luckless.solve.deep.river import RiverSolver
from luckless.solve.flat import FlatGame
from luckless.solve.holdem import HoldemSolver
from luckless.solve.sequences import Policy, uniform_policy
from luckless.solve.strategy_file import load_solution

RULES = {"call": "ck", "fold": "fkc", "raise": "rbck"}
"""What a bot of this name does: the first of these actions that is there (f fold, k check, c call or check, b bet,
r bet or raise)."""


def named_policy(name: str, game: FlatGame) -> Policy:
    """A policy for both seats of Kuhn or Leduc."""
    kind, colon, path = name.partition(":")
    if kind == "nash" and colon:
        return _solved(Path(path), game)
    if name == "uniform":
        return uniform_policy(game)
    if name in RULES:
        first, second = (_by_rule(RULES[name], game, player) for player in (0, 1))
        return first, second
    raise InputError(
        f"bot {name!r} does not play {game.name}; allowed is {', '.join(sorted(RULES))}, uniform or nash:FILE"
    )


def _by_rule(rule: str, game: FlatGame, player: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    side = game.sides[player]
    policy = np.zeros(int(side.start[-1]))
    policy[0] = 1.0
    for number, actions in enumerate(game.actions[player]):
        policy[side.start[number] + actions.index(next(action for action in rule if action in actions))] = 1.0
    return policy


def _solved(path: Path, game: FlatGame) -> Policy:
    task, solver = load_solution(path)
    if isinstance(solver, HoldemSolver | RiverSolver) or task.game != game.name:
        raise InputError(f"{path} solves {task.game}; a solution of {game.name} is required")
    return solver.policy()
