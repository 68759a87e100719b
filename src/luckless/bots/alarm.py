"""Calls code of a bot: with a clock, and so that nothing it does ends anything but its own answer.

Whatever it raises is a failure of the bot, `sys.exit()` and a KeyboardInterrupt of its own too; a real Ctrl-C is not.
What it prints goes to standard error, for standard output is our result.
"""

import functools
import math
import os
import signal
import sys
import sysconfig
import threading
from collections.abc import Callable
from time import perf_counter
from types import FrameType, TracebackType
from typing import Any, TypeVar

import luckless
from luckless import interruptions
from luckless.numba_internals import is_compiling

Answer = TypeVar("Answer")

SHORTEST, LONGEST = 1e-4, 1e6
"""Seconds that a timer of the system is set to at least and at most."""

AGAIN = 0.05
"""Seconds after which the alarm rings again: the bot may have caught it, or a compiler must be waited for."""

LONGEST_TEXT = 300

_LIBRARIES = tuple(
    f"{os.path.realpath(path)}{os.sep}"
    for path in (os.path.dirname(luckless.__file__), *map(sysconfig.get_path, ("stdlib", "purelib", "platlib")))
)


class TooSlow(BaseException):
    """Not an `Exception`, so that `except Exception` in a bot cannot swallow the time-out."""


class BotFailed(Exception):
    """Code of a bot failed: `kind` is slow or exception (see `matches.faults`), the message says what happened."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind


def call_bot(
    work: Callable[[], Answer], seconds: float = math.inf, passing: tuple[type[Exception], ...] = ()
) -> Answer:
    """What the work returns; raises `BotFailed` if it raises anything or takes longer than so many seconds.

    Errors that are `passing` are raised as they are. It is interrupted only in the main thread of a system with
    timers; elsewhere an answer that took too long counts as none when it comes.
    """
    main = threading.current_thread() is threading.main_thread()
    before, output = interruptions.requests(), sys.stdout
    started = perf_counter()
    alarm = _Alarm(seconds) if main and math.isfinite(seconds) and hasattr(signal, "setitimer") else None
    try:
        if main:
            sys.stdout = sys.stderr
        answer = work() if alarm is None else alarm.watch(work)
        failure: BaseException | None = None
    except BaseException as error:  # SystemExit, GeneratorExit, CancelledError, ...
        failure = error
    finally:
        if main:
            sys.stdout = output
    if interruptions.requests() > before or (
        isinstance(failure, KeyboardInterrupt) and interruptions.could_be_real()
    ):
        raise KeyboardInterrupt
    if alarm.rang if alarm is not None else perf_counter() - started > seconds:
        raise BotFailed("slow", f"no answer within {seconds:.3g} s") from None
    if failure is None:
        return answer
    if isinstance(failure, passing):
        raise failure
    raise BotFailed("exception", failure_text(failure)) from failure


class _Alarm:
    """Rings in the main thread after so many seconds, and again and again until the work is over."""

    def __init__(self, seconds: float) -> None:
        self._seconds = min(max(seconds, SHORTEST), LONGEST)
        self._over = False
        self._rings = 0
        self._tracing: Any = None

    @property
    def rang(self) -> bool:
        """Whether the time was up before the work was done, even if it has caught the alarm."""
        return self._rings > 0

    def watch(self, work: Callable[[], Answer]) -> Answer:
        """What the work returns; raises `TooSlow` in it when the time is up."""
        before = signal.signal(signal.SIGALRM, self._ring)
        started = perf_counter()
        left, again = 0.0, 0.0
        try:
            try:
                left, again = signal.setitimer(signal.ITIMER_REAL, self._seconds, AGAIN)
                return work()
            finally:
                self._over = True  # from here on a ring does nothing
        finally:
            self._over = True  # also when it rang between the end of the work and the line above
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
            if left:  # somebody around us has set a timer too
                signal.setitimer(signal.ITIMER_REAL, max(left - (perf_counter() - started), SHORTEST), again)
            if self._rings > 1:
                sys.settrace(self._tracing)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        if self._over or is_compiling():  # compilers that are broken off in the middle crash later
            return
        self._rings += 1
        if self._rings > 1:
            self._break_out(frame)
        raise TooSlow

    def _break_out(self, frame: FrameType | None) -> None:
        """The bot has caught the alarm: lets its next line raise too, so that a loop around the `except` ends."""
        if self._rings == 2:
            self._tracing = sys.gettrace()
        while frame is not None and frame.f_code is not _Alarm.watch.__code__:
            frame.f_trace, frame.f_trace_lines, frame = _raise, True, frame.f_back
        sys.settrace(_raise)


def _raise(frame: FrameType, event: str, argument: Any) -> Any:
    """A trace function that raises at the next line, which after the alarm is the first one of an `except`."""
    if event == "line":
        raise TooSlow
    return _raise


def failure_text(error: BaseException) -> str:
    """The kind of an error, its message, and the line of the bot's own code that it comes from."""
    text = type(error).__name__
    try:
        said = " ".join(call_bot(lambda: str(error), 1.0).split())
    except BotFailed:
        said = "its message cannot be printed"
    text = f"{text}: {said}" if said else text
    text = text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 3]}..."
    where = _place_of(error.__traceback__)
    return f"{text} ({where})" if where else text


def _place_of(trace: TracebackType | None) -> str:
    """The innermost line outside of luckless, Python and installed packages, as file:line."""
    place = ""
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if _is_own(file):
            place = f"{_short(file)}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


@functools.cache
def _is_own(file: str) -> bool:
    return not file.startswith("<") and not os.path.realpath(file).startswith(_LIBRARIES)


def _short(file: str) -> str:
    """A file as one would write it here: from the current folder if it lies below that."""
    try:
        path = os.path.relpath(file)
    except (OSError, ValueError):
        return file
    return file if path.startswith(os.pardir) else path
