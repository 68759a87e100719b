"""One spot on many drawn boards: what the first player takes out of the pot and the exploitability on each."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless import pieces
from luckless.cards import format_cards, parse_cards
from luckless.errors import InputError
from luckless.progress import Progress
from luckless.rules.dealing import deal
from luckless.rules.game import Game
from luckless.solve.deep.river import RIVER_GAME
from luckless.solve.kept_values import KeptValues
from luckless.solve.solution import solve
from luckless.solve.spot_file import make_spot
from luckless.solve.strategy_file import Task
from luckless.stats.estimate import estimate
from luckless.threads import run_chunks
from luckless.work_clock import seconds as work_seconds

MOST_BOARDS = 1_000_000
RIVER_CARDS, RIVERS_AT_ONCE = 5, 8
"""A river is solved within a second, so a crew is given several at once."""


class BoardResult(NamedTuple):
    """How one board was solved; values in chips, `exploitability_pot` is a share of the pot."""

    board: str
    iterations: int
    value: float
    exploitability: float
    exploitability_pot: float


@dataclass(frozen=True)
class ManyBoards:
    """All boards of a run in the order of the draw; `to_dict` is what `--json` prints."""

    game: str
    algorithm: str
    seed: int
    seconds: float
    boards: tuple[BoardResult, ...]

    @cached_property
    def value_ci95(self) -> tuple[float, float] | None:
        """The 95 % interval of what the first player takes out of the pot, over boards; None for a single one."""
        return estimate([board.value for board in self.boards], unit="chips", method="boards").ci95

    @property
    def worst(self) -> BoardResult:
        """The board with the largest exploitability."""
        return max(self.boards, key=lambda board: board.exploitability_pot)

    def to_dict(self) -> dict[str, Any]:
        """Plain values: the keys of a single solution as means over boards, and each board."""
        means = np.mean([board[2:] for board in self.boards], axis=0).tolist()
        return {
            "game": self.game,
            "algorithm": self.algorithm,
            "iterations": sum(board.iterations for board in self.boards),
            "seconds": self.seconds,
            "value": means[0],
            "value_ci95": None if self.value_ci95 is None else list(self.value_ci95),
            "exploitability": means[1],
            "exploitability_pot": means[2],
            "curve": [],
            "seed": self.seed,
            "boards": [board._asdict() for board in self.boards],
        }


@dataclass(frozen=True)
class BoardsJob:
    """Boards of one spot for a crew; a piece is a list of boards."""

    task: Task
    iterations: int | None
    target: float | None

    @contextmanager
    def opened(self) -> Iterator[pieces.Doer]:
        """Nothing is needed beforehand."""
        yield self.solved

    def solved(self, boards: Sequence[str]) -> list[NDArray[np.float64]]:
        """What there is to know of each board, in the order of `BoardResult`."""
        return [self._solved(board) for board in boards]

    def _solved(self, board: str) -> NDArray[np.float64]:
        task = _on_board(self.task, board)
        solution = solve(task.solver(), task.game, self.iterations, self.target)
        if solution.interrupted:
            raise KeyboardInterrupt
        measured = solution.measured
        return np.array([solution.iterations, measured.value, measured.exploitability, measured.pot_share])


def drawn_boards(cards: int, count: int, seed: int) -> list[str]:
    """Boards of so many cards: those that a match of river-hu with fresh decks and this seed deals."""
    if not 1 <= count <= MOST_BOARDS:
        raise InputError(f"--boards is {count}; allowed is 1 to {MOST_BOARDS:,}")
    decks = deal(Game.load(RIVER_GAME), seed, range(count))
    return [format_cards(row) for row in decks[:, -RIVER_CARDS:][:, :cards].tolist()]


def check_boards_alone(options: Mapping[str, Any]) -> None:
    """Refuses options of a single board beside many."""
    for name, value in options.items():
        if value is not None:
            raise InputError(f"--{name} is for a single board; it cannot be combined with --boards")


def first_board(game: str, count: int, seed: int) -> str | None:
    """The first of the boards where a game has none of its own; a spot's own board says which street is drawn."""
    boards = drawn_boards(RIVER_CARDS, count, seed)
    return boards[0] if game == RIVER_GAME else None


def solve_boards(
    tasks: Sequence[Task], count: int, seed: int, iterations: int | None, target: float | None,
    save: Path | None = None, show_progress: bool = False,
) -> ManyBoards:  # fmt: skip
    """Solves a spot on drawn boards of the same street, each by itself; finished ones are kept in `save`."""
    task, *others = tasks
    if task.spot is None or others:
        raise InputError(f"--boards is for {RIVER_GAME} and files of spots, by one algorithm that uses no networks")
    street = len(parse_cards(task.spot["board"]))
    drawn = drawn_boards(street, count, seed)
    for board in dict.fromkeys(drawn):
        make_spot(_on_board(task, board).spot or {})  # refused before anything is solved
    began, job = work_seconds(), BoardsJob(task, iterations, target)
    facts = {"run": json.dumps([task.spot | {"board": street}, task.algorithm, iterations, target], sort_keys=True)}
    store = KeptValues(save, "boards", facts)
    wanted = [board for board in dict.fromkeys(drawn) if _number(board) not in store.values]
    try:
        with Progress(len(wanted), "boards", show=show_progress) as progress:
            _solve_wanted(job, wanted, RIVERS_AT_ONCE if street == RIVER_CARDS else 1, store, progress)
    finally:
        store.write()
    found = [BoardResult(board, *store.values[_number(board)].tolist()) for board in drawn]
    whole = tuple(result._replace(iterations=int(result.iterations)) for result in found)
    return ManyBoards(task.game, task.algorithm, seed, work_seconds() - began, whole)


def _solve_wanted(job: BoardsJob, wanted: list[str], at_once: int, store: KeptValues, progress: Progress) -> None:
    """Rivers side by side, other boards one after the other on all cores; a crew takes either."""

    def keep(boards: Sequence[str], found: list[NDArray[np.float64]]) -> int:
        for board, values in zip(boards, found, strict=True):
            store.add(_number(board), values)
        return len(boards)

    crew = pieces.crew()
    if crew is not None:
        lots = [wanted[first : first + at_once] for first in range(0, len(wanted), at_once)]
        for lot, found in pieces.in_order(crew, job, lots):
            progress.advance(keep(lot, found))
    elif at_once > 1:
        run_chunks(
            len(wanted), 1, lambda first, last: keep(wanted[first:last], job.solved(wanted[first:last])), progress
        )
    else:
        for board in wanted:
            progress.advance(keep([board], job.solved([board])))


def _on_board(task: Task, board: str) -> Task:
    return replace(task, spot={**(task.spot or {}), "board": board})


def _number(board: str) -> int:
    """A board as one number, by which its values are kept."""
    number = 0
    for card in parse_cards(board):
        number = 52 * number + card
    return number
