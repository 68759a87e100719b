"""Shares tasks of a season out over processes, one core each, that end with the process which started them."""

import contextlib
import ctypes
import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait as wait_for
from multiprocessing.queues import SimpleQueue
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

from luckless.file_locks import lock
from luckless.league.run import Run
from luckless.league.tasks import Task, perform
from luckless.league.training import Report, Stopping

WORKERS_LOCK = "workers.lock"
LOOK_SECONDS = 0.2
COLLECT_AFTER = 50_000
"""New objects after which garbage is looked for: a step of training makes hundreds, which go by themselves."""
_SET_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl(2)


def share_out(directory: Path, tasks: Sequence[Task], processes: int, report: Report, stopping: Stopping) -> None:
    """Does all tasks on so many processes; an error in one of them ends the others after their rounds."""
    context = multiprocessing.get_context("spawn")
    hands: SimpleQueue[int] = context.SimpleQueue()
    stop = context.Event()
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    start = (directory, hands, stop, context.Value("i", 0), cores, processes)
    with ProcessPoolExecutor(processes, context, initializer=_start, initargs=start) as pool:
        waiting = _submitted(pool, tasks)
        try:
            while waiting:
                done, waiting = wait(waiting, LOOK_SECONDS, FIRST_COMPLETED)
                while not hands.empty():
                    report(hands.get())
                for future in done:
                    future.result()
                if stopping():
                    stop.set()
        except BrokenProcessPool:
            advice = f"what was saved is safe; continue with `luckless league resume {directory}`"
            raise OSError(f"a process of the season was killed; {advice}") from None
        finally:
            stop.set()


def _submitted(pool: ProcessPoolExecutor, tasks: Sequence[Task]) -> "set[Future[None]]":
    """Hands the tasks to the pool, whose processes start now and must be deaf to Ctrl-C from the first moment on.

    Where the system cannot block signals they are deaf a moment later, as soon as `_start` has run.
    """
    if not hasattr(signal, "pthread_sigmask"):
        return {pool.submit(_perform, task) for task in tasks}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return {pool.submit(_perform, task) for task in tasks}
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def wait_for_stragglers(directory: Path) -> None:
    """Waits until no process of an earlier run is left: they end by themselves moments after their parent."""
    with (directory / WORKERS_LOCK).open("a") as file:
        lock(file)


class _Here:
    """What a process of the pool knows."""

    run: Run
    hands: Any
    stop: Event
    lock: Any


def _start(
    directory: Path, hands: "SimpleQueue[int]", stop: Event, number: Any, cores: list[int], processes: int
) -> None:
    """Gets a new process ready: it leaves Ctrl-C to its parent, ends with it, and keeps to its own cores."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGHUP"):  # a terminal that is closed tells all its processes; the parent sees to it
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    _be_killed_with_parent()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with number.get_lock():
        place, number.value = number.value, number.value + 1
    own = cores[place % processes :: processes]
    if own:
        os.sched_setaffinity(0, own)
    _Here.lock = (directory / WORKERS_LOCK).open("a")
    lock(_Here.lock, shared=True)
    gc.set_threshold(COLLECT_AFTER)
    # The parent has read the catalogue through.
    _Here.run, _Here.hands, _Here.stop = Run.open(directory, trusted=True), hands, stop


def _be_killed_with_parent() -> None:
    """On Linux the system ends the process with its parent, even while it is inside code that lets no thread run."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for([parent.sentinel])
        os._exit(1)


def _perform(task: Task) -> None:
    if not _Here.stop.is_set():
        perform(_Here.run, task, _Here.hands.put, _Here.stop.is_set)
