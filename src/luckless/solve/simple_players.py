"""Simple players whom a learner meets now and then in place of its opponent: one always calls, one always raises.

An opponent who plays well hardly ever raises without end, so that a strategy learned against him alone gives up far
too much against one who does. If he is a simple player in a small share of the hands, the strategy learns to take his
money, and what that costs against others is at most in the order of that share (M. Johanson, M. Zinkevich and
M. Bowling, "Computing robust counter-strategies", 2007).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from luckless.solve.limit_meeting import aligned
from luckless.solve.limit_streets import FOLDED, Street
from luckless.solve.public_sampling import CLOSES, FOLDS, GOES_ON, SmallTree, Walk

_MET = 990
"""Hands of the other player that a hand can meet on a river."""


def simple_action(name: str, faced: bool, actions: int) -> int:
    """Which action a simple player takes: check or call, or bet or raise as long as he may."""
    if name == "call":
        return 1 if faced else 0
    return actions - 1


@dataclass(frozen=True)
class SimplePlayers:
    """The simple players of one seat. `reach` (player, line) is with what weight each comes to a line of the river,
    `choices` (player, slot) what he does there, `folds` what he weighs where the learner folds before the river:
    street, slot and weight by line."""

    reach: NDArray[np.float32]
    choices: NDArray[np.float32]
    folds: list[tuple[int, int, NDArray[np.float32]]]

    @classmethod
    def of(
        cls, shares: Mapping[str, float], trees: Sequence[SmallTree], river: Street, learner: int, width: int
    ) -> "SimplePlayers":
        """Those that are met in a share of the hands each, by the learner in a seat."""
        left = 1.0 - sum(shares.values())
        reach = aligned((len(shares), width))
        folds: list[tuple[int, int, NDArray[np.float32]]] = []
        for row, (name, share) in enumerate(shares.items()):
            lines = np.full(1, share / left)
            for number, tree in enumerate(trees):
                lines = _pass_street(tree, number, name, learner, lines, folds)
            reach[row, : len(lines)] = lines
        choices = [_river_choices(river, name) for name in shares]
        return cls(reach, np.array(choices, np.float32), folds)

    def meet(self, walks: Sequence[Walk]) -> None:
        """Adds what simple players weigh to what the learner's hands meet where he folds."""
        for street, slot, weights in self.folds:
            walks[street].met[slot] += weights * _MET


def _pass_street(
    tree: SmallTree, number: int, name: str, learner: int, lines: NDArray[np.float64],
    folds: list[tuple[int, int, NDArray[np.float32]]],
) -> NDArray[np.float64]:  # fmt: skip
    """The weight of a simple player in the lines of the next street, from that at the begin of a street."""
    at = np.zeros((len(tree.player), tree.lines))
    at[0] = lines
    after = np.zeros((1 + int(tree.number[tree.kind == CLOSES].max()), tree.lines))
    for node, (player, first, size) in enumerate(zip(tree.player, tree.first, tree.size, strict=True)):
        taken = simple_action(name, bool(tree.kind[first] == FOLDS), int(size))
        for action in range(size):
            slot = first + action
            going = at[node] if player == learner or action == taken else np.zeros(tree.lines)
            if tree.kind[slot] == GOES_ON:
                at[tree.number[slot]] = going
            elif tree.kind[slot] == CLOSES:
                after[tree.number[slot]] = going
            elif player == learner:
                weights = np.zeros(tree.stakes.shape[1], np.float32)
                weights[: tree.lines] = going
                folds.append((number, int(slot), weights))
    return after.reshape(-1)


def _river_choices(river: Street, name: str) -> list[float]:
    """For each slot of the river whether a simple player takes it."""
    choices: list[float] = []
    for node in river.nodes:
        taken = simple_action(name, node.branches[0].kind == FOLDED, len(node.branches))
        choices += [float(action == taken) for action in range(len(node.branches))]
    return choices
