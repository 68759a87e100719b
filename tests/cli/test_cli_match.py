"""The commands of matches as a user calls them: text, JSON, report, exit codes."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from shell import Shell

MY_BOT = """
class MyBot:
    def decide(self, view, dice):
        return 0 if view.to_call <= view.big_blind else -1

class NoMethod:
    pass

class Broken:
    def __init__(self):
        raise RuntimeError("no weights")
"""


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Commands run in an empty folder with `my_bot.py` in it."""
    (tmp_path / "my_bot.py").write_text(MY_BOT)
    monkeypatch.chdir(tmp_path)
    return Shell(monkeypatch, capsys)


def test_match_json_has_the_fixed_keys(shell: Shell) -> None:
    result = shell.json("match", "my_bot.py:MyBot", "call", "--hands", "400", "--seed", "7")
    assert {"game", "hands", "seed", "decks", "seconds", "bots"} <= set(result)
    assert (result["game"], result["hands"], result["seed"], result["decks"]) == ("nolimit-hu", 400, 7, "duplicate")
    mine, other = result["bots"]
    for bot in (mine, other):
        assert {"name", "mbb", "stderr_mbb", "ci95_mbb", "bb100", "sd_bb", "net_chips", "faults"} <= set(bot)
    assert mine["name"] == "my_bot.py:MyBot"
    assert mine["net_chips"] == -other["net_chips"]
    assert mine["mbb"] == pytest.approx(1000 * mine["net_chips"] / 100 / 400)
    assert mine["bb100"] == pytest.approx(mine["mbb"] / 10)
    low, high = mine["ci95_mbb"]
    assert (high - low) / 2 == pytest.approx(1.96 * mine["stderr_mbb"], rel=1e-3)


def test_text_and_report_say_the_same(shell: Shell) -> None:
    code, out, err = shell.run("match", "call", "random", "--hands", "2000", "--report", "match.html")
    assert code == 0, err
    assert "call wins" in out
    report = Path("match.html")
    text = report.read_text()
    row = next(line for line in out.splitlines() if line.startswith("call "))
    for figure in row.split()[1:5]:
        assert figure in text
    assert "luckless match call random --game nolimit-hu --hands 2000 --seed 1 --decks duplicate" in text
    assert "http://" not in text.split('id="plotly"')[0]
    assert report.stat().st_size < 5_000_000


def test_the_same_seed_gives_the_same_match(shell: Shell) -> None:
    words = ("match", "random", "mix:call,raise", "--hands", "500")
    one, other = shell.json(*words, "--seed", "3"), shell.json(*words, "--seed", "3")
    assert one["bots"] == other["bots"] != shell.json(*words, "--seed", "4")["bots"]


def test_fewer_bots_than_seats_play_short_handed(shell: Shell) -> None:
    result = shell.json("match", "call", "raise", "random", "--game", "nolimit-6max", "--hands", "600")
    assert len(result["bots"]) == 3
    assert result["hands"] == 600


def test_plan_says_how_many_hands(shell: Shell) -> None:
    plan = shell.json("match", "call", "random", "--plan", "100")
    assert plan["hands"] > 100_000
    assert [row["hands"] for row in plan["precision"]] == [1_000, 10_000, 100_000, 1_000_000]


def test_stop_ends_early_and_says_why(shell: Shell) -> None:
    result = shell.json("match", "call", "random", "--hands", "1000000", "--stop", "0:500")
    assert result["sequential"]["decision"] == "at least"
    assert result["hands"] < 1_000_000


def test_adjust_prints_both_win_rates_in_one_block(shell: Shell) -> None:
    words = ("match", "call", "uniform", "--hands", "20", "--adjust")
    first, second = shell.json(*words)["bots"]
    assert first["adjusted_by"] == "aivat"
    assert first["adjusted_mbb"] == pytest.approx(-second["adjusted_mbb"])
    assert {"adjusted_stderr_mbb", "adjusted_ci95_mbb", "variance_ratio"} <= set(first)
    _, out, _ = shell.run(*words, "--report", "page.html")
    assert "adjusted mbb/h" in out
    assert "(by aivat)" in out
    page = Path("page.html").read_text()
    assert "Luck and skill of call" in page
    assert "--adjust" in page
    plain = shell.json(*words[:-1])["bots"][0]
    assert "adjusted_mbb" not in plain  # compiled bots play more hands sooner than luck is taken out


def test_session_counts_pairings(shell: Shell) -> None:
    result = shell.json("session", "call", "random", "--games", "50")
    (pairing,) = result["pairings"]
    assert pairing["won"] + pairing["lost"] + pairing["drawn"] == 50
    assert pairing["ci95"][0] < pairing["win_probability"] < pairing["ci95"][1]


def test_luck_is_taken_out_of_sessions(shell: Shell) -> None:
    words = ("session", "value-bet", "call", "--games", "4", "--rounds", "5", "--adjust")
    plain, stored = shell.json(*words), shell.json(*words, "--save", "kept")
    first, second = plain["bots"]
    assert stored["bots"] == plain["bots"]
    assert first["adjusted_by"] == "aivat"
    assert first["adjusted_mbb"] == pytest.approx(-second["adjusted_mbb"])
    assert {"mbb", "stderr_mbb", "ci95_mbb", "adjusted_stderr_mbb", "adjusted_ci95_mbb"} <= set(first)
    code, out, err = shell.run(*words, "--report", "sessions.html")
    assert code == 0, err
    assert "The sample is the session." in out
    text = Path("sessions.html").read_text()
    assert "Luck taken out" in text
    assert "--adjust" in text


def test_a_session_tells_faults_by_kind_and_reason(shell: Shell) -> None:
    Path("faulty.py").write_text(
        "class Faulty:\n    def decide(self, view, dice):\n"
        "        return 1 // view.street if view.street < 2 else 'call'\n"
    )
    words = ("session", "faulty.py:Faulty", "call", "--games", "2", "--rounds", "3")
    faulty, other = shell.json(*words)["bots"]
    assert set(faulty["faults_by_kind"]) == {"exception", "illegal", "nonsense"}
    assert faulty["faults"] == sum(faulty["faults_by_kind"].values())
    assert "ZeroDivisionError" in faulty["first_faults"][0]["detail"]
    assert other["first_faults"] == []
    _, out, _ = shell.run(*words)
    assert f"{faulty['faults_by_kind']['exception']} exception" in out
    assert "ZeroDivisionError" in out


def test_evaluate_reads_the_guidelines(shell: Shell) -> None:
    result = shell.json("evaluate", "raise", "--against", "all-in", "--hands", "400", "--compare", "call")
    standard = ["random", "call", "fold", "pot-odds", "value-bet"]
    assert [trial["name"] for trial in result["opponents"]] == [*standard, "all-in"]
    assert all(trial["reading"] for trial in result["opponents"])
    assert all("paired" in test["method"] for test in result["comparisons"])
    fold = next(trial for trial in result["opponents"] if trial["name"] == "fold")
    assert fold["mbb"] == 750
    assert "Within the +500 to +750 mbb/h that are expected" in fold["reading"]
    assert fold["caveats"] == []
    river = shell.json("evaluate", "call", "--game", "river-hu", "--hands", "400")
    assert any("not comparable" in caveat for caveat in river["opponents"][0]["caveats"])


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("match", "cal", "random"), "unknown bot 'cal': did you mean call"),
        (("match", "call"), "at least two bots"),
        (("match", "call", "call", "call"), "has only 2 seats"),
        (("match", "call", "call", "--hands", "0"), "hands is 0"),
        (("match", "call", "call", "--hands", "9" * 20), "allowed is 1 to 1,000,000,000,000,000"),
        (("match", "call", "call", "--workers", "-1"), "workers is -1; allowed is 1 or more"),
        (
            ("match", "call", "call", "--decision-seconds", "nan"),
            "the clock of a decision is nan s; allowed is 0 (no limit)",
        ),
        (("match", "call", "call", "--hand-seconds", "-1"), "the clock of a hand is -1 s; allowed is 0"),
        (("match", "call", "call", "--match-seconds", "inf"), "the clock of the match is inf s; allowed is 0"),
        (("match", "call", "call", "--decks", "both"), "allowed is duplicate or fresh"),
        (("match", "call", "call", "--game", "none.toml"), "none.toml"),
        (("match", "call", "call", "--report", "nowhere/x.html"), "there is no folder nowhere"),
        (("match", "call", "call", "--seed", "-1"), "seed -1 is out of range"),
        (("match", "call", "call", "--stop", "5"), "two win rates"),
        (("match", "nofile.py:X", "call"), "there is no file nofile.py"),
        (("match", "my_bot.py:Other", "call"), "has no class 'Other'; it has MyBot, NoMethod, Broken"),
        (("match", "my_bot.py:NoMethod", "call"), "needs one of `decide"),
        (("match", "my_bot.py:Broken", "call"), "failed with RuntimeError: no weights"),
        (("match", "mix:", "call"), "a mix needs bots"),
        (("match", "call:x=1", "call"), "unknown parameter 'x'"),
        (("session", "call"), "at least two bots"),
        (("session", "call", "call", "--blinds", "ten"), "such as 5/10"),
        (("session", "call", "call", "--rounds", "0"), "rounds is 0"),
        (("session", "call", "call", "--rounds", "9" * 20), "allowed is 1 to 1,000,000,000"),
        (("session", "call", "call", "--blinds", "10/5"), "the small blind must be first"),
        (
            ("session", "call", "call", "--decision-seconds", "-1"),
            "the clock of a decision is -1 s; allowed is 0 (no limit)",
        ),
        (("equity", "AcKc", "7h6h", "--samples", "9" * 20), "samples must be 10,000,000,000 or fewer"),
        (("tables", "build", "rank", "--ehr", "max"), "--ehr is for `luckless tables build roe`"),
        (("bench", "none"), "no benchmark is called 'none'"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(words: tuple[str, ...], complaint: str, shell: Shell) -> None:
    assert complaint in shell.refused(*words)


@pytest.mark.parametrize("columns", ["40", "80"])
def test_no_number_of_a_table_is_cut_off(columns: str, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("match", "mix:raise=0.25,fold=0.5,random=0.25", "call", "--hands", "40")
    result = shell.json(*words)
    monkeypatch.setenv("COLUMNS", columns)
    code, out, _ = shell.run(*words)
    assert code == 0
    assert "…" not in out
    rows = [line for line in out.splitlines() if line.startswith("call ")]
    assert f"{result['bots'][1]['net_chips']:+,}" in rows[0]
    assert rows[0].split()[-1] == "0"


def test_a_name_that_looks_like_markup_is_printed_as_it_is(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "a[").mkdir()
    (tmp_path / "a[" / "b].py").write_text(MY_BOT)
    code, out, _ = shell.run("evaluate", "a[/b].py:MyBot", "--game", "river-hu", "--hands", "20")
    assert code == 0
    assert "a[/b].py:MyBot at river-hu" in out


def test_the_sentences_are_about_the_player_they_name(shell: Shell) -> None:
    words = ("match", "random", "fold", "call", "--game", "nolimit-3max", "--hands", "300")
    code, out, _ = shell.run(*words)
    assert code == 0
    best = max(shell.json(*words)["bots"], key=lambda bot: float(bot["mbb"]))
    assert best["name"] == "call"  # not the first, whose spread is another
    said = out.split("detects an edge of ")[1].split(" ")[0].replace(",", "")
    assert float(said) == pytest.approx((1.95996 + 0.84162) * best["stderr_mbb"], rel=0.03)


def test_a_report_never_takes_the_place_of_a_device(shell: Shell, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "is not an ordinary file" in shell.refused("match", "call", "call", "--hands", "2", "--report", "pipe")
    assert (tmp_path / "pipe").is_fifo()


def test_a_terminal_without_our_signs_gets_the_result_all_the_same() -> None:
    command = [sys.executable, "-m", "luckless", "equity", "AcKc", "7h6h"]
    done = subprocess.run(command, capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"}, check=False)
    assert done.returncode == 0, done.stderr
    assert b"60.3628" in done.stdout


def test_a_plan_from_equal_samples_promises_nothing(shell: Shell) -> None:
    code, out, _ = shell.run("match", "call", "raise", "--plan", "50")
    assert code == 0
    assert "tells nothing of how long" in out
    assert "is seen with" not in out


def test_an_interruption_that_the_compiler_turns_into_an_error_is_one(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LLVM calls back into Python, where a Ctrl-C is lost; what then goes wrong is no fault of ours to show."""

    def broken(*_: object, **__: object) -> None:
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        raise RuntimeError("no compiled object yet")

    monkeypatch.setattr("luckless.matches.result.play_match", broken)
    code, out, err = shell.run("match", "call", "raise")
    assert (code, out, err) == (130, "", "error: interrupted\n")
