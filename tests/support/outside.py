"""Bots outside for the tests: programs of `fault_bots` and `examples`, and the proof that nothing of them is left."""

import os
import shlex
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from luckless.bots.external.exec_bot import ExecBot, load_exec_bot

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"


def fault_bot(name: str, trace: Path, start_seconds: float = 30.0) -> ExecBot:
    """A bot of the folder `fault_bots`; `trace` is a folder in which it leaves its process numbers."""
    command = [sys.executable, str(HERE / "fault_bots" / f"{name}.py"), str(trace)]
    return ExecBot(f"exec:{name}", command, start_seconds)


def python_bot(path: Path) -> ExecBot:
    """A Python program as a bot, by the interpreter that runs the tests."""
    return load_exec_bot(f"exec:{shlex.join([sys.executable, str(path)])}")


def left_over(trace: Path) -> list[str]:
    """Processes that left their number in the folder, or have it in their command line, and are still there.

    A zombie counts, unless its parent is another: what a program started itself is its own to reap, and after its end
    the system's.
    """
    numbers = {path.name for path in trace.iterdir() if path.name.isdecimal()}
    left = []
    for path in Path("/proc").iterdir():
        if not path.name.isdecimal():
            continue
        try:
            command = (path / "cmdline").read_bytes().decode("utf-8", "replace")
            status = (path / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has ended in between
            continue
        ours_or_alive = status[0] != "Z" or status[1] == str(os.getpid())
        if (path.name in numbers or str(trace) in command) and ours_or_alive:
            left.append(f"{path.name} ({status[0]}): {command}")
    return left


def in_thread(work: Callable[[], Any]) -> Callable[[], Any]:
    """Starts work in a thread; returns a function that waits for its result."""
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(work()), daemon=True)
    thread.start()

    def wait() -> Any:
        thread.join(60)
        assert results, "the thread has failed or hangs"
        return results[0]

    return wait
