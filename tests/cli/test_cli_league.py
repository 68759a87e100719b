"""`luckless league` as a user calls it."""

import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import league_season
from luckless import records
from luckless.league import config, run, store
from luckless.league.season_record import SeasonRecord
from shell import Shell

CONFIG = """\
name = "little"
seed = 3
[training]
rounds = 2
hands = 12
clone_every = 1
[[division]]
name = "one"
matchup = "random"
students = ["nudge"]
teachers = ["call"]
[[evaluation]]
name = "like rank"
matchup = "similar"
rounds = 2
hands = 12
[[evaluation]]
name = "pairs"
matchup = "direct"
meetings = 1
hands = 12
[style]
hands = 1
"""


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Shell:
    """A shell in an empty directory with a season's file, and with simple learners."""
    league_season.use_fakes(monkeypatch.setattr)
    monkeypatch.chdir(tmp_path)
    Path("little.toml").write_text(CONFIG)
    return Shell(monkeypatch, capsys)


def test_from_a_file_to_a_board_and_a_report(shell: Shell) -> None:
    code, out, err = shell.run("league", "run", "little.toml", "--workers", "1")
    assert code == 0, err
    assert "season little, 3 of 3 agents" in out
    assert "call@one" in out
    status = shell.json("league", "status")
    assert status["finished"] is True
    assert [(one["name"], one["done"], one["rounds"]) for one in status["divisions"]] == [
        ("one", 2, 2), ("like rank", 2, 2), ("pairs", 3, 3),
    ]  # fmt: skip
    board = shell.json("league", "board", "runs/little")
    assert [agent["rank"] for agent in board["agents"]] == [1, 2, 3]
    assert len(board["fingerprint"]) == 64
    by_mean = shell.json("league", "board", "--by", "mean")["agents"]
    assert [agent["mean_mbb"] for agent in by_mean] == sorted((a["mean_mbb"] for a in by_mean), reverse=True)
    ranked = shell.json("league", "board", "--rankings")
    assert sorted(ranked["bots"]) == sorted(agent["name"] for agent in board["agents"])
    means = {agent["name"]: agent["mean_mbb"] for agent in board["agents"]}
    assert dict(zip(ranked["bots"], ranked["rankings"]["mean"], strict=True)) == pytest.approx(means)
    assert sum(ranked["rankings"]["nash"]) == pytest.approx(1)
    every = {"mean", "worst", "nash", "nash_rating", "alpha_rank", "elo", "lottery", "trueskill"}
    assert set(ranked["ci95"]) == every
    code, out, _ = shell.run("league", "board", "--rankings")
    assert (code, "Nash share" in out) == (0, True)
    code, _, err = shell.run("league", "board", "--rankings", "--division", "one")
    assert (code, "--rankings is for the whole season" in err) == (2, True)
    division = shell.json("league", "board", "--division", "one")
    assert any(agent["generation"] == 0 and agent["type"] == "nudge" for agent in division["agents"])
    assert shell.json("league", "resume", "--workers", "1") == board
    code, out, _ = shell.run("league", "status")
    assert (code, "finished" in out) == (0, True)
    code, out, _ = shell.run("league", "report", "--out", "report.html")
    assert (code, out) == (0, "report: report.html\n")
    assert Path("report.html").stat().st_size > 1_000_000
    folder = Path("runs/little")
    assert shell.run("report", str(folder))[:2] == (0, f"report: {folder}.html\n")
    assert Path(f"{folder}.html").read_bytes() == Path("report.html").read_bytes()
    season = records.load(folder)
    assert isinstance(season, SeasonRecord)
    assert season.to_dict() == shell.json("league", "board")


def test_a_season_is_parsed_once_and_its_catalogue_read_through_once(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []

    def counted(work: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any) -> Any:
            calls.append(work.__name__)
            return work(*given)

        return call

    for module, name in ((config, "season_of"), (run, "season_of"), (store, "damage_in")):
        monkeypatch.setattr(module, name, counted(getattr(module, name)))
    assert shell.run("league", "run", "little.toml", "--workers", "1")[0] == 0
    assert calls == ["season_of", "damage_in"]


def test_the_same_season_again_and_another_one(shell: Shell) -> None:
    assert shell.run("league", "run", "little.toml", "--out", "here", "--workers", "1")[0] == 0
    assert "here holds this season already" in shell.refused("league", "run", "little.toml", "--out", "here")
    Path("little.toml").write_text(CONFIG.replace("seed = 3", "seed = 4"))
    assert "here holds another season" in shell.refused("league", "run", "little.toml", "--out", "here")


def test_wrong_calls(shell: Shell) -> None:
    assert "cannot read the season none.toml" in shell.refused("league", "run", "none.toml")
    assert "runs/ holds no season" in shell.refused("league", "status")
    assert "nowhere holds no season" in shell.refused("league", "board", "nowhere")
    assert "nowhere holds no season" in shell.refused("league", "resume", "nowhere")
    Path("little.toml").write_text(CONFIG.replace("rounds = 2", "rounds = 0", 1))
    assert "little.toml, line 4: training.rounds is 0" in shell.refused("league", "run", "little.toml")
    assert not Path("runs").exists()
    Path("little.toml").write_text(CONFIG)
    assert shell.run("league", "run", "little.toml", "--workers", "1")[0] == 0
    assert "no board is sorted by 'luck'" in shell.refused("league", "board", "--by", "luck")
    assert "no division is called 'two'" in shell.refused("league", "board", "--division", "two")
    assert "no board is sorted by 'luck'" in shell.refused("league", "board", "--division", "one", "--by", "luck")
    assert "by trueskill only" in shell.refused("league", "board", "--division", "one", "--by", "mean")
    assert "no folder" in shell.refused("league", "report", "--out", "no/report.html")


def test_names_are_shown_as_they_are_written(shell: Shell) -> None:
    names = CONFIG.replace('"little"', '"a[bold]"').replace('"one"', '"[red]one"')
    Path("little.toml").write_text(names.replace('"pairs"', '"[b]"'))
    code, out, err = shell.run("league", "run", "little.toml", "--workers", "1")
    assert code == 0, err
    assert "season a[bold], 3 of 3 agents" in out
    assert "call@[red]one" in out
    code, out, _ = shell.run("league", "status", "runs/a[bold]")
    assert (code, "season a[bold], begun" in out, "[red]one" in out, "[b]" in out) == (0, True, True, True)
    Path("little.toml").write_text(CONFIG.replace('"little"', '"a[/b]"'))
    assert "cannot be the name of a file" in shell.refused("league", "run", "little.toml")


class _OnReadOnlyDisk(sqlite3.Connection):
    """A connection to a file in a folder where nothing can be written."""

    def execute(self, sql: str, *values: Any) -> Any:
        if "journal_mode" in sql:
            error = sqlite3.OperationalError("attempt to write a readonly database")
            error.sqlite_errorcode = sqlite3.SQLITE_READONLY
            raise error
        return super().execute(sql, *values)


def test_a_season_on_a_read_only_disk_is_shown(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    code, _, err = shell.run("league", "run", "little.toml", "--workers", "1")
    assert code == 0, err
    board, status = (shell.run("league", word, "runs/little")[1] for word in ("board", "status"))
    connect = sqlite3.connect
    monkeypatch.setattr(
        sqlite3, "connect", lambda *place, **options: connect(*place, factory=_OnReadOnlyDisk, **options)
    )
    assert shell.run("league", "board", "runs/little") == (0, board, "")
    assert shell.run("league", "status", "runs/little") == (0, status, "")
    assert shell.run("report", "runs/little", "--out", "page.html")[0] == 0
    assert Path("page.html").stat().st_size > 1e6


def test_boards_have_one_meaning_of_plus_and_minus(shell: Shell) -> None:
    """Half the 95 % interval, of TrueSkill and of every statistic of the winnings."""
    shell.run("league", "run", "little.toml", "--workers", "1")
    said = shell.json("league", "board", "runs/little", "--by", "mean")["agents"][0]
    printed = shell.run("league", "board", "runs/little", "--by", "mean")[1]
    assert "± is half the 95 % interval" in printed
    best = next(line for line in printed.splitlines() if line.strip().startswith("1 "))
    keys = ("sigma", "stderr_mean_mbb", "stderr_median_mbb", "stderr_p20_mbb")
    expected = [1.959964 * said[key] for key in keys]
    shown = [float(text.replace(",", "")) for text in re.findall(r"± ([\d,.]+)", best)]
    assert shown == pytest.approx(expected, abs=0.51)
