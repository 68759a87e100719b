"""Everything random in a season, by address: the season's seed, what it is for, the division, and a number.

Nothing is drawn from a stream, so a season that was interrupted goes on as if it had not been.
"""

import numpy as np

from luckless.bots.dice import Dice
from luckless.randomness import key_of, random_bits_at

NAMING, LINE_UP, HANDS, STUDENT, PAIRS = range(256, 261)
"""Purposes: the names of the agents; who plays a round; the seed of a round's hands; the seed of a student; the order
in which pairs meet. Hands are played under seeds of their own, so these never meet the purposes of `randomness`."""


def _words(seed: int, purpose: int, division: int, number: int) -> list[int]:
    return [int(word) for word in random_bits_at(key_of(seed), division, number, purpose, 0)]


def dice_at(seed: int, purpose: int, division: int = 0, number: int = 0) -> Dice:
    """Dice for one purpose: the number is that of a round, or of an agent."""
    return Dice(np.array(_words(seed, purpose, division, number), np.uint64))


def seed_at(seed: int, purpose: int, division: int = 0, number: int = 0) -> int:
    """A seed for one purpose, from 0 to 2**63 - 1, so that any learner and any file can hold it."""
    return _words(seed, purpose, division, number)[0] >> 1


def shuffled(items: list[int], dice: Dice) -> list[int]:
    """The items in random order, each order equally likely."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = dice.integer(0, last)
        order[last], order[other] = order[other], order[last]
    return order
