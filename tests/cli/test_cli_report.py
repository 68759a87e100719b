"""`luckless report` and what it reads: pages of stored runs are those made while playing, and no bot is loaded."""

from pathlib import Path
from typing import Any

import pytest

import luckless.bots.catalogue
from luckless import records
from luckless.divat.judgement import Judgement
from luckless.histories.resuming import JUDGEMENT_FILE
from luckless.histories.store import StoredHands
from luckless.matches.evaluation import Evaluation
from luckless.matches.result import MatchResult
from luckless.matches.session_result import SessionResult
from shell import Shell

MY_BOT = """
class MyBot:
    def decide(self, view, dice):
        return 0 if view.to_call <= view.big_blind else "x"
"""


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Commands run in an empty folder with `my_bot.py` in it."""
    (tmp_path / "my_bot.py").write_text(MY_BOT)
    monkeypatch.chdir(tmp_path)
    return Shell(monkeypatch, capsys)


def no_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on no bot can be loaded."""
    Path("my_bot.py").unlink()

    def refuse(text: str, *_: Any) -> Any:
        raise AssertionError(f"{text} was loaded")

    monkeypatch.setattr(luckless.bots.catalogue, "load_bot", refuse)


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (("match", "my_bot.py:MyBot", "call", "--hands", "100"), MatchResult),
        (("match", "my_bot.py:MyBot", "call", "--hands", "4000", "--stop", "0:400"), MatchResult),
        (("session", "my_bot.py:MyBot", "call", "raise", "--games", "9"), SessionResult),
        (("evaluate", "my_bot.py:MyBot", "--compare", "call", "--hands", "40"), Evaluation),
    ],
)
def test_the_page_of_a_stored_run_is_the_one_made_while_playing(
    words: tuple[str, ...], kind: type, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = shell.json(*words, "--save", "run", "--report", "played.html")
    no_bots(monkeypatch)
    loaded = records.load("run")
    assert isinstance(loaded, kind)
    assert not isinstance(loaded, StoredHands)
    assert plain(loaded.to_dict()) == played
    code, out, err = shell.run("report", "run")
    assert (code, out) == (0, "report: run.html\n"), err
    assert Path("run.html").read_bytes() == Path("played.html").read_bytes()
    assert "my_bot.py:MyBot" in Path("run.html").read_text()


def plain(value: Any) -> Any:
    """What JSON makes of a value."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, list | tuple) else value


def test_a_judged_match_keeps_its_judgement(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("match", "call", "raise", "--game", "limit-hu", "--hands", "12", "--save", "run")
    played = shell.json(*words, "--divat", "--report", "played.html")
    with monkeypatch.context() as patch:
        patch.setattr("luckless.divat.judgement.judge_hands", None)  # it is not judged again
        shell.run("report", "run", "--out", "again.html")
        assert Path("again.html").read_bytes() == Path("played.html").read_bytes()
        loaded = records.load("run")
        assert isinstance(loaded, MatchResult)
        assert isinstance(loaded.judgement, Judgement)
        assert plain(loaded.to_dict()) == played
        assert shell.json(*words, "--divat")["divat"] == played["divat"]
    kept = Path("run", JUDGEMENT_FILE).read_bytes()
    shell.json(*words[:-4], "--hands", "14", "--save", "run")  # the judgement of fewer hands goes
    assert not Path("run", JUDGEMENT_FILE).exists()
    Path("run", JUDGEMENT_FILE).write_bytes(kept)
    assert "the hands have changed since they were judged" in shell.refused("report", "run")


def test_divat_keeps_a_judgement_in_a_file(shell: Shell) -> None:
    shell.json("match", "call", "raise", "--game", "limit-hu", "--hands", "12", "--save", "run")
    words = ("divat", "run", "--equity", "aie", "--save", "judged.parquet", "--report", "one.html")
    result = shell.json(*words)
    shell.run("report", "judged.parquet", "--out", "two.html")
    assert Path("one.html").read_bytes() == Path("two.html").read_bytes()
    loaded = records.load("judged.parquet")
    assert isinstance(loaded, Judgement)
    assert loaded.hands == result["hands"] == 12


def test_hands_of_a_log_have_the_page_of_their_verdict(shell: Shell) -> None:
    shell.json("match", "call", "raise", "--hands", "40", "--save", "run")
    shell.json("convert", "run", "hands.phhs")
    shell.json("convert", "hands.phhs", "foreign")
    assert isinstance(records.load("foreign"), StoredHands)
    shell.json("judge", "foreign", "--report", "judged.html")
    assert shell.run("report", "foreign")[0] == 0
    assert Path("foreign.html").read_bytes() == Path("judged.html").read_bytes()


def test_a_solution_has_the_page_that_it_was_solved_with(shell: Shell) -> None:
    shell.json("solve", "kuhn", "--iterations", "20", "--save", "kuhn.safetensors", "--report", "solved.html")
    assert shell.run("report", "kuhn.safetensors")[0] == 0
    told, solved = (Path(name).read_text() for name in ("kuhn.safetensors.html", "solved.html"))
    for words in ("Decision by decision", "kuhn solved", "20 iterations: exploitability"):
        assert words in told
        assert words in solved


def test_what_has_no_page_is_refused_in_one_sentence(shell: Shell) -> None:
    shell.json("match", "call", "raise", "--hands", "4", "--save", "run")
    Path("empty").mkdir()
    Path("text.txt").write_text("no judgement")
    for words, said in (
        (("nowhere",), "there is no folder nowhere"),
        (("empty",), "empty holds no stored match, sessions, evaluation, tournament or season"),
        (("text.txt",), "text.txt: the judgement is damaged"),
        (("run", "--out", "nowhere/x.html"), "there is no folder nowhere"),
    ):
        assert said in shell.refused("report", *words)
    Path("run/catalogue.sqlite").unlink()
    assert "--rebuild" in shell.refused("report", "run")
    assert not list(Path().glob("*.html"))
