"""CFR on samples of the game (Lanctot et al., "Monte Carlo sampling for regret minimization", 2009).

External sampling looks at all actions of one player and samples the other and chance; outcome sampling plays one
line. Iteration t counts t times (linear weights), which helps here; the tricks of CFR+ and DCFR do not. The random
numbers of an iteration depend on the seed and its number alone.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError
from luckless.kernels import njit
from luckless.randomness import SPLITMIX_STEP, key_of, random_bits_at, splitmix
from luckless.solve.flat import FlatGame, Nodes
from luckless.solve.schedules import SAMPLERS
from luckless.solve.sequences import Policy, normalised
from luckless.solve.tree_game import CHANCE, END
from luckless.solve.tree_solver import TreeSolver

_PURPOSE = 64
_EXPLORED = 0.6  # how often outcome sampling plays at random, so that no line is forgotten
_LONGEST_LINE = 256
_MOST_ACTIONS = 64


class Learned(NamedTuple):
    """Sums of one player, by sequence, and where his infosets begin."""

    start: NDArray[np.int32]
    regrets: NDArray[np.float64]
    average: NDArray[np.float64]


@njit(cache=True, nogil=True)
def next_random(counter: NDArray[np.uint64]) -> Any:
    """The next number from 0 to 1."""
    counter[0] += SPLITMIX_STEP
    return (splitmix(counter[0]) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@njit(cache=True, nogil=True)
def _fill_strategy(learned: Learned, infoset: int, strategy: NDArray[np.float64]) -> Any:
    """Matches the regrets of an infoset; returns its first sequence."""
    first, count = learned.start[infoset], learned.start[infoset + 1] - learned.start[infoset]
    total = 0.0
    for place in range(count):
        strategy[place] = max(learned.regrets[first + place], 0.0)
        total += strategy[place]
    for place in range(count):
        strategy[place] = strategy[place] / total if total > 0 else 1.0 / count
    return first


@njit(cache=True, nogil=True)
def draw_place(shares: NDArray[np.float64], count: int, counter: NDArray[np.uint64]) -> Any:
    """A place with a probability in proportion to its share; the shares make 1."""
    rest = next_random(counter)
    for place in range(count - 1):
        rest -= shares[place]
        if rest < 0:
            return place
    return count - 1


class _Frames(NamedTuple):
    """The own decisions above the node that is looked at: the node, which of its actions, and the values so far."""

    node: NDArray[np.int64]
    action: NDArray[np.int64]
    values: NDArray[np.float64]


@njit(cache=True, nogil=True)
def _descend(nodes: Nodes, learned: Any, node: int, player: int, weight: float, counter: NDArray[np.uint64]) -> Any:
    """Samples chance and the other player, whose average is updated, down to a decision of the player or the end."""
    strategy = np.empty(_MOST_ACTIONS)
    while nodes.actor[node] != player and nodes.actor[node] != END:
        first, count = nodes.first[node], nodes.children[node]
        if nodes.actor[node] == CHANCE:
            node = first + draw_place(nodes.chance[first : first + count], count, counter)
            continue
        sequence = _fill_strategy(learned[1 - player], nodes.infoset[node], strategy)
        for place in range(count):
            learned[1 - player].average[sequence + place] += weight * strategy[place]
        node = first + draw_place(strategy, count, counter)
    return node


@njit(cache=True, nogil=True)
def _settle(learned: Learned, infoset: int, values: NDArray[np.float64], weight: float) -> Any:
    """Adds the regrets of an infoset whose actions have been valued; returns its own value."""
    strategy = np.empty(_MOST_ACTIONS)
    first = _fill_strategy(learned, infoset, strategy)
    count = learned.start[infoset + 1] - first
    total = 0.0
    for place in range(count):
        total += strategy[place] * values[place]
    for place in range(count):
        learned.regrets[first + place] += weight * (values[place] - total)
    return total


@njit(cache=True, nogil=True)
def _sample_external(
    nodes: Nodes, learned: Any, player: int, weight: float, counter: NDArray[np.uint64], frames: _Frames
) -> Any:
    """The sampled value of the game for a player, whose regrets are updated on the way. Compiled code that calls
    itself cannot be kept on disk, so the decisions above are kept in frames."""
    depth, node = 0, 0
    while True:
        node = _descend(nodes, learned, node, player, weight, counter)
        if nodes.actor[node] == player:
            frames.node[depth], frames.action[depth] = node, 0
            depth += 1
            node = nodes.first[node]
            continue
        value = nodes.payoff[node] if player == 0 else -nodes.payoff[node]
        while depth > 0:
            above, action = frames.node[depth - 1], frames.action[depth - 1]
            frames.values[depth - 1, action] = value
            if action + 1 < nodes.children[above]:
                frames.action[depth - 1] = action + 1
                node = nodes.first[above] + action + 1
                break
            value = _settle(learned[player], nodes.infoset[above], frames.values[depth - 1], weight)
            depth -= 1
        if depth == 0:
            return value


@njit(cache=True, nogil=True)
def _sample_outcome(nodes: Nodes, learned: Any, player: int, weight: float, counter: NDArray[np.uint64]) -> None:
    """Plays one line and updates a player's regrets along it, and the other one's average.

    A value is divided by the probability with which the player's own actions were sampled; chance and the other
    player are sampled as they play, so that their probabilities cancel.
    """
    strategy, mixed = np.empty(_MOST_ACTIONS), np.empty(_MOST_ACTIONS)
    infosets, taken = np.empty(_LONGEST_LINE, np.int64), np.empty(_LONGEST_LINE, np.int64)
    shares = np.empty(_LONGEST_LINE)
    node, steps, sampled = 0, 0, 1.0
    while nodes.actor[node] != END:
        first, count = nodes.first[node], nodes.children[node]
        if nodes.actor[node] == CHANCE:
            node = first + draw_place(nodes.chance[first : first + count], count, counter)
            continue
        if nodes.actor[node] == player:
            _fill_strategy(learned[player], nodes.infoset[node], strategy)
            for place in range(count):
                mixed[place] = _EXPLORED / count + (1 - _EXPLORED) * strategy[place]
            place = draw_place(mixed, count, counter)
            sampled *= mixed[place]
            infosets[steps], taken[steps], shares[steps] = nodes.infoset[node], place, strategy[place]
            steps += 1
        else:
            sequence = _fill_strategy(learned[1 - player], nodes.infoset[node], strategy)
            for place in range(count):
                learned[1 - player].average[sequence + place] += weight * strategy[place] / sampled
            place = draw_place(strategy, count, counter)
        node = first + place
    tail = (1.0 if player == 0 else -1.0) * nodes.payoff[node] / sampled
    for step in range(steps - 1, -1, -1):
        start = learned[player].start
        first, end = start[infosets[step]], start[infosets[step] + 1]
        for place in range(first, end):
            learned[player].regrets[place] -= weight * tail * shares[step]
        learned[player].regrets[first + taken[step]] += weight * tail
        tail *= shares[step]


@njit(cache=True, nogil=True)
def _sample(nodes: Nodes, learned: Any, external: bool, key: NDArray[np.uint64], first: int, end: int) -> None:
    """Iterations `first` to `end - 1`, both players in each."""
    counter = np.empty(1, np.uint64)
    frames = _Frames(
        np.empty(_LONGEST_LINE, np.int64), np.empty(_LONGEST_LINE, np.int64), np.empty((_LONGEST_LINE, _MOST_ACTIONS))
    )
    for iteration in range(first, end):
        for player in range(2):
            counter[0] = random_bits_at(key, 0, iteration, _PURPOSE, player)[0]
            if external:
                _sample_external(nodes, learned, player, float(iteration), counter, frames)
            else:
                _sample_outcome(nodes, learned, player, float(iteration), counter)


class SamplingSolver(TreeSolver):
    """A game solved on samples: `external` or `outcome`."""

    def __init__(self, game: FlatGame, algorithm: str = "external", seed: int = 0) -> None:
        if algorithm not in SAMPLERS:
            raise InputError(f"unknown sampling {algorithm!r}; allowed is {' or '.join(SAMPLERS)}")
        if game.nodes.children.max() > _MOST_ACTIONS:
            raise InputError(
                f"game {game.name} has {game.nodes.children.max()} moves; at most {_MOST_ACTIONS} are sampled"
            )
        self.game = game
        self.algorithm = algorithm
        self.seed = seed
        self.iterations = 0
        self._key = key_of(seed)
        self._learned = tuple(
            Learned(side.start, np.zeros(side.start[-1]), np.zeros(side.start[-1])) for side in game.sides
        )

    def run(self, iterations: int) -> None:
        """Goes on for some iterations."""
        first = self.iterations + 1
        external = self.algorithm == "external"
        _sample(self.game.nodes, self._learned, external, self._key, first, first + iterations)
        self.iterations += iterations

    def policy(self) -> Policy:
        """The average strategy."""
        first, second = (normalised(self.game.sides[p], self._learned[p].average) for p in range(2))
        return first, second

    def state(self) -> dict[str, NDArray[Any]]:
        """All that is needed to go on."""
        parts = {"regrets": 1, "average": 2}
        arrays = {f"{name}.{p}": self._learned[p][at].copy() for p in range(2) for name, at in parts.items()}
        return {**arrays, "iterations": np.array([self.iterations])}

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Goes back to a saved state: what follows is the same to the bit."""
        for player, learned in enumerate(self._learned):
            learned.regrets[:] = state[f"regrets.{player}"]
            learned.average[:] = state[f"average.{player}"]
        self.iterations = int(state["iterations"][0])
