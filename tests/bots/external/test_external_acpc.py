"""The competition's protocol both ways: our bots at a foreign dealer, foreign clients at our table, and both."""

import contextlib
import socket
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from acpc_dealer import Dealer, Quirks
from luckless.bots.bot import Bot
from luckless.bots.catalogue import load_bot
from luckless.bots.external.acpc_bot import AcpcBot, load_acpc_bot
from luckless.bots.python_bot import bot_of
from luckless.errors import InputError
from luckless.matches.at_dealer import DealerResult, play_at_dealer
from luckless.matches.match import Match
from luckless.matches.result import MatchResult, play_match
from luckless.matches.session import Sessions, play_sessions
from luckless.rules.endings import Ending
from luckless.rules.game import Game
from outside import in_thread

GAMES = ("limit-hu", "nolimit-hu", "limit-3max", "nolimit-3max")
QUIRKS = {
    "plain": Quirks(),
    "comments": Quirks(comments=True),
    "pieces and bare line ends": Quirks(end=b"\n", pieces=True),
    "lost connections": Quirks(drops=(1, 3)),
}


class Follower:
    """Calls or raises by its dice, folds now and then for free; keeps what it was told."""

    memory = True

    def __init__(self) -> None:
        self.endings: list[Ending] = []

    def decide(self, view: Any, dice: Any) -> int:
        """At random."""
        action: int = dice.choice([0, 0, -1, view.min_raise_to, view.max_raise_to])
        return action

    def hand_over(self, ending: Ending) -> None:
        """Keeps it."""
        self.endings.append(ending)


@pytest.mark.parametrize(
    ("name", "kind"),
    [*((name, "plain") for name in GAMES), *(("nolimit-3max", kind) for kind in QUIRKS if kind != "plain")],
)
def test_our_bots_at_a_foreign_dealer(name: str, kind: str) -> None:
    """The dealer reads every answer as it must be, and both sides agree on every chip."""
    game, quirks = Game.load(name), QUIRKS[kind]
    dealer = Dealer(game, hands=12, quirks=quirks)
    followers = [Follower() for _ in dealer.ports]
    waits = [
        in_thread(partial(play_at_dealer, bot_of(bot), game, "127.0.0.1", port, seed=place))
        for place, (bot, port) in enumerate(zip(followers, dealer.ports, strict=True))
    ]
    dealer.join()
    assert dealer.problems == []
    results: list[DealerResult] = [wait() for wait in waits]
    assert [result.hands for result in results] == [12] * game.seats
    assert [result.chips for result in results] == dealer.values
    assert sum(result.decisions for result in results) >= len(dealer.responses)
    assert sum(result.reconnections for result in results) == len(quirks.drops)
    for follower, result in zip(followers, results, strict=True):
        assert sum(ending.payoffs[ending.seat] for ending in follower.endings) == result.chips
        assert not result.faults.cases


def test_a_dealer_that_vanishes_in_a_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("luckless.matches.at_dealer.RECONNECT_SECONDS", 0.3)
    game = Game.load("limit-hu")
    dealer = Dealer(game, hands=9, quirks=Quirks(vanishes=3))

    def play(port: int) -> object:
        try:
            return play_at_dealer(load_bot("call"), game, "127.0.0.1", port)
        except OSError as error:
            return error

    waits = [in_thread(partial(play, port)) for port in dealer.ports]
    for wait in waits:
        assert "lost in hand 3" in str(wait())


def test_no_dealer_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(InputError, match="no dealer can be reached"):
        play_at_dealer(load_bot("call"), Game.load("limit-hu"), "127.0.0.1", port)


def meet(client: Bot, game: Game, others: list[Bot], hands: int) -> tuple[MatchResult, list[list[int]]]:
    """A match at our table with a client of ours that connects to it from a thread."""
    seat = load_acpc_bot("acpc:0")
    wait = in_thread(lambda: play_at_dealer(client, game, "127.0.0.1", seat.port))
    result, payoffs = match_of(seat, game, others, hands)
    outcome: DealerResult = wait()
    assert outcome.chips == result.tally.net_chips[0]
    return result, payoffs


def match_of(bot: Bot, game: Game, others: list[Bot], hands: int) -> tuple[MatchResult, list[list[int]]]:
    """A match on fresh decks, and what every seat won in each hand."""
    payoffs: list[list[int]] = []
    match = Match.plan(game, [bot, *others], hands=hands, seed=11, decks="fresh", sealed=True, decision_seconds=5.0)
    return play_match(match, on_chunk=lambda chunk: payoffs.extend(chunk.records.payoffs.tolist())), payoffs


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("client", ["call", "raise", "all-in"])
def test_both_ends_together_play_as_the_bot_alone(name: str, client: str) -> None:
    """A client of ours at our own table, over a socket, wins and loses exactly as the same bot without one."""
    game = Game.load(name)
    mix = "mix:call,raise" if game.betting == "limit" else "mix:call,all-in"  # no wars of smallest raises
    others: list[Bot] = [load_bot(mix) for _ in range(game.seats - 1)]
    result, over_socket = meet(load_bot(client), game, others, 30)
    assert not result.tally.faults.cases
    _, inside = match_of(load_bot(client), game, others, 30)
    assert over_socket == inside


def test_a_free_fold_ends_a_hand_unseen_by_the_client() -> None:
    """`random` folds for free a third of the time; clients know no such fold, and the next hand goes on."""
    game = Game.load("limit-hu")
    seat = load_acpc_bot("acpc:0")
    told: list[Ending] = []
    follower = Follower()
    follower.endings = told
    in_thread(lambda: play_at_dealer(bot_of(follower), game, "127.0.0.1", seat.port))
    result, _ = match_of(seat, game, [load_bot("random")], 40)
    assert not result.tally.faults.cases
    assert 0 < len(told) < 40


class RawClient:
    """A client by hand, for what real ones do wrong: `play(lines, send)` gets its states and answers as it likes."""

    def __init__(self, port: int, play: Callable[["RawClient"], None]) -> None:
        self.port = port
        self.thread = threading.Thread(target=self._run, args=(play,), daemon=True)
        self.thread.start()

    def _run(self, play: Callable[["RawClient"], None]) -> None:
        with contextlib.suppress(OSError):
            self.connect()
            play(self)

    def connect(self, version: str = "VERSION:2.0.0") -> None:
        """Connects and greets."""
        self.connection = socket.create_connection(("127.0.0.1", self.port))
        self.file = self.connection.makefile()
        self.say(version)

    def say(self, line: str) -> None:
        """Sends a line."""
        self.connection.sendall(f"{line}\r\n".encode())

    def states(self) -> Any:
        """States until we are hung up on."""
        for line in self.file:
            yield line.strip()


def own_turn(state: str) -> bool:
    """Whether it is the client's turn in a heads-up state of limit, before or after the flop."""
    _, seat, _, betting, _ = state.split(":")
    streets = betting.split("/")
    over = betting.endswith("f") or (len(streets) == 4 and streets[3][1:].endswith("c"))
    first = 1 if len(streets) == 1 else 0
    return not over and (first + len(streets[-1])) % 2 == int(seat)


def answer_all(client: RawClient, answer: Callable[[str], str]) -> None:
    """Answers every own turn with a line."""
    for state in client.states():
        if own_turn(state):
            client.say(answer(state))


def comments(client: RawClient) -> None:
    for state in client.states():
        client.say("# thinking\r\n; still thinking\r\n")
        if own_turn(state):
            client.say(f"{state}:c")


def in_lower_case(client: RawClient) -> None:
    def reply(state: str) -> str:
        head, cards = state.rsplit(":", 1)
        return f"{head}:{cards.lower()}:c"

    answer_all(client, reply)


def flood(client: RawClient) -> None:
    for _ in range(100_000):
        client.say("# spam" * 100)


def long_line(client: RawClient) -> None:
    while True:
        client.connection.sendall(b"x" * 100_000)


def hang_up_once(client: RawClient) -> None:
    for count, state in enumerate(client.states()):
        if own_turn(state):
            if count > 10:
                break
            client.say(f"{state}:c")
    client.connection.shutdown(socket.SHUT_RDWR)
    client.file.close()
    client.connection.close()
    client.connect()
    answer_all(client, lambda state: f"{state}:c")


def late(client: RawClient) -> None:
    for count, state in enumerate(client.states()):
        if own_turn(state):
            if count in (3, 4):
                time.sleep(1.4)
            client.say(f"{state}:c")


CLIENTS: dict[str, tuple[Callable[[RawClient], None], set[str]]] = {
    "proper": (lambda client: answer_all(client, lambda state: f"{state}:c"), set()),
    "comments": (comments, set()),
    "another spelling of cards": (in_lower_case, set()),
    "garbage": (lambda client: answer_all(client, lambda state: "what?"), {"nonsense"}),
    "no such action": (lambda client: answer_all(client, lambda state: f"{state}:q"), {"nonsense"}),
    "an amount in limit": (lambda client: answer_all(client, lambda state: f"{state}:r40"), {"nonsense"}),
    "raises for ever": (lambda client: answer_all(client, lambda state: f"{state}:r"), {"nonsense"}),
    "an earlier state first": (
        lambda client: answer_all(client, lambda state: f"MATCHSTATE:0:99::AcKc|:c\r\n{state}:c"),
        {"unasked"},
    ),
    "comments without end": (flood, {"flooded", "absent"}),
    "a line without end": (long_line, {"flooded", "absent"}),
    "hangs up once": (hang_up_once, {"died"}),
    "hangs": (lambda client: time.sleep(20), {"slow", "absent"}),
    "late": (late, {"slow"}),
    "hangs up at once": (lambda client: client.connection.shutdown(socket.SHUT_RDWR), {"died", "absent"}),
}


@pytest.mark.parametrize("name", CLIENTS)
def test_what_clients_do_costs_only_themselves(name: str) -> None:
    play, kinds = CLIENTS[name]
    game = Game.load("limit-hu")
    seat = load_acpc_bot("acpc:0")
    RawClient(seat.port, play)
    clock = 1.0 if name == "late" else 0.3 if kinds & {"slow", "absent"} else 10.0
    match = Match.plan(game, [seat, load_bot("raise")], hands=12, seed=2, decision_seconds=clock)
    result = play_match(match)
    assert result.hands == 12
    assert set(result.tally.faults.of_player(0)) == kinds
    assert not result.tally.faults.of_player(1)
    assert np.sum(result.tally.net_chips) == 0


@pytest.mark.parametrize(
    ("play", "why"),
    [
        (None, "no client has connected"),
        ("VERSION:1.0.0", "speaks VERSION:1.0.0"),
        ("hello", "did not begin with VERSION"),
    ],
)
def test_without_a_client_the_policy_plays(play: str | None, why: str) -> None:
    seat = AcpcBot(0, start_seconds=0.5)
    if play is not None:
        connection = socket.create_connection(("127.0.0.1", seat.port))
        connection.sendall(play.encode() + b"\r\n")
    match = Match.plan(Game.load("limit-hu"), [seat, load_bot("raise")], hands=12, seed=2, decision_seconds=0.1)
    result = play_match(match)
    assert set(result.tally.faults.of_player(0)) == {"absent"}
    assert why in result.tally.faults.cases[0].detail


def test_a_port_in_use_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(InputError, match=f"port {port} cannot be used: Address already in use"):
            load_bot(f"acpc:{port}")


@pytest.mark.parametrize("text", ["acpc:", "acpc:http", "acpc:70000", "acpc:-1"])
def test_what_is_no_port_is_named(text: str) -> None:
    with pytest.raises(InputError, match="acpc:PORT"):
        load_bot(text)


def test_games_and_stacks_that_cannot_be_carried_are_named() -> None:
    seat = load_acpc_bot("acpc:0")
    match = Match.plan(Game.load("river-hu"), [seat, load_bot("call")], hands=2, seed=1)
    with pytest.raises(InputError, match="cannot carry"):
        next(match.chunks())
    seat = load_acpc_bot("acpc:0")
    RawClient(seat.port, lambda client: answer_all(client, lambda state: f"{state}:c"))
    sessions = Sessions.plan([seat, load_bot("raise")], rounds=3, games=1)
    with pytest.raises(InputError, match="stacks that change"):
        play_sessions(sessions)
