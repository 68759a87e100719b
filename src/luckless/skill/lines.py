"""What a player won so far, hand by hand, in several measures: a line of few points, however many hands there are."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

MOST_POINTS = 1000
"""More points are thinned to half of them."""


@dataclass
class RunningLine:
    """Running sums in big blinds at some numbers of hands, from 0 on."""

    hands: list[int] = field(default_factory=lambda: [0])
    sums: dict[str, list[float]] = field(default_factory=dict)
    """By measure, in the order of `hands`."""
    _stride: int = 1
    _played: int = 0
    _totals: dict[str, float] = field(default_factory=dict)

    def add(self, measures: Mapping[str, NDArray[np.float64]]) -> None:
        """Goes on by some hands; the measures are the same each time."""
        count = len(next(iter(measures.values())))
        ends = np.arange(self._stride - self._played % self._stride, count + 1, self._stride)
        self.hands += (self._played + ends).tolist()
        for name, values in measures.items():
            before = self._totals.get(name, 0.0)
            reached = before + np.cumsum(values)
            self.sums.setdefault(name, [0.0]).extend(reached[ends - 1].tolist())
            self._totals[name] = float(reached[-1]) if count else before
        self._played += count
        while len(self.hands) > MOST_POINTS:
            self._thin()

    def _thin(self) -> None:
        self._stride *= 2
        kept = [place for place, hands in enumerate(self.hands) if hands % self._stride == 0]
        self.hands = [self.hands[place] for place in kept]
        self.sums = {name: [values[place] for place in kept] for name, values in self.sums.items()}

    def points(self) -> tuple[list[int], dict[str, list[float]]]:
        """The numbers of hands and the sums there, the last hand included."""
        if self.hands[-1] == self._played:
            return self.hands, self.sums
        ended = {name: [*values, self._totals[name]] for name, values in self.sums.items()}
        return [*self.hands, self._played], ended
