"""Work shared out over the cores: Python threads that call compiled code, which lets go of the interpreter lock."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed

from luckless.progress import Progress

THREADS = "LUCKLESS_THREADS"
"""The environment variable that says how many threads a process uses at most: 1 where it has one core of many."""


def core_count() -> int:
    """How many cores this process may use."""
    given = os.environ.get(THREADS, "")
    if given.isdecimal() and int(given):
        return int(given)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_chunks(
    total: int, size: int, work: Callable[[int, int], int], progress: Progress, threads: int | None = None
) -> None:
    """Calls `work(first, last)` for consecutive chunks of at most `size` items out of `total`, on all cores.

    `work` says how far it has come, in the units of `progress`. It must write its results where they belong, so that
    they do not depend on the chunks. After an interrupt or an error no further chunk is begun.
    """
    with ThreadPoolExecutor(threads or core_count()) as pool:
        try:
            chunks = [pool.submit(work, first, min(first + size, total)) for first in range(0, total, size)]
            for chunk in as_completed(chunks):
                progress.advance(chunk.result())
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
