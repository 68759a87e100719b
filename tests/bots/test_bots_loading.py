"""Bots of one's own: parameters of their class, labels, and what is refused."""

import re
from pathlib import Path

import pytest

from luckless.bots.catalogue import load_bot
from luckless.bots.python_bot import PythonBot
from luckless.errors import InputError
from shell import Shell

OWN = """
from pathlib import Path


class Net:
    def __init__(self, weights: str, temperature=1.0, deep: bool = False, name: str = "7"):
        self.given = (weights, temperature, deep, name)

    def decide(self, view, dice):
        return 0


class Plain:
    def decide(self, view, dice):
        return 0
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "own.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def given(spec: str) -> object:
    bot = load_bot(spec)
    assert isinstance(bot, PythonBot)
    return bot.player.given


def test_parameters_of_the_class() -> None:
    assert given("own.py:Net:weights=a.pt,temperature=2") == ("a.pt", 2, False, "7")
    assert given("own.py:Net:weights=12,temperature=0.5,deep=true,name=8") == ("12", 0.5, True, "8")
    assert load_bot("own.py:Net:weights=a.pt").parameters == {"weights": "a.pt"}
    mixed = load_bot("mix:call=1,own.py:Net=2:weights=b.pt:temperature=3")
    member = mixed.members[1]
    assert isinstance(member, PythonBot)
    assert member.player.given == ("b.pt", 3, False, "7")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("own.py:Net", "missing a required argument: 'weights'"),
        ("own.py:Net:weights=a,heat=2", "got an unexpected keyword argument 'heat'"),
        ("own.py:Plain:x=1", "unexpected keyword argument 'x'"),
        ("own.py:Plain:x", "'x' is not a parameter; write key=value"),
        ("own.py:Plain:=1", "'=1' is not a parameter"),
        ("own.py:Nobody:x=1", "has no class 'Nobody'; it has Net, Plain"),
        ("own.py", "write it as file.py:ClassName"),
        ("no.py:Net", "there is no file no.py"),
        ("bad\tname=call", "cannot be printed"),
    ],
)
def test_what_is_refused(spec: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        load_bot(spec)


@pytest.mark.parametrize(
    ("text", "name", "spec"),
    [
        ("strong=pot-odds:risk=0.05", "strong", "pot-odds:risk=0.05"),
        ("my bot=own.py:Plain", "my bot", "own.py:Plain"),
        ("both=mix:call=2,raise=1", "both", "mix:call=2,raise=1"),
        ("mix:call=2,raise=1", "mix:call=2,raise=1", "mix:call=2,raise=1"),
        ("call", "call", "call"),
    ],
)
def test_labels(text: str, name: str, spec: str) -> None:
    bot = load_bot(text)
    assert (bot.name, bot.spec) == (name, spec)


def test_labels_name_the_players_of_a_match(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shell = Shell(monkeypatch, capsys)
    result = shell.json("match", "calm=call", "wild=raise", "--game", "limit-hu", "--hands", "20")
    assert [bot["name"] for bot in result["bots"]] == ["calm", "wild"]
    plain = shell.json("match", "call", "raise", "--game", "limit-hu", "--hands", "20")
    assert [bot["mbb"] for bot in result["bots"]] == [bot["mbb"] for bot in plain["bots"]]
