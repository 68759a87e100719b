"""How much memory a spot needs, told before anything is built."""

import os

import numpy as np

from luckless.errors import InputError
from luckless.hands.pairs import PAIR_CARDS
from luckless.lanes import LANES
from luckless.solve.betting import Forest, build_forests
from luckless.solve.spot import Spot
from luckless.solve.street import Boards
from luckless.solve.suits import streets_of

_KEPT = {16: 2 * 2, 32: 3 * 4, 64: 3 * 8}
"""Bytes for one action of one hand, by the size of the numbers: regrets, averages and, above 16 bits, strategies."""
_CHUNKS = 8
_UNITS = {"KB": 1e3, "MB": 1e6, "GB": 1e9}


def memory_of(spot: Spot, bits: int = 32) -> int:
    """Bytes that a solution needs, without building it: what is learned, the hands of all boards, and what goes from
    street to street."""
    forests = build_forests(spot.stakes, spot.menus, spot.trimming)
    streets = streets_of(spot.board, spot.weights)
    total = 0
    for forest, boards in zip(forests, streets, strict=True):
        for player in (0, 1):
            live = PAIR_CARDS[np.flatnonzero(spot.weights[player])]
            hands = max(int((~np.isin(live, cards).any(axis=1)).sum()) for cards in boards.cards)
            width = -(-hands // LANES) * LANES
            total += len(boards.cards) * width * _bytes_of_hand(forest, boards, player, bits)
    return total


def _bytes_of_hand(forest: Forest, boards: Boards, player: int, bits: int) -> int:
    """Bytes for one hand on one board; below a single board each part of the boards has its own sums."""
    images = max(len(renamings) for renamings in boards.renamings)
    sums = 20 * (1 if len(boards.cards) > 1 else _CHUNKS)
    return forest.slots(player) * _KEPT[bits] + 10 + 4 * images + len(forest.deals) * (12 + sums)


def parse_memory(text: str) -> int:
    """Bytes of an amount such as 1.4GB."""
    for unit, size in _UNITS.items():
        number = text.strip().upper().removesuffix(unit).strip()
        if text.strip().upper().endswith(unit) and _is_number(number):
            return int(float(number) * size)
    raise InputError(f"{text!r} is not an amount of memory; allowed is a number with KB, MB or GB, such as 1.4GB")


def _is_number(text: str) -> bool:
    return text.isascii() and text.replace(".", "", 1).isdigit() and float(text) > 0


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


def check_memory(spot: Spot, bits: int, most: int | None = None) -> int:
    """Bytes that a solution needs; refused where they are more than `most` or more than the machine can give."""
    needed, free = memory_of(spot, bits), available_memory()
    advice = "allow fewer sizes, narrower ranges or a later street"
    if most is not None and needed > most:
        raise InputError(f"this spot needs {amount(needed)} of memory, and {amount(most)} are allowed; {advice}")
    if free is not None and needed > 0.9 * free:
        raise InputError(f"this spot needs {amount(needed)} of memory, and {amount(free)} are free; {advice}")
    return needed


def amount(size: int) -> str:
    """Bytes for reading."""
    return f"{size / 1e9:.2f} GB" if size >= 1e9 else f"{size / 1e6:,.3g} MB"
