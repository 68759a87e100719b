"""Requests to end: Ctrl-C, SIGTERM and SIGHUP, told apart from a KeyboardInterrupt that a bot raises itself.

A request raises KeyboardInterrupt in the main thread, as Ctrl-C always does in Python. It is also counted here, so
that code that has called a bot knows whether there was one, whatever the bot made of the exception.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType


class _Requests:
    """What has come so far in this process."""

    count = 0
    watched = 0
    """How many `noticed` are open: while there is none, a Ctrl-C is not counted."""
    ending: int | None = None
    """The signal that asked the program to end, unless that was Ctrl-C."""


def requests() -> int:
    """How many requests to end have come so far."""
    return _Requests.count


def ending_signal() -> int | None:
    """The number of the SIGTERM or SIGHUP that asked this program to end, if one did."""
    return _Requests.ending


def could_be_real() -> bool:
    """Whether a KeyboardInterrupt may be a Ctrl-C that nobody counted."""
    return not _Requests.watched and threading.current_thread() is threading.main_thread()


@contextmanager
def noticed() -> Iterator[None]:
    """Counts each Ctrl-C that raises KeyboardInterrupt; what handles it otherwise stays in charge."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return

    def note(number: int, frame: FrameType | None) -> None:
        try:
            before(number, frame)
        except BaseException:
            _Requests.count += 1
            raise

    signal.signal(signal.SIGINT, note)
    _Requests.watched += 1
    try:
        yield
    finally:
        _Requests.watched -= 1
        with suppress(ValueError):  # a generator that was forgotten may end in another thread
            signal.signal(signal.SIGINT, before)


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Lets SIGTERM and SIGHUP end the program as Ctrl-C does; the first counts, and what is ignored stays ignored."""
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    deadly = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    for number in deadly:
        signal.signal(number, _end)
    try:
        yield
    finally:
        for number in deadly:
            signal.signal(number, signal.SIG_DFL)


def handled_signals() -> list[int]:
    """Of Ctrl-C's signal, SIGTERM and SIGHUP those that are handled in Python, and neither ignored nor deadly."""
    numbers = (getattr(signal, name, None) for name in ("SIGINT", "SIGTERM", "SIGHUP"))
    return [number for number in numbers if number is not None and callable(signal.getsignal(number))]


def note_ending(number: int) -> None:
    """A signal has asked the program to end, and whoever handled it will see to that."""
    if number != signal.SIGINT:
        _Requests.ending = number


def _end(number: int, frame: FrameType | None) -> None:
    if _Requests.ending is None:  # a second one must not break off the storing of what was played
        _Requests.count += 1
        note_ending(number)
        raise KeyboardInterrupt


class MatchEnds(KeyboardInterrupt):
    """A bot cannot go on, and ends the match as Ctrl-C would: with the hands that are over, to be resumed later."""
