"""A bot's random numbers at one decision: the same for the same seed, deal and seat, whoever asks and in what order.

Four 64-bit words come from the address of the decision (see `randomness`); further ones are grown from these four, so
that dice know nothing of the seed. `Dice` serves one decision, `BatchDice` a batch of them; a compiled rule takes the
words as they are. Draw by draw all three give the same numbers.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from luckless.kernels import njit
from luckless.randomness import BOT, multiply_high, philox, random_bits_at

Item = TypeVar("Item")

_TO_FRACTION = 1.0 / (1 << 53)


@njit(cache=True, nogil=True, inline="always")
def fraction(word: Any) -> Any:
    """A number from 0 up to but not including 1, from one word."""
    return np.float64(word >> np.uint64(11)) * _TO_FRACTION


@njit(cache=True, nogil=True, inline="always")
def below(word: Any, bound: Any) -> Any:
    """A whole number from 0 to bound - 1, from one word; off from uniform by less than bound / 2**64."""
    return np.int64(multiply_high(word, np.uint64(bound)))


@njit(cache=True, nogil=True)
def more_random_bits(random_bits: Any, block: int) -> Any:
    """Four further random_bits (block 1, 2, ...) grown from the first four of a decision."""
    return philox(random_bits[0], random_bits[1], np.uint64(block), random_bits[2], random_bits[3], np.uint64(0))


@njit(cache=True, nogil=True)
def fill_random_bits(
    key: NDArray[np.uint64], deals: NDArray[np.int64], seats: NDArray[np.int8], steps: NDArray[np.int32], out: Any
) -> None:
    """The first four random words of each decision: seat `seats[i]` of deal `deals[i]` after `steps[i]` actions."""
    for row in range(len(deals)):
        random_bits = random_bits_at(key, 0, deals[row], BOT + seats[row], steps[row])
        for place in range(4):
            out[row, place] = random_bits[place]


@njit(cache=True, nogil=True)
def _grow_rows(random_bits: NDArray[np.uint64], block: int, out: NDArray[np.uint64]) -> None:
    for row in range(len(random_bits)):
        grown = more_random_bits(
            (random_bits[row, 0], random_bits[row, 1], random_bits[row, 2], random_bits[row, 3]), block
        )
        for place in range(4):
            out[row, place] = grown[place]


@njit(cache=True, nogil=True)
def _below_rows(random_bits: NDArray[np.uint64], bounds: NDArray[np.int64], out: NDArray[np.int64]) -> None:
    for row in range(len(random_bits)):
        out[row] = below(random_bits[row], bounds[row])


class BatchDice:
    """Random numbers for a batch of decisions: every call draws one number for each row."""

    def __init__(self, random_bits: NDArray[np.uint64]) -> None:
        self._first = self._words = random_bits.copy()  # a part of an array would lead to the dice of other hands
        self._drawn = 0

    def __len__(self) -> int:
        return len(self._first)

    def _draw(self) -> NDArray[np.uint64]:
        block, place = divmod(self._drawn, 4)
        if block and place == 0:
            self._words = np.empty_like(self._first)
            _grow_rows(self._first, block, self._words)
        self._drawn += 1
        return np.ascontiguousarray(self._words[:, place])

    def random(self) -> NDArray[np.float64]:
        """Numbers from 0 up to but not including 1."""
        numbers: NDArray[np.float64] = (self._draw() >> np.uint64(11)).astype(np.float64) * _TO_FRACTION
        return numbers

    def integer(self, low: ArrayLike, high: ArrayLike) -> NDArray[np.int64]:
        """Whole numbers from low to high, both included; the bounds may be arrays."""
        bounds = np.broadcast_to(np.asarray(high, np.int64) - np.asarray(low, np.int64) + 1, len(self))
        out = np.empty(len(self), np.int64)
        _below_rows(self._draw(), np.ascontiguousarray(bounds), out)
        return out + np.asarray(low, np.int64)


class Dice:
    """Random numbers for one decision."""

    def __init__(self, source: NDArray[np.uint64] | BatchDice) -> None:
        """From the four random words of the decision, or from the dice of a batch of one."""
        self._rows = source if isinstance(source, BatchDice) else BatchDice(source.reshape(1, 4))

    def random(self) -> float:
        """A number from 0 up to but not including 1."""
        return float(self._rows.random()[0])

    def integer(self, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return int(self._rows.integer(low, high)[0])

    def choice(self, items: Sequence[Item]) -> Item:
        """One of the items, each equally likely."""
        return items[self.integer(0, len(items) - 1)]

    def weighted(self, weights: Mapping[Item, float]) -> Item:
        """One of the keys, as often as its weight says; weights need not sum to 1."""
        left = self.random() * sum(weights.values())
        for item, weight in weights.items():
            left -= weight
            if left < 0:
                return item
        return [item for item, weight in weights.items() if weight > 0][-1]  # rounding
