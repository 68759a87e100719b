"""`luckless solve` as a user calls it."""

import importlib
import json
import os
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from luckless.solve.schedules import ALGORITHMS
from luckless.solve.strategy_file import load_solution
from luckless.solve.tabular import TabularSolver
from luckless.tensors import as_safetensors, content_digest, read_safetensors
from shell import Shell

SPOT = """
board = "KdJc7h5s2c"
ranges = ["AA,KQs,JTs:0.5,77", "QQ,AKo,JT,77"]
pot = 90
stack = 400
[river]
bets = "60%,all-in"
raises = "2.5x"
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "spot.toml").write_text(SPOT)
    return tmp_path


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capsys)


def test_kuhn_as_json(shell: Shell) -> None:
    result = shell.json("solve", "kuhn")
    assert result["game"] == "kuhn"
    assert result["algorithm"] == "pdcfr+"
    assert result["iterations"] == 1000
    assert result["value"] == pytest.approx(-1 / 18, abs=1e-9)
    assert result["exploitability"] < 1e-9
    assert "exploitability_pot" not in result
    assert result["curve"][0] == [1, pytest.approx(0.4583, abs=1e-4)]
    assert result["curve"][-1] == [1000, result["exploitability"]]


def test_a_spot_stops_at_its_target(shell: Shell) -> None:
    result = shell.json("solve", "spot.toml", "--target", "0.2%")
    assert result["exploitability_pot"] <= 0.002
    assert result["exploitability_pot"] == pytest.approx(result["exploitability"] / 90)
    assert all(value / 90 > 0.002 for _, value in result["curve"][:-1])
    assert 0 < result["value"] < 90


def test_options_replace_what_the_file_says(shell: Shell) -> None:
    wide = shell.json("solve", "spot.toml", "--iterations", "20", "--ranges", "AA", "QQ", "--pot", "100")
    assert wide["value"] > 90
    code, out, _ = shell.run("solve", "spot.toml", "--iterations", "5", "--sizes", "river=20/3x")
    assert code == 0
    assert "bet 20" in out
    assert "raise 60" in out


def test_the_printed_result(shell: Shell) -> None:
    code, out, err = shell.run("solve", "spot.toml", "--iterations", "30", "--report", "page.html")
    assert (code, err) == (0, "")
    assert "% of the pot" in out
    lines = out.splitlines()
    grid = lines.index(next(line for line in lines if line.split() == list("AKQJT98765432")))
    assert len(lines[grid + 1].split()) == 14
    assert lines[grid + 2].split()[1] == "."  # no AKo in the first range
    page = Path("page.html").read_text()
    assert "linear-gradient" in page
    assert 'class="none">AKo<' in page  # in the colours of the page, light or dark
    assert "60%,all-in" in page


def test_all_algorithms_in_one_figure(shell: Shell) -> None:
    result = shell.json("solve", "kuhn", "--algorithm", "all", "--iterations", "30")
    assert set(result["curves"]) == set(ALGORITHMS)
    assert result["curves"]["cfr"][-1][0] == 30


def test_a_saved_solution_goes_on_to_the_bit(shell: Shell) -> None:
    for game in (["leduc"], ["spot.toml"], ["kuhn", "--algorithm", "external"]):
        shell.json("solve", *game, "--iterations", "40", "--save", "whole.st")
        shell.json("solve", *game, "--iterations", "15", "--save", "half.st")
        shell.json("solve", *game, "--iterations", "40", "--resume", "half.st", "--save", "rest.st")
        assert Path("whole.st").read_bytes() == Path("rest.st").read_bytes()


def _signed(arrays: Mapping[str, NDArray[Any]], facts: dict[str, str]) -> dict[str, str]:
    """Facts with the digest that belongs to them."""
    del facts["digest"]
    return {**facts, "digest": content_digest(arrays, facts)}


def test_solutions_of_other_games_and_damaged_ones_are_refused(shell: Shell) -> None:
    shell.json("solve", "kuhn", "--iterations", "5", "--save", "kuhn.st")
    assert "another game" in shell.refused("solve", "leduc", "--resume", "kuhn.st")
    arrays, facts = read_safetensors(Path("kuhn.st"), "solution")
    for change, words in (
        ({"format": "9"}, "format 9"),
        ({"luckless": "agent"}, "holds agent"),
        ({"algorithm": "cfr"}, "damaged"),
        ({"digest": "0"}, "damaged"),
        (_signed(arrays, facts | {"game": "chess"}), "chess"),
    ):
        Path("bad.st").write_bytes(as_safetensors(arrays, facts | change))
        assert words in shell.refused("solve", "kuhn", "--resume", "bad.st")
    Path("bad.st").write_bytes(Path("kuhn.st").read_bytes()[:-3])
    assert "not a complete" in shell.refused("solve", "kuhn", "--resume", "bad.st")
    Path("bad.st").write_bytes(b"")
    assert "not a complete" in shell.refused("solve", "kuhn", "--resume", "bad.st")
    assert "cannot read" in shell.refused("solve", "kuhn", "--resume", "none.st")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["chess"], "unknown game 'chess'"),
        (["kuhn", "--algorithm", "cfr++"], "unknown algorithm 'cfr++'"),
        (["kuhn", "--pot", "5"], "--pot is for river-hu"),
        (["kuhn", "--target", "much"], "--target is 'much'"),
        (["kuhn", "--iterations", "0"], "--iterations is 0"),
        (["river-hu"], "give --board"),
        (["river-hu", "--board", "KsTh7s4d"], "five cards"),
        (["spot.toml", "--algorithm", "external"], "samples whole games"),
        (["spot.toml", "--sizes", "dusk=50%"], "'dusk' is not a street"),
        (["spot.toml", "--sizes", "2x"], "raises only"),
        (["spot.toml", "--ranges", "KdJc", "AA"], "is empty on the board"),
        (["spot.toml", "--ranges", "AcAd", "AcAd"], "conflict"),
        (["spot.toml", "--ranges", "", "AA"], "neither of them empty"),
        (["spot.toml", "--board", "KdKd7h5s2c"], "appears twice"),
        (
            ["river-hu", "--board", "KsTh7s4d2s", "--sizes", "10%"],
            "a bet of 10% is 20 chips; the smallest bet is 100",
        ),
        (["river-hu", "--board", "KsTh7s4d2s", "--sizes", "99"], "a bet of 99 is 99 chips; the smallest bet is 100"),
        (["spot.toml", "--sizes", "1", "--stack", "5000"], "more than 60 actions on one street"),
        (
            ["spot.toml", "--board", "KdJc7h", "--stack", "90000", "--sizes", "30%,60%,90%"],
            "decisions; allow fewer sizes",
        ),
        (["spot.toml", "--memory", "1KB"], "0.001 MB are allowed"),
        (["spot.toml", "--memory", "much"], "not an amount of memory"),
        (["none.toml"], "cannot read spot"),
        (["kuhn", "--save", "no/such/file"], "no folder"),
    ],
)
def test_bad_input_is_named_and_nothing_is_written(shell: Shell, folder: Path, words: list[str], said: str) -> None:
    before = sorted(folder.iterdir())
    assert said in shell.refused("solve", *words)
    assert sorted(folder.iterdir()) == before


def test_lines_of_a_spot_file_are_named(shell: Shell, folder: Path) -> None:
    (folder / "spot.toml").write_text(SPOT.replace("pot = 90", "pot = 0"))
    assert "spot.toml, line 4: pot is 0" in shell.refused("solve", "spot.toml")
    (folder / "spot.toml").write_text(SPOT.replace("stack", "stak"))
    assert "line 5" in shell.refused("solve", "spot.toml")


def test_an_interrupt_keeps_what_was_solved(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    run = TabularSolver.run

    def interrupted(self: TabularSolver, iterations: int) -> None:
        if self.iterations >= 50:
            raise KeyboardInterrupt
        run(self, iterations)

    monkeypatch.setattr(TabularSolver, "run", interrupted)
    code, out, _ = shell.run("solve", "leduc", "--save", "half.st")
    assert code == 0
    assert "interrupted" in out
    assert "exploitability" in out
    _, solver = load_solution(Path("half.st"))
    assert 50 <= solver.iterations < 1000


@pytest.mark.parametrize(
    ("game", "kernel"), [("leduc", "luckless.solve.tabular._iterate"), ("spot.toml", "luckless.solve.holdem.iterate")]
)
def test_a_run_that_was_interrupted_goes_on_to_the_same_result(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, game: str, kernel: str
) -> None:
    """Ctrl-C comes while a kernel computes, so Python hears of it right after: those iterations count."""
    shell.json("solve", game, "--iterations", "200", "--save", "whole.st")
    module, _, name = kernel.rpartition(".")
    iterate, calls = getattr(importlib.import_module(module), name), []

    def interrupted(*arguments: Any) -> None:
        iterate(*arguments)
        calls.append(1)
        if len(calls) == 7:
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(kernel, interrupted)
    code, out, _ = shell.run("solve", game, "--iterations", "200", "--save", "half.st")
    assert code == 0
    assert "interrupted: this is what was solved so far" in out
    _, solver = load_solution(Path("half.st"))
    assert f"{solver.iterations} iterations" in out
    assert 0 < solver.iterations < 200
    shell.json("solve", game, "--iterations", "200", "--resume", "half.st", "--save", "rest.st")
    assert Path("rest.st").read_bytes() == Path("whole.st").read_bytes()


def test_safetensors_of_ours_are_those_of_the_library(folder: Path) -> None:
    library = pytest.importorskip("safetensors.numpy")
    arrays: dict[str, NDArray[Any]] = {
        "a": np.arange(6, dtype=np.float32).reshape(2, 3),
        "b": np.arange(3),
        "c": np.linspace(0, 1, 4),
    }
    data = as_safetensors(arrays, {"who": "me"})
    theirs = library.load(data)
    (folder / "x.st").write_bytes(library.save(arrays, {"who": "me"}))
    ours, facts = read_safetensors(folder / "x.st", "file")
    assert facts == {"who": "me"}
    for name, array in arrays.items():
        assert (theirs[name] == array).all()
        assert (ours[name] == array).all()
    assert json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])["__metadata__"] == {"who": "me"}
