"""What is stored names bots, files and folders. Reading it never starts, imports or reads what it names."""

import os
from pathlib import Path

import pytest

from forging import MATCH, SEASON, edit, reseal, set_setting
from league_season import CONFIG, use_fakes
from luckless.bots.catalogue import foreign_code, load_bot, load_shipped
from luckless.bots.rule_bot import RuleBot
from luckless.errors import InputError
from luckless.histories.match_writer import play_stored
from luckless.histories.playing_again import foreign_bots
from luckless.histories.store import StoredHands
from luckless.histories.verifying import verify
from luckless.league.run import Run
from luckless.rules.game import Game
from shell import Shell
from stored_hands import plan

LIMIT = Game.load("limit-hu")
SPY = """\
from pathlib import Path
Path("was-run").touch()
class Spy:
    def decide(self, view, dice):
        return 0
"""

FOREIGN = {
    "exec:sh -c 'touch was-run'": "starts the program sh -c 'touch was-run'",
    "spy.py:Spy": "imports spy.py",
    "pypoker:spy.py:Spy": "imports spy.py:Spy",
    "mix:call=1,spy.py:Spy=1": "imports spy.py",
    "mix:call=1,./spy.py:Spy=1": "imports ./spy.py",
    "friendly=spy.py:Spy": "imports spy.py",
    "agent:spy": "reads the weights of spy",
    "acpc:12345": "listens for a program on port 12345",
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with a file that tells when it is imported."""
    monkeypatch.chdir(tmp_path)
    Path("spy.py").write_text(SPY)
    return tmp_path


def forged(spec: str) -> Path:
    """A match of shipped bots whose catalogue names another bot as the second."""
    folder = Path("m")
    play_stored(plan(LIMIT, 200), folder)
    path = folder / MATCH
    edit(path, ("update bots set name = ?, code_sha256 = '' where player = 1", spec))
    set_setting(path, "specs", ["uniform", spec])
    reseal(path)
    return folder


@pytest.mark.parametrize(("spec", "does"), FOREIGN.items())
def test_a_bot_is_told_apart_by_its_text_alone(here: Path, spec: str, does: str) -> None:
    assert foreign_code(spec) == does
    with pytest.raises(InputError, match="is not a shipped bot"):
        load_shipped(spec)
    assert not Path("was-run").exists()


@pytest.mark.parametrize("spec", ["call", "pot-odds:risk=0.05", "mix:call=2,pot-odds=1:risk=0.05", "calm=call"])
def test_shipped_bots_run_nothing_foreign(spec: str) -> None:
    assert foreign_code(spec) == ""
    assert load_shipped(spec).fingerprint() == load_bot(spec).fingerprint()
    assert isinstance(load_shipped("call"), RuleBot)


@pytest.mark.parametrize("spec", FOREIGN)
def test_no_command_that_reads_a_match_runs_its_bots(
    here: Path, spec: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, shell = str(forged(spec)), Shell(monkeypatch, capsys)
    for command in (
        ("verify", folder),
        ("report", folder, "--out", "page.html"),
        ("query", folder, "select * from bots"),
        ("replay", folder, "--hand", "0"),
        ("divat", folder),
        ("convert", folder, "out.phhs"),
    ):
        code, _, err = shell.run(*command)
        assert code in (0, 1, 2)
        assert "Traceback" not in err
        assert not Path("was-run").exists(), command


def test_bots_that_are_not_shipped_play_again_only_when_they_may(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The bot's own fingerprint is stored, so that nothing but the question stands between it and being run."""
    play_stored(plan(LIMIT, 200, bots=("uniform", "spy.py:Spy")), Path("m"))
    assert Path("was-run").exists()
    Path("was-run").unlink()
    assert foreign_bots(StoredHands.open(Path("m"))) == ["spy.py:Spy imports spy.py"]
    found = verify(Path("m"))
    assert (found.failures, found.reproduced) == (0, None)
    assert "not played again: spy.py:Spy imports spy.py" in found.notes[0]
    assert not Path("was-run").exists()
    shell = Shell(monkeypatch, capsys)
    code, out, err = shell.run("verify", "m", "--bots")
    assert code == 0, (out, err)
    assert "reproduces every one of them" in out
    assert "spy.py:Spy imports spy.py" in err
    assert Path("was-run").exists()


def test_weights_are_read_only_from_where_agents_are_kept(here: Path) -> None:
    """A stored name may be a path; a file elsewhere is not even opened."""
    elsewhere = here / "elsewhere.safetensors"
    os.mkfifo(elsewhere)  # opening it would wait for ever
    folder = forged(f"agent:{elsewhere}")
    assert verify(folder, bots=True).notes
    elsewhere.unlink()
    elsewhere.write_bytes(b"nothing of ours")
    (note,) = [note for note in verify(folder, bots=True).notes if "not played again" in note]
    assert "lies outside agents" in note


def test_a_season_never_imports_a_teacher(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither from its file nor from its catalogue, where any text can stand."""
    use_fakes(monkeypatch.setattr)
    Path("season.toml").write_text(CONFIG.replace('"random", "call"', '"random", "./spy.py:Spy"'))
    with pytest.raises(InputError, match="is not a shipped bot: it imports"):
        Run.begin(Path("run"), Path("season.toml"))
    Path("season.toml").write_text(CONFIG)
    run = Run.begin(Path("run"), Path("season.toml"))
    run.store.close()
    edit(Path("run") / SEASON, ("update agents set type = './spy.py:Spy' where type = 'call'",))
    with pytest.raises(InputError):
        Run.open(Path("run")).bot(1)
    assert not Path("was-run").exists()
