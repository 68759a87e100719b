"""Sweeps over one player's side of a flattened game: reach of sequences, values of infosets, best responses."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.kernels import njit
from luckless.solve.flat import FlatGame, Side

Policy = tuple[NDArray[np.float64], NDArray[np.float64]]
"""A probability for each sequence of each player, given that its infoset is reached; the empty sequence has 1."""


@njit(cache=True, nogil=True)
def spread_reach(side: Side, strategy: NDArray[np.float64], reach: NDArray[np.float64]) -> None:
    """How likely the player alone makes each sequence happen."""
    reach[0] = 1.0
    for infoset in range(len(side.parent)):
        before = reach[side.parent[infoset]]
        for place in range(side.start[infoset], side.start[infoset + 1]):
            reach[place] = before * strategy[place]


@njit(cache=True, nogil=True)
def meet_payoffs(side: Side, other_reach: NDArray[np.float64], values: NDArray[np.float64]) -> None:
    """What each sequence wins where the game ends right behind it, against the other player's reach."""
    values[:] = 0.0
    for row in range(len(side.rows)):
        total = 0.0
        for place in range(side.row_start[row], side.row_start[row + 1]):
            total += side.payoffs[place] * other_reach[side.columns[place]]
        values[side.rows[row]] = total


@njit(cache=True, nogil=True)
def play_values(side: Side, strategy: NDArray[np.float64], values: NDArray[np.float64]) -> Any:
    """Adds what comes later to the values of the sequences, played by a strategy; returns the whole game's."""
    for infoset in range(len(side.parent) - 1, -1, -1):
        total = 0.0
        for place in range(side.start[infoset], side.start[infoset + 1]):
            total += strategy[place] * values[place]
        values[side.parent[infoset]] += total
    return values[0]


@njit(cache=True, nogil=True)
def best_values(side: Side, values: NDArray[np.float64]) -> Any:
    """The same, played as well as can be."""
    for infoset in range(len(side.parent) - 1, -1, -1):
        best = values[side.start[infoset]]
        for place in range(side.start[infoset] + 1, side.start[infoset + 1]):
            best = max(best, values[place])
        values[side.parent[infoset]] += best
    return values[0]


def normalised(side: Side, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The strategy in proportion to weights; uniform where an infoset has none."""
    strategy = np.ones(len(weights))
    _normalise(side, weights, strategy)
    return strategy


@njit(cache=True, nogil=True)
def _normalise(side: Side, weights: NDArray[np.float64], strategy: NDArray[np.float64]) -> None:
    for infoset in range(len(side.parent)):
        first, end = side.start[infoset], side.start[infoset + 1]
        total = 0.0
        for place in range(first, end):
            total += weights[place]
        for place in range(first, end):
            strategy[place] = weights[place] / total if total > 0 else 1.0 / (end - first)


def uniform_policy(game: FlatGame) -> Policy:
    """Every action equally likely."""
    first, second = (normalised(side, np.zeros(side.start[-1])) for side in game.sides)
    return first, second


def _reach_of(side: Side, strategy: NDArray[np.float64]) -> NDArray[np.float64]:
    reach = np.empty(len(strategy))
    spread_reach(side, strategy, reach)
    return reach


def game_value(game: FlatGame, policy: Policy) -> float:
    """What the first player wins on average when both play the policy."""
    values = np.empty(len(policy[0]))
    meet_payoffs(game.sides[0], _reach_of(game.sides[1], policy[1]), values)
    return float(play_values(game.sides[0], policy[0], values))


def best_response(game: FlatGame, policy: Policy, player: int) -> tuple[float, NDArray[np.float64]]:
    """The most that a player can win on average against the other's policy, and the value of each sequence on the
    way (times the reach of chance and the other player): the best action of an infoset has the highest."""
    values = np.empty(len(policy[player]))
    meet_payoffs(game.sides[player], _reach_of(game.sides[1 - player], policy[1 - player]), values)
    return float(best_values(game.sides[player], values)), values


def nash_conv(game: FlatGame, policy: Policy) -> float:
    """What both players together can gain by playing best responses: 0 exactly in equilibrium."""
    value = game_value(game, policy)
    gains = best_response(game, policy, 0)[0] - value, best_response(game, policy, 1)[0] + value
    return max(gains[0], 0.0) + max(gains[1], 0.0)


def exploitability(game: FlatGame, policy: Policy) -> float:
    """What a best response wins on average when the seats alternate: half of `nash_conv`."""
    return nash_conv(game, policy) / 2
