"""`exec:COMMAND`: any program as a bot, over its standard input and output (see `docs/protocol.md`).

A program without memory runs in several copies, each asked many decisions at once; one with memory runs once and is
asked one by one. A worker that dies, hangs or floods us is ended and started again, at most `RESTARTS` times a match.
"""

import math
import shlex
import shutil
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from luckless.bots.bot import NO_ANSWER, Decisions
from luckless.bots.clocks import Clocks
from luckless.bots.external.greeted_bot import GreetedBot
from luckless.bots.external.messages import (
    BadLine,
    Hello,
    decision_line,
    goodbye_line,
    hand_over_line,
    match_line,
    parse_answer,
)
from luckless.bots.external.workers import Asked, Worker, WorkerFailed, wait_for
from luckless.errors import InputError
from luckless.rules.endings import Ending
from luckless.rules.game import Game
from luckless.threads import core_count

RESTARTS = 5
START_SECONDS = 30.0
"""How long a program may take to answer hello, and match."""

ROWS_PER_COPY = 32
"""A further worker is started when so many decisions are asked together for each that runs."""

STRAYS_COUNTED = 100
GRACE_SECONDS = 0.5
"""How long programs may take to exit by themselves after goodbye, before they are ended."""


class _Batch:
    """The decisions that are asked together: which are still to be asked, and the answers so far."""

    def __init__(self, decisions: Decisions) -> None:
        self.decisions, self.timing, self.report_fault = decisions, decisions.timing, decisions.report_fault
        self.waiting = deque(range(len(decisions)))
        self.answers: list[Any] = [NO_ANSWER] * len(decisions)

    def next_row(self) -> int | None:
        """A row to ask next; those whose time is used up are not asked any more."""
        while self.waiting:
            row = self.waiting.popleft()
            over = self.timing.watch.run_out(self.timing.hands[row])
            if not over:
                return row
            self.report_fault(row, "overtime", over)
        return None


class ExecBot(GreetedBot):
    """A program as a bot."""

    def __init__(self, name: str, command: Sequence[str], start_seconds: float = START_SECONDS) -> None:
        super().__init__(name)
        self.grace_seconds = GRACE_SECONDS
        self.exits_by_itself = True
        """Whether all workers exited on goodbye in the last match."""
        self._command = list(command)
        self._start_seconds = start_seconds
        self._workers: list[Worker] = []
        self._trouble = "was not started"
        self._restarts = RESTARTS
        self._most_copies = 0
        self._match_line: bytes | None = None
        self._next_id = 0

    @property
    def hello(self) -> Hello:
        """What the program says of itself; starts it the first time. One that does not say it has no memory."""
        if self._hello is None:
            self._add_first()
            while self._workers and self._workers[0].hello is None:
                self._look_after(None)
            self._hello = self._workers[0].hello if self._workers else Hello("", memory=False, processes=0)
        assert self._hello is not None
        return self._hello

    def trouble(self) -> str:
        """Why it did not say hello; asking starts it."""
        return self._trouble if self.hello.processes == 0 else ""

    def limit_memory(self, megabytes: int) -> None:
        """Lets the program have so much address space; a shell sets the limit and becomes the program."""
        self._command = ["sh", "-c", f'ulimit -v {megabytes * 1024} && exec "$@"', "sh", *self._command]

    @property
    def memory(self) -> bool:  # type: ignore[override]
        """Whether the program keeps memory between hands, by its own word; asking starts it."""
        return self.hello.memory

    def start(self, game: Game, clocks: Clocks) -> None:
        """Starts the program and tells it the game; further workers follow when there is work for them."""
        self._restarts = RESTARTS
        self._most_copies = 1 if self.memory else min(self.hello.processes, core_count())
        self._match_line = match_line(game, clocks)
        for worker in self._workers:
            worker.open_match(self._match_line)
        if self._most_copies and not self._workers:
            self._add_first()

    def stop(self) -> None:
        """Says goodbye; what has not exited soon is ended."""
        for worker in self._workers:
            worker.process.write(goodbye_line())
            worker.process.close_input()
        until = time.monotonic() + self.grace_seconds
        met = [worker for worker in self._workers if worker.hello is not None]
        self.exits_by_itself = all(worker.process.exits_within(until - time.monotonic()) for worker in met)
        for worker in self._workers:
            worker.process.end()
        self._workers.clear()
        self._match_line = None

    def hand_over(self, ending: Ending) -> None:
        """Tells a program with memory how a hand ended."""
        for worker in self._workers:
            if worker.ready:
                worker.process.write(hand_over_line(ending))

    def answers(self, decisions: Decisions) -> list[Any]:
        """Asks all decisions, on all workers, and waits until each is answered or given up."""
        batch = _Batch(decisions)
        while self._workers and len(self._workers) < min(self._most_copies, len(decisions) // ROWS_PER_COPY):
            self._add_another()
        while True:
            for worker in self._workers:
                self._hand_out(worker, batch)
            if not batch.waiting and not any(worker.asked for worker in self._workers):
                return batch.answers
            if not self._workers:
                for row in batch.waiting:
                    batch.report_fault(row, "absent", self._trouble)
                return batch.answers
            self._look_after(batch)

    def _hand_out(self, worker: Worker, batch: _Batch) -> None:
        """Asks a worker as many decisions as it may have under way."""
        requests: dict[int, Asked] = {}
        lines = []
        share = -(-len(batch.waiting) // len(self._workers))
        while len(requests) < min(worker.free, share) and (row := batch.next_row()) is not None:
            requests[self._next_id] = Asked(row, batch.timing.hands[row])
            lines.append(decision_line(self._next_id, batch.decisions.views, batch.decisions.random_bits, row))
            self._next_id += 1
        if requests:
            worker.ask(requests, lines)

    def _look_after(self, batch: _Batch | None) -> None:
        """Waits for the workers, takes what they say, and ends those that are of no more use."""
        wait_for(self._workers, min(self._seconds_left(worker, batch) for worker in self._workers))
        for worker in list(self._workers):
            try:
                self._take_answers(worker, worker.take_lines(), batch)
                worker.check_alive()
                if self._seconds_left(worker, batch) <= 0:
                    self._run_out(worker, batch)
            except WorkerFailed as failure:
                self._replace(worker, failure, batch)

    def _seconds_left(self, worker: Worker, batch: _Batch | None) -> float:
        oldest = next(iter(worker.asked.values()), None)
        allowance = batch.timing.watch.allowance(oldest.hand) if oldest and batch else math.inf
        return worker.seconds_left(allowance)

    def _take_answers(self, worker: Worker, lines: list[bytes], batch: _Batch | None) -> None:
        if not lines or batch is None:
            return
        now = time.monotonic()
        share, worker.since = (now - worker.since) / len(lines), now
        for line in lines:
            try:
                number, action = parse_answer(line)
            except BadLine as error:
                if not worker.asked:
                    self._stray(worker, batch, str(error))
                    continue
                asked = worker.give_up_oldest()
                batch.report_fault(asked.row, "nonsense", f"{error} (notes belong on the error output)")
                continue
            if number in worker.asked:
                asked = worker.answered(number)
                batch.timing.watch.charge(asked.hand, share)
                batch.answers[asked.row] = action
            elif number in worker.dropped:
                worker.dropped.remove(number)
            elif 0 <= number < self._next_id:
                self._stray(worker, batch, f"answered decision {number} a second time")
            else:
                self._stray(worker, batch, f"answered decision {number}, which it was not asked")

    def _stray(self, worker: Worker, batch: _Batch, detail: str) -> None:
        """A line that is not an answer: it counts as a fault at the decision under way, up to a limit."""
        worker.strays += 1
        if worker.strays <= STRAYS_COUNTED:
            row = next(iter(worker.asked.values())).row if worker.asked else 0
            batch.report_fault(row, "unasked", detail)

    def _run_out(self, worker: Worker, batch: _Batch | None) -> None:
        """A clock has run out: the oldest decision is given up."""
        if worker.asked and batch is not None:
            thought = time.monotonic() - worker.since
            asked = worker.give_up_oldest()
            watch = batch.timing.watch
            watch.charge(asked.hand, thought)
            over = watch.run_out(asked.hand)
            if over:
                batch.report_fault(asked.row, "overtime", over)
                return
            batch.report_fault(asked.row, "slow", f"no answer within {thought:.3g} s")
        worker.note_silence()

    def _replace(self, worker: Worker, failure: WorkerFailed, batch: _Batch | None) -> None:
        """Ends a worker; the decision that it failed at is given up, the others are asked again of another one, which
        is started unless the program did not even get as far as being asked."""
        worker.process.end()
        self._workers.remove(worker)
        self._trouble = str(failure) if failure.kind != "slow" else "hung too often"
        if batch is not None and worker.ready and failure.kind != "slow":
            row = worker.give_up_oldest().row if worker.asked else 0
            batch.report_fault(row, failure.kind, str(failure))
        if batch is not None:
            batch.waiting.extendleft(asked.row for asked in reversed(worker.asked.values()))
        if worker.ready and self._restarts > 0:
            self._restarts -= 1
            self._add_another()
        else:
            self._most_copies = len(self._workers)

    def _add_first(self) -> None:
        """Starts a worker when there is none; a program that cannot be started at all is bad input."""
        try:
            self._add_copy()
        except OSError as problem:
            reason = problem.strerror or problem
            raise InputError(f"bot {self.name}: {self._command[0]} cannot be started: {reason}") from None

    def _add_another(self) -> None:
        """Starts one more worker; where that is impossible, those that run must do."""
        try:
            self._add_copy()
        except OSError as problem:
            self._trouble = f"cannot be started again: {problem.strerror or problem}"
            self._most_copies = len(self._workers)

    def _add_copy(self) -> None:
        worker = Worker(self._command, self._start_seconds)
        self._workers.append(worker)
        if self._match_line is not None:
            worker.open_match(self._match_line)


def load_exec_bot(text: str) -> ExecBot:
    """The bot that `exec:COMMAND` names; the program must exist, and is started when it is needed."""
    command_text = text.partition(":")[2]
    try:
        command = shlex.split(command_text)
    except ValueError as error:
        raise InputError(f"bot {text}: the command cannot be read: {error}") from None
    if not command:
        raise InputError(f"bot {text}: write it as exec:COMMAND, such as exec:./mybot or 'exec:python3 mybot.py'")
    if shutil.which(command[0]) is None:
        problem = "may not be executed (chmod +x)" if Path(command[0]).is_file() else "does not exist"
        raise InputError(f"bot {text}: the program {command[0]} {problem}")
    return ExecBot(text, command)
