"""Who beats whom, deal by deal: the one input of all rankings, and its resamples.

The deal (a duplicate set, a hand, a session) is the independent sample. Where all pairings play the same deals, these
are resampled together, because their results hang together; else each pairing is resampled by itself.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError

Matrix = NDArray[np.float64]
Pair = tuple[int, int]

MOST_BINS = 2_000
"""Neighbouring deals are resampled in so many bundles at most, which bounds time and memory."""


class Table(NamedTuple):
    """Row against column, leading axes for resamples; NaN on the diagonal and where two have not met."""

    mean: Matrix
    """What the row wins a deal."""
    score: Matrix
    """The share of deals that the row wins minus the share that it loses."""


@dataclass(frozen=True)
class PairValues:
    """What the first of each pair won in each deal, from deal 0 on; a pair is (lower place, higher place)."""

    players: int
    values: Mapping[Pair, Matrix]
    shared: bool = True
    """Whether deal 5 of one pairing has the same cards as deal 5 of another."""
    votes: Mapping[Pair, Matrix] = field(default_factory=dict)
    """Where values are estimates: what was really won in each deal, whose sign says who won it."""

    def __post_init__(self) -> None:
        for (low, high), won in self.values.items():
            if not 0 <= low < high < self.players or won.ndim != 1 or not np.isfinite(won).all():
                raise InputError(f"pair {low}, {high} of {self.players} players has no list of finite values")
            if len(self.votes.get((low, high), won)) != len(won):
                raise InputError(f"pair {low}, {high} has other numbers of values and of votes")

    def signs(self, pair: Pair) -> Matrix:
        """1 for each deal that the first of a pair won, -1 for each that it lost."""
        return np.sign(self.votes.get(pair, self.values[pair]))

    @property
    def pairs(self) -> list[Pair]:
        """The pairs that have met."""
        return [pair for pair, won in sorted(self.values.items()) if len(won)]

    @property
    def complete(self) -> bool:
        """Whether every pair has met."""
        return len(self.pairs) == self.players * (self.players - 1) // 2

    @property
    def table(self) -> Table:
        """The table of all deals."""
        means = {pair: float(on_grid(self.values[pair]).sum() / len(self.values[pair])) for pair in self.pairs}
        scores = {pair: float(self.signs(pair).mean()) for pair in self.pairs}
        return Table(self._laid_out(means), self._laid_out(scores))

    @property
    def deals(self) -> NDArray[np.int64]:
        """How many deals each pair has played; 0 on the diagonal."""
        counts = np.zeros((self.players, self.players), np.int64)
        for low, high in self.pairs:
            counts[low, high] = counts[high, low] = len(self.values[low, high])
        return counts

    @property
    def stderr(self) -> Matrix:
        """The standard error of each mean; NaN where it is not known."""
        errors = np.full((self.players, self.players), np.nan)
        for low, high in self.pairs:
            won = self.values[low, high]
            if len(won) > 1:
                errors[low, high] = errors[high, low] = won.std(ddof=1) / np.sqrt(len(won))
        return errors

    def _laid_out(self, values: Mapping[Pair, float]) -> Matrix:
        table = np.full((self.players, self.players), np.nan)
        for (low, high), value in values.items():
            table[low, high], table[high, low] = value, 0.0 - value
        return table

    def resampled(self, times: int, seed: int = 1) -> Table:
        """The tables of so many resamples of the deals; the same seed draws the same ones."""
        rng = np.random.default_rng(seed)
        most = max((len(self.values[pair]) for pair in self.pairs), default=0)
        bins = min(MOST_BINS, most)
        weights = _weights(rng, times, bins) if self.shared and bins else None
        mean = np.full((times, self.players, self.players), np.nan)
        score = np.full_like(mean, np.nan)
        for low, high in self.pairs:
            won, signs = self.values[low, high], self.signs((low, high))
            # Only whole deals are bundled; a pair that played fewer deals fills fewer bundles.
            length = most if self.shared else len(won)
            own = weights if weights is not None else _weights(rng, times, min(MOST_BINS, len(won)))
            sums = _bundled(on_grid(won), signs, length, own.shape[1])
            of_mean, of_score, of_count = own @ sums.T[:, 0], own @ sums.T[:, 1], own @ sums.T[:, 2]
            with np.errstate(invalid="ignore", divide="ignore"):
                drawn = of_count > 0  # a short pairing may miss all draws: then it stays as it is
                mean[:, low, high] = np.where(drawn, of_mean / of_count, won.mean())
                score[:, low, high] = np.where(drawn, of_score / of_count, signs.mean())
            mean[:, high, low], score[:, high, low] = 0.0 - mean[:, low, high], 0.0 - score[:, low, high]
        return Table(mean, score)


def _weights(rng: np.random.Generator, times: int, bins: int) -> Matrix:
    """How often each bundle is drawn in each resample, in 64 bits for the product."""
    return rng.multinomial(bins, np.full(bins, 1 / bins), size=times).astype(np.float64)


def on_grid(won: Matrix) -> Matrix:
    """The values rounded to multiples of a power of two, so that sums of them, also of resamples, are exact.

    Then the order of additions does not count, and resamples are the same bits with every processor and library. The
    step is the sum of all values times 2**-46 or a little more: nothing that a mean would show.
    """
    total = float(np.abs(won).sum())
    if not total:
        return won
    step = 2.0 ** (math.frexp(total)[1] - 46)
    rounded: Matrix = np.rint(won / step) * step
    return rounded


def _bundled(won: Matrix, signs: Matrix, length: int, bins: int) -> Matrix:
    """Sums of values, of signs and of deals in each bundle, shape (3, bins)."""
    edges = -(-np.arange(bins + 1) * length // bins)
    inner = np.minimum(edges, len(won))
    running = np.zeros((3, len(won) + 1))
    np.cumsum(won, out=running[0, 1:])
    np.cumsum(signs, out=running[1, 1:])
    running[2] = np.arange(len(won) + 1)
    return np.diff(running[:, inner], axis=1)
