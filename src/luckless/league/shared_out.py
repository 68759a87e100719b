"""A season in pieces for a crew: a piece is some rounds of a division, played on a copy of what they need.

The copy is a season's directory of its own, with the catalogue's rows of that division and the files of its agents.
There the work is done as anywhere else; what it added, rows and files, comes back and is saved here in one step. So
no folder has to be shared among machines, and a piece that is lost begins again from what is saved.
"""

import tempfile
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from luckless.league.curves import write_curves
from luckless.league.results import rounds_done
from luckless.league.run import Run
from luckless.league.store import Store, saving
from luckless.league.tasks import Task, perform
from luckless.league.training import Report, Stopping
from luckless.pieces import Crew, Doer
from luckless.whole_files import sync_folder, write_bytes

SECONDS = 20.0
"""What a piece takes of work that goes round by round: a student's memory travels with it, tens of megabytes."""

LOOK_SECONDS = 0.2
OF_ROUNDS = ("rounds", "entrants", "flows", "lessons")
IN_TURN = ("train", "similar")
"""Work whose rounds depend on those before them: one piece of it is under way at a time."""


@dataclass(frozen=True)
class Parcel:
    """Rows of the catalogue by table, and files by their path in the season's directory."""

    rows: Mapping[str, list[tuple[Any, ...]]] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class SeasonPiece:
    """A task, or some seconds of it, and what it needs."""

    task: Task
    parcel: Parcel


@dataclass(frozen=True, eq=False)
class SeasonJob:
    """What all pieces of a phase have in common: the season's facts, and the weights that no longer change."""

    facts: Mapping[str, str]
    files: Mapping[str, bytes]

    @contextmanager
    def opened(self) -> Iterator[Doer]:
        """A folder for the copies."""

        def do(piece: SeasonPiece) -> Parcel:
            with tempfile.TemporaryDirectory(prefix="luckless-season-") as name:
                return _done(Path(name), self, piece)

        yield do


def _done(folder: Path, job: SeasonJob, piece: SeasonPiece) -> Parcel:
    """Does a piece in a folder, and gives what it added."""
    for name, data in {**job.files, **piece.parcel.files}.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    store = Store.create(folder, dict(job.facts), [])
    with store.step() as database:
        for table, rows in piece.parcel.rows.items():
            _insert(database, table, rows)
    store.close()
    run = Run.open(folder, trusted=True)
    try:
        task = piece.task
        before = {number for _, number, *_ in piece.parcel.rows.get("rounds", ())}
        perform(run, task, *_for_some_seconds(task))
        return _added(run, task, before, {*job.files, *piece.parcel.files})
    finally:
        run.store.close()


def _for_some_seconds(task: Task) -> tuple[Report, Stopping]:
    """Ends work that goes round by round after a while, but not before its first round."""
    started, played = perf_counter(), list[int]()
    return played.append, lambda: task.work in IN_TURN and bool(played) and perf_counter() - started > SECONDS


def _added(run: Run, task: Task, before: set[int], known: set[str]) -> Parcel:
    if task.work == "style":
        marks = ", ".join("?" * len(task.items))
        rows = {"styles": run.store.rows(f"select * from styles where agent in ({marks})", *task.items)}
    else:
        rows = {
            table: [row for row in run.store.rows(f"select * from {table} where division = ?", task.division)
                    if row[1] not in before]
            for table in OF_ROUNDS
        }  # fmt: skip
    if task.work == "train":
        rows["agents"] = run.store.rows("select * from agents where division = ?", task.division)
    made = (path for name in ("agents", "learners", "styles") for path in sorted((run.directory / name).glob("*")))
    names = {str(path.relative_to(run.directory)): path for path in made}
    return Parcel(rows, {name: path.read_bytes() for name, path in names.items() if name not in known})


def _insert(database: Any, table: str, rows: Sequence[tuple[Any, ...]]) -> None:
    if rows:
        database.executemany(f"insert or replace into {table} values ({', '.join('?' * len(rows[0]))})", rows)


def _needed(run: Run, task: Task) -> Parcel:
    """What a piece of a task starts from, as it is saved now."""
    rows = {"agents": run.store.rows("select * from agents")}
    if task.work in IN_TURN:
        for table in ("rounds", "entrants"):
            rows[table] = run.store.rows(f"select * from {table} where division = ?", task.division)
    if task.work != "train":
        return Parcel(rows)
    entries = [entry for entry in run.store.entries().values() if entry.agent.division == task.division]
    names = [name for entry in entries for name in (entry.weights, entry.learner) if name]
    return Parcel(rows, {name: (run.directory / name).read_bytes() for name in names})


def _job(run: Run, tasks: Sequence[Task]) -> SeasonJob:
    """In evaluation the weights of all clones, which travel once; in training they travel with the students."""
    entries = run.store.entries().values() if all(task.work != "train" for task in tasks) else ()
    files = {entry.weights: (run.directory / entry.weights).read_bytes() for entry in entries if entry.weights}
    return SeasonJob(dict(run.store.rows("select key, value from season")), files)


def share_out_on(crew: Crew, run: Run, tasks: Sequence[Task], report: Report, stopping: Stopping) -> None:
    """Does all tasks on a crew; after a wish to stop the pieces under way are still saved."""
    job, waiting, under_way = _job(run, tasks), deque(tasks), dict[Future[Parcel], Task]()
    try:
        while under_way or (waiting and not stopping()):
            while waiting and not stopping() and len(under_way) < 2 * crew.slots:
                task = waiting.popleft()
                under_way[crew.submit(job, SeasonPiece(task, _needed(run, task)))] = task
            done, _ = wait(under_way, LOOK_SECONDS, FIRST_COMPLETED)
            for future in done:
                task = under_way.pop(future)
                _save(run, task, future.result(), report)
                if task.work in IN_TURN and len(rounds_done(run.store, task.division)) < run.rounds(task.division):
                    waiting.appendleft(task)
    finally:
        for future in under_way:
            future.cancel()


def _save(run: Run, task: Task, parcel: Parcel, report: Report) -> None:
    """Keeps what a piece added: first the files, then one step of the catalogue that names them."""
    with saving(run.directory):
        for name, data in parcel.files.items():
            path = run.directory / name
            path.parent.mkdir(exist_ok=True)
            write_bytes(path, data)
        for folder in {str(Path(name).parent) for name in parcel.files}:
            sync_folder(run.directory / folder)
    with run.store.step() as database:
        for table, rows in parcel.rows.items():
            _insert(database, table, rows)
    if task.work == "train":
        _remove_old_learners(run, task.division)
        with saving(run.directory):
            write_curves(run, task.division)
    report(sum(row[4] for row in parcel.rows.get("rounds", ())))


def _remove_old_learners(run: Run, division: int) -> None:
    for entry in run.store.entries().values():
        if entry.agent.division == division and entry.learner:
            kept = run.directory / entry.learner
            for path in kept.parent.glob(f"{entry.agent.name}-*"):
                if path != kept:
                    path.unlink()
