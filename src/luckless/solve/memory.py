"""How much memory a spot needs, told before anything is built."""

import os

import numpy as np

from luckless.errors import InputError
from luckless.hands.pairs import PAIR_CARDS
from luckless.lanes import LANES
from luckless.solve.betting import build_forests
from luckless.solve.spot import Spot
from luckless.solve.suits import streets_of
from luckless.solve.vectors import Learned


def memory_of(spot: Spot) -> int:
    """Bytes that a solution needs, without building it."""
    forests = build_forests(spot.stakes, spot.menus, spot.trimming)
    streets = streets_of(spot.board, spot.weights)
    total = 0
    for forest, boards in zip(forests, streets, strict=True):
        for player in (0, 1):
            live = PAIR_CARDS[np.flatnonzero(spot.weights[player])]
            hands = max(int((~np.isin(live, cards).any(axis=1)).sum()) for cards in boards.cards)
            width = -(-hands // LANES) * LANES
            total += len(boards.cards) * width * forest.slots(player) * 4 * len(Learned._fields)
    return total


def available_memory() -> int | None:
    """Bytes that this machine can still give, or None where it does not say."""
    try:
        with open("/proc/meminfo") as file:
            for line in file:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return None


def check_memory(spot: Spot) -> int:
    """Bytes that a solution needs; refused where the machine cannot give them."""
    needed, free = memory_of(spot), available_memory()
    if free is not None and needed > 0.9 * free:
        raise InputError(
            f"this spot needs {needed / 1e9:.1f} GB, and {free / 1e9:.1f} GB are free; "
            "allow fewer sizes, narrower ranges or a later street"
        )
    return needed
