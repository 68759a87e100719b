"""Runs a season: all divisions in training, then evaluation, shared out over processes; one run at a time.

A process a core, and never more than a core for each: networks and engine then do not fight.
"""

import itertools
import json
import signal
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from luckless import interruptions, pieces
from luckless.errors import InputError
from luckless.file_locks import lock, require_locks
from luckless.league.curves import write_all_curves
from luckless.league.processes import share_out, wait_for_stragglers
from luckless.league.run import Run
from luckless.league.shared_out import share_out_on
from luckless.league.store import catalogue_in, versions
from luckless.league.tasks import Task, evaluation_tasks, perform, training_tasks
from luckless.league.training import Stopping
from luckless.progress import Progress
from luckless.threads import core_count
from luckless.whole_files import remove_leftovers

LOCK = "season.lock"


def run_season(directory: Path, *, workers: int | None = None, show_progress: bool = False) -> bool:
    """Plays what is left of a season; False when Ctrl-C stopped it, after the rounds under way were saved."""
    with _locked(directory), _stopped_by_interrupt() as stopping:
        _clear_up(directory)
        run = Run.open(directory)  # the one time that this process and those it starts read the catalogue for damage
        try:
            write_all_curves(run)
            processes = workers or core_count()
            _begin_work(run, processes)
            phases = (("training", training_tasks), ("evaluation", evaluation_tasks))
            return all(
                _all_done(run, label, tasks_of, stopping, processes, show_progress) for label, tasks_of in phases
            )
        finally:
            run.store.close()


def _clear_up(directory: Path) -> None:
    """Puts right what a run that was cut off has left: processes about to end, half-written files."""
    wait_for_stragglers(directory)
    for folder in ("agents", "learners", "styles", "curves"):
        remove_leftovers(directory / folder, older=(".*.part", ".*.draft"))


def _begin_work(run: Run, processes: int) -> None:
    """Notes the number of processes, to estimate the time left; warns if other versions began the season."""
    run.store.note("workers", str(processes))
    before, now = json.loads(run.store.fact("versions", "{}")), json.loads(versions())
    changed = [
        f"{name} {before.get(name, 'none')} -> {now.get(name, 'none')}"
        for name in {**before, **now}
        if before.get(name) != now.get(name)
    ]
    if changed:
        advice = "results from here on may differ from those of a season without interruption"
        warnings.warn(f"{run.directory} was begun with other versions ({', '.join(changed)}): {advice}", stacklevel=3)


def _all_done(
    run: Run, label: str, tasks_of: Callable[[Run], list[Task]], stopping: Stopping, processes: int,
    show_progress: bool,
) -> bool:  # fmt: skip
    """Does the tasks of one phase; True unless it was stopped."""
    tasks = tasks_of(run)
    processes = min(processes, max(len(tasks), 1))
    with Progress(sum(task.hands for task in tasks), f"{label}, hands", show=show_progress) as progress:
        if tasks and (crew := pieces.crew()) is not None:
            share_out_on(crew, run, tasks, progress.advance, stopping)
        elif processes == 1:
            for task in itertools.takewhile(lambda _: not stopping(), tasks):
                perform(run, task, progress.advance, stopping)
        elif tasks:
            share_out(run.directory, tasks, processes, progress.advance, stopping)
    return not stopping()


@contextmanager
def _locked(directory: Path) -> Iterator[None]:
    """Keeps a second process from running the same season."""
    require_locks("running a season")
    catalogue_in(directory)
    with (directory / LOCK).open("a") as file:
        if not lock(file, wait=False):
            raise InputError(f"the season in {directory} is running already; `luckless league status` shows how far")
        yield


@contextmanager
def _stopped_by_interrupt() -> Iterator[Stopping]:
    """The first Ctrl-C, SIGTERM or SIGHUP lets the rounds under way end and saves them; the second ends at once."""
    interrupted: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        if interrupted:
            raise KeyboardInterrupt
        interrupted.append(number)
        interruptions.note_ending(number)

    before = {number: signal.signal(number, note) for number in interruptions.handled_signals()}
    try:
        yield lambda: bool(interrupted)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
