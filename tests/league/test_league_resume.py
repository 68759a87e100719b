"""Seasons that are killed, stopped, run out of disk or lose a network: they go on, and end as if nothing had been."""

import errno
import json
import os
import random
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import league_season
from forging import edit, unseal
from luckless.databases.damage import damage_in
from luckless.errors import InputError
from luckless.league import evaluation, season, store, training
from luckless.league.boards import board
from luckless.league.curves import write_all_curves
from luckless.league.results import fingerprint
from luckless.league.run import Run
from luckless.league.status import status
from luckless.league.store import SaveError, Store
from luckless.runs import CATALOGUE

SMALL = """\
name = "small"
seed = 3
[training]
rounds = 5
hands = 12
clone_every = 2
[[division]]
name = "one"
matchup = "climbing"
six_teachers = 0.2
students = ["nudge", "nudge"]
teachers = ["call"]
[style]
hands = 1
"""


@pytest.fixture(autouse=True)
def fakes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simple learners, and a save after every round."""
    league_season.use_fakes(monkeypatch.setattr)
    monkeypatch.setattr(training, "SAVE_SECONDS", 0.0)
    monkeypatch.setattr(evaluation, "SAVE_SECONDS", 0.0)


def _outcome(directory: Path) -> tuple[str, list[dict[str, Any]]]:
    """All that must be equal: the results, and the board."""
    run = Run.open(directory)
    found = fingerprint(run.store), [line.to_dict() for line in board(run)]
    run.store.close()
    return found


class _PowerCut(BaseException):
    """Nothing may catch it."""


@contextmanager
def _cut_at(monkeypatch: pytest.MonkeyPatch, step: int) -> Iterator[list[str]]:
    """Ends everything at the `step`-th touch of the disk: before it, or after it, as the number is odd or even."""
    touched: list[str] = []

    def watched(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def touch(*arguments: Any, **named: Any) -> Any:
            touched.append(name)
            cut = len(touched) == step // 2
            if cut and step % 2 == 0:
                raise _PowerCut
            result = work(*arguments, **named)
            if cut:
                raise _PowerCut
            return result

        return touch

    with monkeypatch.context() as patch:
        for owner, name in (
            (league_season, "_write"),
            (training, "add_outcome"),
            (training, "write_curves"),
            (training, "sync"),
            (training, "sync_folder"),
            (os, "replace"),
            (Path, "unlink"),
            (Store, "entries"),
        ):
            patch.setattr(owner, name, watched(name, getattr(owner, name)))
        yield touched


def test_a_cut_at_any_touch_of_the_disk_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some places here, every one in the slow suite."""
    _cut_everywhere(tmp_path, monkeypatch, every=7)


@pytest.mark.slow
def test_a_cut_at_every_touch_of_the_disk_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _cut_everywhere(tmp_path, monkeypatch, every=1)


def _cut_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, every: int) -> None:
    config = tmp_path / "small.toml"
    config.write_text(SMALL)

    def train(directory: Path) -> None:
        run = Run.open(directory)
        try:
            training.train(run, 0, lambda hands: None, lambda: False)
        finally:
            run.store.close()

    def begun(name: str) -> Path:
        Run.begin(tmp_path / name, config).store.close()
        return tmp_path / name

    whole, counted = begun("whole"), begun("counted")
    train(whole)  # uncounted, because what is compiled on the way is stored too
    expected = _outcome(whole)
    with _cut_at(monkeypatch, 0) as touched:
        train(counted)
    assert len(touched) >= 60
    for step in range(2, 2 * len(touched) + 2, every):
        directory = begun(f"cut{step}")
        with pytest.raises(_PowerCut), _cut_at(monkeypatch, step):
            train(directory)
        train(directory)
        run = Run.open(directory)
        write_all_curves(run)  # as every run does first
        run.store.close()
        assert _outcome(directory) == expected, f"cut {touched[step // 2 - 1]} at step {step}"
        assert len(list((directory / "learners").iterdir())) == 2
        assert (directory / "curves" / "one.csv").read_text() == (whole / "curves" / "one.csv").read_text()


def _kill_until_done(directory: Path, processes: int, dice: random.Random, most: int) -> int:
    """Runs the season as a process of its own and kills it again and again; returns how often."""
    kills = 0
    while True:
        command = [sys.executable, league_season.__file__, str(directory), str(processes)]
        process = subprocess.Popen(command, start_new_session=True)
        if kills < most:
            _wait_for_rounds(directory, process, dice.randint(1, 25))
            time.sleep(dice.random() * 0.05)
            process.send_signal(signal.SIGKILL)
        code = process.wait(timeout=300)
        if code == 0:
            return kills
        assert code == -signal.SIGKILL
        kills += 1


def _wait_for_rounds(directory: Path, process: "subprocess.Popen[bytes]", more: int) -> None:
    """Waits until so many more rounds are saved, or the process is done."""
    before = _rounds(directory)
    while process.poll() is None and _rounds(directory) < before + more:
        time.sleep(0.005)


def _rounds(directory: Path) -> int:
    try:
        with sqlite3.connect(f"file:{directory / CATALOGUE}?mode=ro", uri=True, timeout=5) as database:
            return int(database.execute("select count(*) from rounds").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def test_a_killed_season_ends_like_one_that_was_not(tmp_path: Path) -> None:
    assert league_season.play(tmp_path / "whole")
    assert _kill_until_done(tmp_path / "killed", 2, random.Random(1), most=2) == 2
    assert _outcome(tmp_path / "killed") == _outcome(tmp_path / "whole")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_killed_often_on_one_process_and_on_two(tmp_path: Path, seed: int) -> None:
    assert league_season.play(tmp_path / "whole")
    dice = random.Random(100 + seed)
    assert _kill_until_done(tmp_path / "killed", 1 + seed % 2, dice, most=6) >= 3
    assert _outcome(tmp_path / "killed") == _outcome(tmp_path / "whole")


def test_a_full_disk_is_said_and_survived(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert league_season.play(tmp_path / "whole", config=SMALL)
    written = league_season._write

    def full(path: Path, **arrays: Any) -> str:
        if path.stem.rpartition("-")[2] in ("3", "4", "5"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return written(path, **arrays)

    with monkeypatch.context() as patch:
        patch.setattr(league_season, "_write", full)
        with pytest.raises(SaveError, match=r"No space left on device; what was saved before is safe.*resume"):
            league_season.play(tmp_path / "full", config=SMALL)
    assert 2 <= _rounds(tmp_path / "full") < 5
    assert league_season.play(tmp_path / "full")
    assert _outcome(tmp_path / "full") == _outcome(tmp_path / "whole")


def test_a_disk_that_takes_no_more_of_the_catalogue_is_said_and_survived(tmp_path: Path) -> None:
    config = tmp_path / "small.toml"
    config.write_text(SMALL)
    run = Run.begin(tmp_path / "run", config)
    with (
        _file_sizes_up_to(20_000),  # learners fit, the catalogue's log soon does not
        pytest.raises(SaveError, match=r"cannot be saved: (disk I/O error|database or disk is full)"),
    ):
        training.train(run, 0, lambda hands: None, lambda: False)
    run.store.close()
    assert _rounds(tmp_path / "run") < 5
    assert league_season.play(tmp_path / "run")
    assert league_season.play(tmp_path / "whole", config=SMALL)
    assert _outcome(tmp_path / "run") == _outcome(tmp_path / "whole")


@contextmanager
def _file_sizes_up_to(size: int) -> Iterator[None]:
    """As on a disk that is full: no file grows beyond so many bytes."""
    limits, before = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, before)


def test_a_full_disk_at_the_start_leaves_nothing_behind(tmp_path: Path) -> None:
    config = tmp_path / "small.toml"
    config.write_text(SMALL)
    with (
        _file_sizes_up_to(5_000),
        pytest.raises(SaveError, match=r"cannot begin: .*; nothing was left there") as error,
    ):
        Run.begin(tmp_path / "run", config)
    assert "resume" not in str(error.value)
    assert list((tmp_path / "run").iterdir()) == []
    Run.begin(tmp_path / "run", config).store.close()


def test_a_full_disk_is_no_damaged_catalogue(tmp_path: Path) -> None:
    config = tmp_path / "small.toml"
    config.write_text(SMALL)
    Run.begin(tmp_path / "run", config).store.close()
    with _file_sizes_up_to(0):
        run = Run.open(tmp_path / "run")  # reading needs no space
        with pytest.raises(SaveError, match=r"cannot be saved: .*; what was saved before is safe"):
            run.store.note("workers", "2")
    Run.open(tmp_path / "run").store.close()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ("drop table lessons", r"season.sqlite is damaged: no such table: lessons"),
        ("delete from season where key = 'settings'", r"season.sqlite is damaged: it lacks the season's settings"),
        ("update season set value = '[' where key = 'settings'", r"is damaged: its settings cannot be read"),
        (f"update season set value = '{'[' * 100_000}' where key = 'settings'", r"its settings cannot be read"),
    ],
)
def test_damaged_catalogues(tmp_path: Path, damage: str, message: str) -> None:
    config = tmp_path / "small.toml"
    config.write_text(SMALL)
    Run.begin(tmp_path / "run", config).store.close()
    edit(tmp_path / "run" / CATALOGUE, (damage,))
    with pytest.raises(InputError, match="its content is not what was sealed"):
        Run.open(tmp_path / "run")
    unseal(tmp_path / "run" / CATALOGUE)
    with pytest.raises(InputError, match=message):
        status(Run.open(tmp_path / "run"))


def test_a_run_reads_the_catalogue_through_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever opens it later reads it through again, unless it is trusted, as in processes of a pool."""
    scans = []

    def scan(database: sqlite3.Connection) -> str:
        scans.append(database)
        return damage_in(database)

    monkeypatch.setattr(store, "damage_in", scan)
    config = tmp_path / "small.toml"
    config.write_text(SMALL)
    Run.begin(tmp_path / "run", config).store.close()
    assert len(scans) == 0
    assert season.run_season(tmp_path / "run", workers=1)
    assert len(scans) == 1
    Run.open(tmp_path / "run", trusted=True).store.close()
    assert len(scans) == 1
    Run.open(tmp_path / "run").store.close()
    assert len(scans) == 2


def test_a_style_is_on_disk_whole_before_the_catalogue_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Power cuts before, between and after the touches of the disk: what the catalogue names can be read."""
    assert league_season.play(tmp_path / "whole", config=SMALL)
    touched: list[str] = []

    def cut_after_three(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def touch(*places: Any) -> None:
            path = Path(os.readlink(f"/proc/self/fd/{places[0]}") if name == "sync" else places[-1])
            work(*places)
            touched.append(f"{name} {re.sub('[0-9a-f]{32}', '*', path.name)}")
            if len(touched) == 3:
                raise _PowerCut

        return touch

    run = Run.open(tmp_path / "whole")
    name = run.roster[run.teachers[0]].name
    with run.store.step() as database:
        database.execute("delete from styles")
    for path in (tmp_path / "whole" / "styles").iterdir():
        path.unlink()
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", cut_after_three("sync", os.fsync))
        patch.setattr(os, "replace", cut_after_three("replace", os.replace))
        with pytest.raises(_PowerCut):
            evaluation.judge_styles(run, run.teachers[:1], lambda: False)
    assert touched == [f"sync .{name}.npz.*.writing", f"replace {name}.npz", "sync styles"]
    assert run.store.rows("select count(*) from styles") == [(0,)]
    run.store.close()
    (tmp_path / "whole" / "styles" / ".half.npz.draft").write_text("not all of it")
    assert league_season.play(tmp_path / "whole")
    run = Run.open(tmp_path / "whole")
    files = {path.name for path in (tmp_path / "whole" / "styles").iterdir()}
    assert files == {f"{run.roster[agent].name}.npz" for agent in run.teachers}
    run.store.close()


def test_status_estimates_what_has_not_begun(tmp_path: Path) -> None:
    like_rank = '[[evaluation]]\nname = "like"\nmatchup = "similar"\nrounds = 400\nhands = 30\n'
    config = tmp_path / "small.toml"
    config.write_text(SMALL + like_rank + '[[evaluation]]\nname = "pairs"\nmatchup = "direct"\nmeetings = 1\n')
    run = Run.begin(tmp_path / "run", config)
    assert status(run).seconds_left is None
    training.train(run, 0, lambda hands: None, lambda: run.store.rows("select count(*) from rounds") == [(2,)])
    [(playing, learning)] = run.store.rows("select (select sum(seconds) from rounds), total(seconds) from lessons")
    [(decisions,)] = run.store.rows("select sum(folds + calls + checks + raises) from entrants")
    # 3 rounds of 12 hands with lessons, 400 of 30 and 21 of 10,000 hands without, 7 agents in 432 situations
    train, similar, direct = 3 / 2 * (playing + learning), 400 * 30 * playing / 24, 21 * 10_000 * playing / 24
    style = 7 * 4_320 * playing / decisions
    for workers in (1, 2, 1_000):
        run.store.note("workers", str(workers))
        expected = train + max((similar + direct + style) / workers, similar)
        assert status(run).seconds_left == pytest.approx(expected)
    run.store.close()
    assert league_season.play(tmp_path / "whole", 1, SMALL)
    assert Run.open(tmp_path / "whole").store.fact("workers") == "1"


def test_other_versions_are_named_before_they_go_on(tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    assert league_season.play(tmp_path / "run", config=SMALL)
    assert not recwarn.list
    run = Run.open(tmp_path / "run")
    known = json.loads(run.store.fact("versions"))
    run.store.note("versions", json.dumps({**known, "numpy": "1.0", "torch": known.get("torch")}))
    run.store.close()
    with pytest.warns(UserWarning, match=r"begun with other versions \(numpy 1\.0 -> [^,)]+\)") as warned:
        season.run_season(tmp_path / "run", workers=1)
    assert len(warned) == 1


def test_a_student_that_fails_is_named_and_the_season_goes_on(tmp_path: Path) -> None:
    config = SMALL.replace('students = ["nudge", "nudge"]', 'students = ["frail", "nudge"]')
    config = config.replace("rounds = 5", "rounds = 9") + '[learner.frail]\nkind = "nudge"\nfails_at = 2\n'
    assert league_season.play(tmp_path / "run", config=config)
    run = Run.open(tmp_path / "run")
    state = status(run)
    assert state.finished
    frail = next(agent for agent in run.roster if agent.type == "frail")
    lessons = run.store.rows("select number, fault from lessons where agent = ? order by 1", frail.id)
    assert [bool(fault) for _, fault in lessons] == [place >= 1 for place in range(len(lessons))]
    assert state.stopped == (
        (frail.name, f"learning stopped in round {lessons[1][0] + 1}: the weights are no longer finite"),
    )
    clones = [entry for entry in run.store.entries().values() if entry.agent.parent == frail.id]
    assert clones[-1].sha256 == clones[-2].sha256


def test_one_season_runs_once(tmp_path: Path) -> None:
    assert league_season.play(tmp_path / "run", config=SMALL)
    with season._locked(tmp_path / "run"), pytest.raises(InputError, match="is running already"):
        season.run_season(tmp_path / "run")
    with pytest.raises(InputError, match="holds no season"):
        season.run_season(tmp_path)
    assert not (tmp_path / season.LOCK).exists()


def test_a_finished_season_stays_as_it_is_and_leftovers_go(tmp_path: Path) -> None:
    assert league_season.play(tmp_path / "run", config=SMALL)
    before = _outcome(tmp_path / "run")
    half, curve = tmp_path / "run" / "learners" / ".half.part", tmp_path / "run" / "curves" / "one.csv"
    lines = curve.read_text()
    half.write_text("not all of it")
    curve.write_text("old")
    assert season.run_season(tmp_path / "run", workers=1)
    assert _outcome(tmp_path / "run") == before
    assert curve.read_text() == lines
    assert not half.exists()


def test_ctrl_c_ends_the_round_and_saves_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tmp_path / "small.toml"
    config.write_text(SMALL)
    Run.begin(tmp_path / "run", config).store.close()
    played = training.TrainingDivision.play

    def interrupted(division: training.TrainingDivision) -> int:
        os.kill(os.getpid(), signal.SIGINT)
        return played(division)

    monkeypatch.setattr(training, "SAVE_SECONDS", 1e9)
    with monkeypatch.context() as patch:
        patch.setattr(training.TrainingDivision, "play", interrupted)
        assert not season.run_season(tmp_path / "run", workers=1)
    assert _rounds(tmp_path / "run") == 1
    assert season.run_season(tmp_path / "run", workers=1)


def test_directories_that_cannot_be_used(tmp_path: Path) -> None:
    config = tmp_path / "small.toml"
    config.write_text(SMALL)
    Run.begin(tmp_path / "run", config).store.close()
    with pytest.raises(InputError, match="holds this season already; continue it with `luckless league resume"):
        Run.begin(tmp_path / "run", config)
    config.write_text(SMALL.replace("seed = 3", "seed = 4").replace("hands = 12", "hands = 18"))
    with pytest.raises(InputError, match=r"holds another season \(small; it differs in seed, training\)"):
        Run.begin(tmp_path / "run", config)
    with pytest.raises(InputError, match="is a file"):
        Run.begin(config, config)
    with pytest.raises(InputError, match="holds no season"):
        Run.open(tmp_path)
    (tmp_path / "run" / CATALOGUE).write_text("this is no database at all, but long enough to look like one")
    with pytest.raises(InputError, match="is not a catalogue of a season"):
        Run.open(tmp_path / "run")


def _refusal(directory: Path) -> str:
    """Why a catalogue cannot be used; "" if it can."""
    try:
        opened = Run.open(directory)
        status(opened).to_dict()
        board(opened)
        opened.store.close()
    except InputError as error:
        return str(error)
    return ""


def test_a_damaged_catalogue_is_read_as_it_was_or_refused(tmp_path: Path) -> None:
    """Bytes that hold something are overwritten, so that pages, texts, numbers and the names of tables are hit."""
    config = tmp_path / "small.toml"
    config.write_text(SMALL)
    Run.begin(tmp_path / "run", config).store.close()
    season.run_season(tmp_path / "run", workers=1)
    path = tmp_path / "run" / CATALOGUE
    whole, chance, refusals = path.read_bytes(), random.Random(1), set()
    used = [place for place, byte in enumerate(whole) if byte]
    for _ in range(150):
        for leftover in path.parent.glob(f"{CATALOGUE}*"):
            leftover.unlink()
        place, length = chance.choice(used), chance.choice((1, 4, 64))
        path.write_bytes((whole[:place] + chance.randbytes(length) + whole[place + length :])[: len(whole)])
        refusals.add(_refusal(path.parent))
    assert len(refusals) > 10
    assert all(CATALOGUE in refusal for refusal in refusals - {""}), refusals
