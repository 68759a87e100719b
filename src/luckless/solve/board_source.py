"""Where `nash` takes the solutions of boards from: its memory, the disk, or the solver; or a single file."""

from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from luckless.cards import format_cards
from luckless.errors import InputError
from luckless.hands.pairs import pair_numbers
from luckless.rules.game import STREETS, Game
from luckless.solve.board_solutions import BoardSolution, solve_boards
from luckless.solve.board_store import BoardStore
from luckless.solve.holdem import HoldemSolver
from luckless.solve.play_tree import PlayTree, tree_of
from luckless.solve.river_game import RIVER, RiverGame, canonical, live_pairs
from luckless.solve.strategy_file import load_solution
from luckless.tensors import content_digest

_IN_MEMORY = 512
"""Solutions that are in memory at once."""


Numbers = NDArray[np.float64]


class Policy(Protocol):
    """What plays a river game: its betting tree and its numbers for boards and hands."""

    @property
    def tree(self) -> PlayTree:
        """The betting that it knows."""

    def numbers(self, boards: NDArray[np.int64], holes: NDArray[np.int64], players: NDArray[np.int64]) -> Numbers:
        """For each row (board, own cards, player) what each of the player's actions counts, in the tree's order."""


class SolvedBoards:
    """Any board of a game, solved when it is needed."""

    def __init__(self, game: RiverGame, store: BoardStore | None = None, threads: int | None = None) -> None:
        self.game, self._threads = game, threads
        self._store = store or BoardStore(game)
        self._memory: OrderedDict[tuple[int, ...], BoardSolution] = OrderedDict()

    @property
    def tree(self) -> PlayTree:
        """The betting with the sizes of `nash`."""
        return self.game.tree

    def solutions(self, boards: Sequence[tuple[int, ...]]) -> dict[tuple[int, ...], BoardSolution]:
        """The solutions of different boards in their canonical form."""
        found = {}
        for board in boards:
            kept = self._memory.get(board) or self._store.load(board)
            if kept is not None:
                found[board] = kept
        missing = [board for board in boards if board not in found]
        for board, solution in zip(missing, solve_boards(self.game, missing, self._threads), strict=True):
            found[board] = solution
            self._store.save(board, solution)
        for board in boards:
            self._memory[board] = found[board]
            self._memory.move_to_end(board)
        while len(self._memory) > _IN_MEMORY:
            self._memory.popitem(last=False)
        return {board: found[board] for board in boards}

    def numbers(self, boards: NDArray[np.int64], holes: NDArray[np.int64], players: NDArray[np.int64]) -> Numbers:
        """For each row what each of the player's actions counts; boards equal up to suits share one solution."""
        named, suits = canonical(boards)
        cards = holes // 4 * 4 + np.take_along_axis(suits, holes % 4, axis=1)
        different, place = np.unique(named, axis=0, return_inverse=True)
        keys = [tuple(map(int, board)) for board in different]
        pairs, place = pair_numbers(cards), place.reshape(-1)
        order = np.argsort(place, kind="stable")
        rows_of = np.split(order, np.searchsorted(place[order], range(1, len(keys))))
        out = np.zeros((len(boards), max(self.tree.slots)))
        for first in range(0, len(keys), _IN_MEMORY):
            solutions = self.solutions(keys[first : first + _IN_MEMORY])
            for board, rows in zip(solutions, rows_of[first : first + _IN_MEMORY], strict=True):
                _fill(out, rows, players, np.searchsorted(live_pairs(board), pairs[rows]), solutions[board])
        return out


def _fill(
    out: Numbers, rows: NDArray[np.int64], players: NDArray[np.int64], hands: NDArray[np.int64], from_: BoardSolution
) -> None:
    for player, strategy in enumerate(from_.strategies):
        own = players[rows] == player
        out[rows[own], : len(strategy)] = strategy[:, hands[own]].T


class FileBoard:
    """The one board of a saved solution."""

    def __init__(self, path: Path) -> None:
        task, solver = load_solution(path)
        if not isinstance(solver, HoldemSolver):
            raise InputError(
                f"{path} solves {task.game}, which no match plays: `luckless exploit nash:{path} --game {task.game}`"
            )
        self.path, self._spot = path, solver.spot
        self.digest = content_digest(solver.state(), {"spot": repr(task.spot)})
        self._check_spot()
        self.tree = tree_of(solver.layers[0].forest, solver.spot.stakes)
        strategies = []
        for player in (0, 1):
            order = np.argsort(solver.hands[0][player][0])
            strategies.append(np.ascontiguousarray(solver.strategy(0, 0, player)[:, order]))
        self._solution = BoardSolution((strategies[0], strategies[1]), solver.judge().share)

    @property
    def exploitability(self) -> float:
        """As a share of the pot."""
        return self._solution.exploitability

    def _check_spot(self) -> None:
        spot = self._spot
        if len(spot.board) < 5:
            street = {3: "flop", 4: "turn"}[len(spot.board)]
            raise InputError(f"{self.path} solves a spot from the {street} on; a match can play solved rivers only")
        live = live_pairs(spot.board)
        if any(len(np.unique(weights[live])) > 1 for weights in spot.weights):
            raise InputError(
                f"{self.path} solves a spot with ranges {' and '.join(spot.ranges)}; a match deals any hand to both"
            )

    def check_game(self, game: Game) -> None:
        """Refuses a game that is not the spot's."""
        spot = self._spot
        RiverGame.of(game)
        own = f"board {format_cards(spot.board)}, pot {spot.stakes.pot}, stacks {spot.stakes.stack}"
        board = format_cards(game.board) if game.board else "dealt anew"
        theirs = f"board {board}, pot {game.pot}, stacks {game.stacks[0]}"
        same_board = set(game.board) == set(spot.board)
        if game.first_street != RIVER or not same_board or own.partition(", ")[2] != theirs.partition(", ")[2]:
            raise InputError(f"{self.path} is made for a {STREETS[RIVER]} with {own}; game {game.name} has {theirs}")

    def numbers(self, boards: NDArray[np.int64], holes: NDArray[np.int64], players: NDArray[np.int64]) -> Numbers:
        """For each row what each of the player's actions counts."""
        out = np.zeros((len(boards), max(self.tree.slots)))
        hands = np.searchsorted(live_pairs(self._spot.board), pair_numbers(holes))
        _fill(out, np.arange(len(boards)), players, hands, self._solution)
        return out
