"""Ends programs when we are gone, even if we were killed (SIGKILL) and they hang.

A small process of its own reads from a pipe which groups of processes there are. The pipe ends with us, however that
happens; what is left then is killed. It needs no more than pipes and process groups, so it works on all systems on
which programs can be bots.
"""

import atexit
import contextlib
import os
import subprocess
import sys
from typing import Any

_WATCHING = """
import os, signal
groups, rest = set(), b""
while chunk := os.read(0, 4096):
    *lines, rest = (rest + chunk).split(b"\\n")
    for line in lines:
        (groups.add if line[:1] == b"+" else groups.discard)(int(line[1:]))
for group in groups:
    try:
        os.killpg(group, signal.SIGKILL)
    except OSError:
        pass
"""


class _Watcher:
    """The process that watches for this one; it is started with the first program."""

    owner: int | None = None
    process: Any = None


def watch(group: int) -> None:
    """From now on a group of processes ends with this process."""
    if _Watcher.owner != os.getpid():
        _start()
    _tell(b"+%d\n" % group)


def forget(group: int) -> None:
    """A group has been ended: its number may be given to another one."""
    if _Watcher.owner == os.getpid():
        _tell(b"-%d\n" % group)


def _start() -> None:
    """A process in a session of its own, so that no signal to ours reaches it."""
    _Watcher.owner = os.getpid()
    command = [sys.executable, "-I", "-S", "-c", _WATCHING]
    quiet = subprocess.DEVNULL
    _Watcher.process = None
    with contextlib.suppress(OSError):  # without it programs end with us in all cases but one
        _Watcher.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet, bufsize=0, start_new_session=True, cwd=os.sep
        )
        atexit.register(_stop, os.getpid())


def _tell(line: bytes) -> None:
    if _Watcher.process is not None:
        with contextlib.suppress(OSError):
            _Watcher.process.stdin.write(line)


def _stop(owner: int) -> None:
    if owner == os.getpid() and _Watcher.process is not None:
        _Watcher.process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            _Watcher.process.wait(5)
