"""Work that must end soon: an alarm stops what would go on for minutes. The limits are wide, for slow machines."""

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType


class TooSlow(BaseException):
    """Work went on for longer than allowed. No reader catches it."""


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Ends the block with `TooSlow` after so many seconds."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooSlow(f"not over after {seconds:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
