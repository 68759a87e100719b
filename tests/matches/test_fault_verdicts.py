"""Verdicts over faults: a result says first which bots hardly played themselves."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from luckless.bots.catalogue import load_bot
from luckless.bots.python_bot import bot_of
from luckless.histories.match_writer import play_stored
from luckless.histories.stored_match import load_match_result
from luckless.histories.verifying import verify
from luckless.matches.checking import check_bot
from luckless.matches.faults import Case, FaultLog
from luckless.matches.match import Match
from luckless.matches.result import MatchResult, play_match
from luckless.matches.session import Sessions, play_sessions
from luckless.report.fault_words import fault_lines
from luckless.report.match_report import conclusion
from luckless.rules.game import Game
from luckless.rules.replaying import count_decisions, replay
from luckless.rules.views import View
from outside import fault_bot, python_bot
from shell import Shell

DIES = """
class Dies:
    memory = True
    asked = 0
    def decide(self, view, dice):
        self.asked += 1
        if self.asked > 50:
            raise ValueError("no more ideas")
        return 0
"""


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """The command line."""
    return Shell(monkeypatch, capsys)


class Fails:
    """Fails at one decision in so many."""

    def __init__(self, every: int) -> None:
        self.every, self.asked = every, 0

    def decide(self, view: View, dice: Any) -> Any:
        self.asked += 1
        return 0 if self.asked % self.every else "what?"


def played(bot: Any, hands: int = 400, game: str = "limit-hu") -> MatchResult:
    return play_match(Match.plan(Game.load(game), [bot, load_bot("call")], hands=hands, seed=3))


def test_decisions_are_counted_as_they_were_asked() -> None:
    for game in ("limit-hu", "nolimit-3max"):
        bot = Fails(10**9)
        others = [load_bot("uniform")] * (Game.load(game).seats - 1)
        result = play_match(Match.plan(Game.load(game), [bot_of(bot), *others], hands=60, seed=3))
        assert result.to_dict()["bots"][0]["decisions"] == bot.asked
        assert result.to_dict()["bots"][0]["answered_for"] == 0


def test_counting_agrees_with_replaying() -> None:
    chunk = next(Match.plan(Game.load("nolimit-6max"), [load_bot("uniform")] * 6, hands=300, seed=1).chunks())
    records, players = chunk.records, chunk.hands.players
    lengths = np.diff(records.ends, prepend=0)
    own = players[np.repeat(np.arange(len(players)), lengths), replay(records).steps.seat]
    assert count_decisions(records, players).tolist() == np.bincount(own, minlength=6).tolist()


def test_the_verdict_leads_with_what_was_answered_for_a_bot() -> None:
    result = played(bot_of(Fails(49), "shaky"))
    assert conclusion(result).startswith("shaky did not play 2.0 % of its ")
    assert result.tally.faults.share(0) == pytest.approx(0.02, abs=0.001)
    assert "As it was played, " in conclusion(result)
    assert conclusion(result).endswith(" mbb/h; that is no verdict on the bots.")
    assert "luck alone" not in conclusion(result)


def test_a_fault_now_and_then_changes_no_verdict() -> None:
    result = played(bot_of(Fails(300), "shaky"))
    assert 0 < result.to_dict()["bots"][0]["answered_for"] < 0.01
    assert "did not play" not in conclusion(result)


def test_faults_without_an_open_decision_are_not_answered_for(tmp_path: Path) -> None:
    result = played(fault_bot("twice", tmp_path), hands=40)
    facts = result.to_dict()["bots"][0]
    assert facts["faults_by_kind"]["unasked"] > 10
    assert facts["answered_for"] == 0


def test_compiled_bots_make_no_faults_and_are_not_counted() -> None:
    facts = played(load_bot("raise")).to_dict()["bots"][0]
    assert (facts["decisions"], facts["answered_for"]) == (None, 0.0)


def test_a_stored_match_counts_the_same(tmp_path: Path) -> None:
    (tmp_path / "dies.py").write_text(DIES)
    bots = [load_bot(f"{tmp_path / 'dies.py'}:Dies"), load_bot("call")]
    match = Match.plan(Game.load("limit-hu"), bots, hands=200, seed=3)
    result = play_stored(match, tmp_path / "match")
    assert result.tally.faults.decisions[0] > 200
    loaded = load_match_result(tmp_path / "match")
    assert loaded.tally.faults.decisions == result.tally.faults.decisions
    assert conclusion(loaded) == conclusion(result)
    assert verify(tmp_path / "match").problems == []


def test_one_example_of_each_kind_is_kept() -> None:
    log = FaultLog()
    for hand in range(20):
        log.add(Case(0, "illegal", hand, "x"))
    log.add(Case(0, "slow", 20, "y"))
    log.add(Case(0, "slow", 21, "z"))
    lines = fault_lines(log, ["a", "b"])
    assert lines == ["fault of a (illegal, 20 times): hand 0: x", "fault of a (slow, 2 times): hand 20: y"]
    assert FaultLog.from_dict({"counts": [], "cases": []}).share(0) == 0.0  # an older store
    assert FaultLog.from_dict(log.to_dict()) == log


def test_sessions_count_too() -> None:
    result = play_sessions(Sessions.plan([bot_of(Fails(2)), load_bot("call")], games=4, seed=1))
    facts = result.to_dict()["bots"]
    assert facts[0]["answered_for"] == pytest.approx(0.5, abs=0.1)
    assert facts[1]["answered_for"] == 0


@pytest.mark.parametrize("command", ["match", "session", pytest.param("evaluate", marks=pytest.mark.slow)])
def test_strict_ends_with_an_error(command: str, tmp_path: Path, shell: Shell) -> None:
    (tmp_path / "dies.py").write_text(DIES)
    bot = f"{tmp_path / 'dies.py'}:Dies"
    words = {
        "match": ("match", bot, "call", "--hands", "100"),
        "session": ("session", bot, "call", "--games", "10"),
        "evaluate": ("evaluate", bot, "--hands", "100"),
    }[command]
    code, out, _ = shell.run(*words)
    assert code == 0
    assert "did not play" in out
    code, _, err = shell.run(*words, "--strict")
    assert code == 1
    assert "error: --strict: " in err
    assert "did not play" in err


def test_a_check_shows_the_decision_of_the_fault(tmp_path: Path) -> None:
    (tmp_path / "late.py").write_text(
        "class Late:\n    def decide(self, view, dice):\n        return 0 if view.street < 2 else [][1]\n"
    )
    report = check_bot(load_bot(f"{tmp_path / 'late.py'}:Late"), hands=30)
    shown = [found for found in report.complaints if found.kind == "exception"]
    assert len(shown) > 3
    for found in shown:
        assert "late.py:3)" in found.detail
        assert found.view is not None
        assert found.view["street"] >= 2


def test_a_program_is_called_what_it_calls_itself(tmp_path: Path) -> None:
    program = tmp_path / "named.py"
    program.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    m = json.loads(line)\n"
        "    if m['type'] == 'hello':\n"
        "        print(json.dumps({'type': 'hello', 'protocol': 1, 'name': '\\x1b[31mDeep/ Blue\\n'}), flush=True)\n"
        "    elif m['type'] == 'match': print('{\"type\": \"ready\"}', flush=True)\n"
        "    elif m['type'] == 'decide': print(json.dumps({'id': m['id'], 'action': 0}), flush=True)\n"
    )
    bot = python_bot(program)
    assert bot.name == bot.spec
    result = played(bot, hands=10)
    assert result.match.names[0] == "[31mDeep- Blue"
    bot.name = "mine"
    assert played(bot, hands=10).match.names[0] == "mine"
