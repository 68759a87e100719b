"""`luckless check` and `luckless play` as a user calls them: clean bots, complaints that explain, wrong calls."""

import itertools
import json
import shutil
import socket
import sys
from pathlib import Path

import pytest

from acpc_dealer import Dealer
from luckless.bots.catalogue import load_bot
from luckless.bots.external.acpc_bot import load_acpc_bot
from luckless.matches.at_dealer import play_at_dealer
from luckless.matches.awkward_spots import SPOTS
from luckless.matches.checking import ADVICE, check_bot
from luckless.matches.faults import KINDS
from luckless.matches.pace import Pace
from luckless.rules.game import Game
from outside import EXAMPLES, fault_bot, in_thread, left_over
from shell import Shell

PYTHON = f"exec:{sys.executable}"

BOUNDS = {
    "first to act": (50, 200, 20_000),
    "big-blind option": (0, 200, 20_000),
    "facing an all-in": (19_900, 0, 0),
    "call for less": (400, 0, 0),
    "nobody to answer a raise": (600, 0, 0),
    "one raise only": (300, 450, 450),
    "short all-in does not reopen": (100, 0, 0),
    "short big blind": (10, 0, 0),
    "one chip": (1, 0, 0),
    "huge stacks": (499_999_899, 999_999_898, 1_000_000_000),
    "ten seats": (100, 200, 10_000),
    "ten seats, late": (300, 500, 10_000),
    "river only": (0, 100, 9_900),
    "river bet": (500, 1_000, 9_900),
    "free check on the flop": (0, 100, 19_700),
    "raise after a bet on the turn": (700, 1_400, 19_700),
    "raise in between": (800, 1_900, 20_000),
    "long history": (100, 6_150, 6_150),
    "side pots": (1_400, 2_300, 20_000),
    "three blinds": (200, 400, 20_000),
    "antes": (100, 200, 4_990),
    "big-blind ante": (100, 200, 5_000),
    "limit": (5, 20, 20),
    "limit cap": (10, 0, 0),
    "limit turn": (0, 20, 20),
    "limit completion": (25, 40, 40),
    "pot-limit": (2, 4, 7),
    "pot-limit reraise": (5, 12, 28),
}


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Runs commands."""
    return Shell(monkeypatch, capsys)


def test_the_spots_are_what_they_say() -> None:
    legal = {spot.name: spot.table(1, 0).legal(0) for spot in SPOTS}
    assert {name: (found.call, found.min_raise_to, found.max_raise_to) for name, found in legal.items()} == BOUNDS


def test_every_kind_of_fault_has_an_advice() -> None:
    assert set(ADVICE) == {*KINDS, "stays"}


@pytest.mark.parametrize("name", ["call", "fold", "random", "uniform", "raise", "all-in", "mix:call,raise"])
def test_shipped_bots_are_clean(name: str) -> None:
    report = check_bot(load_bot(name), hands=20)
    assert report.complaints == []
    assert report.spots == len(SPOTS)
    assert any("nothing to call" in note for note in report.notes) == (name == "random")


def test_the_python_example_is_clean(shell: Shell) -> None:
    result = shell.json("check", f"{PYTHON} {EXAMPLES / 'pairs_bot.py'}", "--hands", "40")
    assert result["clean"]
    assert result["says"] == "pairs raise"
    assert (result["complaints"], result["notes"], result["memory"]) == ([], [], False)


def test_how_hands_are_cut_into_chunks_does_not_count(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The second playing of the hands may be faster or slower than the first."""
    sizes = itertools.cycle([1, 3, 2, 7, 5])
    monkeypatch.setattr(Pace, "_next", lambda pace, size, seconds: next(sizes))
    (tmp_path / "bot.py").write_text(
        "class Pairs:\n    def decide(self, view, dice):\n"
        "        return view.min_raise_to if view.hole[0] // 4 == view.hole[1] // 4 else 0\n"
    )
    assert check_bot(load_bot(f"{tmp_path / 'bot.py'}:Pairs"), hands=40).notes == []


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node here to run JavaScript")
def test_the_javascript_example_is_clean(shell: Shell) -> None:
    result = shell.json("check", f"exec:node {EXAMPLES / 'bully_bot.js'}", "--hands", "20")
    assert result["clean"]
    assert result["memory"]


BOTS = """
import random

class Fair:
    def decide(self, view, dice):
        return dice.choice([0, view.min_raise_to])

class Careless:
    def decide(self, view, dice):
        return 3 * view.pot

class Broken:
    def decide(self, view, dice):
        return view.history[-1].action * 0

class Unrepeatable:
    def decide(self, view, dice):
        return random.choice([0, view.min_raise_to])

class Sleeper:
    memory = True
    def decide(self, view, dice):
        return 0
    def hand_over(self, ending):
        while True: pass

class Leaver:
    memory = True
    def decide(self, view, dice):
        return 0
    def hand_over(self, ending):
        raise SystemExit("enough")
"""


@pytest.fixture
def bots(tmp_path: Path) -> str:
    """A file with bots."""
    (tmp_path / "bots.py").write_text(BOTS)
    return str(tmp_path / "bots.py")


def test_complaints_explain_themselves(shell: Shell, bots: str) -> None:
    code, out, _ = shell.run("check", f"{bots}:Careless")
    assert code == 1
    assert "facing an all-in (illegal)" in out
    assert "call or fold, raising is closed" in out
    assert "answered 60300; allowed is -1 (fold), 0 (call 19900); raising is closed" in out
    assert "from min_raise_to to max_raise_to" in out
    assert "to_call 19900" in out


def test_errors_are_laid_to_their_spot(shell: Shell, bots: str) -> None:
    code, out, _ = shell.run("check", f"{bots}:Broken", "--json")
    result = json.loads(out)
    assert (code, result["clean"]) == (1, False)
    first = result["complaints"][0]
    assert (first["where"], first["kind"]) == ("first to act", "exception")
    assert first["detail"] == f"IndexError: tuple index out of range ({bots}:14)"
    assert first["view"]["history"] == []
    assert first["advice"]


def test_own_dice_are_noted_and_no_fault(bots: str) -> None:
    assert check_bot(load_bot(f"{bots}:Fair"), hands=30).notes == []
    report = check_bot(load_bot(f"{bots}:Unrepeatable"), hands=30)
    assert report.complaints == []
    assert any("differently a second time" in note for note in report.notes)


def test_a_bot_that_hangs_after_a_hand(bots: str) -> None:
    report = check_bot(load_bot(f"{bots}:Sleeper"), hands=5, decision_seconds=0.2)
    assert {found.kind for found in report.complaints} == {"hand_over"}
    assert report.complaints[0].detail == "hand_over took more than 0.2 s"


def test_a_bot_that_fails_after_a_hand(bots: str) -> None:
    report = check_bot(load_bot(f"{bots}:Leaver"), hands=5)
    assert {found.kind for found in report.complaints} == {"hand_over"}
    assert "hand_over: SystemExit: enough" in report.complaints[0].detail
    assert "bots.py:32)" in report.complaints[0].detail


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("garbage", "nonsense"),
        ("twice", "unasked"),
        ("exits", "died"),
        ("hangs", "slow"),
        ("dies_at_start", "absent"),
    ],
)
def test_programs_that_misbehave_are_explained(name: str, kind: str, tmp_path: Path) -> None:
    clock = 0.3 if kind == "slow" else 20.0
    report = check_bot(fault_bot(name, tmp_path), hands=10, decision_seconds=clock)
    assert kind in {found.kind for found in report.complaints}
    assert {found.kind for found in report.complaints} <= {kind, "absent"}
    assert left_over(tmp_path) == []


def test_a_program_that_stays_is_complained_of(tmp_path: Path) -> None:
    bot = fault_bot("leaves_children", tmp_path)
    report = check_bot(bot, game=Game.load("limit-hu"), hands=10, decision_seconds=1.0)
    assert [found.kind for found in report.complaints] == ["stays"]
    assert left_over(tmp_path) == []


def test_a_competition_client_is_checked_in_its_game() -> None:
    seat, game = load_acpc_bot("acpc:0"), Game.load("limit-hu")
    in_thread(lambda: play_at_dealer(load_bot("call"), game, "127.0.0.1", seat.port))
    report = check_bot(seat, game=game, hands=10)
    assert report.complaints == []
    assert report.memory


def test_play_at_a_dealer(shell: Shell) -> None:
    dealer = Dealer(Game.load("limit-hu"), hands=4)
    in_thread(lambda: play_at_dealer(load_bot("raise"), dealer.game, "127.0.0.1", dealer.ports[1]))
    result = shell.json("play", "call", "--connect", f"127.0.0.1:{dealer.ports[0]}", "--game", "limit-hu")
    dealer.join()
    assert dealer.problems == []
    assert (result["hands"], result["net_chips"], result["faults"]) == (4, dealer.values[0], 0)


def test_wrong_calls_are_refused(shell: Shell, bots: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        taken = server.getsockname()[1]
        assert "cannot be used" in shell.refused("check", f"acpc:{taken}", "--game", "limit-hu")
        assert "cannot be used" in shell.refused("match", f"acpc:{taken}", "call")
    assert "does not exist" in shell.refused("check", "exec:./no-such-bot")
    assert "does not exist" in shell.refused("match", "exec:./no-such-bot", "call", "--game", "limit-hu")
    assert "has no class" in shell.refused("check", f"{bots}:Nobody")
    assert "has no class" in shell.refused("check", f"pypoker:{bots}:Nobody")
    assert "no `declare_action" in shell.refused("check", f"pypoker:{bots}:Fair")
    assert "name it with --game" in shell.refused("check", "acpc:0")
    assert "cannot carry" in shell.refused("check", "acpc:0", "--game", "river-hu")
    assert "unknown bot" in shell.refused("check", "cal")
    assert "--hands" in shell.refused("check", "call", "--hands", "0")
    assert "--decision-seconds" in shell.refused("check", "call", "--decision-seconds", "0")
    assert "--connect" in shell.refused("play", "call", "--connect", "nowhere")
    assert "no dealer can be reached" in shell.refused("play", "call", "--connect", f"127.0.0.1:{taken}")


def test_the_help_of_the_commands(shell: Shell) -> None:
    for command in ("check", "play"):
        code, out, _ = shell.run(command, "--help")
        assert code == 0
        assert "Usage" in out
