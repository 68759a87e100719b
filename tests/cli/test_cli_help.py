"""The help of every command is readable: no type that says nothing, and no broken line in a pipe."""

import re
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from luckless.cli import app
from shell import Shell


def _paths() -> list[tuple[str, ...]]:
    root: Any = get_command(app)
    paths: list[tuple[str, ...]] = [()]
    for name, command in root.commands.items():
        paths.append((name,))
        paths += [(name, inner) for inner in getattr(command, "commands", {})]
    return paths


@pytest.mark.parametrize("path", _paths(), ids=" ".join)
def test_help_shows_no_type_for_switches(path: tuple[str, ...]) -> None:
    shown = CliRunner().invoke(app, [*path, "--help"], env={"COLUMNS": "160"})
    assert shown.exit_code == 0
    assert "--help" in shown.output
    assert "<bool>" not in shown.output
    assert "BOOLEAN" not in shown.output
    assert "<list" not in shown.output
    switches = re.findall(r"--no-[a-z-]+", shown.output)
    assert set(switches) <= {"--no-browser"}  # a switch that is off by default needs no second name
    assert "--browser" not in shown.output


@pytest.mark.parametrize("path", _paths(), ids=" ".join)
def test_help_in_a_pipe_has_no_box_and_breaks_no_line(path: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    shown = CliRunner().invoke(app, [*path, "--help"])
    assert shown.exit_code == 0
    assert not set(shown.output) & set("╭│╰")
    options = shown.output.partition("Options:\n")[2].partition("\n\n")[0].splitlines()
    assert options[-1].split() == ["-h,", "--help", "Show", "this", "message", "and", "exit."]
    assert all(line.startswith("  -") for line in options)  # a broken line would begin with more spaces


def test_results_in_a_pipe_are_not_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["match", "call", "fold", "--game", "limit-hu", "--hands", "200"]
    sentence = "call wins 310 ± 95 mbb/h against fold: luck alone does not explain it (95 % interval above zero)."
    monkeypatch.delenv("COLUMNS", raising=False)
    assert sentence in CliRunner().invoke(app, words).output.splitlines()
    narrow = CliRunner().invoke(app, words, env={"COLUMNS": "40"}).output.splitlines()
    assert sentence not in narrow
    assert "call wins 310 ± 95 mbb/h against fold:" in map(str.strip, narrow)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("match", "--nope"), "No such option: --nope"),
        (("match", "call", "call", "--hands", "x"), "Invalid value for '--hands'"),
        (("nope",), "No such command 'nope'"),
        (("rank",), "Missing argument"),
    ],
)
def test_a_wrong_call_is_one_line(
    words: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    error = Shell(monkeypatch, capsys).refused(*words)
    assert error.startswith("error: ")
    assert said in error
    assert "see `luckless" in error
