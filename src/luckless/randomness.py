"""Random numbers by address instead of by stream: Philox 4x64-10 (Salmon et al., "Parallel random numbers: as easy
as 1, 2, 3", SC 2011), the generator that NumPy also ships.

Four 64-bit words belong to each address (block, deal, purpose, step) under a 128-bit key. The key is the seed. So a
hand's cards and each bot's dice depend on nothing but the seed, the number of the deal and what they are for.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError
from luckless.kernels import INTERPRETED, njit
from luckless.numba_internals import make_multiply_high, multiply_high_plainly

DECK, SEATING, MIX, BOT = 0, 1, 16, 32
"""Purposes: the cards of a deal, who sits where in it, which member of a mix plays in seat s (MIX + s), the dice of
the bot in seat s (BOT + s)."""

_M0, _M1 = np.uint64(0xD2E7470EE14C6C93), np.uint64(0xCA5A826395121157)
_W0, _W1 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBB67AE8584CAA73B)
SPLITMIX_STEP = np.uint64(0x9E3779B97F4A7C15)
"""What a counter is moved on by between two words of `splitmix`."""


multiply_high: Any = multiply_high_plainly if INTERPRETED else make_multiply_high()
"""The upper 64 bits of the product of two 64-bit words: one machine instruction that Python cannot name."""


@njit(cache=True, nogil=True, inline="always")
def splitmix(counter: Any) -> Any:
    """SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014): a counter's word.

    For sampling inside a kernel, from a start that `random_bits_at` gives.
    """
    word = (counter ^ (counter >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@njit(cache=True, nogil=True, borrows=True)
def philox(k0: Any, k1: Any, c0: Any, c1: Any, c2: Any, c3: Any) -> Any:
    """The four words at the counter (c0, c1, c2, c3) under the key (k0, k1)."""
    for _ in range(10):
        high0, low0 = multiply_high(_M0, c0), _M0 * c0
        high1, low1 = multiply_high(_M1, c2), _M1 * c2
        c0, c1, c2, c3 = high1 ^ c1 ^ k0, low1, high0 ^ c3 ^ k1, low0
        k0 += _W0
        k1 += _W1
    return c0, c1, c2, c3


@njit(cache=True, nogil=True, borrows=True)
def random_bits_at(key: NDArray[np.uint64], block: int, deal: int, purpose: int, step: int) -> Any:
    """The four words of one address."""
    return philox(key[0], key[1], np.uint64(block), np.uint64(deal), np.uint64(purpose), np.uint64(step))


@njit(cache=True, nogil=True, borrows=True)
def shuffle_front(
    deck: NDArray[np.uint8], size: int, count: int, key: NDArray[np.uint64], deal: int, purpose: int
) -> None:
    """Draws the first `count` of the deck's `size` cards without replacement, each order equally likely.

    Six draws share one word: the word is multiplied by one bound after the other and each carry is a draw. The rest
    decides whether the word must be thrown away so that no order is favoured (Brackett-Rozinsky and Lemire, "Batched
    ranged random integer generation", 2024); that happens about once in a billion words.
    """
    block, used = 0, 4
    words = (np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0))
    first = 0
    while first < count:
        if used == 4:
            words = random_bits_at(key, block, deal, purpose, 0)
            block += 1
            used = 0
        rest = words[used]
        used += 1
        end = min(first + 6, count)
        bounds = np.uint64(1)
        for place in range(first, end):
            bound = np.uint64(size - place)
            bounds *= bound
            other = place + np.int64(multiply_high(rest, bound))
            rest *= bound
            deck[place], deck[other] = deck[other], deck[place]
        if rest < bounds and rest < (np.uint64(0) - bounds) % bounds:
            # The swaps so far were drawn from a word that must not count: undoing them is not needed, since any
            # order of the rest of the deck is as good as another once the draws are made afresh.
            continue
        first = end


def key_of(seed: int) -> NDArray[np.uint64]:
    """The 128-bit key of a seed."""
    if not 0 <= seed < 1 << 128:
        raise InputError(f"seed {seed} is out of range; allowed is a whole number from 0 to 2**128 - 1")
    return np.array([seed & (1 << 64) - 1, seed >> 64], np.uint64)
