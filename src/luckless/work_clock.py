"""The clock by which work is timed: it stands still while kernels are compiled.

A machine's first run compiles for longer than it plays. With that inside, hands a second and the time left would say
nothing of the work.
"""

import time

_stood_still = 0.0
_stopped_at: float | None = None


def seconds() -> float:
    """Seconds of work since some moment; compiling does not count."""
    return time.perf_counter() - stood_still()


def stop() -> None:
    """Stops the clock; only kernels do this, one at a time, because Numba compiles under a lock."""
    global _stopped_at
    _stopped_at = time.perf_counter()


def go_on() -> None:
    """Lets the clock go on after `stop`."""
    global _stood_still, _stopped_at
    if _stopped_at is not None:
        _stood_still += time.perf_counter() - _stopped_at
        _stopped_at = None


def stood_still() -> float:
    """Seconds that were spent on compiling."""
    stopped_at = _stopped_at  # another thread may change it now
    return _stood_still + (0.0 if stopped_at is None else time.perf_counter() - stopped_at)
