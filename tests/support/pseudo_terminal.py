"""A program on a pseudo-terminal: what a person types and sees."""

import fcntl
import os
import pty
import re
import select
import subprocess
import sys
import termios
import time
from pathlib import Path

_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def _take_terminal() -> None:
    """Makes the input of a new process its terminal, from which Ctrl-C comes."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class PseudoTerminal:
    """A `luckless` command whose input and output are a terminal."""

    def __init__(self, *words: str, folder: Path) -> None:
        self._own, other = pty.openpty()
        environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40"}
        command = [sys.executable, "-m", "luckless", *words]
        self.process = subprocess.Popen(
            command,
            stdin=other,
            stdout=other,
            stderr=other,
            cwd=folder,
            env=environment,
            start_new_session=True,
            preexec_fn=_take_terminal,
        )
        os.close(other)
        self.raw = ""
        self._read = 0

    @property
    def text(self) -> str:
        """Everything that was shown, without colours and movements of the cursor."""
        return _CONTROL.sub("", self.raw).replace("\r", "")

    def type(self, keys: str) -> None:
        """Types some keys."""
        os.write(self._own, keys.encode())

    def wait_for(self, wanted: str, seconds: float = 120) -> str:
        """Waits until something new is shown that contains a text; gives what is new."""
        ends = time.monotonic() + seconds
        while wanted not in self.text[self._read :]:
            if not self._receive(ends):
                raise AssertionError(f"{wanted!r} did not come; shown was:\n{self.text[self._read :]}")
        new = self.text[self._read :]
        self._read += new.index(wanted) + len(wanted)
        return new

    def end(self, seconds: float = 60) -> int:
        """Waits for the end of the program; its exit code."""
        ends = time.monotonic() + seconds
        while self._receive(ends):
            pass
        code = self.process.wait(max(ends - time.monotonic(), 1))
        os.close(self._own)
        return code

    def _receive(self, ends: float) -> bool:
        """Takes what comes next; False at the end, or when the time is over."""
        left = ends - time.monotonic()
        if left <= 0 or not select.select([self._own], [], [], left)[0]:
            return False
        try:
            new = os.read(self._own, 65_536)
        except OSError:  # the other end is closed
            return False
        self.raw += new.decode(errors="replace")
        return bool(new)
