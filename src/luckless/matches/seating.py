"""Which player sits in which seat of which hand, and which deal the hand is played with.

Duplicate: every deal is played once in each of several orders (`orders`), one after the other; the hands of a deal
are one set, and the set is the independent sample. Fresh: every hand has its own deal and a random order.
"""

import itertools
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from luckless.kernels import njit
from luckless.keys import Keys
from luckless.randomness import SEATING, shuffle_front

Decks = Literal["duplicate", "fresh"]


def orders(seats: int) -> NDArray[np.int8]:
    """The orders in which a duplicate set seats its players: row i gives the player of each seat.

    Two and three seats: every order (2 and 6). More: every rotation, so that each player plays each position once.
    """
    if seats <= 3:
        return np.array(list(itertools.permutations(range(seats))), np.int8)
    return np.array([[(seat + turn) % seats for seat in range(seats)] for turn in range(seats)], np.int8)


def set_size(seats: int, decks: Decks) -> int:
    """Hands of one independent sample: a duplicate set, or one hand."""
    return len(orders(seats)) if decks == "duplicate" else 1


@njit(cache=True, nogil=True)
def _fresh(keys: NDArray[np.uint64], first: int, players: NDArray[np.int8]) -> None:
    seats = players.shape[1]
    order = np.empty(seats, np.uint8)
    for row in range(len(players)):
        for seat in range(seats):
            order[seat] = seat
        shuffle_front(order, seats, seats - 1, keys[row], first + row, SEATING)
        for seat in range(seats):
            players[row, seat] = order[seat]


def fresh_seating(seats: int, seed: int | Keys, first: int, hands: int) -> NDArray[np.int8]:
    """The player of each seat in hands `first`, `first + 1`, ...: any order equally likely."""
    players = np.empty((hands, seats), np.int8)
    _fresh(Keys.of(seed).rows("seating", np.arange(first, first + hands)), first, players)
    return players
