"""Systems without POSIX calls (Windows): what can work without them works, what cannot says so in one sentence."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from luckless import file_locks
from luckless.bots.alarm import BotFailed, call_bot
from luckless.bots.catalogue import load_bot
from luckless.errors import InputError
from luckless.hands import table_file
from luckless.league import processes
from luckless.threads import core_count

SEASON = 'name = "s"\n[training]\nrounds = 1\nclone_every = 1\n[[division]]\nname = "d"\nmatchup = "random"\n'


def test_without_timers_a_slow_answer_counts_when_it_has_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(signal, "setitimer")
    monkeypatch.delattr(signal, "SIGALRM")
    assert call_bot(lambda: 7, 60) == 7
    with pytest.raises(BotFailed, match=r"no answer within 0\.01 s"):
        call_bot(lambda: time.sleep(0.02), 0.01)


def test_without_timers_an_error_of_the_bot_stays_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(signal, "setitimer")
    with pytest.raises(BotFailed, match="KeyError: 'bot'"):
        call_bot(lambda: {"us": 1}["bot"], 60)


def test_without_affinity_all_cores_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert core_count() == 7


def test_without_locks_tables_are_built_side_by_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUCKLESS_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(table_file, "SYSTEM_HAS_LOCKS", False)
    with table_file.build_lock("rank"), table_file.build_lock("rank"):
        pass


def test_without_locks_none_is_given(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(file_locks, "SYSTEM_HAS_LOCKS", False)
    with (tmp_path / "file").open("w") as file, pytest.raises(InputError, match="use Linux, macOS or WSL"):
        file_locks.lock(file)


def test_a_lock_keeps_others_out_and_a_shared_one_lets_them_in(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with path.open("w") as first, path.open("w") as second:
        assert file_locks.lock(first)
        assert not file_locks.lock(second, wait=False)
        assert file_locks.lock(first, shared=True)
        assert file_locks.lock(second, shared=True, wait=False)


def test_without_masks_of_signals_tasks_are_handed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    tasks: Any = ["a", "b"]
    pool: Any = SimpleNamespace(submit=lambda work, task: task)
    monkeypatch.delattr(signal, "pthread_sigmask")
    assert processes._submitted(pool, tasks) == set(tasks)


def test_in_other_threads_a_slow_answer_counts_when_it_has_come() -> None:
    ends = []
    thread = threading.Thread(target=lambda: ends.append(_slow()))
    thread.start()
    thread.join()
    assert ends == ["slow"]


def _slow() -> str:
    try:
        call_bot(lambda: time.sleep(0.01), 0.001)
    except BotFailed as failed:
        return failed.kind
    return "done"


def test_a_season_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    """In a process that has no `fcntl` at all: every module is imported as Windows would import it."""
    (tmp_path / "season.toml").write_text(SEASON)
    program = (
        "import sys; sys.modules['fcntl'] = None;"
        "sys.argv = ['luckless', 'league', 'run', 'season.toml'];"
        "import luckless.league.season; from luckless.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2, done.stderr
    assert done.stderr == (
        "error: running a season needs locks on files, which this system does not have; use Linux, macOS or WSL\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["season.toml"]


def test_programs_as_bots_are_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("select.poll", raising=False)
    with pytest.raises(InputError, match="programs as bots need a system with poll"):
        load_bot("exec:./bot")
