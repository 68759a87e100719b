"""The command: its first line is the address, and it ends when it is told to."""

import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from luckless.errors import InputError
from luckless.web import optional
from luckless.web.finding import Finder, Found
from luckless.web.jobs import Job, Jobs
from luckless.web.kept import Kept
from luckless.web.server import listening, serve


def started(folder: Path, *words: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "luckless", "web", str(folder), "--no-browser", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_first_line_is_the_address_and_a_signal_ends_it(tmp_path: Path, number: signal.Signals) -> None:
    with started(tmp_path) as server:
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(f"{address}api/runs", timeout=120) as answer:
            assert answer.read() == b'{"runs":[]}'
        server.send_signal(number)
        server.communicate(timeout=60)
        assert server.returncode in (0, 130, 128 + number)


def test_a_killed_server_leaves_the_runs_as_they_were(runs: Path) -> None:
    before = {path: path.read_bytes() for path in (runs / "match").glob("*.parquet")}
    with started(runs) as server:
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        with urllib.request.urlopen(f"{address}api/runs", timeout=120) as answer:
            assert b"value-bet" in answer.read()
        server.kill()
        server.communicate(timeout=60)
    assert {path: path.read_bytes() for path in (runs / "match").glob("*.parquet")} == before


def test_another_address_is_warned_of(tmp_path: Path) -> None:
    with started(tmp_path, "--host", "0.0.0.0") as server:
        assert server.stdout is not None
        assert "?token=" in server.stdout.readline()
        server.kill()
        _, said = server.communicate(timeout=60)
    assert "can be reached from other machines" in said


def test_a_port_that_is_taken() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(InputError, match="cannot be listened at"):
            listening("127.0.0.1", other.getsockname()[1])


def test_without_a_port_the_next_free_one_is_taken() -> None:
    with listening("127.0.0.1", None) as first, listening("127.0.0.1", None) as second:
        assert first.getsockname()[1] != second.getsockname()[1]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no folder"):
        serve(tmp_path / "none", "127.0.0.1", None, browser=False)


def test_without_the_extra_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(optional, "PACKAGES", ("a_package_that_is_not_there",))
    with pytest.raises(InputError, match=r"pip install 'luckless\[web\]'"):
        serve(tmp_path, "127.0.0.1", None, browser=False)


def test_jobs_are_limited_joined_and_told() -> None:
    jobs, gate = Jobs(2), threading.Event()

    def wait(job: Job) -> Any:
        job.say("waiting")
        gate.wait(30)
        return 7

    first = jobs.start("one", wait)
    assert jobs.start("one", wait) is first
    second = jobs.start("two", wait)
    with pytest.raises(InputError, match="limit"):
        jobs.start("three", wait)
    jobs.stop(second.name)
    assert second.stopping.is_set()
    gate.set()
    while not (first.finished and second.finished):
        pass
    assert first.to_dict()["outcome"] == 7
    assert first.to_dict(since=1)["lines"] == []

    def fail(job: Job) -> Any:
        raise InputError("no such thing")

    third = jobs.start("three", fail)
    while not third.finished:
        pass
    assert third.to_dict()["error"] == "no such thing"


def test_what_is_kept_is_made_once_until_the_files_change(runs: Path) -> None:
    kept: Kept[int] = Kept(2)
    found = Finder(runs).run("match")
    made: list[int] = []

    def make() -> int:
        made.append(1)
        return len(made)

    assert [kept.get(found, make), kept.get(found, make), kept.get(found, make, "other")] == [1, 1, 2]
    changed = Found(found.place, found.path, found.kind, found.changed + 1, found.outline)
    assert kept.get(changed, make) == 3
