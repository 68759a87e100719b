"""The README is run: its files are written, its commands executed, and what it shows is what they print."""

import re
import shlex
from pathlib import Path

import pytest

from documents import blocks_of, matches, run_cell, write_named_file
from shell import Shell

README = Path(__file__).parent.parent / "README.md"


def blocks(language: str) -> list[str]:
    return [block.body for block in blocks_of(README.read_text()) if block.language == language]


def commands() -> list[tuple[str, str]]:
    """Every command line with the output that the README shows after it (empty where it shows none)."""
    found = []
    for block in blocks("console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, output = part.partition("\n")
            found.append((line, output.rstrip()))
    return found


def write_files(folder: Path) -> list[str]:
    """Writes the files that the README shows; what is left is code to run."""
    return [body for body in blocks("python") if not write_named_file(body, folder)]


@pytest.mark.parametrize(("line", "shown"), commands(), ids=[line for line, _ in commands()])
def test_command(
    line: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    shell = Shell(monkeypatch, capsys)
    monkeypatch.setenv("COLUMNS", "80")
    program, *words = shlex.split(line, comments=True)
    assert program == "luckless"
    code, out, err = shell.run(*words)
    assert code == 0, err
    assert matches(shown, out), out


def test_the_python_block_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (code,) = write_files(tmp_path)
    printed = run_cell(code, {"__name__": "readme"}, "README.md").splitlines()
    assert len(printed) == 3
    money, skill, equity = printed
    assert "mbb/h, 95 % interval" in money
    assert "mbb/h, 95 % interval" in skill
    assert equity == "<Equity AcKc 60.36 %, 7h6h 39.64 % (exact, 1,712,304 deals)>"


def test_the_readme_shows_commands_and_both_kinds_of_bots() -> None:
    assert len(commands()) >= 5
    text = "\n".join(blocks("python"))
    assert "def decide(self, view, dice)" in text
    assert "def decide_batch(self, views, dice)" in text


def test_a_wrong_output_would_be_noticed() -> None:
    assert matches("call  +1.5 … done", "call +1.5 in 3 s\ndone")
    assert not matches("call +1.6 … done", "call +1.5 in 3 s\ndone")
