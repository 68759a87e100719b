"""`http:URL`: a bot behind a server, asked by JSON requests with the messages of `docs/protocol.md`.

Without memory it is asked on several connections at once, and several decisions a request if it says so.
"""

import json
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
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
    hello_line,
    match_line,
    parse_answer,
    parse_hello,
    parse_ready,
    shown,
)
from luckless.bots.external.posting import Reply, Unreachable, parsed_url, post_again
from luckless.errors import InputError
from luckless.rules.endings import Ending
from luckless.rules.game import Game

START_SECONDS = 30.0
CONNECTIONS = 8
"""Requests under way at once at most."""

RETRIES = 2
MOST_BATCH = 256
UNLIMITED_SECONDS = 600.0
"""How long we wait for an answer where no clock is set."""


class HttpBot(GreetedBot):
    """A server as a bot."""

    def __init__(self, spec: str, url: str) -> None:
        super().__init__(spec)
        self._url = parsed_url(url, f"bot {spec}")
        self._batch = 1
        self._next_id = 0
        self._trouble = ""

    @property
    def hello(self) -> Hello:
        """What the server says of itself, asked once; one that is not there is bad input."""
        if self._hello is None:
            try:
                reply = self._post(hello_line(), START_SECONDS)
                self._hello = parse_hello(reply.body)
                self._batch = _batch_of(reply.body)
            except (Unreachable, TimeoutError, BadLine) as error:
                raise InputError(f"bot {self.spec}: {error}") from None
        return self._hello

    @property
    def memory(self) -> bool:  # type: ignore[override]
        """Whether it keeps memory between hands, by its own word; asking calls the server."""
        return self.hello.memory

    def trouble(self) -> str:
        """Nothing, if the server says hello; else an error says why it does not."""
        self.hello  # noqa: B018 - asks
        return ""

    def _post(self, line: bytes, seconds: float) -> Reply:
        """Sends a message of the protocol; any status but 200 is not an answer."""
        reply, _ = post_again(self._url, json.loads(line), {}, seconds, RETRIES)
        if reply.status != 200:
            raise BadLine(f"the server answered with status {reply.status}")
        return reply

    def start(self, game: Game, clocks: Clocks) -> None:
        """Tells the server the game."""
        self._trouble = ""
        self.hello  # noqa: B018 - asks
        try:
            parse_ready(self._post(match_line(game, clocks), START_SECONDS).body)
        except (Unreachable, TimeoutError, BadLine) as error:
            self._trouble = str(error)

    def stop(self) -> None:
        """Says goodbye; nobody waits for more than a second for the answer."""
        with suppress(Unreachable, TimeoutError):
            post_again(self._url, json.loads(goodbye_line()), {}, 1.0, 0)

    def hand_over(self, ending: Ending) -> None:
        """Tells a server with memory how a hand ended."""
        with suppress(Unreachable, TimeoutError, BadLine):
            self._post(hand_over_line(ending), START_SECONDS)

    def answers(self, decisions: Decisions) -> list[Any]:
        """Asks all decisions, some at once; faults and time are counted in the order of the decisions."""
        found: list[Any] = [NO_ANSWER] * len(decisions)
        rows = []
        for row in range(len(decisions)):
            if self._trouble:
                decisions.report_fault(row, "absent", self._trouble)
            elif over := decisions.timing.watch.run_out(decisions.timing.hands[row]):
                decisions.report_fault(row, "overtime", over)
            else:
                rows.append(row)
        together = 1 if self.memory else self._batch
        parts = [rows[start : start + together] for start in range(0, len(rows), together)]
        with ThreadPoolExecutor(1 if self.memory else max(1, min(self.hello.processes, CONNECTIONS))) as pool:
            for part, outcome in zip(parts, pool.map(lambda part: self._ask(decisions, part), parts), strict=True):
                self._take(decisions, part, outcome, found)
        return found

    def _ask(self, decisions: Decisions, rows: Sequence[int]) -> tuple[float, Any]:
        """The seconds that a request took, and its answers by row, or the fault of all of them."""
        watch, hands = decisions.timing.watch, decisions.timing.hands
        seconds = min(UNLIMITED_SECONDS, sum(watch.allowance(hands[row]) for row in rows))
        first = self._next_id
        self._next_id += len(rows)
        lines = [
            json.loads(decision_line(first + place, decisions.views, decisions.random_bits, row))
            for place, row in enumerate(rows)
        ]
        message = lines[0] if self._batch == 1 or self.memory else {"type": "decide_many", "decisions": lines}
        started = time.monotonic()
        try:
            body = self._post(json.dumps(message).encode(), seconds).body
            outcome: Any = _answers_of(body, [line["id"] for line in lines])
        except TimeoutError as error:
            outcome = ("slow", str(error))
        except Unreachable as error:
            outcome = ("died", str(error))
        except BadLine as error:
            outcome = ("nonsense", str(error))
        return time.monotonic() - started, outcome

    def _take(self, decisions: Decisions, rows: Sequence[int], outcome: tuple[float, Any], found: list[Any]) -> None:
        seconds, answers = outcome
        for place, row in enumerate(rows):
            decisions.timing.watch.charge(decisions.timing.hands[row], seconds / len(rows))
            one = answers if isinstance(answers, tuple) else answers[place]
            if isinstance(one, tuple):
                decisions.report_fault(row, *one)
            else:
                found[row] = one


def _answers_of(body: bytes, numbers: Sequence[int]) -> list[Any]:
    """The action of each decision, or its fault, from one answer or from a list of them."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        raise BadLine(f"answered {shown(body)}, which is not JSON") from None
    several = message.get("answers") if isinstance(message, dict) and "answers" in message else [message]
    if not isinstance(several, list):
        raise BadLine(f"answered {shown(body)}; answers must be a list")
    given: dict[int, Any] = {}
    for one in several:
        number, action = parse_answer(json.dumps(one).encode())
        given.setdefault(number, action)
    return [given.get(number, ("nonsense", f"no answer to {number}")) for number in numbers]


def _batch_of(body: bytes) -> int:
    """How many decisions a request may have, as the server says in its hello."""
    size = json.loads(body).get("batch", 1)
    if not isinstance(size, int) or isinstance(size, bool) or not 1 <= size <= MOST_BATCH:
        raise BadLine(f"answered hello with {shown(body)}; batch must be a whole number from 1 to {MOST_BATCH}")
    return size


def load_http_bot(text: str) -> HttpBot:
    """The bot that `http:URL` names, such as http://localhost:8000/bot."""
    scheme, _, rest = text.partition(":")
    return HttpBot(text, text if rest.startswith("//") else rest if scheme == "http" else text)
