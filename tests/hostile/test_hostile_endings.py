"""Ways in which we end: nothing that we started is left, and what was played is stored."""

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from luckless.histories.store import StoredHands
from outside import HERE, left_over

SLOW = """
import pathlib, time
class Slow:
    memory = True
    asked = 0
    def decide(self, view, dice):
        time.sleep(0.001)
        self.asked += 1
        if self.asked == 1000:
            pathlib.Path(__file__).with_suffix(".busy").touch()
        return 0
"""


def started(*words: str) -> "subprocess.Popen[bytes]":
    """A command in a process of its own."""
    quiet = subprocess.DEVNULL
    return subprocess.Popen([sys.executable, "-m", "luckless", *words], stdout=quiet, stderr=quiet)


def wait_until(true: Callable[[], object], seconds: float = 200) -> None:
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until
        time.sleep(0.02)


def numbers(trace: Path) -> list[int]:
    """The processes that have left their number."""
    return [int(path.name) for path in trace.iterdir() if path.name.isdecimal()]


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGKILL, -signal.SIGKILL)]
)
def test_programs_end_with_us(number: int, code: int, tmp_path: Path) -> None:
    """A program that hangs, ignores the end of its input and has children: gone, whatever ends us."""
    bot = shlex.join([sys.executable, str(HERE / "fault_bots" / "stays_hung.py"), str(tmp_path)])
    process = started("match", f"exec:{bot}", "call", "--decision-seconds", "0", "--seed", "1")
    wait_until(lambda: len(numbers(tmp_path)) >= 2)
    assert left_over(tmp_path)
    process.send_signal(number)
    assert process.wait(30) == code
    wait_until(lambda: not left_over(tmp_path), 10)


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGHUP, marks=pytest.mark.slow)])
def test_what_was_played_is_stored(number: int, tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    folder = tmp_path / "match"
    words = ("match", f"{tmp_path / 'slow.py'}:Slow", "call", "--hands", "100000", "--save", str(folder))
    process = started(*words)
    wait_until((tmp_path / "slow.busy").is_file)
    process.send_signal(number)
    assert process.wait(30) == 128 + number
    assert StoredHands.open(folder).hands > 0


def test_a_signal_that_is_ignored_stays_ignored(tmp_path: Path) -> None:
    """As under `nohup`."""
    code = "import signal, os; from luckless import interruptions\n"
    code += "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
    code += "with interruptions.ended_by_signals(): os.kill(os.getpid(), signal.SIGHUP)\nprint('alive')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert done.stdout == "alive\n"
