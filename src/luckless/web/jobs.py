"""Work that takes longer than a request: checks and solves, in threads, a few at once."""

import itertools
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from luckless.errors import InputError

KEPT = 50
"""Finished jobs whose outcome is kept."""


@dataclass
class Job:
    """One piece of work. `lines` grow while it runs; `outcome` or `error` is there at its end."""

    name: str
    what: str
    started: float
    lines: list[str] = field(default_factory=list)
    outcome: Any = None
    error: str = ""
    seconds: float = 0.0
    finished: bool = False
    stopping: threading.Event = field(default_factory=threading.Event)
    """Set by `Jobs.stop`; work that can end early looks at it."""

    def say(self, line: str) -> None:
        """Adds a line for whoever watches."""
        self.lines.append(line)

    def to_dict(self, since: int = 0) -> dict[str, Any]:
        """The state as JSON, with the lines from number `since` on."""
        seconds = self.seconds if self.finished else time.monotonic() - self.started
        return {
            "job": self.name,
            "what": self.what,
            "finished": self.finished,
            "seconds": round(seconds, 2),
            "lines": self.lines[since:],
            "next": len(self.lines),
            "outcome": self.outcome,
            "error": self.error,
        }


class Jobs:
    """All jobs of a server."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()

    def start(self, what: str, work: Callable[[Job], Any]) -> Job:
        """Begins a job; refuses it while as many as allowed are running. What `work` returns is its outcome.

        A second job with the same `what` is the first one while that runs.
        """
        with self._lock:
            running = [job for job in self._jobs.values() if not job.finished]
            for job in running:
                if job.what == what:
                    return job
            if len(running) >= self._most:
                raise InputError(f"{len(running)} jobs are running already, which is the limit; wait for one to end")
            job = Job(secrets.token_hex(8), what, time.monotonic())
            finished = [name for name, one in self._jobs.items() if one.finished]
            for name in itertools.islice(finished, max(len(self._jobs) - KEPT, 0)):
                del self._jobs[name]
            self._jobs[job.name] = job
        threading.Thread(target=_run, args=(job, work), daemon=True, name=f"job {job.name}").start()
        return job

    def get(self, name: str) -> Job | None:
        """A job by its name."""
        return self._jobs.get(name)

    def stop(self, name: str) -> None:
        """Asks a job to end."""
        if name in self._jobs:
            self._jobs[name].stopping.set()


def _run(job: Job, work: Callable[[Job], Any]) -> None:
    try:
        job.outcome = work(job)
    except (InputError, OSError) as error:
        job.error = str(error)
    except Exception as error:
        job.error = f"it failed: {type(error).__name__}: {error}"
    finally:
        job.seconds = time.monotonic() - job.started
        job.finished = True
