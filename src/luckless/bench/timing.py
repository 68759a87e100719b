"""How benchmarks are timed and what a row of them says."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One comparison: both times are for the same amount of work, `target` is the ratio aimed at."""

    work: str
    our_seconds: float
    peer: str | None = None
    peer_seconds: float | None = None
    target: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """How many times faster we are than the peer."""
        return None if self.peer_seconds is None else self.peer_seconds / self.our_seconds

    @property
    def met(self) -> bool | None:
        """Whether the target is reached; None when there is nothing to compare."""
        return None if self.ratio is None or self.target is None else self.ratio >= self.target


Clock = Callable[[], float]

WALL: Clock = time.perf_counter
"""The time that passes: for work on several cores or in several processes."""
CPU: Clock = time.process_time
"""The time that this process computes: for work on one core, whatever else the machine is doing."""


def seconds_of(work: Callable[[], object], repeats: int = 5, clock: Clock = WALL) -> float:
    """The median time of a piece of work, after a first run that compiles and warms up."""
    work()
    return statistics.median(once(work, clock) for _ in range(repeats))


def once(work: Callable[[], object], clock: Clock = WALL) -> float:
    """The time of a single run, for peers that take long."""
    started = clock()
    work()
    return clock() - started
