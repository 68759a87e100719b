"""`http:URL`: the protocol over HTTP, one decision a request or many, with memory or without; faults are counted."""

import threading
import time
from pathlib import Path
from typing import Any

import pytest

from luckless.bots.catalogue import load_bot
from luckless.bots.clocks import Clocks
from luckless.errors import InputError
from luckless.matches.match import Match
from luckless.matches.result import MatchResult, play_match
from luckless.rules.game import Game
from shell import Shell
from stand_in import served

GAME = Game.load("limit-hu")


class Caller:
    """A server that always calls, and notes what it is asked."""

    def __init__(self, hello: dict[str, Any] | None = None, manner: str = "well") -> None:
        self.hello = {"type": "hello", "protocol": 1, "name": "caller", **(hello or {})}
        self.manner, self.types, self.sizes = manner, [], []  # type: ignore[var-annotated]
        self._lock = threading.Lock()
        self._failed = 0

    def __call__(self, message: dict[str, Any], headers: dict[str, str]) -> tuple[int, Any, dict[str, str]]:
        with self._lock:
            self.types.append(message["type"])
        if message["type"] == "hello":
            return 200, self.hello, {}
        if message["type"] == "match":
            return 200, {"type": "ready"}, {}
        if not message["type"].startswith("decide"):
            return 200, {}, {}
        several = message.get("decisions", [message])
        self.sizes.append(len(several))
        with self._lock:
            self._failed += 1
            fails = self.manner == "fails at times" and self._failed % 2
        if fails:
            return 503, {}, {}
        if self.manner == "slow":
            time.sleep(0.4)
        if self.manner == "garbage":
            return 200, b"what?", {}
        if self.manner == "forgets":
            return 200, {"answers": []}, {}
        if self.manner == "gone":
            return 404, {}, {}
        answers = [{"id": one["id"], "action": 0} for one in several]
        return 200, answers[0] if message["type"] == "decide" else {"answers": answers}, {}


def play(server: Caller, hands: int = 10, seconds: float = 5.0) -> MatchResult:
    with served(server) as url:
        players = [load_bot(f"{url}/bot"), load_bot("raise")]
        return play_match(Match.plan(GAME, players, hands=hands, seed=5, decision_seconds=seconds))


@pytest.mark.parametrize("hello", [{}, {"batch": 8}, {"memory": True}, {"processes": 1}])
def test_a_server_plays_like_the_shipped_bot(hello: dict[str, Any]) -> None:
    server = Caller(hello)
    result = play(server)
    twin = play_match(Match.plan(GAME, [load_bot("call"), load_bot("raise")], hands=10, seed=5, sealed=True))
    assert result.tally.net_chips.tolist() == twin.tally.net_chips.tolist()
    assert result.match.names[0] == "caller"
    assert result.tally.faults.of_player(0) == {}
    assert server.types[:2] == ["hello", "match"]
    assert server.types[-1] == "goodbye"
    assert (max(server.sizes) > 1) == ("batch" in hello)
    assert ("hand_over" in server.types) == ("memory" in hello)


@pytest.mark.parametrize(
    ("manner", "kind"),
    [
        ("slow", "slow"),
        ("garbage", "nonsense"),
        ("forgets", "nonsense"),
        ("gone", "nonsense"),
        ("fails at times", ""),
    ],
)
def test_faults_are_counted_and_busy_servers_asked_again(manner: str, kind: str) -> None:
    result = play(Caller(manner=manner), hands=2, seconds=0.1 if manner == "slow" else 5.0)
    faults = result.tally.faults.of_player(0)
    assert set(faults) == ({kind} if kind else set())


@pytest.mark.parametrize(
    ("hello", "said"),
    [
        ({"protocol": 7}, "speaks protocol 7"),
        ({"type": "good day"}, "the type must be hello"),
        ({"batch": 0}, "batch must be a whole number from 1 to 256"),
    ],
)
def test_a_wrong_hello_is_bad_input(hello: dict[str, Any], said: str) -> None:
    with served(Caller(hello)) as url, pytest.raises(InputError, match=said):
        load_bot(f"{url}/").memory  # noqa: B018


def test_a_server_that_is_not_there_is_bad_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shell = Shell(monkeypatch, capsys)
    assert "the server cannot be reached" in shell.refused("match", "http://127.0.0.1:9/bot", "call")
    assert "is not the address of a server" in shell.refused("match", "http:nowhere", "call")


def test_a_clock_of_its_own_goes_before_that_of_the_match() -> None:
    server = Caller(manner="slow")
    with served(server) as url:
        bot = load_bot(f"{url}/bot")
        bot.own_clocks = Clocks(0.1)
        result = play_match(Match.plan(GAME, [bot, load_bot("raise")], hands=1, seed=5, decision_seconds=5.0))
    assert set(result.tally.faults.of_player(0)) == {"slow"}
