"""The tables before the flop: what pairs of starting hands are worth by roll-out, and all-in."""

import functools
import os
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from luckless.divat.pairs import PAIR_CLASSES, POTS, RUNOUTS, pair_classes
from luckless.divat.settings import DivatSettings
from luckless.errors import InputError
from luckless.hands.table_file import cache_folder
from luckless.whole_files import WholeFile

SHIPPED = Path(__file__).with_name("tables")
ALL_IN_FILE = SHIPPED / "all-in.npz"
BOARDS = 1_712_304
"""Boards that two known hands leave."""


@dataclass(frozen=True)
class RoeTable:
    """What seat 0 wins in small bets when flop, turn and river are played by the baseline, by class of hands and pot.

    `sums[c, p - 1]` adds up all 34,246,080 ways to deal the board to a pair of hands of class c (see `pairs`) with p
    small bets a player in the pot after the betting before the flop.
    """

    settings: DivatSettings
    sums: NDArray[np.int32]

    def values(self, first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.float64]:
        """The value for seat 0 at the four pots, of shape (n, 4), of hands given by number (seat 0's, seat 1's)."""
        return self.sums[pair_classes(first, second)] / RUNOUTS


@functools.cache
def _all_in_sums() -> NDArray[np.int32]:
    with np.load(ALL_IN_FILE, allow_pickle=False) as file:
        sums: NDArray[np.int32] = file["sums"]
        return sums


def all_in_edges(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.float64]:
    """How much more often seat 0 wins than loses over all boards (2 x equity - 1), of hands given by number."""
    edges: NDArray[np.float64] = _all_in_sums()[pair_classes(first, second)] / BOARDS
    return edges


def table_path(settings: DivatSettings) -> Path:
    """Where the built table of some settings is kept."""
    return cache_folder() / f"roe-{settings.digest()}.npz"


def save_table(path: Path, table: RoeTable) -> None:
    """Writes a table, compressed; readers find the old file or the whole new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with WholeFile(path) as file:
        np.savez_compressed(file, sums=table.sums, settings=table.settings.digest())


def find_table(settings: DivatSettings) -> Path | None:
    """The file of the table of some settings, shipped or built; None if there is none."""
    files = (SHIPPED / f"roe-{settings.digest()}.npz", table_path(settings))
    return next((path for path in files if os.path.exists(path)), None)  # also where a folder may not be read


def load_table(settings: DivatSettings) -> RoeTable | None:
    """The table of some settings, shipped or built; None if there is none."""
    path = find_table(settings)
    return None if path is None else _read_table(path, settings)


@functools.cache
def _read_table(path: Path, settings: DivatSettings) -> RoeTable:
    try:
        with np.load(path, allow_pickle=False) as file:
            sums, digest = file["sums"], str(file["settings"])
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise InputError(f"table {path} cannot be read ({error}): delete it and build it again") from error
    if sums.shape != (PAIR_CLASSES, POTS) or digest != settings.digest():
        raise InputError(
            f"table {path} was built for other settings than {settings.name!r}: delete it and build it again"
        )
    return RoeTable(settings, sums)
