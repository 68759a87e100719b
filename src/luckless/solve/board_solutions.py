"""Boards of the river solved to a fixed exploitability, many at a time.

A board does not start from nothing: hands of all boards are sorted by strength, so what was learned on a few boards
of reference, hand by hand in that order, is near the answer for any other. What is played is rounded to 16 bits, and
the exploitability that is stated is that of the rounded strategy.
"""

import functools
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.cards import parse_cards
from luckless.lanes import LANES
from luckless.rules.game import Game
from luckless.solve.holdem import HoldemSolver
from luckless.solve.river_game import BETS, RAISES, RiverGame
from luckless.threads import core_count

TARGET = 0.005
"""The largest exploitability of a solved board, as a share of the pot."""

ALGORITHM = "dcfr+"
FIRST_LOOK, LEAST_MORE, MOST_MORE = 50, 8, 60
"""After how many iterations the exploitability is measured for the first time, and how many more follow at least and
at most before it is measured again."""
_DECAY = 0.8
"""The iterations that a board needs grow with about this power of the exploitability that is left."""

REFERENCES = (
    "Ks9h5s3d2c",
    "AcQd8h6s4c",
    "JhTh7c4d2h",
    "QsQd9c6h3s",
    "Ad8c7d5s2d",
    "KhJc6d6c4s",
    "Tc8s5d3h2s",
    "AsKdTh7d3c",
)
"""Boards on which the start is learned: dry and wet ones, with and without a pair or a possible flush."""
_REFERENCE_ITERATIONS = 300
_START = 50
"""The iteration that a board begins with: late enough not to forget the start at once."""
_MOST = np.iinfo(np.uint16).max


def guarantee(game: Game) -> str:
    """What `nash` promises in a game, in words."""
    most = 1000 * TARGET * game.pot / game.big_blind
    return (
        f"on no board a best response with the bet sizes that it knows ({BETS}; raises {RAISES}) wins more than "
        f"{most:g} mbb/h from it ({100 * TARGET:g} % of the pot); other sizes are read as these"
    )


@dataclass(frozen=True)
class BoardSolution:
    """What both players do on one board: for each player numbers (action, hand) in proportion to the probabilities
    of the actions of each decision; hands are the live pairs, ascending."""

    strategies: tuple[NDArray[Any], NDArray[Any]]
    exploitability: float
    """As a share of the pot."""


def solve_boards(
    game: RiverGame, boards: Sequence[tuple[int, ...]], threads: int | None = None
) -> list[BoardSolution]:
    """Solves some boards on all cores; a board's solution depends on the board alone."""
    if not boards:
        return []
    begin = _start(game)
    with ThreadPoolExecutor(min(threads or core_count(), len(boards))) as pool:
        work = [pool.submit(_solve, game, board, begin) for board in boards]
        try:
            return [one.result() for one in work]
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _solve(game: RiverGame, board: tuple[int, ...], begin: dict[str, NDArray[Any]]) -> BoardSolution:
    solver = HoldemSolver(game.spot(board), ALGORITHM, threads=1)
    solver.restore(begin)
    solver.run(FIRST_LOOK)
    while True:
        rounded = [np.rint(solver.strategy(0, 0, player) * _MOST).astype(np.uint16) for player in (0, 1)]
        share = _judged(solver, rounded)
        if share <= TARGET:
            break
        solver.run(_more(solver.iterations - _START, share))
    first, second = (_by_pair(numbers, solver.hands[0][player][0]) for player, numbers in enumerate(rounded))
    return BoardSolution((first, second), share)


def _more(done: int, share: float) -> int:
    """How many iterations will probably be enough after `done` of them left an exploitability."""
    return int(np.clip(done * ((share / TARGET) ** _DECAY - 1), LEAST_MORE, MOST_MORE))


def _by_pair(numbers: NDArray[np.uint16], hands: NDArray[np.int64]) -> NDArray[np.uint16]:
    """Columns in the order of the numbers of the hands."""
    return np.ascontiguousarray(numbers[:, np.argsort(hands)])


def _judged(solver: HoldemSolver, strategies: Sequence[NDArray[Any]]) -> float:
    """The exploitability of strategies (action, hand) in place of the average, which is left as it was."""
    learned = solver.layers[0].learned
    kept = [learned[player].average.copy() for player in (0, 1)]
    try:
        for player, strategy in enumerate(strategies):
            blocks = np.zeros((strategy.shape[0], solver.layers[0].width[player]), np.float32)
            blocks[:, : strategy.shape[1]] = strategy
            turned = blocks.reshape(len(strategy), -1, LANES).transpose(1, 0, 2)
            learned[player].average[:] = turned.ravel()
        return solver.judge().share
    finally:
        for player in (0, 1):
            learned[player].average[:] = kept[player]


@functools.lru_cache(maxsize=4)
def _start(game: RiverGame) -> dict[str, NDArray[Any]]:
    """What every board begins with: the mean of the regrets that were learned on the boards of reference."""
    solvers = [_reference(game, text) for text in REFERENCES]
    states = [solver.state() for solver in solvers]
    begin = {name: np.zeros_like(array) for name, array in states[0].items()}
    begin["iterations"][:] = _START
    for player in (0, 1):
        regrets = begin[f"regrets.0.{player}"]
        regrets[:] = np.mean([state[f"regrets.0.{player}"] for state in states], axis=0, dtype=np.float64)
        begin[f"strategy.0.{player}"][:] = _played(game, player, regrets)
    return begin


def _reference(game: RiverGame, text: str) -> HoldemSolver:
    solver = HoldemSolver(game.spot(tuple(parse_cards(text))), ALGORITHM, threads=1)
    solver.run(_REFERENCE_ITERATIONS)
    return solver


def _played(game: RiverGame, player: int, regrets: NDArray[np.float32]) -> NDArray[np.float32]:
    """The strategy in proportion to regrets, none of which is negative, as the solver lays them out."""
    blocks = regrets.reshape(-1, game.tree.slots[player], LANES)
    strategy = np.empty_like(blocks)
    for point in game.tree.points:
        if point.player == player:
            rows = slice(point.first, point.first + len(point.actions))
            total = blocks[:, rows].sum(axis=1, keepdims=True)
            share = blocks[:, rows] / np.where(total > 0, total, 1)
            strategy[:, rows] = np.where(total > 0, share, 1 / len(point.actions))
    return strategy.ravel()
