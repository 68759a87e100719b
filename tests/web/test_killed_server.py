"""A server that is killed in the middle of a hand: the next one goes on with the same cards at the same step."""

import json
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from luckless.histories.store import StoredHands


class Server:
    """A dashboard in a process of its own, asked as its pages ask."""

    def __init__(self, process: "subprocess.Popen[str]", address: str) -> None:
        self.process, self.address = process, address.rstrip("/")
        found = re.search(r'name="luckless-key" content="([^"]+)"', self._get("/play"))
        assert found is not None
        self._key = found[1]

    def _get(self, path: str) -> str:
        with urllib.request.urlopen(self.address + path, timeout=120) as answer:
            text: str = answer.read().decode()
            return text

    def ask(self, path: str, values: dict[str, Any] | None = None) -> dict[str, Any]:
        """An answer as JSON: of a GET, or of a POST with values."""
        data = None if values is None else json.dumps(values).encode()
        headers = {"content-type": "application/json", "x-luckless-key": self._key}
        request = urllib.request.Request(self.address + path, data, headers)
        with urllib.request.urlopen(request, timeout=120) as answer:
            told: dict[str, Any] = json.load(answer)
            return told

    def kill(self) -> None:
        """Ends it at once, as a power cut does."""
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate(timeout=60)


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    command = [sys.executable, "-m", "luckless", "web", str(folder), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            yield Server(process, process.stdout.readline().strip())
        finally:
            process.kill()


def seen(state: dict[str, Any]) -> dict[str, Any]:
    """What the person sees of a hand."""
    return {key: state[key] for key in ("hand", "step", "seats", "board", "street", "pot", "log", "legal", "chips")}


def test_a_hand_goes_on_after_the_server_was_killed(tmp_path: Path) -> None:
    with serving(tmp_path) as first:
        table = "/api" + first.ask("/api/play", {"game": "nolimit-hu", "bots": ["call"], "hands": 5})["address"]
        state = first.ask(table)
        while state["street"] == "preflop":
            state = first.ask(table, {"do": "act", "hand": state["hand"], "step": state["step"], "action": 0})
        assert len(state["board"]) == 3
        first.kill()
    with serving(tmp_path) as second:
        again = second.ask(table)
        assert seen(again) == seen(state)
        while again["phase"] == "decide":
            again = second.ask(table, {"do": "act", "hand": again["hand"], "step": again["step"], "action": 0})
        assert again["board"][:3] == state["board"]
        second.kill()
    assert StoredHands.open(tmp_path / table.removeprefix("/api/play/")).hands == 1
