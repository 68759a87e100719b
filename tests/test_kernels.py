"""The disk cache of compiled functions: a change in a module that a kernel imports makes the kernel stale."""

import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import luckless
from luckless import kernels, work_clock
from luckless.rules.engine import LEGAL, NO_ACTION

PACKAGE = Path(luckless.__file__).parent


def test_a_stamp_follows_imports_however_far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package of six files; a change of any but the last changes the stamp of the kernel, and only that."""
    monkeypatch.setattr(kernels, "_PACKAGE", tmp_path / "luckless")
    texts = {
        "kernel.py": "from luckless.rules import (\n    near,\n)\n",
        "rules/__init__.py": "",
        "rules/near.py": "from luckless.far import FAR\n",
        "far.py": "FAR = 1\n",
        "strength.npz": "a table",
        "beside.py": "from luckless.far import FAR\n",
    }

    def stamp_after(changed: str = "") -> str:
        for name, text in texts.items():
            path = tmp_path / "luckless" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text + "# changed" * (name == changed))
        kernels._files_below.cache_clear()
        kernels._content_of.cache_clear()
        return kernels.stamp_of.__wrapped__(tmp_path / "luckless" / "kernel.py")

    stamp = stamp_after()
    assert [name for name in texts if stamp_after(name) != stamp] == [name for name in texts if name != "beside.py"]
    assert stamp_after() == stamp


def test_a_changed_rule_holds_although_the_loop_that_asks_it_was_cached(tmp_path: Path) -> None:
    """In a copy of the package: ask the engine about an action, change its answer, ask again."""
    copy = tmp_path / "luckless"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    program = (
        "import numpy as np; from luckless.rules.state import PUBLIC; from luckless.rules.table import _check_rows;"
        "reasons = np.zeros(1, np.int8);"
        "_check_rows(np.zeros(1, PUBLIC), np.array([0]), np.array([-2]), reasons); print(reasons[0])"
    )

    def run() -> int:
        environment = {"PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PATH": ""}
        done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return int(done.stdout)

    def cached() -> set[Path]:
        return set((tmp_path / "cache").rglob("*.nbc"))

    assert run() == NO_ACTION
    before = cached()
    assert before
    assert run() == NO_ACTION
    assert cached() == before
    engine = copy / "rules" / "engine.py"
    text = engine.read_text()
    assert text.count("        return NO_ACTION\n") == 1
    engine.write_text(text.replace("        return NO_ACTION\n", "        return LEGAL\n"))
    assert run() == LEGAL
    assert not cached() & before


def test_a_terminal_is_told_once_that_compiling_takes_the_time(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter((0.0, 0.9, 100.0, 100.05, 100.2, 101.0, 200.0, 200.1))
    monkeypatch.setattr("luckless.kernels.time.monotonic", lambda: next(clock))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    note = kernels.CompilingNote()
    note.on_start(None)
    note.on_end(None)  # 0.9 s of compiling, then other work
    note.on_start(None)
    note.on_start(None)  # a kernel that the other calls, after 0.05 s: 0.95 s in all
    note.on_end(None)
    assert capsys.readouterr().err == ""
    note.on_start(None)  # 1.1 s
    assert capsys.readouterr().err.startswith("compiling for this machine")
    note.on_end(None)
    note.on_end(None)
    note.on_start(None)
    assert capsys.readouterr().err == ""


def test_others_are_not_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    clock = iter((0.0, 5.0))
    monkeypatch.setattr("luckless.kernels.time.monotonic", lambda: next(clock))
    note = kernels.CompilingNote()
    note.on_start(None)
    note.on_start(None)
    assert capsys.readouterr().err == ""


def test_the_clock_of_the_work_stands_still_until_the_last_stop_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = [0.0]
    monkeypatch.setattr(work_clock, "time", SimpleNamespace(perf_counter=lambda: moment[0]))
    monkeypatch.setattr(work_clock, "_stood_still", 0.0)
    moment[0] = 2.0
    work_clock.stop()
    moment[0] = 32.0
    assert (work_clock.seconds(), work_clock.stood_still()) == (2.0, 30.0)
    work_clock.stop()  # another thread
    work_clock.go_on()
    moment[0] = 40.0
    work_clock.go_on()
    moment[0] = 43.0
    assert (work_clock.seconds(), work_clock.stood_still()) == (5.0, 38.0)


def test_numba_stops_the_clock_of_the_work() -> None:
    """A kernel that nothing has compiled yet: the seconds of its compiling do not count."""

    @kernels.njit(nogil=True)
    def slow_to_compile(values: Any) -> Any:
        return np.sort(values)[::-1].cumsum()

    before = work_clock.stood_still()
    started, work_started = time.perf_counter(), work_clock.seconds()
    slow_to_compile(np.arange(5.0))
    whole, work = time.perf_counter() - started, work_clock.seconds() - work_started
    compiling = work_clock.stood_still() - before
    assert compiling > 0.02
    assert work == pytest.approx(whole - compiling, abs=0.01)
