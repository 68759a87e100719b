"""Work that must end soon: an alarm stops what would go on for minutes. The limits are wide, for slow machines."""

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType

from luckless.numba_internals import is_compiling

AGAIN = 0.5
"""Seconds after which the alarm rings again, if a kernel was being compiled."""


class TooSlow(BaseException):
    """Work went on for longer than allowed. No reader catches it."""


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Ends the block with `TooSlow` after so many seconds. A compiler is waited for: broken off, it crashes later."""

    def stop(number: int, frame: FrameType | None) -> None:
        if not is_compiling():
            signal.setitimer(signal.ITIMER_REAL, 0)
            raise TooSlow(f"not over after {seconds:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
