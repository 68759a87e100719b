"""`nash` plays rivers and solves each board before its first decision; `nash:FILE` plays a saved solution."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import Bot, Decisions
from luckless.bots.clocks import Clocks
from luckless.bots.dice import BatchDice
from luckless.bots.distribution import ActionDistribution
from luckless.bots.fingerprints import checksum
from luckless.rules.game import Game
from luckless.rules.views import Views
from luckless.solve.board_solutions import ALGORITHM, TARGET
from luckless.solve.board_source import FileBoard, Numbers, Policy, SolvedBoards
from luckless.solve.board_store import BoardStore, solver_version
from luckless.solve.play_tree import PlayTree
from luckless.solve.river_game import BETS, RAISES, RiverGame
from luckless.solve.translation import Law, Real, law


class _RiverBot(Bot):
    """A bot that plays rivers by numbers for boards and hands."""

    batch = True

    def __init__(self, name: str) -> None:
        self.name = self.spec = name

    def policy_for(self, game: Game) -> Policy:
        """What plays the game; raises `InputError` if it was not made for it."""
        raise NotImplementedError

    def start(self, game: Game, clocks: Clocks) -> None:
        """Refuses a game that it was not made for."""
        self.policy_for(game)

    def answers(self, decisions: Decisions) -> NDArray[np.int64]:
        """Actions drawn by the dice."""
        return self.probabilities(decisions.views).draw(BatchDice(decisions.random_bits))

    def probabilities(self, views: Views) -> ActionDistribution:
        """What it does in each situation, and how often: exactly, coins of translation included."""
        policy = self.policy_for(views.game)
        boards, holes = views.board.astype(np.int64), views.hole.astype(np.int64)
        players = views.seat.astype(np.int64)
        shares = _shares(policy.tree, policy.numbers(boards, holes, players), players)
        groups = _alike(views)
        rows: list[NDArray[np.int64]] = []
        laws = []
        for group in groups:
            rows.append(group)
            laws.append(law(policy.tree, int(players[group[0]]), shares[group], *_situation(views, int(group[0]))))
        return _joined(len(views), rows, laws)


class NashBot(_RiverBot):
    """`nash`: any board of a game that begins on the river."""

    def __init__(self, name: str = "nash", threads: int | None = None, folder: Path | None = None) -> None:
        """`folder` holds solved boards; the cache folder does if none is given."""
        super().__init__(name)
        self._folder = folder
        self._boards: dict[RiverGame, SolvedBoards] = {}
        self._threads = threads

    def policy_for(self, game: Game) -> Policy:
        """The solver of the game's boards."""
        river = RiverGame.of(game)
        if river not in self._boards:
            self._boards[river] = SolvedBoards(river, BoardStore(river, self._folder), self._threads)
        return self._boards[river]

    def fingerprint(self) -> str:
        """A checksum of what decides how it plays: the code that solves, its sizes, and how exactly."""
        return checksum(["nash", BETS, RAISES, ALGORITHM, repr(TARGET), solver_version()])


class FileBot(_RiverBot):
    """`nash:FILE`: the board of a saved solution."""

    def __init__(self, spec: str, path: Path) -> None:
        super().__init__(spec)
        self._board = FileBoard(path)

    def policy_for(self, game: Game) -> Policy:
        """The solution, if it is one of the game."""
        self._board.check_game(game)
        return self._board

    def fingerprint(self) -> str:
        """The digest of the file."""
        return checksum(["nash", self._board.digest])


def load_nash(text: str) -> Bot:
    """The bot that `nash` or `nash:FILE` names."""
    _, colon, path = text.partition(":")
    return FileBot(text, Path(path)) if colon else NashBot(text)


def _shares(tree: PlayTree, numbers: Numbers, players: NDArray[np.int64]) -> Numbers:
    """Numbers as probabilities: those of each decision sum to 1."""
    out = np.zeros_like(numbers)
    for point in tree.points:
        rows = np.flatnonzero(players == point.player)
        columns = slice(point.first, point.first + len(point.actions))
        own = numbers[rows, columns]
        total = own.sum(axis=1, keepdims=True)
        out[rows, columns] = np.where(total > 0, own / np.where(total > 0, total, 1), 1 / len(point.actions))
    return out


def _alike(views: Views) -> list[NDArray[np.int64]]:
    """The rows of each public situation, boards apart."""
    public = views.public
    parts = [public["actor"][:, None], public["steps"][:, None], views.actions, public["stack"][:, :2]]
    keys = np.concatenate([part.astype(np.int64) for part in parts], axis=1)
    _, place = np.unique(keys, axis=0, return_inverse=True)
    place = place.reshape(-1)
    order = np.argsort(place, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(place[order])) + 1) if len(order) else []


def _situation(views: Views, row: int) -> tuple[list[int], Real]:
    """The actions so far, and the table before them."""
    public = views.public[row]
    history = [int(action) for action in views.actions[row, : public["steps"]]]
    first, second = (int(public["stack"][seat] + public["street_bet"][seat]) for seat in (0, 1))
    return history, Real(views.game.pot, (0, 0), views.game.big_blind, (first, second))


def _joined(size: int, groups: list[NDArray[np.int64]], laws: list[Law]) -> ActionDistribution:
    width = max(map(len, laws), default=1)
    actions, chances = np.zeros((size, width), np.int64), np.zeros((size, width))
    for rows, found in zip(groups, laws, strict=True):
        for column, action in enumerate(sorted(found)):
            actions[rows, column] = action
            chances[rows, column] = found[action]
    return ActionDistribution(actions, actions, chances)
