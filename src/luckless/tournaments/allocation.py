"""How many deals each pairing plays, by rules that are fixed before play; they know no poker and can be simulated.

A rule looks at the values of all deals so far and says which pairings go on, and how far. Nothing else decides, so
that a tournament that is resumed takes the same steps.
"""

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from luckless.rankings.pair_values import Pair, PairValues
from luckless.rankings.ranking import mean_of_met
from luckless.stats.estimate import interval95, quantile

Matrix = NDArray[np.float64]

GROWTH = 4.0
"""A pairing that plays for a precision grows at most so much in a step."""

LEAST = 20
"""Deals of a pairing below which no rule believes its spread: rare big results may not have shown up yet."""

STEP = 1.5
"""A pairing whose bots are not ranked yet grows so much in a step."""

Play = Callable[[dict[Pair, int]], dict[Pair, Matrix]]
"""Plays pairings up to so many deals each, and gives the values of all their deals."""


@dataclass(frozen=True)
class Fixed:
    """Every pairing plays the same number of deals."""

    def next_deals(self, values: PairValues, look: int) -> dict[Pair, int]:
        """Nothing more is played."""
        return {}


@dataclass(frozen=True)
class Precision:
    """Every pairing plays until half its 95 % interval is at most `half_width`, or it has `most` deals.

    The next number of deals is what the spread so far asks for (Y. Chow and H. Robbins 1965), with 2 % to spare.
    """

    half_width: float
    most: int

    def next_deals(self, values: PairValues, look: int) -> dict[Pair, int]:
        """The pairings that are not precise enough, and how many deals they need."""
        return {pair: deals for pair in values.pairs if (deals := self._needed(values.values[pair])) is not None}

    def _needed(self, won: Matrix) -> int | None:
        deals = len(won)
        stderr = float(won.std(ddof=1)) / math.sqrt(deals) if deals > 1 else math.inf
        low, high = interval95(0.0, stderr, deals) if deals > 1 else (-math.inf, math.inf)
        if deals >= self.most or (deals >= LEAST and (high - low) / 2 <= self.half_width):
            return None
        if deals < LEAST:
            return min(self.most, LEAST)
        grown = min(GROWTH, 1.02 * ((high - low) / 2 / self.half_width) ** 2)
        return min(self.most, max(deals + 1, math.ceil(deals * grown)))


@dataclass(frozen=True)
class UntilRanked:
    """Hands go where the order is least sure, until the order of all bots by their mean is sure or hands run out.

    At look k two neighbours of the order count as ranked if their difference is significant at level
    alpha / (pairs k (k + 1)), two-sided, by Student's law of the pairing with the fewest deals. All looks and all
    pairs together then err with at most alpha: an order that is wrong anywhere has two wrong neighbours somewhere.
    Else every pairing of the two grows by half.
    """

    most: int
    alpha: float = 0.05

    def next_deals(self, values: PairValues, look: int) -> dict[Pair, int]:
        """The pairings of bots that are not ranked yet, and how many deals they play next."""
        unsure = {bot for pair in self.unranked(values, look) for bot in pair}
        return {
            pair: min(self.most, max(LEAST, math.ceil(len(values.values[pair]) * STEP)))
            for pair in values.pairs
            if unsure & set(pair) and len(values.values[pair]) < self.most
        }

    def unranked(self, values: PairValues, look: int) -> list[Pair]:
        """Neighbours of the order whose difference is not sure at this look, the better one first."""
        order = np.argsort(-mean_of_met(values.table.mean), kind="stable").tolist()
        pairs = values.players * (values.players - 1) // 2
        level = self.alpha / (pairs * look * (look + 1))
        found = []
        for better, worse in itertools.pairwise(order):
            difference, error = difference_of_means(values, better, worse)
            fewest = min(
                (len(values.values[pair]) for pair in values.pairs if {better, worse} & set(pair)), default=0
            )
            bound = quantile(1 - level / 2, fewest - 1) if fewest >= LEAST else math.inf
            if not (fewest >= LEAST and difference > bound * error):
                found.append((better, worse))
        return found


Rule = Fixed | Precision | UntilRanked


def difference_of_means(values: PairValues, one: int, other: int) -> tuple[float, float]:
    """The difference of the mean win rates of two bots over their opponents, and its standard error.

    Both are sums over pairings; where these share deals, the sums are formed deal by deal first.
    """
    weights = _weights(values, one, other)
    difference = sum(weight * float(values.values[pair].mean()) for pair, weight in weights.items())
    parts = []
    for pair, weight in weights.items():
        won = values.values[pair]
        parts.append(weight * (won - won.mean()) / len(won) * math.sqrt(len(won) / max(1, len(won) - 1)))
    if not values.shared:
        return difference, math.sqrt(sum(float((part**2).sum()) for part in parts))
    together = np.zeros(max(map(len, parts)))
    for part in parts:
        together[: len(part)] += part
    return difference, float(np.sqrt((together**2).sum()))


def _weights(values: PairValues, one: int, other: int) -> dict[Pair, float]:
    """What each pairing counts in the difference of two means."""
    weights: dict[Pair, float] = {}
    for bot, sign in ((one, 1.0), (other, -1.0)):
        own = [pair for pair in values.pairs if bot in pair]
        for pair in own:
            weights[pair] = weights.get(pair, 0.0) + sign * (1 if pair[0] == bot else -1) / len(own)
    return weights


def allocate(
    rule: Rule, bots: int, pairs: Sequence[Pair], first: int, play: Play, *, shared: bool = True
) -> tuple[PairValues, int]:
    """Plays by a rule: all pairings `first` deals, then whatever the rule asks for. The number of looks, too."""
    values = PairValues(bots, play(dict.fromkeys(pairs, first)), shared)
    look = 1
    while wanted := rule.next_deals(values, look):
        values = PairValues(bots, {**values.values, **play(wanted)}, shared)
        look += 1
    return values, look
