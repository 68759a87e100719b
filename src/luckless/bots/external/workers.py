"""One running copy of a program that plays: its handshake, what it has been asked, how much it may write and how long
it may be silent. Failures are raised as `WorkerFailed`; the caller decides what to do."""

import math
import select
import time
from collections.abc import Sequence
from typing import NamedTuple

from luckless.bots.external.messages import BadLine, Hello, hello_line, parse_hello, parse_ready
from luckless.bots.external.process import Process

WINDOW = 128
"""Decisions that a worker is asked at once; further ones wait until it has answered."""

FIRST_CREDIT, CREDIT_PER_REQUEST, MOST_CREDIT = 65_536, 4_096, 1_048_576
"""Bytes that a worker may write: to begin with, more for each request, and never more than this at once."""

SILENT_CLOCKS = 2
"""A worker that lets so many clocks run out, without an answer between them, is taken to hang."""


class WorkerFailed(Exception):
    """A worker failed and cannot be used any more; `kind` as in `matches.faults`."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind


class Asked(NamedTuple):
    """A decision that a worker has been asked: its row in the batch, its hand for the clocks."""

    row: int
    hand: int


class Worker:
    """One running worker. It has a `hello` once it has answered that, and is `ready` once it has answered match."""

    def __init__(self, command: Sequence[str], start_seconds: float) -> None:
        """Starts the program and says hello; raises OSError when it cannot be started."""
        self.process = Process(command)
        self.hello: Hello | None = None
        self.ready = False
        self.asked: dict[int, Asked] = {}
        """Decisions under way by id, the oldest first."""
        self.dropped: set[int] = set()
        """Decisions that were given up; an answer that comes after all is not another fault."""
        self.since = time.monotonic()
        """When it began to think about the oldest decision, or to start."""
        self.strays = 0
        self._silent = 0
        self._credit = FIRST_CREDIT
        self._start_seconds = start_seconds
        self._match_line: bytes | None = None
        self.process.write(hello_line())

    @property
    def free(self) -> int:
        """How many decisions it may be asked now."""
        return WINDOW - len(self.asked) if self.ready else 0

    def open_match(self, line: bytes) -> None:
        """Sends what is going to be played, at once or when it has said hello."""
        self._match_line = line
        if self.hello is not None:
            self.since = time.monotonic()
            self.process.write(line)

    def ask(self, requests: dict[int, Asked], lines: list[bytes]) -> None:
        """Asks further decisions."""
        if not self.asked:
            self.since = time.monotonic()
        self.asked |= requests
        self._credit = min(MOST_CREDIT, self._credit + CREDIT_PER_REQUEST * len(lines))
        self.process.write(b"".join(lines))

    def take_lines(self) -> list[bytes]:
        """The lines that have come while it was ready; those of the handshake are dealt with here."""
        before = self.process.bytes_read
        lines = self.process.read()
        self._credit -= self.process.bytes_read - before
        if self._credit < 0 or self.process.overlong:
            raise WorkerFailed("flooded", "wrote far more than answers to its decisions")
        while lines and not self.ready:
            self._shake_hands(lines.pop(0))
        return lines

    def _shake_hands(self, line: bytes) -> None:
        try:
            if self.hello is None:
                self.hello = parse_hello(line)
                if self._match_line is not None:
                    self.open_match(self._match_line)
            else:
                parse_ready(line)
                self.ready = self._match_line is not None
        except BadLine as error:
            raise WorkerFailed("absent", str(error)) from None

    def seconds_left(self, allowance: float) -> float:
        """Until its clock runs out; `allowance` is what it has for the oldest decision."""
        if self.ready:
            left = allowance if self.asked else math.inf
        else:
            left = self._start_seconds if self.hello is None or self._match_line is not None else math.inf
        return left - (time.monotonic() - self.since)

    def answered(self, number: int) -> Asked:
        """The decision with this id is answered."""
        self._silent = 0
        return self.asked.pop(number)

    def give_up_oldest(self) -> Asked:
        """Drops the oldest decision; the worker thinks about the next one from now on."""
        number = next(iter(self.asked))
        self.dropped.add(number)
        self.since = time.monotonic()
        return self.asked.pop(number)

    def note_silence(self) -> None:
        """A clock ran out without an answer from it."""
        if not self.ready:
            what = "hello" if self.hello is None else "match"
            raise WorkerFailed("absent", f"did not answer {what} within {self._start_seconds:g} s{self._words()}")
        self._silent += 1
        if self._silent >= SILENT_CLOCKS:
            raise WorkerFailed("slow", "hangs")

    def check_alive(self) -> None:
        """Raises when nothing more can come from it."""
        if self.process.ended:
            raise WorkerFailed("died", self.process.how_it_ended())

    def _words(self) -> str:
        words = self.process.last_words()
        return f", its last words: {words[-200:]}" if words else ""


def wait_for(workers: Sequence[Worker], seconds: float) -> None:
    """Waits until a worker has written something or takes more input, at most so many seconds, and feeds them."""
    poll = select.poll()
    errors: dict[int, Worker] = {}
    for worker in workers:
        poll.register(worker.process.output, select.POLLIN)
        if worker.process.errors_open:
            poll.register(worker.process.errors, select.POLLIN)
            errors[worker.process.errors.fileno()] = worker
        if worker.process.unsent:
            poll.register(worker.process.input, select.POLLOUT)
    timeout = None if math.isinf(seconds) else max(0, math.ceil(1000 * seconds))
    for file, _ in poll.poll(timeout):
        if file in errors:
            errors[file].process.read_errors()
    for worker in workers:
        worker.process.write()
