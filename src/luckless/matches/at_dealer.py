"""Our bot at a foreign table: a client of the Annual Computer Poker Competition's protocol (2.0.0).

Each state that a dealer sends is whole: it is replayed on our table, so nothing depends on the order of states, and
after a lost connection the game goes on with the next one that comes.
"""

import contextlib
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from luckless.bots.bot import Bot
from luckless.errors import InputError
from luckless.keys import Keys, choose_seed
from luckless.matches.faults import Case, FaultLog
from luckless.matches.single_seat import SingleSeat
from luckless.progress import Progress
from luckless.rules.acpc_states import (
    VERSION,
    MatchState,
    action_text,
    check_carried,
    chips_before,
    parse_state,
    table_of,
)
from luckless.rules.actions import FOLD
from luckless.rules.game import Game
from luckless.rules.table import Table

RECONNECTIONS = 5
RECONNECT_SECONDS = 5.0
"""How often, and each time how long, a lost connection is tried again."""

_LONGEST_LINE = 65_536


@dataclass
class DealerResult:
    """The result of a match at a foreign table."""

    seed: int
    """The seed of the bot's dice."""
    hands: int = 0
    chips: int = 0
    """Won or lost, settled by our rules: a dealer that splits odd chips into halves differs by half a chip a pot."""
    decisions: int = 0
    reconnections: int = 0
    free_folds: int = 0
    """Folds with nothing to call; these are calls in the competition's rules, and were sent as such."""
    faults: FaultLog = field(default_factory=FaultLog)


def play_at_dealer(
    bot: Bot,
    game: Game,
    host: str,
    port: int,
    *,
    seed: int | None = None,
    decision_seconds: float = 10.0,
    show_progress: bool = False,
) -> DealerResult:
    """Plays at a dealer until it hangs up after a finished hand; raises OSError when it is lost within one.

    The bot's dice are sealed: opponents must not foresee them. Without a seed a secret one is drawn.
    """
    check_carried(game)
    keys = Keys(choose_seed(seed, sealed=True), sealed=True)
    seat = _Seat(bot, game, keys, decision_seconds, show_progress)
    connection = _connected(host, port)
    with seat.solo, seat.progress:
        while True:
            with contextlib.closing(connection):
                seat.play(connection)
            if not seat.in_hand:
                if seat.last is None:
                    raise ConnectionError(f"the dealer at {host}:{port} closed the connection before the first hand")
                return seat.result
            connection = _reconnected(host, port, seat)


class _Seat:
    """Our end of the table."""

    def __init__(self, bot: Bot, game: Game, keys: Keys, decision_seconds: float, show_progress: bool) -> None:
        self.game = game
        self.solo = SingleSeat(bot, game, keys, decision_seconds)
        self.result = DealerResult(keys.seed)
        self.progress = Progress(None, "hands", show=show_progress)
        self.last: int | None = None
        """The number of the hand of the last state."""
        self.in_hand = False
        self._counted: int | None = None

    def play(self, connection: socket.socket) -> None:
        """Answers the states that come until the dealer hangs up."""
        try:
            connection.sendall(f"{VERSION}\r\n".encode())
            for line in _lines(connection):
                if line.startswith(("#", ";")) or not line.strip():
                    continue
                answer = self._answer(line.strip())
                if answer is not None:
                    connection.sendall(f"{line.strip()}:{answer}\r\n".encode())
        except (ConnectionError, TimeoutError):
            return

    def _answer(self, line: str) -> str | None:
        """What is to be answered to a state, or None when it asks nothing of us."""
        state = parse_state(self.game, line)
        table = table_of(self.game, state)
        self.last, self.in_hand = state.number, not table.finished
        if table.finished:
            self._count(table, state)
            return None
        return self._action(table, state) if table.public["actor"][0] == state.seat else None

    def _action(self, table: Table, state: MatchState) -> str:
        before = chips_before(self.game, table.history(0), int(table.public["street"][0]))
        to_call = table.legal(0).call
        self._note(self.solo.act(table, state.number))
        self.result.decisions += 1
        action = table.history(0)[-1].action
        if action == FOLD and to_call == 0:
            self.result.free_folds += 1
            return "c"
        return action_text(self.game, action, before)

    def _count(self, table: Table, state: MatchState) -> None:
        """Counts a finished hand, once, and tells the bot of it."""
        if state.number == self._counted:
            return
        self._counted = state.number
        payoff, faults = self.solo.hand_over(table, state.number, state.seat)
        self.result.hands += 1
        self.progress.advance(1, lambda: f"{self.result.chips:+,} chips")
        self.result.chips += payoff
        self._note(faults)

    def _note(self, faults: list[Case]) -> None:
        for case in faults:
            self.result.faults.add(case)


def _connected(host: str, port: int) -> socket.socket:
    try:
        connection = socket.create_connection((host, port), timeout=RECONNECT_SECONDS)
    except OSError as error:
        raise InputError(f"no dealer can be reached at {host}:{port}: {error.strerror or error}") from None
    connection.settimeout(None)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def _reconnected(host: str, port: int, seat: _Seat) -> socket.socket:
    """A new connection after the dealer was lost within a hand."""
    until = time.monotonic() + RECONNECT_SECONDS
    while seat.result.reconnections < RECONNECTIONS:
        try:
            connection = _connected(host, port)
        except InputError:
            if time.monotonic() > until:
                break
            time.sleep(0.1)
        else:
            seat.result.reconnections += 1
            return connection
    raise ConnectionError(f"the dealer at {host}:{port} was lost in hand {seat.last} and can no longer be reached")


def _lines(connection: socket.socket) -> Iterator[str]:
    """The lines that a dealer sends, without their ends, until it hangs up."""
    partial = b""
    while chunk := connection.recv(65_536):
        *lines, partial = (partial + chunk).split(b"\n")
        if len(partial) > _LONGEST_LINE:
            raise InputError("the dealer sends an endless line")
        for line in lines:
            yield line.decode("utf-8", "replace")
