"""Work that must end soon: an alarm stops what would go on for minutes. The limits are wide, for slow machines."""

import contextlib
import signal
import time
from collections.abc import Iterator
from types import FrameType

from luckless import work_clock
from luckless.numba_internals import is_compiling

AGAIN = 0.5
"""Seconds after which the alarm rings again, if kernels were compiled."""


class TooSlow(BaseException):
    """Work went on for longer than allowed. No reader catches it."""


def _worked() -> float:
    """`work_clock.seconds`, without its lock: the code that the alarm interrupts may hold it."""
    return time.perf_counter() - work_clock._stood_still


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Ends the block with `TooSlow` after so many seconds, time for compiling left out."""
    started = _worked()

    def stop(number: int, frame: FrameType | None) -> None:
        # A compiler that is broken off crashes later.
        if not is_compiling() and _worked() - started >= 0.99 * seconds:
            signal.setitimer(signal.ITIMER_REAL, 0)
            raise TooSlow(f"not over after {seconds:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
