"""Ways in which a season ends: none of its processes is left."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import league_season
from luckless.league.run import Run

PROGRAM = Path(league_season.__file__).with_name("league_command.py")
LONG = """\
name = "long"
seed = 3
[training]
rounds = 1000000
hands = 12
clone_every = 100000
[[division]]
name = "one"
matchup = "random"
students = ["nudge"]
teachers = ["call"]
[[division]]
name = "two"
matchup = "random"
students = ["nudge"]
teachers = ["call"]
"""

pytestmark = pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")


def begun(folder: Path, **environment: str) -> "subprocess.Popen[bytes]":
    """A season of two divisions, on two processes."""
    (folder / "long.toml").write_text(LONG)
    words = ["league", "run", str(folder / "long.toml"), "--out", str(folder / "run"), "--workers", "2"]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(
        [sys.executable, str(PROGRAM), *words], env={**os.environ, **environment}, stdout=quiet, stderr=quiet
    )


def wait_until(true: Callable[[], object], process: "subprocess.Popen[bytes]", seconds: float = 200) -> None:
    until = time.monotonic() + seconds
    while not true():
        assert process.poll() is None
        assert time.monotonic() < until
        time.sleep(0.05)


def processes_below(number: int) -> set[int]:
    """The processes that a process has started, and those that they have started."""
    own = {int(child) for child in Path(f"/proc/{number}/task/{number}/children").read_text().split()}
    return own.union(*map(processes_below, own))


def is_there(number: int) -> bool:
    """Whether a process runs; one that has ended and waits for its parent does not."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def all_gone(numbers: set[int]) -> bool:
    until = time.monotonic() + 10
    while any(map(is_there, numbers)) and time.monotonic() < until:
        time.sleep(0.05)
    return not any(map(is_there, numbers))


def test_sigterm_ends_a_season_with_its_processes(tmp_path: Path) -> None:
    process = begun(tmp_path)
    try:
        wait_until(lambda: len(list(tmp_path.glob("run/learners/*"))) >= 2, process)
        below = processes_below(process.pid)
        assert len(below) >= 2
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 143
        assert all_gone(below)
        Run.open(tmp_path / "run").store.close()
    finally:
        process.kill()
        process.wait()


def test_processes_that_hang_end_with_a_season_that_is_killed(tmp_path: Path) -> None:
    """They are inside code that lets no thread run, so only the system can end them."""
    (tmp_path / "hung").mkdir()
    process = begun(tmp_path, LEAGUE_HANGS=str(tmp_path / "hung"))
    try:
        wait_until(lambda: len(list((tmp_path / "hung").iterdir())) == 2, process)
        below = processes_below(process.pid)
        assert {int(path.name) for path in (tmp_path / "hung").iterdir()} <= below
    finally:
        process.kill()
        process.wait()
    assert all_gone(below)
