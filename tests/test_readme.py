"""The README is run: its files are written, its commands executed, and what it shows is what they print."""

import re
import shlex
from pathlib import Path

import pytest

from shell import Shell

README = Path(__file__).parent.parent / "README.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
FILE_NAME = re.compile(r"^# (\S+\.(?:py|toml))\n")


def blocks(kind: str) -> list[str]:
    return [body for found, body in BLOCK.findall(README.read_text()) if found == kind]


def commands() -> list[tuple[str, str]]:
    """Every command line with the output that the README shows after it (empty where it shows none)."""
    found = []
    for block in blocks("console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, output = part.partition("\n")
            found.append((line, output.rstrip()))
    return found


def matches(shown: str, printed: str) -> bool:
    """Whether the output is what is shown; `…` stands for anything, as timings differ from run to run."""
    pattern = r".*?".join(re.escape(" ".join(part.split())) for part in shown.split("…"))
    return re.search(pattern, " ".join(printed.split()), re.DOTALL) is not None


def write_files(folder: Path) -> None:
    for body in blocks("python"):
        if name := FILE_NAME.match(body):
            (folder / name[1]).write_text(body)


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


def test_the_readme_shows_commands_and_both_kinds_of_bots() -> None:
    assert len(commands()) >= 5
    text = "\n".join(blocks("python"))
    assert "def decide(self, view, dice)" in text
    assert "def decide_batch(self, views, dice)" in text


def test_a_wrong_output_would_be_noticed() -> None:
    assert matches("call  +1.5 … done", "call +1.5 in 3 s\ndone")
    assert not matches("call +1.6 … done", "call +1.5 in 3 s\ndone")
