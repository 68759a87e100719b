"""The betting of a river as a tree of nodes that many deals share."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from luckless.solve.betting import SHOWDOWN, Decision, Ending, Forest
from luckless.solve.tree_game import END

FOLD_OUTPUT, CALL_OUTPUT, FIRST_BET = 0, 1, 2
"""Outputs of networks: folding, checking or calling, then bets and raises, the smallest first."""


@dataclass(frozen=True)
class Betting:
    """Nodes level by level, siblings side by side; node 0 is the first decision."""

    actor: NDArray[np.int8]
    first: NDArray[np.int64]
    children: NDArray[np.int64]
    decision: NDArray[np.int64]
    """By the player's own count; -1 at an end."""
    shown: NDArray[np.bool_]
    """Whether the node is a showdown."""
    stake: NDArray[np.float64]
    """At a showdown what each player has put in, at a fold what the first player wins."""
    unit: NDArray[np.float64]
    """At a decision what each player has put in if the bet that is faced is called."""
    start: tuple[NDArray[np.int64], NDArray[np.int64]]
    """The first sequence of each of a player's decisions, counted from 0; one more at the end."""
    parent: tuple[NDArray[np.int64], NDArray[np.int64]]
    """The sequence that leads to each decision, -1 for none."""
    output: tuple[NDArray[np.int64], NDArray[np.int64]]
    """By sequence: which output stands for it."""

    @property
    def outputs(self) -> int:
        """Outputs that a network needs."""
        return int(max(output.max() for output in self.output)) + 1


def river_betting(forest: Forest, pot: int) -> Betting:
    """The tree of a river's forest."""
    by_line = {decision.line: decision for decision in forest.decisions}
    ends = {ending.rows: ending for ending in forest.endings}
    own = [[decision for decision in forest.decisions if decision.player == player] for player in (0, 1)]
    rows: list[tuple[int, int, int, int, bool, float, float]] = []
    level: list[tuple[Decision | Ending, tuple[int, int]]] = [(by_line[""], (0, 0))]
    made = 1
    for node, before in level:  # grows while it is walked
        if isinstance(node, Ending):
            rows.append((END, 0, 0, -1, node.kind == SHOWDOWN, node.stake, 0.0))
            continue
        count, player = len(node.actions), node.player
        unit = pot / 2 + _last_bet(node.line)
        rows.append((player, made, count, own[player].index(node), False, 0.0, unit))
        made += count
        for place, action in enumerate(node.actions):
            taken = node.first_row + place
            after = (taken, before[1]) if player == 0 else (before[0], taken)
            line = f"{node.line} {_letter(action)}".strip()
            level.append((by_line[line] if line in by_line else ends[after], after))
    actor, first, count_of, number, shown, stake, unit_of = (np.array(column) for column in zip(*rows, strict=True))
    one, other = (_sequences(decisions) for decisions in own)
    start, parent, output = ((one[place], other[place]) for place in range(3))
    return Betting(actor.astype(np.int8), first, count_of, number, shown, stake, unit_of, start, parent, output)


def _sequences(decisions: list[Decision]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    starts = [decision.first_row - 1 for decision in decisions]
    outputs = [_output(decision, place) for decision in decisions for place in range(len(decision.actions))]
    parents = [decision.parent - 1 for decision in decisions]
    return np.array([*starts, len(outputs)]), np.array(parents), np.array(outputs)


def _output(decision: Decision, place: int) -> int:
    if decision.actions[place] == "fold":
        return FOLD_OUTPUT
    folds = decision.actions[0] == "fold"
    return CALL_OUTPUT if place == folds else FIRST_BET + place - 1 - folds


def _letter(action: str) -> str:
    word, _, amount = action.partition(" ")
    return {"check": "x", "fold": "f", "call": "c", "bet": "b", "raise": "r"}[word] + amount


def _last_bet(line: str) -> int:
    """The bet of the street that is faced."""
    return max((int(word[1:]) for word in line.split() if word[0] in "br"), default=0)
