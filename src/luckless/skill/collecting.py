"""Samples of many hands gathered into verdicts: by player, and there by street, position and kind of pot."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from luckless.rules.columns import HandColumns
from luckless.skill.hands_told_apart import POSITIONS, POTS
from luckless.skill.lines import RunningLine
from luckless.skill.verdict import PlayerVerdict
from luckless.stats.estimate import Accumulator, Estimate
from luckless.stats.units import BIG_BLINDS, MILLI_BIG_BLINDS, unit_factor

NO_SPREAD = 1e-9
"""In big blinds; a smaller spread is only rounding."""


def sets_of(hands: HandColumns) -> NDArray[np.int64]:
    """The number of the duplicate set of each hand: hands in a row that were played with one deal."""
    return np.cumsum(np.diff(hands.deals, prepend=hands.deals[:1] - 1) != 0) - 1


@dataclass
class _Player:
    hands: int = 0
    rates: defaultdict[tuple[str, str], Accumulator] = field(default_factory=lambda: defaultdict(Accumulator))
    line: RunningLine = field(default_factory=RunningLine)


class Collector:
    """Takes what each player won in some hands, as money and adjusted, and gives verdicts. Its memory is flat.

    The sample is the duplicate set, or the hand where each deal is played once.
    """

    def __init__(self, method: str, lines: bool = False) -> None:
        self._method, self._lines = method, lines
        self._players: defaultdict[str, _Player] = defaultdict(_Player)

    def add(
        self,
        name: str,
        sets: NDArray[np.int64],
        measures: Mapping[tuple[str, str], NDArray[np.float64]],
        groups: Mapping[str, NDArray[np.str_]] | None = None,
    ) -> None:
        """Adds hands of one player in big blinds: `("money", "")`, `("adjusted", "")`, and parts of the latter such
        as `("street", "flop")`. `groups` tells hands apart, such as by position; each gets rates of its own. Measures
        without a word are drawn as lines, if lines are wanted."""
        player = self._players[name]
        player.hands += len(sets)
        if self._lines:
            player.line.add({measure: values for (measure, word), values in measures.items() if not word})
        _, places = np.unique(sets, return_inverse=True)
        counts = np.bincount(places)
        for key, values in measures.items():
            player.rates[key].update(np.bincount(places, values) / counts)
        for kind, words in (groups or {}).items():
            for word in np.unique(words).tolist():
                mine = words == word
                for measure in ("money", "adjusted"):
                    player.rates[f"{kind} {measure}", word].update(measures[measure, ""][mine])

    def verdicts(self) -> tuple[PlayerVerdict, ...]:
        """One for each player, in the order in which they came."""
        return tuple(self._verdict(name, player) for name, player in self._players.items())

    def _verdict(self, name: str, player: _Player) -> PlayerVerdict:
        money, adjusted = (player.rates[measure, ""] for measure in ("money", "adjusted"))
        size = max(round(player.hands / max(money.samples, 1)), 1)
        before, after = _rate(money, "money", size), _rate(adjusted, self._method, size)
        return PlayerVerdict(
            name,
            player.hands,
            before,
            after,
            variance_ratio(before, after),
            by_street=self._part(player, "street", size),
            terms=self._part(player, "term", size),
            groups={
                kind: {
                    word: (_rate(player.rates[f"{kind} money", word], "money", 1), rate)
                    for word, rate in sorted(self._part(player, f"{kind} adjusted", 1).items(), key=_place(words))
                }
                for kind, words in {"position": POSITIONS, "pot": POTS}.items()
            },
            line=player.line if self._lines else None,
        )

    def _part(self, player: _Player, kind: str, size: int) -> dict[str, Estimate]:
        return {word: _rate(rate, self._method, size) for (of, word), rate in player.rates.items() if of == kind}


def _place(words: Sequence[str]) -> Callable[[tuple[str, Estimate]], int]:
    """Sorts by the place among words."""
    return lambda part: words.index(part[0])


def _rate(samples: Accumulator, method: str, size: int) -> Estimate:
    scale = unit_factor(BIG_BLINDS, MILLI_BIG_BLINDS)
    return samples.estimate(unit=MILLI_BIG_BLINDS, method=method, hands_per_sample=size, scale=scale)


def variance_ratio(before: Estimate, after: Estimate) -> float | None:
    """By what adjusting divides the variance; None where a spread is unknown or nothing is left of it."""
    if before.sd is None or after.sd is None or after.sd < NO_SPREAD * unit_factor(BIG_BLINDS, MILLI_BIG_BLINDS):
        return None
    return (before.sd / after.sd) ** 2
