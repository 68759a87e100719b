"""One running program: lines to its input and from its output, never blocking; its process group ends for sure."""

import contextlib
import os
import signal
import subprocess
import time
import weakref
from collections.abc import Sequence
from typing import IO

from luckless.bots.external import watcher

ENVIRONMENT = ("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR")
"""What a program gets to see of our environment."""

LONGEST_LINE = 65_536
KEPT_ERRORS = 2_048
"""Bytes of the end of the error output that are kept to explain why a program ended."""

_READ_AT_ONCE = 65_536


class Process:
    """A program in a session and process group of its own, with pipes for input, output and errors.

    `read` and `write` move as many bytes as there are and return at once; the files to wait for are `output`,
    `errors` and, while `unsent`, `input`.
    """

    def __init__(self, command: Sequence[str]) -> None:
        """Starts the program; raises OSError when that is impossible."""
        environment = {name: os.environ[name] for name in ENVIRONMENT if name in os.environ}
        pipe = subprocess.PIPE
        self._popen = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, env=environment, start_new_session=True
        )
        watcher.watch(self._popen.pid)
        assert self._popen.stdin
        assert self._popen.stdout
        assert self._popen.stderr
        self.input, self.output, self.errors = self._popen.stdin, self._popen.stdout, self._popen.stderr
        for stream in (self.input, self.output, self.errors):
            os.set_blocking(stream.fileno(), False)
        self.bytes_read = 0
        self.ended = False
        """Whether no more can come from it: it has closed its output, by ending or otherwise."""
        self.errors_open = True
        self._unsent = bytearray()
        self._partial = bytearray()
        self._error_tail = bytearray()
        self._end = weakref.finalize(self, _end_group, self._popen, os.getpid())

    @property
    def unsent(self) -> bool:
        """Whether bytes wait to be written."""
        return bool(self._unsent)

    @property
    def overlong(self) -> bool:
        """Whether it is writing a line that will not end."""
        return len(self._partial) > LONGEST_LINE

    def write(self, line: bytes = b"") -> None:
        """Queues a line and writes what the program takes now; what it does not want to read is dropped."""
        self._unsent += line
        if self._unsent:
            try:
                del self._unsent[: self.input.write(self._unsent) or 0]
            except (OSError, ValueError):  # it has closed its input, or we have
                self._unsent.clear()

    def read(self) -> list[bytes]:
        """The whole lines that have come, without their ends; also notes the end of the output."""
        chunk = _read_some(self.output)
        if chunk is None:
            return []
        self.ended = self.ended or not chunk
        self.bytes_read += len(chunk)
        *lines, rest = (self._partial + chunk).split(b"\n")
        self._partial = bytearray(rest)
        return [bytes(line) for line in lines]

    def read_errors(self) -> None:
        """Takes what came on the error output and keeps the end of it."""
        chunk = _read_some(self.errors)
        self.errors_open = chunk != b""
        self._error_tail = (self._error_tail + (chunk or b""))[-KEPT_ERRORS:]

    def last_words(self) -> str:
        """The last line that it wrote to its error output, or nothing."""
        self.read_errors()
        lines = self._error_tail.decode("utf-8", "replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    def how_it_ended(self) -> str:
        """Ends the program and says in words how it had ended by itself, if it had."""
        by_itself = _has_exited(self._popen, 0.5)
        words = self.last_words()
        self.end()
        code = self._popen.returncode
        if not by_itself:
            how = "closed its output"
        elif code < 0:
            how = f"was ended by signal {-code} ({signal.strsignal(-code) or 'unknown'})"
        else:
            how = f"exited with code {code}"
        return f"{how}, its last words: {words[-200:]}" if words else how

    def close_input(self) -> None:
        """Closes its input, by which a program knows that it is over."""
        with contextlib.suppress(OSError):
            self.input.close()

    def exits_within(self, seconds: float) -> bool:
        """Whether it exits by itself within so many seconds."""
        return _has_exited(self._popen, seconds)

    def end(self) -> None:
        """Ends the program and all that it started in its process group, and leaves no zombie."""
        self.ended = True
        self._end()


def _read_some(stream: IO[bytes]) -> bytes | None:
    """Bytes that are there, nothing at the end of the stream, or None when one has to wait."""
    try:
        return stream.read(_READ_AT_ONCE)
    except (OSError, ValueError):
        return b""


def _has_exited(popen: "subprocess.Popen[bytes]", seconds: float) -> bool:
    """Whether a program exits within so many seconds. It is not reaped, so that its group keeps its number."""
    until = time.monotonic() + seconds
    while True:
        if not hasattr(os, "waitid"):  # a system on which one cannot look without reaping
            exited = popen.poll() is not None
        else:
            exited = os.waitid(os.P_PID, popen.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        if exited or time.monotonic() >= until:
            return exited
        time.sleep(0.002)


def _wait_for_group(group: int, seconds: float) -> None:
    """Waits until nothing is left of a group that is ending; what a program started is not ours to reap."""
    until = time.monotonic() + seconds
    with contextlib.suppress(ProcessLookupError, PermissionError):
        while time.monotonic() < until:
            os.killpg(group, 0)
            time.sleep(0.002)


def _end_group(popen: "subprocess.Popen[bytes]", owner: int) -> None:
    if os.getpid() != owner:  # we are a fork of the process whose program this is
        return
    # The group is ended before its leader is reaped: until then nobody else can have got its number.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(popen.pid, signal.SIGKILL)
    with contextlib.suppress(subprocess.TimeoutExpired):
        popen.wait(5)
    _wait_for_group(popen.pid, 0.25)
    watcher.forget(popen.pid)
    for stream in (popen.stdin, popen.stdout, popen.stderr):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()
