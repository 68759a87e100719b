"""`luckless divat` as a user calls it: published hands, logs, matches, wrong input."""

import json
from pathlib import Path

import pytest

from luckless.histories.formats import read_hands
from shell import Shell

SLIDES_HAND = "AcKc|7h6h|Ks5h3d/Tc/4h|SlRrC/kBrC/bC/bRc"
LOG = """\
AcKc|7h6h|Ks5h3d/Tc/4h|SlRrC/kBrC/bC/bRc
AcKc|7h6h|Ks5h3d/Tc/4h|SlRrC/kBrC/bC/bRrRrC
Ts6s|Jd5d|Td5hTh/2d/2h|SlCk/kBrC/bC/bC
not a hand
9c9d|AsQs||SlRf
"""


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Commands run in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return Shell(monkeypatch, capsys)


def test_the_hand_of_the_slides(shell: Shell) -> None:
    """The figures that the slides print, with their effective hand rank, by all-in equity and by roll-out."""
    by_equity = shell.json("divat", "--hand", SLIDES_HAND, "--ehr", "max", "--equity", "aie")
    assert [round(part["difference"], 4) for part in by_equity["rounds"]] == [0.2073, 0.5273, 0.7273, 0]
    assert by_equity["divat"]["total"] == pytest.approx(1.462, abs=5e-4)
    by_roll_out = shell.json("divat", "--hand", SLIDES_HAND, "--ehr", "max")
    assert [round(part["difference"], 4) for part in by_roll_out["rounds"]][1:] == [0.5232, 0.6364, 0]
    assert by_roll_out["money"]["total"] == -11
    keys = {"round", "ihr", "hr7", "ehr", "aie", "roe", "class", "baseline", "actual", "actual_equity"}
    assert keys | {"baseline_equity", "difference", "lfat"} <= set(by_roll_out["rounds"][0])


def test_luck_skill_and_position_are_the_money(shell: Shell) -> None:
    result = shell.json("divat", "--hand", SLIDES_HAND)
    parts = result["divat"]["total"] + result["lfat"]["total"] + result["position"]
    assert parts == pytest.approx(result["money"]["total"], abs=1e-9)


def test_the_table_of_one_hand(shell: Shell) -> None:
    code, out, err = shell.run("divat", "--hand", SLIDES_HAND)
    assert code == 0, err
    assert "kBrC" in out
    assert "money -11.0000 = skill" in out


def test_a_log_with_bad_lines_is_judged_without_them(shell: Shell) -> None:
    Path("hands.lines").write_text(LOG)
    code, out, err = shell.run("divat", "hands.lines", "--json")
    assert code == 0, err
    result = json.loads(out)
    assert result["hands"] == 3
    assert "2 hands could not be judged, see hands.lines.rejects" in err
    rejects = Path("hands.lines.rejects").read_text()
    assert "line 2" in rejects
    assert "line 4" in rejects
    for measure in ("money", "divat", "lfat", "evat", "dcash", "money_minus_dcash", "redgreen"):
        assert {"mean", "sd", "stderr", "total"} <= set(result[measure])
    assert [part["round"] for part in result["divat"]["by_round"]] == ["preflop", "flop", "turn", "river"]


def test_a_stored_match_is_judged_like_the_match_itself(shell: Shell) -> None:
    words = ("match", "uniform", "raise", "--game", "limit-hu", "--hands", "60", "--save", "stored", "--divat")
    played = shell.json(*words)["divat"]
    stored = shell.json("divat", "stored")
    assert (stored.pop("logs"), stored.pop("rejected_hands")) == (["stored"], 0)
    assert stored == played
    assert played["hands_of_a_sample"] == 2
    assert sum(map(len, read_hands(Path("stored")))) == 60
    assert shell.json(*words)["divat"] == played  # a stored match is counted, not played again


def test_the_report_of_a_log(shell: Shell) -> None:
    Path("hands.lines").write_text(LOG)
    code, _, err = shell.run("divat", "hands.lines", "--report", "divat.html")
    assert code == 0, err
    text = Path("divat.html").read_text()
    assert "Skill by round" in text
    assert "3 hands allow no conclusion" in text
    assert "hands.lines" in text
    assert "2 rejected" in text


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((), "give logs to judge, or one hand"),
        (("--hand", "AcKc|7h6h"), "2 parts between bars"),
        (("--hand", SLIDES_HAND.replace("4h", "Ac")), "Ac stands twice"),
        (("--hand", SLIDES_HAND.replace("/4h", "")), "the cards dealt by then"),
        (("--hand", "AcKc|7h6h|Ks5h3d|SlRrC/kBrRrRc"), "fifth bet"),
        (("--hand", "AcKc|7h6h|Ks5h3d/Tc|SlRf/kK"), "an action follows the end"),
        (("--hand", SLIDES_HAND, "--equity", "none"), "roe or aie"),
        (("--hand", SLIDES_HAND, "--ehr", "none"), "thesis or max"),
        (("--hand", SLIDES_HAND, "--bets", "none"), "bet style 'none' is not known"),
        (("nothing.log",), "nothing.log"),
        (("bad.lines",), "no hand could be judged"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(words: tuple[str, ...], complaint: str, shell: Shell) -> None:
    Path("bad.lines").write_text("not a hand\n")
    assert complaint in shell.refused("divat", *words)


@pytest.mark.parametrize(("game", "complaint"), [("nolimit-hu", "is no-limit"), ("limit-3max", "has 3 players")])
def test_other_games_are_refused(game: str, complaint: str, shell: Shell) -> None:
    bots = ["call"] * (3 if game == "limit-3max" else 2)
    assert complaint in shell.refused("match", *bots, "--game", game, "--divat")
    code, _, err = shell.run("match", *bots, "--game", game, "--hands", "12", "--save", "stored")
    assert code == 0, err
    assert complaint in shell.refused("divat", "stored")
