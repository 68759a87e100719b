"""Sampled regrets: one player tries all his actions, the other and chance are sampled, a baseline takes luck out.

The other player's actions are drawn evenly and weighed by how much more or less often he takes them. So an infoset
is met as often in every iteration, whatever the strategies are: no network forgets an infoset because nobody goes
there for a while, and the mean of what is collected is the infoset's counterfactual regret times a constant.

A baseline says what each node is worth before it is played on (Schmid et al., "Variance reduction in Monte Carlo
counterfactual regret minimization for extensive form games using baselines", 2019). Where one move is drawn, the
others count with their baseline, and the drawn one with what it differs from its own. No baseline changes a mean.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.kernels import njit
from luckless.randomness import random_bits_at
from luckless.solve.flat import Nodes
from luckless.solve.sampling import draw_place, next_random
from luckless.solve.tree_game import CHANCE, END

_PURPOSE = 65
LONGEST_LINE = 128
MOST_MOVES = 64


class Drawn(NamedTuple):
    """Whose regrets are sampled, the address of the random numbers, and how many games are played."""

    player: int
    key: NDArray[np.uint64]
    iteration: int
    games: int


class Collected(NamedTuple):
    """Sums over the games that were played: what the networks are trained on."""

    regrets: NDArray[np.float64]
    """By sequence of the player."""
    visits: NDArray[np.float64]
    """By infoset of the player."""
    values: NDArray[np.float64]
    """By node: what was won from there on, by the first player."""
    passed: NDArray[np.float64]
    """By node: how many games passed it."""


class _Path(NamedTuple):
    """The moves above the node that is looked at: nodes, places of their moves, weights, values of tried actions."""

    node: NDArray[np.int64]
    place: NDArray[np.int64]
    weight: NDArray[np.float64]
    values: NDArray[np.float64]


@njit(cache=True, nogil=True)
def _draw(nodes: Nodes, node: int, counter: NDArray[np.uint64]) -> Any:
    """A move of chance by its probability, or of the other player, all equally likely."""
    first, count = nodes.first[node], nodes.children[node]
    if nodes.actor[node] == CHANCE:
        return draw_place(nodes.chance[first : first + count], count, counter)
    return min(int(next_random(counter) * count), count - 1)


@njit(cache=True, nogil=True)
def _corrected(
    nodes: Nodes, node: int, shares: NDArray[np.float64], baseline: NDArray[np.float64], place: int, value: float
) -> Any:
    """The value of a node of which one move was drawn; `shares` say how likely the moves really are."""
    first, count = nodes.first[node], nodes.children[node]
    drawn = shares[place] if nodes.actor[node] == CHANCE else 1.0 / count
    total = shares[place] / drawn * (value - baseline[first + place])
    for other in range(count):
        total += shares[other] * baseline[first + other]
    return total


@njit(cache=True, nogil=True)
def _settle(
    strategy: NDArray[np.float64], values: NDArray[np.float64], weight: float, sums: NDArray[np.float64]
) -> Any:
    """Adds the regrets of an infoset whose actions all have been valued; returns its own value."""
    total = 0.0
    for place in range(len(strategy)):
        total += strategy[place] * values[place]
    for place in range(len(strategy)):
        sums[place] += weight * (values[place] - total)
    return total


@njit(cache=True, nogil=True)
def _play(
    nodes: Nodes,
    starts: Any,
    strategies: Any,
    baseline: NDArray[np.float64],
    player: int,
    out: Collected,
    counter: NDArray[np.uint64],
    path: _Path,
) -> None:
    """One game, with all actions of the player. Values on the way are the first player's."""
    depth, node, weight = 0, 0, 1.0
    sign = 1.0 if player == 0 else -1.0
    while True:
        while nodes.actor[node] != END:
            actor, place = nodes.actor[node], 0
            path.node[depth], path.weight[depth] = node, weight
            if actor != player:
                place = _draw(nodes, node, counter)
                if actor != CHANCE:
                    sequence = starts[actor][nodes.infoset[node]] + place
                    weight *= strategies[actor][sequence] * nodes.children[node]
            path.place[depth] = place
            depth += 1
            node = nodes.first[node] + place
        value = nodes.payoff[node]
        while depth > 0:
            out.values[node] += value
            out.passed[node] += 1.0
            node, place = path.node[depth - 1], path.place[depth - 1]
            actor, first, count = nodes.actor[node], nodes.first[node], nodes.children[node]
            if actor == CHANCE:
                value = _corrected(nodes, node, nodes.chance[first : first + count], baseline, place, value)
            else:
                sequence = starts[actor][nodes.infoset[node]]
                strategy = strategies[actor][sequence : sequence + count]
                if actor != player:
                    value = _corrected(nodes, node, strategy, baseline, place, value)
                else:
                    values = path.values[depth - 1]
                    values[place] = value
                    if place + 1 < count:
                        path.place[depth - 1], weight = place + 1, path.weight[depth - 1]
                        node = first + place + 1
                        break
                    sums = out.regrets[sequence : sequence + count]
                    value = _settle(strategy, values, sign * path.weight[depth - 1], sums)
                    out.visits[nodes.infoset[node]] += 1.0
            depth -= 1
        if depth == 0:
            return


@njit(cache=True, nogil=True)
def _play_all(
    nodes: Nodes, starts: Any, strategies: Any, baseline: NDArray[np.float64], drawn: Drawn, out: Collected
) -> None:
    counter = np.empty(1, np.uint64)
    path = _Path(
        np.empty(LONGEST_LINE, np.int64),
        np.empty(LONGEST_LINE, np.int64),
        np.empty(LONGEST_LINE),
        np.empty((LONGEST_LINE, MOST_MOVES)),
    )
    for game in range(drawn.games):
        counter[0] = random_bits_at(drawn.key, game, drawn.iteration, _PURPOSE, drawn.player)[0]
        _play(nodes, starts, strategies, baseline, drawn.player, out, counter, path)


def collect(
    nodes: Nodes,
    starts: tuple[NDArray[np.int32], NDArray[np.int32]],
    strategies: tuple[NDArray[np.float64], NDArray[np.float64]],
    baseline: NDArray[np.float64],
    drawn: Drawn,
) -> Collected:
    """Plays games; `baseline` is a guess of what each node is worth to the first player, zeros for none."""
    own, size = starts[drawn.player], len(nodes.actor)
    out = Collected(np.zeros(own[-1]), np.zeros(len(own) - 1), np.zeros(size), np.zeros(size))
    _play_all(nodes, starts, strategies, baseline, drawn, out)
    return out
