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


def seconds_of(work: Callable[[], object], repeats: int = 5) -> float:
    """The median time of a piece of work, after a first run that compiles and warms up."""
    work()
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def once(work: Callable[[], object]) -> float:
    """The time of a single run, for peers that take long."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
