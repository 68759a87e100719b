"""Where commands write: links are followed, devices and pipes refused, and nothing that is the user's is removed."""

import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from luckless.histories.converting import convert
from luckless.histories.store import StoredHands
from luckless.rules.game import Game
from shell import Shell
from stored_hands import played, written

MATCH = ("match", "call", "raise", "--game", "limit-hu", "--hands", "4")


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Commands run in a folder with a stored match, a log, and a log with a bad hand."""
    from luckless.histories.formats import FORMATS

    monkeypatch.chdir(tmp_path)
    shell = Shell(monkeypatch, capsys)
    shell.json(*MATCH, "--save", "run")
    text = written([played(Game.load("limit-hu"), 4)], FORMATS["phh"].writer(Path("x.phhs")))
    Path("hands.phhs").write_text(text)
    Path("bad.phhs").write_text(text + "[99]\nvariant = 'NT'\n")
    return shell


COMMANDS: dict[str, Callable[[str], tuple[str, ...]]] = {
    "report": lambda target: ("report", "run", "--out", target),
    "match --report": lambda target: (*MATCH, "--report", target),
    "evaluate --report": lambda target: ("evaluate", "call", "--hands", "8", "--report", target),
    "session --report": lambda target: ("session", "call", "raise", "--games", "2", "--report", target),
    "divat --report": lambda target: ("divat", "run", "--equity", "aie", "--report", target),
    "divat --save": lambda target: ("divat", "run", "--equity", "aie", "--save", target),
    "convert": lambda target: ("convert", "hands.phhs", target, "--to", "phh"),
    "convert --rejects": lambda target: ("convert", "bad.phhs", "out.phhs", "--rejects", target),
}


@pytest.fixture
def devices(tmp_path: Path) -> dict[str, Path]:
    """A pipe, a link to it, and a device where one may be made."""
    places = {"pipe": tmp_path / "pipe", "link": tmp_path / "link_to_pipe", "device": tmp_path / "device"}
    os.mkfifo(places["pipe"])
    places["link"].symlink_to("pipe")
    try:
        os.mknod(places["device"], 0o600 | stat.S_IFCHR, os.makedev(1, 3))
    except OSError:  # only root may, and not everywhere
        del places["device"]
    return places


def kinds(places: dict[str, Path]) -> dict[str, int]:
    """What each place is now."""
    return {name: stat.S_IFMT(path.lstat().st_mode) for name, path in places.items()}


@pytest.mark.parametrize("command", COMMANDS)
def test_devices_pipes_and_links_to_them_are_refused_and_stay(
    shell: Shell, devices: dict[str, Path], command: str
) -> None:
    before = kinds(devices)
    for path in devices.values():
        code, _, err = shell.run(*COMMANDS[command](path.name))
        assert code == 2, err
        assert path.name in err
        assert len(err.strip().splitlines()) == 1
    assert kinds(devices) == before


@pytest.mark.parametrize("command", COMMANDS)
def test_a_link_is_followed_and_stays(shell: Shell, command: str) -> None:
    Path("elsewhere").mkdir()
    Path("target").symlink_to("elsewhere/real")
    code, _, err = shell.run(*COMMANDS[command]("target"))
    assert code == 0, err
    assert Path("target").is_symlink()
    assert Path("elsewhere/real").stat().st_size > 0
    assert [path.name for path in Path("elsewhere").iterdir()] == ["real"]


def test_stored_things_follow_links_to_folders(shell: Shell) -> None:
    Path("elsewhere").mkdir()
    Path("target").symlink_to("elsewhere")
    shell.json(*MATCH, "--save", "target")
    assert Path("target").is_symlink()
    assert StoredHands.open(Path("elsewhere")).hands == 4
    Path("second").mkdir()
    Path("copy").symlink_to("second")
    shell.json("convert", "run", "copy")
    assert Path("copy").is_symlink()
    assert StoredHands.open(Path("second")).hands == 4


# What is the user's


PRECIOUS = ("results.partial", "results.writing", ".results.tmp", "results.rejects.old", "out.phhs.partial")


def test_nothing_of_the_user_is_removed(shell: Shell) -> None:
    for name in PRECIOUS:
        Path(name).mkdir()
        (Path(name) / "notes.txt").write_text("mine")
    shell.refused("convert", "nosuch", "results")
    shell.json("convert", "hands.phhs", "results")
    shell.json("convert", "bad.phhs", "out.phhs")
    shell.refused("convert", "nosuch", "results2")
    assert {name: (Path(name) / "notes.txt").read_text() for name in PRECIOUS} == dict.fromkeys(PRECIOUS, "mine")
    assert not Path("results2").exists()


def test_a_lock_file_of_the_user_keeps_what_is_in_it(shell: Shell) -> None:
    Path("new").mkdir()
    Path("new/writer.lock").write_text("mine")
    shell.json(*MATCH, "--save", "new")
    assert Path("new/writer.lock").read_text() == "mine"


def test_rejects_are_never_written_over_a_file_that_is_not_theirs(shell: Shell) -> None:
    Path("out.phhs.rejects").write_text("mine")
    assert "is not a file of rejected hands" in shell.refused("convert", "bad.phhs", "out.phhs")
    assert Path("out.phhs.rejects").read_text() == "mine"
    assert not Path("out.phhs").exists()


def test_an_older_file_of_rejects_behind_a_link_goes_and_the_link_stays(shell: Shell) -> None:
    Path("out.phhs.rejects").symlink_to("real.rejects")
    shell.json("convert", "bad.phhs", "out.phhs")
    assert "variant = 'NT'" in Path("real.rejects").read_text()
    shell.json("convert", "hands.phhs", "out.phhs")
    assert Path("out.phhs.rejects").is_symlink()
    assert not Path("real.rejects").exists()


@pytest.mark.parametrize("target", ["out.phhs", "stored"])
def test_two_converts_to_one_target_leave_one_whole_result(shell: Shell, target: str) -> None:
    said: list[str] = []

    def work() -> None:
        try:
            said.append(f"{convert(Path('hands.phhs'), Path(target)).hands} hands")
        except ValueError as error:
            said.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert "4 hands" in said
    others = [text for text in said if text != "4 hands"]
    assert all("by another process in the meantime" in text or "is not empty" in text for text in others), others
    back = convert(Path(target), Path("back.phhs"))
    assert (back.hands, back.rejected) == (4, 0)
    assert [name for name in os.listdir() if name.endswith(".writing")] == []


def test_bytes_are_on_the_disk_before_a_file_takes_its_name(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []

    def noted(name: str, work: Callable[..., None]) -> Callable[..., None]:
        def call(*arguments: object) -> None:
            steps.append(name)
            work(*arguments)

        return call

    monkeypatch.setattr(os, "fsync", noted("sync", os.fsync))
    monkeypatch.setattr(os, "replace", noted("rename", os.replace))
    shell.run("report", "run", "--out", "page.html")
    assert steps == ["sync", "rename", "sync"]
