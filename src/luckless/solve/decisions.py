"""A solution as people read it: how often each action is taken, decision by decision and class by class."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from luckless.hands.pairs import PAIR_CARDS
from luckless.hands.preflop import class_numbers
from luckless.solve.flat import FlatGame
from luckless.solve.holdem import HoldemSolver
from luckless.solve.sequences import Policy


@dataclass(frozen=True)
class Frequencies:
    """One decision: the betting before it, who acts, what he does how often, and how often he himself comes there."""

    line: str
    player: int
    actions: tuple[str, ...]
    shares: tuple[float, ...]
    reach: float


def spot_decisions(solver: HoldemSolver) -> list[Frequencies]:
    """The decisions of the first street, hands weighted by how often their player brings them there."""
    forest = solver.layers[0].forest
    found = []
    reaches = tuple(_row_reach(solver, player) for player in (0, 1))
    for decision in forest.decisions:
        rows, weight = reaches[decision.player], float(reaches[decision.player][0].sum())
        taken = rows[decision.first_row : decision.first_row + len(decision.actions)].sum(axis=1)
        come = float(rows[decision.parent].sum())
        shares = tuple(float(one) / come if come > 0 else 0.0 for one in taken)
        found.append(Frequencies(decision.line, decision.player, decision.actions, shares, come / weight))
    return found


def _row_reach(solver: HoldemSolver, player: int) -> NDArray[np.float64]:
    """The reach of each row of the first street (row, hand)."""
    forest, strategy = solver.layers[0].forest, solver.strategy(0, 0, player)
    rows = np.empty((forest.next_row[player], strategy.shape[1]))
    rows[0] = solver.spot.weights[player][solver.hands[0][player][0]]
    for decision in forest.decisions:
        if decision.player == player:
            for row in range(decision.first_row, decision.first_row + len(decision.actions)):
                rows[row] = rows[decision.parent] * strategy[row - forest.entries]
    return rows


@dataclass(frozen=True)
class Grid:
    """The first decision by class of hand: 13 x 13, aces first, suited hands above the diagonal.

    `shares` is (row, column, action) and nan where the player holds no hand of the class.
    """

    actions: tuple[str, ...]
    shares: NDArray[np.float64]


def first_grid(solver: HoldemSolver) -> Grid:
    """How the first player begins."""
    decision = solver.layers[0].forest.decisions[0]
    hands = solver.hands[0][0][0]
    weights = solver.spot.weights[0][hands]
    strategy = solver.strategy(0, 0, 0)[: len(decision.actions)]
    classes = class_numbers(PAIR_CARDS[hands])
    total = np.bincount(classes, weights, 169)
    shares = np.full((13, 13, len(decision.actions)), np.nan)
    for action, row in enumerate(strategy):
        taken = np.bincount(classes, weights * row, 169)
        with np.errstate(invalid="ignore"):
            square = (taken / total).reshape(13, 13)  # high x low above for suited hands, the other way for offsuit
        shares[:, :, action] = square[::-1, ::-1]
    return Grid(decision.actions, shares)


def tree_decisions(game: FlatGame, policy: Policy) -> list[Frequencies]:
    """Every infoset of a small game."""
    found = []
    for player, names in enumerate(game.infosets):
        side = game.sides[player]
        reach = np.ones(len(policy[player]))
        for number, name in enumerate(names):
            rows = slice(side.start[number], side.start[number + 1])
            reach[rows] = reach[side.parent[number]] * policy[player][rows]
            shares = tuple(float(share) for share in policy[player][rows])
            come = float(reach[side.parent[number]])
            found.append(Frequencies(name, player, game.actions[player][number], shares, come))
    return found
