"""Builds the exact roll-out table before the flop: for all pairs of starting hands, what the baseline makes of them.

The 1,755 flops that differ by more than the names of the suits are played out one by one, each weighted by the number
of flops that it stands for, and likewise the turn cards on each of them. The sums are whole numbers. They are kept
in a checkpoint beside the finished tables, so that an interrupted build goes on where it stopped.
"""

import contextlib
import itertools
import threading
import zipfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.divat.flop_ranks import LIVE_CARDS, live_cards
from luckless.divat.flop_rollouts import roll_out_flop
from luckless.divat.pairs import PAIR_CLASSES, POTS, class_codes, class_matrix, class_sizes
from luckless.divat.roe_table import ALL_IN_FILE, SHIPPED, RoeTable, save_table, table_path
from luckless.divat.settings import SLIDES, STANDARD, DivatSettings
from luckless.hands.equity_preflop import count_preflop, new_matchup
from luckless.hands.isomorphism import canonical_boards
from luckless.hands.pairs import PAIR_CARDS, PAIRS
from luckless.hands.table_file import build_lock
from luckless.kernels import njit
from luckless.progress import Progress
from luckless.threads import run_chunks
from luckless.whole_files import WholeFile, write_bytes

FLOPS_A_BLOCK = 15
"""Flops between two checkpoints of a thread: some seconds of work."""


class Work(NamedTuple):
    """The flops to play out, and for each the weights that `roll_out_flop` takes."""

    flops: NDArray[np.int64]
    weights: NDArray[np.int64]


class Sums(NamedTuple):
    """Totals by class of pairs and pot over the blocks of flops that are done."""

    totals: NDArray[np.int64]
    done: NDArray[np.bool_]


def _turn_weights(flop: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each live card, how many turn cards it stands for.

    Cards that a renaming of the suits which keeps the flop turns into each other are left to the smallest of them;
    the others get 0.
    """
    cards = live_cards(flop)
    smallest = cards.copy()
    for suits in itertools.permutations(range(4)):
        names = np.array(suits)
        if set(flop // 4 * 4 + names[flop % 4]) == set(flop):
            smallest = np.minimum(smallest, cards // 4 * 4 + names[cards % 4])
    return np.array([np.count_nonzero(smallest == card) for card in cards])


def all_work() -> Work:
    """Every flop up to a renaming of the suits, with its weights."""
    flops, counts = canonical_boards(3)
    weights = np.empty((len(flops), 1 + LIVE_CARDS), np.int64)
    weights[:, 0] = counts
    for place, flop in enumerate(flops):
        weights[place, 1:] = _turn_weights(flop)
    return Work(flops, weights)


def build(settings: DivatSettings = STANDARD, threads: int | None = None, *, show: bool = True) -> Path:
    """Computes the table of some settings into the folder of built tables, on all cores, and gives its path.

    Can be interrupted at any time; the next call goes on from the last checkpoint.
    """
    path = table_path(settings)
    checkpoint = path.with_suffix(".part.npz")
    with build_lock("roe"):
        if path.exists():
            return path
        sums = add_up(settings, all_work(), checkpoint, threads, show=show)
        save_table(path, finish(sums, settings))
        checkpoint.unlink(missing_ok=True)
    return path


def add_up(settings: DivatSettings, work: Work, checkpoint: Path, threads: int | None, *, show: bool) -> Sums:
    """Plays all flops out, from the checkpoint on if there is one."""
    starts = range(0, len(work.flops), FLOPS_A_BLOCK)
    sums = _read_checkpoint(checkpoint, settings, len(starts))
    left = np.flatnonzero(~sums.done)
    cutoffs, classes, one_at_a_time = settings.cutoffs(), class_matrix(), threading.Lock()

    def roll_out(first: int, last: int) -> int:
        block = left[first]
        totals = np.zeros((PAIR_CLASSES, POTS), np.int64)
        flops = range(len(work.flops))[block * FLOPS_A_BLOCK :][:FLOPS_A_BLOCK]
        for flop in flops:
            roll_out_flop(work.flops[flop], work.weights[flop], cutoffs, classes, totals)
        with one_at_a_time:
            sums.totals[:] += totals
            sums.done[block] = True
            _write_checkpoint(checkpoint, settings, sums)
        return len(flops)

    done = FLOPS_A_BLOCK * int(sums.done.sum())
    with Progress(len(work.flops), f"roll-outs before the flop, {settings.name}", done=done, show=show) as progress:
        run_chunks(len(left), 1, roll_out, progress, threads)
    return sums


def finish(sums: Sums, settings: DivatSettings) -> RoeTable:
    """The table of one pair of hands a class, from the totals over all pairs of each class.

    All pairs of a class have the same sum, so the totals must be divisible; a wrong weight shows here.
    """
    each, rest = np.divmod(sums.totals, class_sizes()[:, None])
    if rest.any() or not sums.done.all():
        raise ArithmeticError(f"the roll-outs of {settings.name} do not add up, which is a bug of the build")
    return RoeTable(settings, each.astype(np.int32))


@njit(cache=True, nogil=True)
def _count_all_in(holes: NDArray[np.int64], sums: NDArray[np.int32]) -> None:
    matchup, counts = new_matchup(2), np.zeros((2, 2), np.int64)
    for row in range(len(holes)):
        counts[:] = 0
        count_preflop(holes[row], np.uint64(0), matchup, counts)
        sums[row] = counts[0, 0] - counts[1, 0]


def all_in_sums(*, show: bool = True) -> NDArray[np.int32]:
    """For each class of pairs of hands, the boards that seat 0 wins minus those that it loses, of 1,712,304."""
    codes = class_codes()
    holes = np.stack([PAIR_CARDS[codes // PAIRS], PAIR_CARDS[codes % PAIRS]], axis=1)
    sums = np.empty(len(codes), np.int32)

    def count(first: int, last: int) -> int:
        _count_all_in(holes[first:last], sums[first:last])
        return last - first

    with Progress(len(codes), "all-in before the flop", show=show) as progress:
        run_chunks(len(codes), 500, count, progress)
    return sums


def write_shipped() -> None:
    """Writes the tables that the package ships, building what is not built yet."""
    with WholeFile(ALL_IN_FILE) as file:
        np.savez_compressed(file, sums=all_in_sums())
    for settings in (STANDARD, SLIDES):
        path = build(settings)
        write_bytes(SHIPPED / path.name, path.read_bytes())


def _read_checkpoint(path: Path, settings: DivatSettings, blocks: int) -> Sums:
    """The sums so far; none if there is no checkpoint, or none that can be used."""
    unusable = (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile)
    with contextlib.suppress(*unusable), np.load(path, allow_pickle=False) as file:
        sums = Sums(file["totals"], file["done"])
        if str(file["settings"]) == settings.digest() and sums.done.shape == (blocks,):
            return sums
    return Sums(np.zeros((PAIR_CLASSES, POTS), np.int64), np.zeros(blocks, bool))


def _write_checkpoint(path: Path, settings: DivatSettings, sums: Sums) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with WholeFile(path) as file:
        np.savez(file, totals=sums.totals, done=sums.done, settings=settings.digest())


if __name__ == "__main__":
    write_shipped()
