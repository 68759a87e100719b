"""`exec:COMMAND`: any program as a bot, over its standard input and output (see `docs/protocol.md`).

A program without memory runs in several copies, each asked many decisions at once; one with memory runs once and is
asked one by one. A copy that dies, hangs or floods us is ended and started again, at most `RESTARTS` times a match.
"""

import math
import shlex
import shutil
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import NO_ANSWER, Complain, ExternalBot
from luckless.bots.clocks import Clocks, Timing
from luckless.bots.external.copies import Asked, Copy, Trouble, wait_for
from luckless.bots.external.messages import (
    BadLine,
    Hello,
    decision_line,
    goodbye_line,
    hand_over_line,
    match_line,
    parse_answer,
)
from luckless.errors import InputError
from luckless.rules.endings import Ending
from luckless.rules.game import Game
from luckless.rules.views import Views
from luckless.threads import core_count

RESTARTS = 5
START_SECONDS = 30.0
"""How long a program may take to answer hello, and match."""

ROWS_PER_COPY = 32
"""A further copy is started when so many decisions are asked together for each that runs."""

STRAYS_COUNTED = 100
GRACE_SECONDS = 0.5
"""How long programs may take to exit by themselves after goodbye, before they are ended."""


class _Batch:
    """The decisions that are asked together: which are still to be asked, and the answers so far."""

    def __init__(self, views: Views, words: NDArray[np.uint64], timing: Timing, complain: Complain) -> None:
        self.views, self.words, self.timing, self.complain = views, words, timing, complain
        self.waiting = deque(range(len(views)))
        self.answers: list[Any] = [NO_ANSWER] * len(views)

    def next_row(self) -> int | None:
        """A row to ask next; those whose time is used up are not asked any more."""
        while self.waiting:
            row = self.waiting.popleft()
            over = self.timing.watch.run_out(self.timing.hands[row])
            if not over:
                return row
            self.complain(row, "overtime", over)
        return None


class ExecBot(ExternalBot):
    """A program as a bot."""

    def __init__(self, name: str, command: Sequence[str], start_seconds: float = START_SECONDS) -> None:
        self.name = name
        self.grace_seconds = GRACE_SECONDS
        self.exits_by_itself = True
        """Whether all copies exited on goodbye in the last match."""
        self._command = list(command)
        self._start_seconds = start_seconds
        self._copies: list[Copy] = []
        self._hello: Hello | None = None
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
            while self._copies and self._copies[0].hello is None:
                self._look_after(None)
            self._hello = self._copies[0].hello if self._copies else Hello("", memory=False, processes=0)
        assert self._hello is not None
        return self._hello

    @property
    def memory(self) -> bool:
        """Whether the program keeps memory between hands, by its own word."""
        return self.hello.memory

    def start(self, game: Game, clocks: Clocks) -> None:
        """Starts the program and tells it the game; further copies follow when there is work for them."""
        self._restarts = RESTARTS
        self._most_copies = 1 if self.memory else min(self.hello.processes, core_count())
        self._match_line = match_line(game, clocks)
        for copy in self._copies:
            copy.open_match(self._match_line)
        if self._most_copies and not self._copies:
            self._add_first()

    def stop(self) -> None:
        """Says goodbye; what has not exited soon is ended."""
        for copy in self._copies:
            copy.process.write(goodbye_line())
            copy.process.close_input()
        until = time.monotonic() + self.grace_seconds
        met = [copy for copy in self._copies if copy.hello is not None]
        self.exits_by_itself = all(copy.process.exits_within(until - time.monotonic()) for copy in met)
        for copy in self._copies:
            copy.process.end()
        self._copies.clear()
        self._match_line = None

    def hand_over(self, ending: Ending) -> None:
        """Tells a program with memory how a hand ended."""
        for copy in self._copies:
            if copy.ready:
                copy.process.write(hand_over_line(ending))

    def answers(self, views: Views, words: NDArray[np.uint64], timing: Timing, complain: Complain) -> list[Any]:
        """Asks all decisions, on all copies, and waits until each is answered or given up."""
        batch = _Batch(views, words, timing, complain)
        while self._copies and len(self._copies) < min(self._most_copies, len(views) // ROWS_PER_COPY):
            self._add_another()
        while True:
            for copy in self._copies:
                self._hand_out(copy, batch)
            if not batch.waiting and not any(copy.asked for copy in self._copies):
                return batch.answers
            if not self._copies:
                for row in batch.waiting:
                    complain(row, "absent", self._trouble)
                return batch.answers
            self._look_after(batch)

    def _hand_out(self, copy: Copy, batch: _Batch) -> None:
        """Asks a copy as many decisions as it may have under way."""
        requests: dict[int, Asked] = {}
        lines = []
        share = -(-len(batch.waiting) // len(self._copies))
        while len(requests) < min(copy.free, share) and (row := batch.next_row()) is not None:
            requests[self._next_id] = Asked(row, batch.timing.hands[row])
            lines.append(decision_line(self._next_id, batch.views, batch.words, row))
            self._next_id += 1
        if requests:
            copy.ask(requests, lines)

    def _look_after(self, batch: _Batch | None) -> None:
        """Waits for the copies, takes what they say, and ends those that are of no more use."""
        wait_for(self._copies, min(self._seconds_left(copy, batch) for copy in self._copies))
        for copy in list(self._copies):
            try:
                self._take_answers(copy, copy.take_lines(), batch)
                copy.check_alive()
                if self._seconds_left(copy, batch) <= 0:
                    self._run_out(copy, batch)
            except Trouble as trouble:
                self._replace(copy, trouble, batch)

    def _seconds_left(self, copy: Copy, batch: _Batch | None) -> float:
        oldest = next(iter(copy.asked.values()), None)
        allowance = batch.timing.watch.allowance(oldest.hand) if oldest and batch else math.inf
        return copy.seconds_left(allowance)

    def _take_answers(self, copy: Copy, lines: list[bytes], batch: _Batch | None) -> None:
        if not lines or batch is None:
            return
        now = time.monotonic()
        share, copy.since = (now - copy.since) / len(lines), now
        for line in lines:
            try:
                number, action = parse_answer(line)
            except BadLine as error:
                if not copy.asked:
                    self._stray(copy, batch, str(error))
                    continue
                asked = copy.give_up_oldest()
                batch.complain(asked.row, "nonsense", f"{error} (notes belong on the error output)")
                continue
            if number in copy.asked:
                asked = copy.answered(number)
                batch.timing.watch.charge(asked.hand, share)
                batch.answers[asked.row] = action
            elif number in copy.dropped:
                copy.dropped.remove(number)
            elif 0 <= number < self._next_id:
                self._stray(copy, batch, f"answered decision {number} a second time")
            else:
                self._stray(copy, batch, f"answered decision {number}, which it was not asked")

    def _stray(self, copy: Copy, batch: _Batch, detail: str) -> None:
        """A line that answers nothing; it is laid to the decision under way, and only so many are counted."""
        copy.strays += 1
        if copy.strays <= STRAYS_COUNTED:
            row = next(iter(copy.asked.values())).row if copy.asked else 0
            batch.complain(row, "unasked", detail)

    def _run_out(self, copy: Copy, batch: _Batch | None) -> None:
        """A clock has run out: the oldest decision is given up."""
        if copy.asked and batch is not None:
            thought = time.monotonic() - copy.since
            asked = copy.give_up_oldest()
            watch = batch.timing.watch
            watch.charge(asked.hand, thought)
            over = watch.run_out(asked.hand)
            if over:
                batch.complain(asked.row, "overtime", over)
                return
            batch.complain(asked.row, "slow", f"no answer within {thought:.3g} s")
        copy.note_silence()

    def _replace(self, copy: Copy, trouble: Trouble, batch: _Batch | None) -> None:
        """Ends a copy; the decision that it failed at is given up, the others are asked again of another copy, which
        is started unless the program did not even get as far as being asked."""
        copy.process.end()
        self._copies.remove(copy)
        self._trouble = str(trouble) if trouble.kind != "slow" else "hung too often"
        if batch is not None and copy.ready and trouble.kind != "slow":
            row = copy.give_up_oldest().row if copy.asked else 0
            batch.complain(row, trouble.kind, str(trouble))
        if batch is not None:
            batch.waiting.extendleft(asked.row for asked in reversed(copy.asked.values()))
        if copy.ready and self._restarts > 0:
            self._restarts -= 1
            self._add_another()
        else:
            self._most_copies = len(self._copies)

    def _add_first(self) -> None:
        """Starts a copy when there is none; a program that cannot be started at all is the caller's to mend."""
        try:
            self._add_copy()
        except OSError as problem:
            reason = problem.strerror or problem
            raise InputError(f"bot {self.name}: {self._command[0]} cannot be started: {reason}") from None

    def _add_another(self) -> None:
        """Starts one more copy; where that is impossible, those that run must do."""
        try:
            self._add_copy()
        except OSError as problem:
            self._trouble = f"cannot be started again: {problem.strerror or problem}"
            self._most_copies = len(self._copies)

    def _add_copy(self) -> None:
        copy = Copy(self._command, self._start_seconds)
        self._copies.append(copy)
        if self._match_line is not None:
            copy.open_match(self._match_line)


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
