"""River-only hold'em solved by Deep PDCFR+ on all boards at once: no table could hold its hands on every board.

Each iteration is played on freshly drawn deals. The menu is small (bets and raises of the pot, up to all-in), and
exploitability is that of the game with this menu: exact on each of a few boards, which stand for all.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.cards import DECK_SIZE, format_cards
from luckless.hands.pairs import PAIR_CARDS
from luckless.hands.strength import strengths
from luckless.lanes import LANES
from luckless.solve.deep.learner import GROWING, DeepLearner, DeepSettings
from luckless.solve.deep.networks import NetworkRegression
from luckless.solve.deep.river_betting import Betting, river_betting
from luckless.solve.deep.river_inputs import hand_inputs, history_inputs, seen_by
from luckless.solve.deep.world import World
from luckless.solve.flat import Nodes
from luckless.solve.holdem import HoldemSolver, Judgement
from luckless.solve.schedules import DEEP
from luckless.solve.spot_file import make_spot
from luckless.solve.tree_game import CHANCE, END

RIVER_GAME = "river-hu"
POT = 200
_SPOT = {"pot": POT, "stack": 9900, "minimum": 100, "sizes": {"bets": "100%"}}
_MEASURED_BOARDS = 6
_BOARDS_KEY = (2026, 9)
_LEARNING = DeepSettings(
    games=3000,
    regrets=NetworkRegression((96, 96), steps=150, rate=2e-3),
    values=NetworkRegression((64,), steps=100, rate=2e-3),
)


@dataclass(frozen=True)
class RiverSettings:
    """How many deals an iteration is played on, and how it learns from them."""

    deals: int = 1500
    boards: int = _MEASURED_BOARDS
    learning: DeepSettings = _LEARNING


def river_world(betting: Betting, cards: NDArray[np.int64]) -> World:
    """The tree of some deals: each row of cards holds both players' hole cards and the board."""
    boards = cards[:, 4:]
    holes = cards[:, :2], cards[:, 2:4]
    first, second = (hand_inputs(own, boards) for own in holes)
    strong = [strengths(np.hstack([own, boards])).astype(np.int64) for own in holes]
    won = np.sign(strong[0] - strong[1])
    nodes, order = _nodes_of(betting, won)
    histories = history_inputs(betting, (first, second), won)
    unit = np.tile(betting.unit[betting.decision >= 0], len(cards))
    seen = seen_by(betting, 0, first), seen_by(betting, 1, second)
    return World(nodes, seen, betting.outputs, order, np.arange(len(order)), histories, unit)


def _nodes_of(betting: Betting, won: NDArray[np.int64]) -> tuple[Nodes, NDArray[np.int64]]:
    """A copy of the betting for each deal below one node of chance, and where its decisions are, deal by deal.

    The first decisions of all deals stand side by side behind the start, then all else, deal by deal.
    """
    deals, rest = len(won), len(betting.actor) - 1
    places = np.empty((deals, rest + 1), np.int64)
    places[:, 0] = 1 + np.arange(deals)
    places[:, 1:] = 1 + deals + np.arange(deals)[:, None] * rest + np.arange(rest)
    over = betting.actor == END
    size = 1 + places.size
    actor, first, children, infoset = (np.zeros(size, np.int64) for _ in range(4))
    payoff, chance = np.zeros(size), np.ones(size)
    actor[0], first[0], children[0], infoset[0] = CHANCE, 1, deals, -1
    chance[1 : 1 + deals] = 1 / deals
    actor[places], children[places] = betting.actor, betting.children
    first[places] = np.where(over, 0, places[:, betting.first])
    counts = np.array([len(starts) - 1 for starts in betting.start])
    number = np.arange(deals)[:, None] * counts[np.maximum(betting.actor, 0)] + betting.decision
    infoset[places] = np.where(over, -1, number)
    payoff[places] = np.where(betting.shown, won[:, None] * betting.stake, betting.stake)
    begins, counted, numbered = (column.astype(np.int32) for column in (first, children, infoset))
    nodes = Nodes(actor.astype(np.int8), begins, counted, numbered, chance, payoff)
    return nodes, places[:, ~over].ravel()


def draw_cards(random: np.random.Generator, deals: int, cards: int) -> NDArray[np.int64]:
    """Cards without replacement, a row a deal."""
    return np.argsort(random.random((deals, DECK_SIZE)), axis=1)[:, :cards]


class BoardAverage:
    """The average strategy on one board, all hands, as a spot that can be judged."""

    def __init__(self, betting: Betting, board: NDArray[np.int64]) -> None:
        self.board = tuple(int(card) for card in board)
        self.spot = HoldemSolver(river_spot(self.board))
        self._betting = betting
        pairs = self.spot.hands[0][0][0]
        hands = hand_inputs(PAIR_CARDS[pairs], np.tile(np.array(self.board), (len(pairs), 1)))
        self._seen = seen_by(betting, 0, hands), seen_by(betting, 1, hands)
        self._sums = [np.zeros((len(pairs), int(starts[-1]))) for starts in betting.start]
        self._averaged = 0

    def catch_up(self, learner: DeepLearner) -> None:
        """Adds the strategies of iterations that were done since."""
        for number in range(self._averaged + 1, learner.iterations + 1):
            forget = learner.settings.schedule(number).forget
            for player, seen in enumerate(self._seen):
                strategy = learner.strategy(seen, player, number - 1)[1:].reshape(self._sums[player].shape)
                self._sums[player] = self._sums[player] * forget + self._reach(player, strategy)
            self._averaged = number

    def _reach(self, player: int, strategy: NDArray[np.float64]) -> NDArray[np.float64]:
        """How likely a player makes each sequence happen, hand by hand."""
        starts, reach = self._betting.start[player], strategy.copy()
        for decision, parent in enumerate(self._betting.parent[player]):
            if parent >= 0:
                reach[:, starts[decision] : starts[decision + 1]] *= reach[:, parent : parent + 1]
        return reach

    def judge(self) -> Judgement:
        """What the average strategy is worth on this board, and best responses to it, exact."""
        for player, sums in enumerate(self._sums):
            layer = self.spot.layers[0]
            padded = np.zeros((sums.shape[1], layer.width[player]))
            padded[:, : len(sums)] = sums.T
            blocks = padded.reshape(len(padded), -1, LANES).transpose(1, 0, 2)
            layer.learned[player].average[:] = blocks.ravel()
        return self.spot.judge()


def river_spot(board: tuple[int, ...]) -> Any:
    """The spot of the game on one board, both ranges uniform."""
    return make_spot({**_SPOT, "board": format_cards(board)})


class RiverSolver:
    """River-only hold'em under solution."""

    algorithm = DEEP
    growing = GROWING

    def __init__(self, seed: int = 0, settings: RiverSettings | None = None) -> None:
        self.seed, self.settings = seed, settings or RiverSettings()
        boards = draw_cards(np.random.default_rng(_BOARDS_KEY), self.settings.boards, 5)
        spot = HoldemSolver(river_spot(tuple(int(card) for card in boards[0])))
        self.betting = river_betting(spot.layers[0].forest, POT)
        self._learner = DeepLearner(self._world(1), seed, self.settings.learning)
        self._boards = boards
        self._averages: list[BoardAverage] = []

    def _world(self, number: int) -> World:
        """The deals of an iteration."""
        random = np.random.default_rng([self.seed, number, 3])
        return river_world(self.betting, draw_cards(random, self.settings.deals, 9))

    @property
    def iterations(self) -> int:
        """Iterations done."""
        return self._learner.iterations

    def run(self, iterations: int) -> None:
        """Goes on for some iterations."""
        for _ in range(iterations):
            self._learner.iterate(self._world(self.iterations + 1))

    def averages(self) -> list[BoardAverage]:
        """The average strategy on each of the boards that are measured."""
        self._averages = self._averages or [BoardAverage(self.betting, board) for board in self._boards]
        for average in self._averages:
            average.catch_up(self._learner)
        return self._averages

    def judgements(self) -> list[Judgement]:
        """What it is worth there, and best responses to it."""
        return [average.judge() for average in self.averages()]

    def state(self) -> dict[str, NDArray[Any]]:
        """All that is needed to go on."""
        return self._learner.state()

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Goes back to a saved state: what follows is the same to the bit."""
        self._learner.restore(state)
        self._averages = []
