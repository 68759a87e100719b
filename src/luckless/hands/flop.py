"""7cHR on the flop, shipped with the package: half-counts (2 x beaten + tied) of all 1,286,792 situations.

They are the `hr7` of the table rank-flop (see `tables`), so that nobody has to build it first. A count is below 2**24
and is kept as three bytes, each in an array of its own, which packs well. `python -m luckless.hands.flop` writes the
file.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from luckless.whole_files import WholeFile

FLOP_FILE = Path(__file__).with_name("flop.npz")


def flop_half_counts() -> NDArray[np.uint32]:
    """The shipped counts, by situation number."""
    with np.load(FLOP_FILE, allow_pickle=False) as file:
        low, middle, high = file["bytes"].astype(np.uint32)
    counts: NDArray[np.uint32] = low | middle << 8 | high << 16
    return counts


def _write() -> None:
    from luckless.hands.tables_build import fill_table

    counts = fill_table(3)["hr7"].astype(np.uint32)
    parts = np.stack([counts >> shift & 255 for shift in (0, 8, 16)]).astype(np.uint8)
    with WholeFile(FLOP_FILE) as file:
        np.savez_compressed(file, bytes=parts)


if __name__ == "__main__":
    _write()
