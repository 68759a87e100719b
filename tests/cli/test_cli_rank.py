"""`luckless rank` and `luckless tables` as a user calls them."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from luckless.hands import tables_build
from luckless.hands.table_file import TableSpec
from shell import Shell


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LUCKLESS_CACHE_DIR", str(tmp_path))
    return tmp_path


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capsys)


def test_rank_as_json(shell: Shell) -> None:
    result = shell.json("rank", "AcKc", "--board", "Ks5h3d")
    assert [round(result[key], 4) for key in ("ihr", "hr7", "ehr")] == [0.9685, 0.8687, 0.9685]
    assert result["ihr_counts"] == {"ahead": 1044, "tied": 6, "behind": 31}
    assert sum(result["hr7_counts"].values()) == 1081 * 990
    assert result["name"] == "pair, kings, ace, five, three kickers"
    assert result["range"] is None


def test_rank_as_a_table_holds_the_same_numbers(shell: Shell) -> None:
    code, out, err = shell.run("rank", "AcKc", "--board", "Ks5h3d")
    assert (code, err) == (0, "")
    title, headings, *rows = out.splitlines()
    assert title.strip() == "AcKc on Ks5h3d: pair, kings, ace, five, three kickers"
    assert headings.split() == ["rank", "ahead", "tied", "behind", "of"]
    assert [row.split() for row in rows] == [
        ["IHR", "0.968548", "1,044", "6", "31", "1,081"],
        ["7cHR", "0.868714", "925,416", "8,546", "136,228", "1,070,190"],
        ["EHR", "0.968548", "(thesis)"],
    ]


def test_rank_before_the_flop(shell: Shell) -> None:
    result = shell.json("rank", "7h6h")
    assert [round(result[key], 4) for key in ("ihr", "hr7", "ehr")] == [0.1604, 0.4537, 0.4537]
    assert result["name"] == "76s"


def test_rank_against_a_range(shell: Shell) -> None:
    result = shell.json("rank", "AcKc", "--board", "Ks5h3d", "--range", "TT+,AQs", "--ehr", "max")
    assert result["ihr_counts"] == {"ahead": 21, "tied": 0, "behind": 4}
    assert result["range"] == "TT+,AQs"
    assert result["ehr"] == max(result["ihr"], result["hr7"])
    _, out, _ = shell.run("rank", "AcKc", "--board", "Ks5h3d", "--range", "TT+,AQs")
    assert [line.split()[0] for line in out.splitlines()[2:]] == ["IHS", "7cHS", "EHR"]


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["AcAc"], ["Ac", "twice"]),
        (["Ax"], ["'Ax' is not a card"]),
        (["AcKcQc"], ["2 hole cards, not 3"]),
        (["AcKc", "--board", "AcKd2h"], ["Ac", "in the hand and on the board"]),
        (["AcKc", "--board", "2h"], ["0, 3, 4 or 5 cards, not 1"]),
        (["AcKc", "--board", "2h3h"], ["0, 3, 4 or 5 cards, not 2"]),
        (["AcKc", "--board", "2h3h4h5h6h7h"], ["0, 3, 4 or 5 cards, not 6"]),
        (["AcKc", "--board", "2h3h2h"], ["2h", "twice"]),
        (["AcKc", "--range", ""], ["empty"]),
        (["AcKc", "--range", "TT+,XY"], ["XY"]),
        (["AcKc", "--range", "AcKd"], ["no hand of the range is possible", "AcKc"]),
        (["AcKc", "--board", "AdAhAs", "--range", "AA"], ["no hand of the range is possible", "AdAhAs"]),
        (["AcKc", "--ehr", "slides"], ["--ehr is 'slides'", "thesis or max"]),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(shell: Shell, arguments: list[str], parts: list[str]) -> None:
    code, out, err = shell.run("rank", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    for part in parts:
        assert part in err


def test_tables_are_listed_with_their_state(shell: Shell, folder: Path) -> None:
    (folder / "rank-turn.table").write_bytes(b"no table")
    (folder / "roe-0123.part.npz").write_bytes(b"sums")
    result = shell.json("tables", "list")
    assert result["folder"] == str(folder)
    rows = {row["name"]: row for row in result["tables"] if row["name"].startswith("rank-")}
    assert rows["rank-flop"]["state"] == "absent"
    assert rows["rank-turn"]["state"].startswith("damaged")
    assert rows["rank-river"]["path"] == str(folder / "rank-river.table")
    assert 246_000_000 < rows["rank-river"]["bytes"] < 247_000_000
    states = {row["name"]: row["state"] for row in result["tables"] if row["name"].startswith("roe")}
    assert states == {"roe, standard": "shipped", "roe, slides": "shipped", "roe-0123": "begun"}
    code, out, _ = shell.run("tables", "list")
    assert code == 0
    assert "rank-river" in out
    assert "246.3 MB" in out


def test_tables_are_built_once(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables_build, "SPECS", {5: TableSpec("rank-river", 1, (("ihr", "<u2", 4),))})
    monkeypatch.setattr(tables_build, "fill_table", lambda _: {"ihr": np.arange(4)})
    code, out, _ = shell.run("tables", "build", "rank")
    assert code == 0
    assert out.startswith("rank-river: built in")
    (again,) = shell.json("tables", "build", "rank")["tables"]
    assert (again["built"], again["seconds"]) == (False, None)


def test_unknown_tables_are_named(shell: Shell) -> None:
    code, _, err = shell.run("tables", "build", "equity")
    assert code == 2
    assert "'equity'" in err
    assert "rank" in err


def test_a_full_disk_is_a_failure_in_one_line(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 10}))
    code, _, err = shell.run("tables", "build", "rank")
    assert code == 1
    assert err.startswith("error: no space left in ")
    assert err.count("\n") == 1


def test_help_does_not_load_the_compiler() -> None:
    code = "import sys; from luckless import cli; sys.exit('numba' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
