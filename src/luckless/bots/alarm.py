"""A clock that interrupts Python code which thinks too long, and what a bot may raise without ending a match."""

import math
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from types import FrameType

from luckless.numba_internals import is_compiling

FAILURES = (Exception, SystemExit)
"""Errors that are counted as faults of the bot."""


class TooSlow(BaseException):
    """Not an `Exception`, so that `except Exception` in a bot cannot swallow the time-out."""


@contextmanager
def clock(seconds: float) -> Iterator[None]:
    """Interrupts the bot after so many seconds; only in the main thread, the only one that can be interrupted.

    A kernel that is being compiled is finished first: compilers broken off in the middle crash later. On a system
    without such timers (Windows) a bot is not interrupted; an answer that took too long counts as none.
    """
    if math.isinf(seconds) or threading.current_thread() is not threading.main_thread():
        yield
        return
    if not hasattr(signal, "setitimer"):
        started = perf_counter()
        yield
        if perf_counter() - started > seconds:
            raise TooSlow
        return

    def ring(number: int, frame: FrameType | None) -> None:
        if not is_compiling():
            raise TooSlow
        signal.setitimer(signal.ITIMER_REAL, 0.05)

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        try:
            signal.setitimer(signal.ITIMER_REAL, 0)
        finally:  # also when it rings this very moment
            signal.signal(signal.SIGALRM, before)


def failure_text(error: BaseException) -> str:
    """The kind of an error and its message."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:
        return type(error).__name__
