"""Cycles: A beats B beats C beats A. Then no ranking by one number can be right."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from math import erfc, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

LEVEL = 0.05
MOST_CYCLES = 100
"""Cycles that are listed at most."""


@dataclass(frozen=True)
class Cycle:
    """Players each of whom beats the next, and the last the first; with the p-value of each of these wins."""

    players: tuple[int, ...]
    p_values: tuple[float, ...]

    def sentence(self, names: Sequence[str]) -> str:
        """`A beats B beats C beats A (each with p < 0.05)`."""
        order = [names[player] for player in (*self.players, self.players[0])]
        worst = max(self.p_values)
        sure = "p < 0.001" if worst < 0.001 else f"p at most {worst:.2g}"
        return f"{' beats '.join(order)} (each with {sure})"

    def to_dict(self, names: Sequence[str]) -> dict[str, Any]:
        """As plain values for JSON."""
        return {"bots": [names[player] for player in self.players], "p_values": list(self.p_values)}


def p_values(mean: Matrix, stderr: Matrix) -> Matrix:
    """Two-sided p-values of all pairs together, by S. Holm (1979): the chance that any of them is below the level by
    luck is at most the level. 1 where nothing is known."""
    players = len(mean)
    low, high = np.triu_indices(players, 1)
    raw = np.ones(len(low))
    for place, (row, column) in enumerate(zip(low, high, strict=True)):
        value, error = mean[row, column], stderr[row, column]
        if np.isfinite(value) and np.isfinite(error) and value != 0:
            raw[place] = erfc(abs(value) / error / sqrt(2)) if error > 0 else 0.0
    order = np.argsort(raw, kind="stable")
    steps = raw[order] * np.arange(len(raw), 0, -1)
    adjusted = np.empty_like(raw)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0) if len(raw) else raw
    table = np.ones((players, players))
    table[low, high] = table[high, low] = adjusted
    return table


def find_cycles(mean: Matrix, stderr: Matrix, level: float = LEVEL) -> list[Cycle]:
    """The shortest cycles of sure wins through each player, the shortest first; [] where all wins fit an order."""
    p = p_values(mean, stderr)
    with np.errstate(invalid="ignore"):
        beats = (p < level) & (np.nan_to_num(mean) > 0)
    found: dict[tuple[int, ...], None] = {}
    for first in range(len(mean)):
        for cycle in _triangles(beats, first) or _shortest(beats, first):
            turn = cycle.index(min(cycle))
            found.setdefault(cycle[turn:] + cycle[:turn])
    in_order = sorted(found, key=lambda cycle: (len(cycle), cycle))[:MOST_CYCLES]
    return [Cycle(cycle, tuple(float(p[one, other]) for one, other in _steps(cycle))) for cycle in in_order]


def _steps(cycle: tuple[int, ...]) -> list[tuple[int, int]]:
    return list(zip(cycle, (*cycle[1:], cycle[0]), strict=True))


def _triangles(beats: NDArray[np.bool_], first: int) -> list[tuple[int, ...]]:
    """All cycles of three through a player."""
    return [
        (first, int(second), int(third))
        for second in np.flatnonzero(beats[first])
        for third in np.flatnonzero(beats[second] & beats[:, first])
    ]


def _shortest(beats: NDArray[np.bool_], first: int) -> list[tuple[int, ...]]:
    """A shortest cycle through a player, if there is any."""
    came_from: dict[int, int] = {}
    waiting = deque([first])
    while waiting:
        player = waiting.popleft()
        for beaten in map(int, np.flatnonzero(beats[player])):
            if beaten == first:
                way = [player]
                while way[-1] != first:
                    way.append(came_from[way[-1]])
                return [tuple(reversed(way))]
            if beaten not in came_from:
                came_from[beaten] = player
                waiting.append(beaten)
    return []
