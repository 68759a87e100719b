"""Hold'em spots played out hand against hand: the slow, obvious twin of the solver's sweeps."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from luckless.hands.pairs import PAIR_CARDS
from luckless.hands.strength import strengths
from luckless.solve.betting import FOLD, Forest, build_forests
from luckless.solve.schedules import Schedule
from luckless.solve.spot import Spot

Array = NDArray[np.float64]
Strategies = dict[tuple[tuple[int, ...], int], Array]
"""By board and player: a probability for each action row and each of the player's hands."""


def can_meet(mine: NDArray[np.int64], theirs: NDArray[np.int64]) -> Array:
    """Which hands share no card (mine, theirs)."""
    rows = [[not set(PAIR_CARDS[one]) & set(PAIR_CARDS[other]) for other in theirs] for one in mine]
    return np.array(rows, float)


def ranks_on(board: tuple[int, ...], pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """The strength of each hand on a full board; 0 where the board has one of its cards."""
    live = ~np.isin(PAIR_CARDS[pairs], board).any(axis=1)
    ranks = np.zeros(len(pairs), np.int64)
    ranks[live] = strengths(np.array([[*PAIR_CARDS[pair], *board] for pair in pairs[live]]))
    return ranks


class DenseSpot:
    """A spot and one strategy a player; every hand of one meets every hand of the other."""

    def __init__(self, spot: Spot) -> None:
        self.spot = spot
        self.forests = build_forests(spot.stakes, spot.menus, spot.trimming)
        self.held = [np.flatnonzero(weights) for weights in spot.weights]
        self.weights = [weights[held] for weights, held in zip(spot.weights, self.held, strict=True)]
        self.meet = [can_meet(self.held[player], self.held[1 - player]) for player in (0, 1)]

    def live(self, board: tuple[int, ...], player: int) -> NDArray[np.bool_]:
        return np.array([not set(PAIR_CARDS[pair]) & set(board) for pair in self.held[player]])

    def wins(self, board: tuple[int, ...], player: int) -> Array:
        """1, 0 or -1 for each hand of a player against each of the other's."""
        mine, theirs = (ranks_on(board, self.held[one]) for one in (player, 1 - player))
        wins: Array = np.sign(mine[:, None] - theirs[None]) * self.meet[player]
        return wins

    def forest(self, board: tuple[int, ...]) -> Forest:
        return self.forests[len(board) - len(self.spot.board)]

    def next_boards(self, board: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        return ((*board, card) for card in range(52) if card not in board)

    def rows_of(self, board: tuple[int, ...], player: int, entering: Array, strategy: Array) -> Array:
        """Reach of every row of a player (row, hand)."""
        forest = self.forest(board)
        rows = np.zeros((forest.next_row[player], len(self.held[player])))
        rows[: forest.entries] = entering * self.live(board, player)
        for decision in forest.decisions:
            if decision.player == player:
                for place in range(len(decision.actions)):
                    row = decision.first_row + place
                    rows[row] = rows[decision.parent] * strategy[row - forest.entries]
        return rows

    def values(
        self,
        board: tuple[int, ...],
        player: int,
        entering: Array,
        strategies: Callable[[tuple[int, ...], int], Array],
        best: bool,
        visit: Callable[[tuple[int, ...], Array], None] | None = None,
    ) -> Array:
        """What each entry is worth to each hand of a player against the other's reach (entry, hand)."""
        forest = self.forest(board)
        theirs = self.rows_of(board, 1 - player, entering, strategies(board, 1 - player))
        values = np.zeros((forest.next_row[player], len(self.held[player])))
        meet = self.meet[player]
        wins = self.wins(board, player) if len(board) == 5 else meet
        for ending in forest.endings:
            reach = theirs[ending.rows[1 - player]]
            if ending.kind == FOLD:
                won = ending.stake if player == 0 else -ending.stake
                won -= ending.rake if won > 0 else 0
                values[ending.rows[player]] += won * (meet @ reach)
            else:
                beaten, lost = (wins > 0) @ reach, (wins < 0) @ reach
                tied = meet @ reach - beaten - lost
                paid = (ending.stake - ending.rake) * beaten - ending.stake * lost - ending.rake / 2 * tied
                values[ending.rows[player]] += paid
        if forest.deals:
            dealt = theirs[[rows[1 - player] for rows in forest.deals]]
            share = 1 / (52 - len(board) - 4)
            total = np.zeros((len(dealt), len(self.held[player])))
            for after in self.next_boards(board):
                total += self.values(after, player, dealt, strategies, best, visit) * self.live(after, player)
            for place, rows in enumerate(forest.deals):
                values[rows[player]] += share * total[place]
        if visit is not None:
            visit(board, values)
        own = strategies(board, player)
        for decision in reversed(forest.decisions):
            if decision.player == player:
                taken = slice(decision.first_row, decision.first_row + len(decision.actions))
                shares = own[decision.first_row - forest.entries :][: len(decision.actions)]
                up = values[taken].max(axis=0) if best else (shares * values[taken]).sum(axis=0)
                values[decision.parent] += up
        return values[: forest.entries]

    def judge(self, strategies: Callable[[tuple[int, ...], int], Array]) -> tuple[list[float], list[float]]:
        """Values of both players by their strategies, and by best responses."""
        first, second = self.weights
        met = first @ self.meet[0] @ second
        found: tuple[list[float], list[float]] = ([], [])
        for best in (False, True):
            for player in (0, 1):
                own, other = self.weights[player], self.weights[1 - player]
                values = self.values(self.spot.board, player, other[None], strategies, best)
                found[best].append(float(own @ values[0] / met))
        return found


class DenseCfr:
    """Iterations on a river spot with 64-bit numbers and one hand after the other."""

    def __init__(self, spot: Spot, schedule: Schedule) -> None:
        self.dense, self.spot, self.schedule, self.iterations = DenseSpot(spot), spot, schedule, 0
        forest = self.dense.forests[0]
        self.regrets = [np.zeros((forest.slots(player), len(self.dense.held[player]))) for player in (0, 1)]
        self.average = [np.zeros((forest.slots(player), len(self.dense.held[player]))) for player in (0, 1)]
        self.strategy = [np.zeros((forest.slots(player), len(self.dense.held[player]))) for player in (0, 1)]
        for decision in forest.decisions:
            first = decision.first_row - 1
            self.strategy[decision.player][first : first + len(decision.actions)] = 1 / len(decision.actions)

    def run(self, iterations: int) -> None:
        for _ in range(iterations):
            self.iterations += 1
            for player in (0, 1):
                self._half(player)

    def _half(self, player: int) -> None:
        step, board, forest = self.schedule(self.iterations), self.spot.board, self.dense.forests[0]
        own, other = self.dense.weights[player], self.dense.weights[1 - player]
        reach = self.dense.rows_of(board, player, own[None], self.strategy[player])[1:]
        self.average[player] = self.average[player] * step.forget + step.gain * reach
        kept: list[Array] = []
        self.dense.values(
            board, player, other[None], lambda _, one: self.strategy[one], False, lambda _, v: kept.append(v)
        )
        values = kept[0]  # `values` goes on to add what comes later to these very rows
        for decision in forest.decisions:
            if decision.player != player:
                continue
            rows = slice(decision.first_row, decision.first_row + len(decision.actions))
            slots = slice(rows.start - 1, rows.stop - 1)
            strategy, regrets = self.strategy[player][slots], self.regrets[player][slots]
            new = values[rows] - (strategy * values[rows]).sum(axis=0)
            regrets[:] = regrets * np.where(regrets > 0, step.positive, step.negative) + step.weight * new
            if step.clip:
                np.maximum(regrets, 0, out=regrets)
            wishes = np.maximum(regrets * step.ahead + step.predict * new, 0)
            total = wishes.sum(axis=0)
            rest = strategy if step.clip else 1 / len(wishes)
            self.strategy[player][slots] = np.where(total > 0, wishes / np.where(total > 0, total, 1), rest)
