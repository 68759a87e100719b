"""Progress of long work: a bar on a terminal, a plain line now and then elsewhere, nothing in the first second.

Everything goes to standard error, so that standard output stays the result alone. Speed and time left are those of
the work: compiling does not count.
"""

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

from luckless import pieces, work_clock
from luckless.counted import counted

QUIET_SECONDS = 1.0
LINE_SECONDS = 10.0


def _with_workers(note: str) -> str:
    """A note, and how many workers do the work where a crew does it."""
    crew = pieces.crew()
    return note if crew is None else ", ".join(filter(None, (note, counted(crew.workers, "worker"))))


class Progress:
    """Counts work done towards a total, if it is known, and shows it once the work has taken longer than a second.

    Resumed work says by `done` how much was there before, which does not count for its speed.

    >>> with Progress(1000, "hands") as progress:
    ...     progress.advance(1000)
    """

    def __init__(self, total: int | None, label: str, *, done: int = 0, show: bool = True) -> None:
        self.total = total
        self.label = label
        self.done = done
        self._before = done
        self._show = show
        self._started = time.monotonic()
        self._last_line = self._started
        self._work_started = work_clock.seconds()
        self._first: tuple[float, int] | None = None
        self._bar: Any = None
        self._task: Any = None
        self._spoke = False

    def __enter__(self) -> Self:
        return self

    def advance(self, amount: int, note: Callable[[], str] = str) -> None:
        """Adds finished work; what `note` says is shown beside it (the interval so far, say)."""
        self.done += amount
        if self._first is None:
            self._first = (work_clock.seconds(), self.done)
        now = time.monotonic()
        if not self._show or now - self._started < QUIET_SECONDS:
            return
        try:
            if sys.stderr.isatty():
                self._draw_bar(_with_workers(note()))
            elif now - self._last_line >= LINE_SECONDS:
                self._last_line = now
                self._print_line(_with_workers(note()))
        except OSError:  # the terminal is gone: the work goes on
            self._show = False

    def _draw_bar(self, note: str) -> None:
        if self._bar is None:
            from rich import progress as bars
            from rich.console import Console

            self._bar = bars.Progress(
                bars.TextColumn("{task.description}"),
                bars.BarColumn(),
                bars.TaskProgressColumn(),
                bars.TimeRemainingColumn(),
                bars.TextColumn("{task.fields[note]}"),
                console=Console(file=getattr(sys.stderr, "unclean", sys.stderr)),  # the bar steers the terminal
                transient=True,
                get_time=work_clock.seconds,
            )
            self._bar.start()
            self._task = self._bar.add_task(self.label, total=self.total, completed=self._before, note="")
        label = self.label if self.total is not None else f"{self.label}: {self.done:,}"
        self._bar.update(self._task, completed=self.done, description=label, note=note)

    def _print_line(self, note: str) -> None:
        self._spoke = True
        seconds = work_clock.seconds() - self._work_started
        text = f"{self.label}: {self.done:,} in {seconds:,.0f} s"
        if self.total is not None:
            left = self._seconds_left()
            share = 100 * self.done / max(self.total, 1)
            text = f"{self.label}: {self.done:,} of {self.total:,} ({share:.0f} %), about {left:,.0f} s left"
        print(text + (f", {note}" if note else ""), file=sys.stderr, flush=True)

    def _seconds_left(self) -> float:
        """The time left at the speed since the first piece: before that, other processes may have compiled."""
        now, left = work_clock.seconds(), (self.total or 0) - self.done
        since, done = self._first or (self._work_started, self._before)
        if self.done == done:
            since, done = self._work_started, self._before
        return (now - since) * left / max(self.done - done, 1)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):  # the terminal is gone
            if self._bar is not None:
                self._bar.stop()
            if self._spoke and kind is None:
                seconds = work_clock.seconds() - self._work_started
                print(f"{self.label}: {self.done:,} done in {seconds:,.0f} s", file=sys.stderr, flush=True)
