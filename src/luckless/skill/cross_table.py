"""Who gained from whom: what the actions of each player gave to and took from every other one."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.stats.estimate import Accumulator

HOUSE = "the house"
"""The name under which stands what actions changed in the rake."""

ROUNDING = 1e-9
"""In big blinds; a smaller change of the rake is none."""


@dataclass(frozen=True)
class Gain:
    """Big blinds in all hands together, with half of their 95 % interval (None for a single sample)."""

    total: float
    margin: float | None

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON."""
        return {"total_bb": self.total, "margin_bb": self.margin}


@dataclass(frozen=True)
class CrossTable:
    """Gains by players. What an action takes from a player goes to the one who acted, and what it gives comes from
    him; so each gain of one player is a loss of another, and a row sums to the player's skill."""

    names: tuple[str, ...]
    gains: dict[tuple[str, str], Gain]
    """What the first player gained from the second, by his own actions and by the other's."""
    own: dict[str, Gain]
    """What each player's own actions were worth to him: credit above 0, blame below."""
    given: dict[str, Gain]
    """What the actions of others were worth to each player."""

    def skill(self, name: str) -> float:
        """The sum of a player's row: what all actions were worth to him, his own and those of others."""
        return sum(gain.total for (winner, _), gain in self.gains.items() if winner == name)

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON, in big blinds over all hands."""
        return {
            "players": list(self.names),
            "gains": {
                name: {other: gain.to_dict() for (winner, other), gain in self.gains.items() if winner == name}
                for name in self.names
            },
            "own_actions": {name: gain.to_dict() for name, gain in self.own.items()},
            "others_actions": {name: gain.to_dict() for name, gain in self.given.items()},
        }


@dataclass
class CrossCollector:
    """Adds up what actions moved, hand by hand. The sample is the duplicate set, or the hand."""

    _rates: defaultdict[tuple[str, str, str], Accumulator] = field(default_factory=lambda: defaultdict(Accumulator))
    _names: dict[str, None] = field(default_factory=dict)

    def add(
        self,
        names: tuple[str, ...],
        players: NDArray[np.signedinteger[Any]],
        sets: NDArray[np.int64],
        moved: NDArray[np.float64],
    ) -> None:
        """Adds hands: `moved` (hands, actor, seat) in big blinds, summed over the streets."""
        for name in (names[place] for place in np.unique(players)):
            self._names[name] = None
        for seat in range(players.shape[1]):
            by_own, gained = moved[:, seat, seat], moved[:, :, seat].sum(axis=1)
            self._add("own", names, (players[:, seat],), sets, by_own)
            self._add("given", names, (players[:, seat],), sets, gained - by_own)
            # What all actions of one player changed for all players together is the rake that they spared.
            house = moved[:, seat].sum(axis=1)
            if np.abs(house).max(initial=0.0) > ROUNDING:
                self._add("house", names, (players[:, seat],), sets, house)
            for other in range(players.shape[1]):
                if other != seat:
                    value = moved[:, other, seat] - moved[:, seat, other]
                    self._add("gain", names, (players[:, seat], players[:, other]), sets, value)

    def _add(
        self,
        kind: str,
        names: tuple[str, ...],
        who: tuple[NDArray[np.signedinteger[Any]], ...],
        sets: NDArray[np.int64],
        values: NDArray[np.float64],
    ) -> None:
        """Adds values of one or two players a hand, set by set, to what is kept of them."""
        keys, places = np.unique(np.stack([*who, sets], axis=1), axis=0, return_inverse=True)
        samples = np.bincount(places.ravel(), values)
        firsts = np.flatnonzero(np.r_[True, (keys[1:, :-1] != keys[:-1, :-1]).any(axis=1)])
        for key, sample in zip(keys[firsts, :-1], np.split(samples, firsts[1:]), strict=True):
            words = [names[place] for place in key] + ([HOUSE] if kind == "house" else [""] if kind != "gain" else [])
            self._rates["gain" if kind == "house" else kind, words[0], words[1]].update(sample)

    def table(self) -> CrossTable:
        """What was added up."""
        found = {key: _gain(rate) for key, rate in self._rates.items()}
        names = tuple(self._names)
        return CrossTable(
            names,
            {(one, other): gain for (kind, one, other), gain in found.items() if kind == "gain"},
            {name: found["own", name, ""] for name in names},
            {name: found["given", name, ""] for name in names},
        )


def _gain(rate: Accumulator) -> Gain:
    mean = rate.estimate(unit="bb/h", method="sum")
    margin = None if mean.ci95 is None else (mean.ci95[1] - mean.ci95[0]) / 2 * mean.samples
    return Gain(mean.mean * mean.samples, margin)
