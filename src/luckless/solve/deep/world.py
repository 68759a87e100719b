"""What an iteration is played on: a tree with what networks see at its infosets and nodes.

For a small game it is the whole tree, the same in every iteration. For hold'em it is a tree of drawn deals.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from luckless.solve.deep.facts import Facts, facts_of, numbered
from luckless.solve.flat import FlatGame, Nodes
from luckless.solve.tree_game import END, TreeGame

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Seen:
    """What one player's networks see: infosets with equal inputs share a row."""

    start: NDArray[np.int32]
    """The first sequence of each infoset, and the number of sequences."""
    row: NDArray[np.int64]
    """By infoset."""
    inputs: Floats
    """By row."""
    output: NDArray[np.int64]
    """By sequence: which output of a network stands for its action."""
    unit: NDArray[np.float64]
    """By row: in what unit regrets are learned. Regret matching does not ask how large a unit is."""

    def infoset_of_sequences(self) -> NDArray[np.int64]:
        """The infoset of each sequence but the empty one."""
        return np.repeat(np.arange(len(self.row)), np.diff(self.start))


@dataclass(frozen=True)
class World:
    """A tree, what each player sees in it, and what a value network sees at its open nodes."""

    nodes: Nodes
    seen: tuple[Seen, Seen]
    outputs: int
    open_nodes: NDArray[np.int64]
    """Nodes at which the game is not over."""
    history: NDArray[np.int64]
    """By open node: its row; nodes with equal inputs share one."""
    histories: Floats
    """By row: what the value network sees."""
    history_unit: NDArray[np.float64]
    """By row: in what unit values are learned."""

    @property
    def starts(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The first sequences of both players' infosets."""
        return self.seen[0].start, self.seen[1].start


def tree_world(game: TreeGame, flat: FlatGame) -> World:
    """The whole tree of a small game."""
    facts = facts_of(game.name)
    names = sorted({action for side in flat.actions for actions in side for action in actions})
    unit = float(np.abs(flat.nodes.payoff).max()) or 1.0
    sides = [_seen(flat, player, facts, names, unit) for player in (0, 1)]
    open_nodes = np.flatnonzero(flat.nodes.actor != END)
    histories, history = np.unique(numbered(_histories(game, facts)), axis=0, return_inverse=True)
    units = np.full(len(histories), unit)
    return World(flat.nodes, (sides[0], sides[1]), len(names), open_nodes, history.reshape(-1), histories, units)


def _seen(flat: FlatGame, player: int, facts: Facts, names: list[str], unit: float) -> Seen:
    inputs = numbered([facts.of_infoset(text) for text in flat.infosets[player]])
    rows, row = np.unique(inputs, axis=0, return_inverse=True)
    output = [0] + [names.index(action) for actions in flat.actions[player] for action in actions]
    return Seen(flat.sides[player].start, row.reshape(-1), rows, np.array(output), np.full(len(rows), unit))


def _histories(game: TreeGame, facts: Facts) -> list[list[str]]:
    """The facts of open nodes, in the order in which `flatten` numbers them: level by level."""
    level: list[tuple[object, tuple[str, ...]]] = [(game.start(), ())]
    found = []
    while level:
        below = []
        for state, path in level:
            if game.actor(state) != END:
                found.append(facts.of_history(state, path))
                below += [(game.after(state, move), (*path, move)) for move, _ in game.moves(state)]
        level = below
    return found
