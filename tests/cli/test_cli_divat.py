"""`luckless divat` as a user calls it: published hands, logs, matches, wrong input."""

import json
from pathlib import Path

import numpy as np
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
    for found, kind in ((by_equity, "by_aie"), (by_roll_out, "by_roe")):
        for part in found["rounds"]:
            assert part[kind] == {"baseline": part["baseline_equity"], "actual": part["actual_equity"]}
    assert [part["by_aie"] for part in by_roll_out["rounds"]] == [part["by_aie"] for part in by_equity["rounds"]]


def test_luck_is_lfat_by_roll_out_and_beside_it_by_all_in_equity(shell: Shell) -> None:
    def rows(equity: str) -> dict[str, list[str]]:
        _, out, _ = shell.run("divat", "--hand", SLIDES_HAND, "--ehr", "max", "--equity", equity)
        return {line[:16].strip(): line[16:].split() for line in out.splitlines() if line[:4] in ("luck", "LFAT")}

    assert set(rows("roe")) == {"luck (LFAT)"}
    by_equity = rows("aie")
    assert set(by_equity) == {"luck", "LFAT"}
    # The pot before each deal times the change of 2 x equity - 1; the pots are 1, 3, 5 and 7 small bets a player.
    expected = 2 * np.array([1, 3, 5, 7]) * np.diff([0.5, 0.6036, 0.7636, 0.9091, 0.0])
    assert [float(text) for text in by_equity["LFAT"]] == pytest.approx(expected, abs=2e-3)


def test_round_evs_of_the_slides(shell: Shell) -> None:
    """By all-in equity as printed, the turn's as fold equity. By roll-out the slides print +0.523 and +0.909: the
    first is what a bet more than the baseline's is worth, the second is all-in equity's (see docs/divat.md)."""
    by_equity = shell.json("divat", "--hand", SLIDES_HAND, "--ehr", "max", "--equity", "aie")["rounds"]
    assert [round(part["round_ev"], 3) for part in by_equity] == [0.207, 0.527, 0, -4]
    assert round(by_equity[2]["fold_equity"], 3) == 0.909
    by_roll_out = shell.json("divat", "--hand", SLIDES_HAND, "--ehr", "max")["rounds"]
    assert [round(part["round_ev"], 4) for part in by_roll_out[1:]] == [0.6222, 0, -4]
    assert round(by_roll_out[1]["difference"], 3) == 0.523
    assert round(by_roll_out[2]["fold_equity"], 4) == 1


@pytest.mark.parametrize("equity", ["roe", "aie"])
def test_luck_skill_and_position_are_the_money(equity: str, shell: Shell) -> None:
    result = shell.json("divat", "--hand", SLIDES_HAND, "--equity", equity)
    parts = result["divat"]["total"] + result["luck"]["total"] + result["position"]
    assert parts == pytest.approx(result["money"]["total"], abs=1e-9)
    Path("hands.lines").write_text(LOG)
    result = shell.json("divat", "hands.lines", "--equity", equity)
    parts = result["divat"]["mean"] + result["luck"]["mean"] + result["position"]
    assert parts == pytest.approx(result["money"]["mean"], abs=1e-9)


def test_the_table_of_one_hand(shell: Shell) -> None:
    code, out, err = shell.run("divat", "--hand", SLIDES_HAND)
    assert code == 0, err
    assert "kBrC" in out
    assert "money -11.0000 = skill" in out
    for row in ("AIE by baseline", "AIE as played", "ROE by baseline", "ROE as played", "round EV", "fold equity"):
        assert row in out


def test_a_hand_whose_first_player_deals_is_the_same_hand_mirrored(shell: Shell) -> None:
    one = shell.json("divat", "--hand", "Ts6s|Jd5d|Td5hTh/2d/2h|SlCk/kBc/kBrC/bF")
    other = shell.json("divat", "--hand", "Jd5d|Ts6s|Td5hTh/2d/2h|sLcK/KbC/KbRc/Bf")
    for measure in ("money", "divat", "luck", "lfat", "evat", "dcash", "money_minus_dcash"):
        assert other[measure]["total"] == pytest.approx(-one[measure]["total"], abs=1e-12)
    assert other["position"] == -one["position"]
    assert other["redgreen"] == one["redgreen_opponent"]
    for mine, yours in zip(one["rounds"], other["rounds"], strict=True):
        assert mine["ihr"] == yours["ihr"][::-1]
        assert mine["class"] == yours["class"][::-1]
        assert mine["aie"] == pytest.approx(1 - yours["aie"])
        assert mine["baseline"] == yours["baseline"].swapcase()
        assert mine["actual"] == yours["actual"].swapcase()


def test_a_log_with_bad_lines_is_judged_without_them(shell: Shell) -> None:
    Path("hands.lines").write_text(LOG)
    code, out, err = shell.run("divat", "hands.lines", "--json")
    assert code == 0, err
    result = json.loads(out)
    assert (result["hands"], result["rejected_hands"], result["logs"]) == (3, 2, ["hands.lines"])
    assert "2 hands could not be judged, see hands.lines.rejects" in err
    rejects = Path("hands.lines.rejects").read_text()
    assert "# hands.lines, line 2: " in rejects
    assert "# hands.lines, line 4: " in rejects
    for measure in ("money", "divat", "lfat", "evat", "dcash", "money_minus_dcash", "redgreen"):
        assert {"mean", "sd", "stderr", "total"} <= set(result[measure])
    assert [part["round"] for part in result["divat"]["by_round"]] == ["preflop", "flop", "turn", "river"]


def test_a_stored_match_is_judged_like_the_match_itself(shell: Shell) -> None:
    words = ("match", "uniform", "raise", "--game", "limit-hu", "--hands", "60", "--save", "stored", "--divat")
    played = shell.json(*words)["divat"]
    stored = shell.json("divat", "stored")
    assert (stored.pop("logs"), stored.pop("rejected_hands")) == (["stored"], 0)
    assert (stored.pop("rejected_share"), stored.pop("rejected_won_share"), stored.pop("unread_files")) == (0, 0, 0)
    assert stored == played
    assert played["hands_of_a_sample"] == 2
    assert sum(map(len, read_hands(Path("stored")))) == 60
    assert shell.json(*words)["divat"] == played  # a stored match is counted, not played again


def test_the_report_of_a_log(shell: Shell) -> None:
    Path("hands.lines").write_text(LOG)
    code, _, err = shell.run("divat", "hands.lines", "--report", "divat.html")
    assert code == 0, err
    text = Path("divat.html").read_text()
    assert "Skill by street" in text
    assert "3 hands allow no conclusion" in text
    assert "hands.lines" in text
    assert "2 hands, see hands.lines.rejects" in text


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((), "give logs to judge, or one hand"),
        (("--hand", "AcKc|7h6h"), "2 parts between bars"),
        (("--hand", SLIDES_HAND.replace("4h", "Ac")), "Ac appears twice"),
        (("--hand", SLIDES_HAND.replace("/4h", "")), "the cards dealt by then"),
        (("--hand", "AcKc|7h6h|Ks5h3d|SlRrC/kBrRrRc"), "fifth bet"),
        (("--hand", "AcKc|7h6h|Ks5h3d/Tc|SlRf/kK"), "an action follows the end"),
        (("--hand", SLIDES_HAND, "--equity", "none"), "roe or aie"),
        (("--hand", SLIDES_HAND, "--ehr", "none"), "thesis or max"),
        (("--hand", SLIDES_HAND, "--bets", "none"), "bet style 'none' is not known"),
        (("--hand", SLIDES_HAND, "--bets", "aggressive-low"), "'luckless tables build roe --bets aggressive-low'"),
        (("bad.lines", "--folds", "tight-low"), "sampled flops with --sampled 4"),
        (("--hand", SLIDES_HAND, "--sampled", "-1"), "sampled_flops is -1; allowed is 0"),
        (("--hand", SLIDES_HAND, "--sweep"), "--sweep is for logs"),
        (("bad.lines", "--sweep", "--sweep-hands", "1"), "a sweep cannot use 1 hands"),
        (("--hand", SLIDES_HAND, "--report", "x.html"), "--report is for logs"),
        (("--hand", SLIDES_HAND, "--rejects", "x"), "--rejects is for logs"),
        (
            ("--hand", SLIDES_HAND, "--ehr", "max", "--settings", "x.toml"),
            "--settings excludes --ehr, --bets and --folds",
        ),
        (("--hand", SLIDES_HAND, "--settings", "x.toml"), "cannot read the settings x.toml"),
        (("nothing.log",), "nothing.log"),
        (("bad.lines",), "no hand could be judged"),
        (("bad.lines",), "bad.lines, line 1: 'not a hand' has 1 parts between bars"),
        (("bad.lines", "--rejects", "bad.lines"), "bad.lines exists already and is not a file of rejected hands"),
        (("bad.lines", "--rejects", "no/where"), "no/where: there is no folder"),
        (("bad.lines", "--report", "bad.lines"), "--report bad.lines is one of the logs"),
        (("hands.txt",), "hands.txt was read as pokerstars; choose another format with --from"),
        (("odd.log",), "odd.log: it does not name its game; name it with --game"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(words: tuple[str, ...], complaint: str, shell: Shell) -> None:
    Path("bad.lines").write_text("not a hand\n")
    Path("hands.txt").write_text(LOG)
    Path("odd.log").write_text("STATE:0:f:5d5c|9hQd:5|-5:a|b\n")
    assert complaint in shell.refused("divat", *words)
    assert Path("bad.lines").read_text() == "not a hand\n"


@pytest.mark.parametrize(
    ("betting", "cards", "complaint"),
    [
        ("ccc/ccc/ccc/ccc", "5d5c|9hQd|2c3c/8dAs8s/4h/6d", "it has 3 players, and game limit-hu has 2"),
        ("r300c/cc/cc/cc", "5d5c|9hQd/8dAs8s/4h/6d", "a raise to 300 is above the maximum"),
        ("cc/cc/cc/cc", "5d5c|9hQd/8dAs8s/4h", "its board has 4 cards, and betting on the river needs 5"),
        ("cc/rf/cc/cc", "5d5c|9hQd/8dAs8s/4h/6d", "action 5 of its betting (c) follows the end of the hand"),
        ("cc/rrrrrc/cc/cc", "5d5c|9hQd/8dAs8s/4h/6d", "the cap of 4 bets is reached"),
        ("cc/cc/cc/cc", "5d5c|9hQd/8dAs8s/4h/5d", "card 5d appears twice"),
    ],
)
def test_bad_hands_of_a_competition_are_named(betting: str, cards: str, complaint: str, shell: Shell) -> None:
    players, values = ("p1|p2|p3", "10|-5|-5") if "2c3c" in cards else ("p1|p2", "10|-10")
    header = "# name/game/hands/seed x holdem.limit.2p.reverse_blinds.game 3 0"
    bad = f"STATE:7:{betting}:{cards}:{values}:{players}"
    Path("x.log").write_text(f"{header}\n{bad}\n")
    said = shell.refused("divat", "x.log")
    assert "x.log, line 2, hand 7: " in said
    assert complaint in said
    good = "STATE:8:cc/crc/cc/cc:5d5c|9hQd/8dAs8s/4h/6d:20|-20:p1|p2"
    Path("x.log").write_text(f"{header}\n{bad}\n{good}\n")
    result = shell.json("divat", "x.log")
    assert (result["hands"], result["rejected_hands"]) == (1, 1)
    assert bad in Path("x.log.rejects").read_text()


@pytest.mark.parametrize(("game", "complaint"), [("nolimit-hu", "is no-limit"), ("limit-3max", "has 3 players")])
def test_other_games_are_refused(game: str, complaint: str, shell: Shell) -> None:
    bots = ["call"] * (3 if game == "limit-3max" else 2)
    assert complaint in shell.refused("match", *bots, "--game", game, "--divat")
    code, _, err = shell.run("match", *bots, "--game", game, "--hands", "12", "--save", "stored")
    assert code == 0, err
    assert complaint in shell.refused("divat", "stored")


def test_reasons_stay_when_nothing_can_be_judged(shell: Shell) -> None:
    Path("bad.lines").write_text("AcKc|7h6h|Ks5h3d|SlRrC/kBrRrRc\nAcKc|7h6h|Ks5h3d/Tc|SlRf/kK\n")
    assert "fifth bet" in shell.refused("divat", "bad.lines")
    assert "an action follows the end" in Path("bad.lines.rejects").read_text()


def test_a_clean_run_removes_the_rejects_of_an_earlier_one(shell: Shell) -> None:
    Path("hands.lines").write_text(LOG)
    assert shell.run("divat", "hands.lines")[0] == 0
    assert Path("hands.lines.rejects").exists()
    Path("hands.lines").write_text(LOG.splitlines()[0])
    assert shell.run("divat", "hands.lines")[0] == 0
    assert not Path("hands.lines.rejects").exists()


def test_a_log_of_another_game_costs_only_itself(shell: Shell) -> None:
    Path("hands.lines").write_text(LOG)
    assert shell.run("match", "call", "raise", "--hands", "10", "--save", "nolimit")[0] == 0
    result = shell.json("divat", "hands.lines", "nolimit")
    assert (result["hands"], result["rejected_hands"]) == (3, 12)
    assert "# nolimit, hands 0 to 9: game nolimit-hu is no-limit" in Path("hands.lines.rejects").read_text()


def test_formats_and_games_can_be_named(shell: Shell) -> None:
    Path("hands.txt").write_text(LOG)
    assert shell.json("divat", "hands.txt", "--from", "lines")["hands"] == 3
    Path("odd.log").write_text("STATE:0:f:5d5c|9hQd:5|-5:a|b\n")
    assert shell.json("divat", "odd.log", "--game", "limit-hu")["players"] == ["a", "b"]


def test_equal_hands_allow_no_verdict(shell: Shell) -> None:
    Path("one.lines").write_text(f"{SLIDES_HAND}\n")
    assert "P1 v P2, 1 hand, hand by hand" in shell.run("divat", "one.lines")[1]
    assert "1 hand allows no conclusion" in shell.run("divat", "one.lines")[1]
    Path("many.lines").write_text(f"{SLIDES_HAND}\n" * 12)
    out = shell.run("divat", "many.lines")[1]
    assert "All 12 hands tell the same (+1.362): that allows no conclusion" in out
    assert "outplays" not in out


def test_the_report_of_a_match_holds_its_judgement(shell: Shell) -> None:
    words = ("match", "uniform", "raise", "--game", "limit-hu", "--hands", "60", "--report", "match.html")
    _, out, _ = shell.run(*words, "--divat")
    page, rows = Path("match.html").read_text(), [line.split() for line in out.splitlines()]
    skill = next(row for row in rows if row[:2] == ["skill", "(DIVAT)"])
    river = next(row for row in rows if row[:1] == ["river"])
    for figure in (skill[2], skill[-1], river[1], river[-1]):
        assert f">{figure}<" in page
    assert page.count('<div class="figure"') == 6
    shell.run(*words)
    page = Path("match.html").read_text()
    assert "skill" not in page.split('id="plotly"')[0]
    assert page.count('<div class="figure"') == 4


def test_a_duplicate_match_is_shown_both_ways(shell: Shell) -> None:
    words = ("match", "value-bet", "pot-odds", "--game", "limit-hu", "--hands", "100", "--save", "stored", "--divat")
    code, out, err = shell.run(*words)
    assert code == 0, err
    for text in (
        "100 hands, 50 duplicate pairs",
        "SD of pairs",
        "the same hand by hand",
        "SD of hands",
        "judged by duplicate money",
        "Against money with fresh decks the factor is",
        "position",
        "RedGreen, value-bet",
        "RedGreen, pot-odds",
        "luckless divat stored",
    ):
        assert text in out
    result = shell.json("divat", "stored")
    assert result["hand_by_hand"]["divat"]["sd"] > result["divat"]["sd"]
    fresh = result["saving_against_fresh_decks"]
    assert fresh["hands_saved"] == pytest.approx(100 * (fresh["variance_ratio"] - 1))
    points = result["redgreen"]["total"] - result["redgreen_opponent"]["total"]
    assert points == pytest.approx(result["divat"]["total"])
    for measure in ("round_ev", "fold_equity", "luck"):
        assert len(result[measure]["by_round"]) == 4


def test_a_sweep_from_the_command_line(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    from luckless.divat import settings, sweep

    monkeypatch.setattr(sweep, "sweep", lambda base: settings.sweep(base)[:2])
    Path("hands.lines").write_text(LOG)
    words = ("divat", "hands.lines", "--sweep", "--ehr", "max", "--report", "x.html")
    code, out, err = shell.run(*words, "--sweep-hands", "2")
    assert code == 0, err
    assert "Over 2 settings, judged on 2 hands drawn at random" in out
    assert "Their average is" in out
    assert "The largest change from slides" in out
    assert "slides, bets aggressive-high on flop" in Path("x.html").read_text()
    result = shell.json(*words)["sweep"]
    assert (result["hands"], result["drawn_at_random"]) == (3, False)
    Path("one.lines").write_text(f"{SLIDES_HAND}\n")
    out = shell.run("divat", "one.lines", "--sweep")[1]
    assert "Over 2 settings, judged on 1 hand, the skill lies between" in out
    assert "nan" not in out
    assert [row["settings"] for row in result["settings"]] == ["slides", "slides, bets aggressive-high on flop"]
    assert {"mean", "ci95", "difference"} <= set(result["settings"][1])


def test_a_build_that_is_interrupted_says_that_it_goes_on(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setenv("LUCKLESS_CACHE_DIR", str(Path.cwd()))
    monkeypatch.setattr("luckless.divat.roe_build.build", interrupted)
    code, _, err = shell.run("tables", "build", "roe", "--bets", "aggressive-low")
    assert (code, err) == (
        130,
        "error: interrupted; finished parts are kept, and the same command continues from there\n",
    )


def test_names_leave_the_figures_whole(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names as long as some competitors have them, with signs of a terminal's markup, on a narrow terminal."""
    monkeypatch.setenv("COLUMNS", "60")
    lines = ["# name/game/hands/seed x holdem.limit.2p.reverse_blinds.game 3 0"]
    lines += ["STATE:0:cc/crc/cc/cc:5d5c|9hQd/8dAs8s/4h/6d:20|-20:The_University_of_Everywhere[/b].2011|[red]"]
    Path("names.log").write_text("\n".join(lines))
    code, out, err = shell.run("divat", "names.log")
    assert code == 0, err
    assert "The_University_of_Everywhere[/b].2011 v [red], 1 hand" in out
    assert "…" not in out + shell.run("divat", "--hand", SLIDES_HAND)[1]


def test_settings_from_a_file(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("luckless.divat.position.SAMPLED_PAIRS", 200)
    Path("mine.toml").write_text('name = "mine"\n[makes]\npreflop = [0.5, 0.6, 0.7, 0.8]\n')
    assert "luckless tables build roe --settings mine.toml" in shell.refused(
        "divat", "--hand", SLIDES_HAND, "--settings", "mine.toml"
    )
    result = shell.json("divat", "--hand", SLIDES_HAND, "--settings", "mine.toml", "--sampled", "1")
    assert result["settings"] == "mine"
    assert result["rounds"][0]["class"] == ["M4", "C"]


def test_hidden_cards(shell: Shell) -> None:
    lines = ["# name/game/hands/seed x holdem.limit.2p.reverse_blinds.game 3 0"]
    lines += ["STATE:0:cc/crc/cc/cc:5d5c|9hQd/8dAs8s/4h/6d:20|-20:p1|p2"] * 2
    lines += ["STATE:3:rrrc/rrf:|6hJd/QhJs9d:-50|50:p2|p1"]
    Path("hid.log").write_text("\n".join(lines))
    out = shell.run("divat", "hid.log")[1]
    for text in ("p1 v p2, 2 hands", "money, all hands", "money, judged hands", "1 of 3 hands do not show", "biases"):
        assert text in out
    result = shell.json("divat", "hid.log")
    assert (result["hands"], result["all_hands"], result["unknown_hands"]) == (2, 3, 1)
    assert (result["money"]["total"], result["money_judged"]["total"]) == (9, 4)
    out = shell.run("divat", "hid.log", "--unknown", "money")[1]
    for text in ("p1 v p2, 3 hands", "skill (DIVAT or money)", "EVAT (hindsight) *", "may have a small bias"):
        assert text in out
