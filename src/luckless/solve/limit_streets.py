"""The betting of one street of heads-up limit, for all of its beginnings at once.

Every street begins after some lines of betting (1, 7, 63 and 567 of them) and goes on in the same way after each;
only the chips differ. So a street is one small tree, in which whatever belongs to a beginning is a column.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from luckless.solve.betting_tree import SHOWDOWN, BettingTree

FOLDED, CLOSED, ACTS = "folded", "closed", "acts"


@dataclass
class Branch:
    """What follows an action: a fold by `number`, the end of the street as its `number`-th one, or a decision."""

    kind: str
    number: int
    stakes: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    """Chips that the loser loses, by beginning; empty where the hand goes on."""


@dataclass
class StreetNode:
    """A decision of the small tree. `place` is that of its first action in a row of its street, by beginning."""

    player: int
    places: NDArray[np.int64]
    branches: list[Branch]


@dataclass
class Street:
    """The small tree of a street, its decisions in the order of a walk."""

    number: int
    beginnings: int
    nodes: list[StreetNode]
    closings: int
    """In how many ways the street can end without a fold: beginning b, closing c is beginning b x closings + c of the
    next street."""


def streets_of(tree: BettingTree) -> list[Street]:
    """The four streets of a limit tree."""
    return [_street(tree, number) for number in range(4)]


def _street(tree: BettingTree, number: int) -> Street:
    before = np.flatnonzero(tree.street == number)
    parents = np.full(len(tree.player), -1)
    for node in range(len(tree.player)):
        after = tree.after[tree.first[node] : tree.first[node] + tree.size[node]]
        parents[after[after >= 0]] = node
    starts = np.array([node for node in before if parents[node] < 0 or tree.street[parents[node]] != number])
    street = Street(number, len(starts), [], 0)
    _grow(tree, street, starts)
    return street


def _grow(tree: BettingTree, street: Street, nodes: NDArray[np.int64]) -> int:
    """Adds the decision that all beginnings have at the given nodes, and what follows; returns its number."""
    sizes, players = set(tree.size[nodes].tolist()), set(tree.player[nodes].tolist())
    if len(sizes) != 1 or len(players) != 1:
        raise AssertionError("the lines of a street differ, which cannot be in limit")
    number = len(street.nodes)
    made = StreetNode(players.pop(), tree.place[nodes].astype(np.int64), [])
    street.nodes.append(made)
    for action in range(sizes.pop()):
        after = tree.after[tree.first[nodes] + action]
        if (after >= 0).all() and (tree.street[after] == street.number).all():
            made.branches.append(Branch(ACTS, _grow(tree, street, after.astype(np.int64))))
            continue
        stakes = tree.stake[-1 - after] if (after < 0).all() else np.zeros(0)
        if (after < 0).all() and tree.loser[-1 - after[0]] != SHOWDOWN:
            made.branches.append(Branch(FOLDED, int(tree.loser[-1 - after[0]]), stakes))
        else:
            made.branches.append(Branch(CLOSED, street.closings, stakes))
            street.closings += 1
    return number
