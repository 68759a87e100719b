"""The clock by which work is timed: it stands still while kernels are compiled or loaded.

A machine's first run compiles for longer than it plays. With that inside, hands a second and the time left would say
nothing of the work.
"""

import threading
import time

_lock = threading.Lock()
_stood_still = 0.0
_stopped_at = 0.0
_stops = 0
"""Stops that have not ended: those of several threads, and stops inside stops."""


def seconds() -> float:
    """Seconds of work since some moment."""
    return time.perf_counter() - stood_still()


def stood_still() -> float:
    """Seconds that the clock has stood still so far."""
    with _lock:
        return _stood_still + (time.perf_counter() - _stopped_at if _stops else 0.0)


def stop() -> None:
    """Stops the clock until a `go_on` for every `stop`."""
    global _stops, _stopped_at
    with _lock:
        if _stops == 0:
            _stopped_at = time.perf_counter()
        _stops += 1


def go_on() -> None:
    """Ends a `stop`."""
    global _stops, _stood_still
    with _lock:
        _stops -= 1
        if _stops == 0:
            _stood_still += time.perf_counter() - _stopped_at
