"""A crew on Ray: one worker a core of the cluster, pieces handed to whoever is idle, lost ones handed out again.

A thread of ours waits for what happens. A worker whose machine is lost is replaced as soon as the cluster has
room for another, on machines that joined later too.
"""

import hashlib
import pickle
import queue
import threading
import time
from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from luckless.cluster.cargo import dumped, source_digest
from luckless.cluster.worker import Done, Worker
from luckless.errors import InputError
from luckless.pieces import Job

TRIES = 4
"""How often a piece is done at most: then what went wrong is the piece, not the machine."""

LOOK_SECONDS = 0.2
GROW_SECONDS = 2.0
"""How often the number of cores is looked at."""

START_SECONDS = 120.0
"""How long no worker at all may be there before the crew gives up."""


class PieceFailed(Exception):
    """A piece that failed wherever it was tried."""


@dataclass
class _Piece:
    future: "Future[Any]"
    job: str
    data: bytes
    tries: int = 0


@dataclass
class Facts:
    """What a crew has done."""

    pieces: int = 0
    again: int = 0
    """Pieces that were lost or failed, and were done again."""
    seconds: float = 0.0
    """Work of all workers, getting ready apart."""
    opening_seconds: float = 0.0
    machines: dict[str, int] = field(default_factory=dict)
    """Pieces by machine."""


class RayCrew:
    """Workers on a Ray that `ray.init` has been called for."""

    def __init__(self, ray: Any, most: int | None = None) -> None:
        self._ray, self._most = ray, most
        self._actor = ray.remote(num_cpus=1, max_restarts=0, scheduling_strategy="SPREAD")(Worker)
        self._source = source_digest()
        self._jobs: dict[int, tuple[Job, str]] = {}
        self._stored: dict[str, Any] = {}
        self._new: queue.SimpleQueue[_Piece | None] = queue.SimpleQueue()
        self._waiting: deque[_Piece] = deque()
        self._starting: dict[Any, Any] = {}
        self._idle: list[Any] = []
        self._busy: dict[Any, tuple[Any, _Piece]] = {}
        self._machine: dict[Any, str] = {}
        self._looked = self._alive_at = time.monotonic()
        self._lock, self._ended = threading.Lock(), False
        self._error: BaseException | None = None
        self._trouble = "is a core of it free?"
        self.facts = Facts()
        self._grow()
        self._thread = threading.Thread(target=self._run, daemon=True, name="crew")
        self._thread.start()

    @property
    def workers(self) -> int:
        """Workers that are ready."""
        return len(self._idle) + len(self._busy)

    @property
    def slots(self) -> int:
        """Workers that are ready or start."""
        return max(self.workers + len(self._starting), 1)

    def submit(self, job: Job, piece: Any) -> "Future[Any]":
        """Hands a piece over; see `pieces.Crew`."""
        future: Future[Any] = Future()
        self._new.put(_Piece(future, self._number(job), dumped(piece)))
        if self._error is not None:
            self._fail_all(self._error)
        return future

    def _number(self, job: Job) -> str:
        """The digest by which workers know a job; its bytes are stored in the cluster once."""
        with self._lock:
            if id(job) not in self._jobs:
                data = dumped(job)
                number = hashlib.sha256(data).hexdigest()
                if number not in self._stored:
                    self._stored[number] = self._ray.put(data)
                self._jobs[id(job)] = (job, number)
            return self._jobs[id(job)][1]

    def close(self) -> None:
        """Ends all workers, and what they have started."""
        self._ended = True
        self._new.put(None)
        self._thread.join(timeout=30)
        closing = [actor.close.remote() for actor in (*self._idle, *(actor for actor, _ in self._busy.values()))]
        self._ray.wait(closing, num_returns=len(closing), timeout=5) if closing else None
        for actor in (*self._idle, *self._starting.values(), *(actor for actor, _ in self._busy.values())):
            self._ray.kill(actor)

    def _run(self) -> None:
        try:
            while not self._ended:
                self._take_new()
                if time.monotonic() - self._looked > GROW_SECONDS:
                    self._grow()
                self._hand_out()
                self._look()
        except BaseException as error:
            self._fail_all(error)

    def _take_new(self) -> None:
        """Takes pieces that were handed over; waits for one where nothing is under way."""
        wait = not (self._busy or self._starting or self._waiting or self._ended)
        while True:
            try:
                piece = self._new.get(timeout=LOOK_SECONDS if wait else 0) if wait else self._new.get_nowait()
            except queue.Empty:
                return
            wait = False
            if piece is not None and piece.future.set_running_or_notify_cancel():
                self._waiting.append(piece)

    def _grow(self) -> None:
        """Starts as many workers as the cluster has cores for."""
        self._looked = time.monotonic()
        cores = int(self._ray.cluster_resources().get("CPU", 0))
        wanted = min(cores, self._most or cores)
        for _ in range(wanted - len(self._starting) - len(self._idle) - len(self._busy)):
            actor = self._actor.remote()
            self._starting[actor.ready.remote()] = actor
        if self._idle or self._busy:
            self._alive_at = time.monotonic()
        elif time.monotonic() - self._alive_at > START_SECONDS:
            raise InputError(f"no worker of Ray was ready within {START_SECONDS:.0f} s: {self._trouble}")

    def _hand_out(self) -> None:
        while self._waiting and self._idle:
            actor, piece = self._idle.pop(), self._waiting.popleft()
            piece.tries += 1
            self._busy[actor.do.remote(piece.job, self._stored[piece.job], piece.data)] = (actor, piece)

    def _look(self) -> None:
        """Waits a moment for anything to be ready."""
        under_way = [*self._busy, *self._starting]
        if not under_way:
            return
        ready, _ = self._ray.wait(under_way, num_returns=1, timeout=LOOK_SECONDS)
        for reference in ready:
            if reference in self._starting:
                self._started(reference)
            else:
                self._finished(reference)

    def _started(self, reference: Any) -> None:
        actor = self._starting.pop(reference)
        try:
            machine, source = self._ray.get(reference)
        except self._ray.exceptions.RayError as error:  # its machine was lost, or cannot load us
            self._trouble = _last_line(error)
            return
        if source != self._source:
            self._ray.kill(actor)
            raise InputError(f"machine {machine} has another luckless than this one; install the same everywhere")
        self._machine[actor] = machine
        self._idle.append(actor)

    def _finished(self, reference: Any) -> None:
        actor, piece = self._busy.pop(reference)
        try:
            done: Done = self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as error:  # the piece raised: the worker is well
            self._idle.append(actor)
            self._again(piece, error)
            return
        except self._ray.exceptions.RayError as error:  # the worker, its machine or the result is lost
            self._machine.pop(actor, None)
            self._ray.kill(actor)
            self._again(piece, error)
            return
        self._idle.append(actor)
        if done.refused:
            piece.future.set_exception(InputError(done.refused))
            return
        self.facts.pieces += 1
        self.facts.seconds += done.seconds
        self.facts.opening_seconds += done.opening_seconds
        machine = self._machine[actor]
        self.facts.machines[machine] = self.facts.machines.get(machine, 0) + 1
        piece.future.set_result(pickle.loads(done.result))

    def _again(self, piece: _Piece, error: Exception) -> None:
        """Puts a piece first in line again, unless it has failed too often."""
        self.facts.again += 1
        if piece.tries < TRIES:
            self._waiting.appendleft(piece)
            return
        failed = f"a piece of work failed {TRIES} times on Ray, at last with: {_last_line(error)}"
        piece.future.set_exception(PieceFailed(failed))

    def _fail_all(self, error: BaseException) -> None:
        """Tells everybody who waits that the crew has ended."""
        self._error, self._ended = error, True
        with self._lock:
            self._take_new()
            for piece in (*self._waiting, *(piece for _, piece in self._busy.values())):
                if not piece.future.done():
                    piece.future.set_exception(error)


def _last_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[-1] if lines else type(error).__name__
