"""A tree game flattened once into arrays: its nodes, and each player's side in sequence form.

A sequence of a player is what he did on the way to a point: the last of his decisions and the action taken there
(Koller, Megiddo and von Stengel, "Efficient computation of equilibria for extensive two-person games", 1996). With
perfect recall each infoset lies behind one sequence, and a pass of CFR is a product with a sparse matrix of payoffs
and one sweep over the infosets: it never walks the tree.
"""

from collections import deque
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError
from luckless.solve.tree_game import CHANCE, END, TreeGame

MAX_NODES = 5_000_000


class Nodes(NamedTuple):
    """The nodes of a tree, parents before children and siblings side by side; node 0 is the start."""

    actor: NDArray[np.int8]
    first: NDArray[np.int32]
    """The first child."""
    children: NDArray[np.int32]
    infoset: NDArray[np.int32]
    """By the player's own count; -1 where no player acts."""
    chance: NDArray[np.float64]
    """With what probability chance moves here from the parent; 1 if a player does."""
    payoff: NDArray[np.float64]


class Side(NamedTuple):
    """One player's side in sequence form. Sequence 0 is empty; infoset i has those from start[i] to start[i + 1] - 1.

    Row k of the payoffs belongs to the sequence `rows[k]` and holds, against each sequence of the other player, what
    this player wins on average where both lead to the end of the game.
    """

    parent: NDArray[np.int32]
    """The sequence that leads to each infoset; infosets stand behind those that lead to them."""
    start: NDArray[np.int32]
    rows: NDArray[np.int32]
    row_start: NDArray[np.int32]
    columns: NDArray[np.int32]
    payoffs: NDArray[np.float64]


@dataclass(frozen=True)
class FlatGame:
    """A flattened game with the names of its infosets and actions, by player."""

    name: str
    nodes: Nodes
    sides: tuple[Side, Side]
    infosets: tuple[tuple[str, ...], tuple[str, ...]]
    actions: tuple[tuple[tuple[str, ...], ...], tuple[tuple[str, ...], ...]]

    def sequence_count(self, player: int) -> int:
        """Sequences of a player, the empty one included."""
        return int(self.sides[player].start[-1])


class _Infosets:
    """The infosets of one player, in the order in which they are met."""

    def __init__(self) -> None:
        self.number: dict[str, int] = {}
        self.actions: list[tuple[str, ...]] = []
        self.parent: list[int] = []
        self.start = [1]

    def meet(self, name: str, actions: tuple[str, ...], parent: int) -> int:
        """The number of an infoset; actions and the sequence that leads there must always be the same."""
        if name not in self.number:
            self.number[name] = len(self.actions)
            self.actions.append(actions)
            self.parent.append(parent)
            self.start.append(self.start[-1] + len(actions))
        number = self.number[name]
        if self.actions[number] != actions:
            raise InputError(
                f"infoset {name!r} has the actions {list(self.actions[number])} in one state and {list(actions)} in "
                "another; a player must not be able to tell the states of an infoset apart"
            )
        if self.parent[number] != parent:
            raise InputError(
                f"infoset {name!r} can be reached by different actions of its own player; "
                "a player must remember what he did (perfect recall)"
            )
        return number


def flatten(game: TreeGame) -> FlatGame:
    """Walks a game once; `InputError` says where its functions contradict each other."""
    sets = (_Infosets(), _Infosets())
    columns: list[tuple[int, int, int, int, float, float]] = []
    ends: list[tuple[int, int, float]] = []
    waiting: deque[tuple[Any, float, float, tuple[int, int]]] = deque([(game.start(), 1.0, 1.0, (0, 0))])
    made = 1
    while waiting:
        state, arrival, chance, sequences = waiting.popleft()
        actor = game.actor(state)
        if actor == END:
            payoff = float(game.payoff(state))
            ends.append((*sequences, chance * payoff))
            columns.append((END, 0, 0, -1, arrival, payoff))
            continue
        moves = _moves_of(game, state, actor)
        number = -1
        if actor != CHANCE:
            labels = tuple(name for name, _ in moves)
            number = sets[actor].meet(game.infoset(state), labels, sequences[actor])
        columns.append((actor, made, len(moves), number, arrival, 0.0))
        made += len(moves)
        if made > MAX_NODES:
            raise InputError(f"game {game.name} has more than {MAX_NODES:,} nodes; too large for a tree of arrays")
        for place, (name, share) in enumerate(moves):
            after, known = share, sequences
            if actor != CHANCE:
                after, taken = 1.0, sets[actor].start[number] + place
                known = (taken, sequences[1]) if actor == 0 else (sequences[0], taken)
            waiting.append((game.after(state, name), after, chance * after, known))
    return FlatGame(
        game.name,
        _nodes_of(columns),
        (_side_of(sets[0], ends, 0), _side_of(sets[1], ends, 1)),
        (tuple(sets[0].number), tuple(sets[1].number)),
        (tuple(sets[0].actions), tuple(sets[1].actions)),
    )


def _moves_of(game: TreeGame, state: Any, actor: int) -> list[tuple[str, float]]:
    moves = list(game.moves(state))
    if actor not in (0, 1, CHANCE):
        raise InputError(f"game {game.name}: the actor of {state!r} is {actor}; allowed is 0, 1, CHANCE and END")
    if not moves:
        raise InputError(f"game {game.name}: there is no move in {state!r}, and the game is not over there")
    if actor == CHANCE and (abs(sum(share for _, share in moves) - 1) > 1e-9 or min(s for _, s in moves) < 0):
        raise InputError(f"game {game.name}: the probabilities of chance in {state!r} do not make 1")
    return moves


def _nodes_of(columns: list[tuple[int, int, int, int, float, float]]) -> Nodes:
    actor, first, count, infoset, chance, payoff = zip(*columns, strict=True)
    places, counts, infosets = (np.array(values, np.int32) for values in (first, count, infoset))
    return Nodes(np.array(actor, np.int8), places, counts, infosets, np.array(chance), np.array(payoff))


def _side_of(sets: _Infosets, ends: list[tuple[int, int, float]], player: int) -> Side:
    """The payoffs of one player by his own sequences; pairs of sequences that meet more than once are added up."""
    own = np.array([end[player] for end in ends])
    other = np.array([end[1 - player] for end in ends])
    value = np.array([end[2] for end in ends]) * (1 if player == 0 else -1)
    width = int(other.max()) + 1
    pairs, place = np.unique(own.astype(np.int64) * width + other, return_inverse=True)
    payoffs = np.zeros(len(pairs))
    np.add.at(payoffs, place, value)
    rows, row_start = np.unique(pairs // width, return_index=True)
    return Side(
        np.array(sets.parent, np.int32),
        np.array(sets.start, np.int32),
        rows.astype(np.int32),
        np.append(row_start, len(pairs)).astype(np.int32),
        (pairs % width).astype(np.int32),
        payoffs,
    )
