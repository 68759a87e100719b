"""`acpc:PORT`: a client of the Annual Computer Poker Competition's protocol (2.0.0) as a bot at our table.

We are the dealer: we listen on 127.0.0.1, one port for each client. A client sees every state of its hands, those
between its own decisions when it is asked next or the hand is over. One that hangs up may connect again.
"""

import math
import socket
import sys
import time
from collections.abc import Sequence
from typing import Any

from luckless.bots.bot import NO_ANSWER, Decisions, ReportFault
from luckless.bots.clocks import Clocks
from luckless.bots.external.client import Client, Lost
from luckless.bots.external.external_bot import ExternalBot
from luckless.errors import InputError
from luckless.rules.acpc_states import (
    Hole,
    check_carried,
    chips_before,
    folds_for_free,
    parse_action,
    parse_state,
    state_text,
)
from luckless.rules.endings import Ending
from luckless.rules.game import Game
from luckless.rules.views import PastAction, View

HOST = "127.0.0.1"
START_SECONDS = 60.0
"""How long we wait for a client when a match begins."""

LINES_PER_DECISION = 200
"""Lines, comments too, in which a client must have answered."""

RECONNECTIONS = 5
SILENT_CLOCKS = 2
"""A client that lets so many clocks run out one after the other is taken to hang, and hung up on."""


class AcpcBot(ExternalBot):
    """A seat for a client. It listens at once, so that clients may connect before the match begins.

    A client is taken to learn from hand to hand.
    """

    memory = True

    def __init__(self, port: int, start_seconds: float = START_SECONDS) -> None:
        """Listens on a port, on any free one for 0; raises InputError when that is impossible."""
        self._listener: socket.socket | None = _listening(port)
        self.port: int = self._listener.getsockname()[1]
        self.name = self.spec = f"acpc:{self.port}"
        self._start_seconds = start_seconds
        self._client: Client | None = None
        self._game: Game | None = None
        self._connections = 0
        self._number = 0
        """Of the hand under way, from 0 on."""
        self._sent = 0
        """How many states of this hand the client has been sent."""
        self._silent = 0
        self._given_up: set[tuple[object, ...]] = set()
        """States whose answer was not waited for any longer; one that comes after all is not another fault."""
        self._trouble = ""

    def __del__(self) -> None:
        if hasattr(self, "_trouble"):  # it was made whole
            self.stop()

    def start(self, game: Game, clocks: Clocks) -> None:
        """Waits for a client."""
        check_carried(game)
        self._game = game
        self._number = self._sent = self._silent = self._connections = 0
        self._given_up.clear()
        self._trouble = ""
        self._listener = self._listener or _listening(self.port)
        where = f"{HOST}:{self.port}"
        print(f"{self.name}: waiting for a client on {where}, at most {self._start_seconds:g} s", file=sys.stderr)
        self._connect(self._start_seconds)

    def stop(self) -> None:
        """Hangs up, by which a client knows that the match is over; nobody can connect until the next one."""
        self._hang_up("has been hung up on")
        if self._listener is not None:
            self._listener.close()
        self._listener = None

    def answers(self, decisions: Decisions) -> list[Any]:
        """The answers to decisions, one after the other."""
        return [self._answer(decisions, row) for row in range(len(decisions))]

    def hand_over(self, ending: Ending) -> None:
        """Sends what the client has not seen of the hand, down to its end."""
        assert self._game is not None
        holes = list(ending.shown)
        holes[ending.seat] = ending.hole
        states = self._unsent_states(ending, ending.history, ending.street, holes)
        if len(holes) == 2 and folds_for_free(self._game, ending.history):
            states.pop()  # the competition's rules have no such fold, and clients refuse to read it: it ends unseen
        if self._client is not None:
            try:
                self._client.send(states, 1.0)
            except Lost as lost:
                self._hang_up(str(lost))
        self._number += 1
        self._sent = 0

    def _answer(self, decisions: Decisions, row: int) -> Any:
        timing, report_fault, view = decisions.timing, decisions.report_fault, decisions.views.one(row)
        hand = timing.hands[row]
        over = timing.watch.run_out(hand)
        if over:
            report_fault(row, "overtime", over)
            return NO_ANSWER
        started = time.monotonic()
        until = started + timing.watch.allowance(hand)
        try:
            return self._ask(view, row, until, report_fault)
        except Lost as lost:
            self._hang_up(str(lost))
            report_fault(row, lost.kind, str(lost))
        except TimeoutError:
            report_fault(row, "slow", f"no answer within {time.monotonic() - started:.3g} s")
            self._silent += 1
            if self._silent >= SILENT_CLOCKS:
                self._hang_up("hangs")
        finally:
            timing.watch.charge(hand, time.monotonic() - started)
        return NO_ANSWER

    def _ask(self, view: View, row: int, until: float, report_fault: ReportFault) -> Any:
        """Sends the states up to this decision and reads until it is answered."""
        game = self._game
        assert game is not None
        if any(sum(chips) != start for *chips, start in zip(view.stacks, view.invested, game.stacks, strict=True)):
            raise InputError(f"bot {self.name}: the protocol cannot carry stacks that change from hand to hand")
        if self._client is None:
            self._connect(until - time.monotonic())
        if self._client is None:
            raise Lost("absent", self._trouble)
        holes: list[Hole | None] = [None] * game.seats
        holes[view.seat] = view.hole
        states = self._unsent_states(view, view.history, view.street, holes)
        self._client.send(states, until - time.monotonic())
        asked = parse_state(game, states[-1]).is_known
        self._given_up.add(asked)
        for _ in range(LINES_PER_DECISION):
            line = self._client.read_line(until - time.monotonic())
            if line.startswith(("#", ";")) or not line.strip():
                continue
            state, _, word = line.strip().rpartition(":")
            try:
                answered = parse_state(game, state).is_known
                if answered == asked:
                    self._given_up.discard(asked)
                    self._silent = 0
                    before = chips_before(game, view.history, view.street)
                    return parse_action(game, word, before, view.min_raise_to)
            except InputError as error:
                report_fault(row, "nonsense", str(error))
                return NO_ANSWER
            if answered not in self._given_up:
                report_fault(row, "unasked", f"answered {state[:80]}, which is not the state it is in")
        raise Lost("flooded", f"wrote {LINES_PER_DECISION} lines without an answer")

    def _unsent_states(
        self, seen: View | Ending, history: Sequence[PastAction], street: int, holes: Sequence[Hole | None]
    ) -> list[str]:
        """The states from the last one that was sent to this one. Hole cards are shown in the last of them only."""
        assert self._game is not None
        states = []
        own: list[Hole | None] = [None] * seen.seats
        own[seen.seat] = seen.hole
        for count in range(self._sent, len(history) + 1):
            last = count == len(history)
            reached = street if last else history[count].street
            shown = holes if last else own
            past = history[:count]
            states.append(state_text(self._game, seen.seat, self._number, past, reached, shown, seen.board))
        self._sent = len(history) + 1
        return states

    def _connect(self, seconds: float) -> None:
        """Waits for a client that speaks our version; without one, `_trouble` says why."""
        if self._connections > RECONNECTIONS or self._listener is None:
            return
        until = time.monotonic() + (seconds if math.isfinite(seconds) else self._start_seconds)
        self._connections += 1
        try:
            self._client = Client.accept(self._listener, until)
        except Lost as lost:
            self._trouble = self._trouble or str(lost)
        else:
            self._trouble = ""
            self._sent = max(0, self._sent - 1)  # a new client sees the state that the hand is in

    def _hang_up(self, trouble: str) -> None:
        if self._client is not None:
            self._client.close()
        self._client = None
        self._trouble = trouble


def _listening(port: int) -> socket.socket:
    """A socket that listens on a port of this machine, closed to others."""
    listener = socket.socket()
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        listener.listen(1)
    except OSError as error:
        listener.close()
        raise InputError(f"bot acpc:{port}: port {port} cannot be used: {error.strerror}") from None
    return listener


def load_acpc_bot(text: str) -> AcpcBot:
    """The bot that `acpc:PORT` names; listens at once. Port 0 takes any free one."""
    port_text = text.partition(":")[2]
    if not port_text.isdecimal() or int(port_text) > 65_535:
        raise InputError(f"bot {text}: write it as acpc:PORT, with a port from 1 to 65535")
    return AcpcBot(int(port_text))
