"""A small dealer of the competition's protocol, written from its description alone: it shares no code with ours but
the plain engine, which says whose turn it is, what is legal and who has won."""

import random
import socket
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field

from luckless.rules.game import Game
from luckless.rules.plain import PlainHand

RANKS, SUITS = "23456789TJQKA", "cdhs"


def cards_text(cards: Iterable[int]) -> str:
    """Cards as rank and suit."""
    return "".join(RANKS[card // 4] + SUITS[card % 4] for card in cards)


@dataclass
class Quirks:
    """What a dealer may do within the protocol, and a client must bear."""

    end: bytes = b"\r\n"
    comments: bool = False
    pieces: bool = False
    """Whether lines are sent in pieces of a few bytes."""
    drops: tuple[int, ...] = ()
    """Hands in which the connection of the first to act is lost; it may connect again."""
    vanishes: int = -1
    """The hand in which the dealer ends for good."""


@dataclass
class Dealer:
    """Deals hands to clients, one port for each player; players rotate around the table."""

    game: Game
    hands: int
    seed: int = 0
    quirks: Quirks = field(default_factory=Quirks)

    def __post_init__(self) -> None:
        self.listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range(self.game.seats)]
        self.ports = [listener.getsockname()[1] for listener in self.listeners]
        self.values = [0] * self.game.seats
        self.responses: list[str] = []
        self.problems: list[str] = []
        self._files: list[socket.socket] = []
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def join(self) -> None:
        """Waits until the match is over."""
        self._thread.join(60)
        assert not self._thread.is_alive()

    def _run(self) -> None:
        try:
            self._files = [self._accept(player) for player in range(self.game.seats)]
            dice = random.Random(self.seed)
            for number in range(self.hands):
                self._play(number, dice.sample(range(52), 2 * self.game.seats + 5))
        except Exception as error:
            self.problems.append(repr(error))
        finally:
            for connection in (*self._files, *self.listeners):
                connection.close()

    def _accept(self, player: int) -> socket.socket:
        self.listeners[player].settimeout(30)
        connection, _ = self.listeners[player].accept()
        connection.settimeout(30)
        assert self._read(connection).startswith("VERSION:2.0.")
        return connection

    def _read(self, connection: socket.socket) -> str:
        line = b""
        while not line.endswith(b"\n"):  # a client says one line at a time
            chunk = connection.recv(4096)
            assert chunk, "the client hung up"
            line += chunk
        return line.decode().rstrip("\r\n")

    def _send(self, player: int, line: str) -> None:
        data = line.encode() + self.quirks.end
        if self.quirks.comments:
            data = b"# a comment" + self.quirks.end + b"; another" + self.quirks.end + self.quirks.end + data
        size = 7 if self.quirks.pieces else len(data)
        for first in range(0, len(data), size):
            self._files[player].sendall(data[first : first + size])

    def _play(self, number: int, deck: list[int]) -> None:
        game, hand = self.game, PlainHand(self.game, deck)
        seat_of = [(player - number) % game.seats for player in range(game.seats)]
        betting, earlier, highest = "", 0, max(game.blinds)
        dropped = number not in self.quirks.drops
        while hand.actor is not None:
            for player in range(game.seats):
                self._send(player, self._state(number, seat_of[player], hand, betting, deck))
            actor = seat_of.index(hand.actor)
            if number == self.quirks.vanishes:
                raise RuntimeError("vanished")
            if not dropped:
                dropped = True
                self._files[actor].close()
                self._files[actor] = self._accept(actor)
                self._send(actor, self._state(number, seat_of[actor], hand, betting, deck))
            word = self._response(actor, self._state(number, seat_of[actor], hand, betting, deck))
            action = {"f": -1, "c": 0, "r": hand.legal().min_raise_to}.get(word)
            if action is None:
                action = int(word[1:]) - earlier
            if action == -1:
                assert hand.legal().call > 0, "folded with nothing to call"
            street = hand.street
            hand.do(action)
            highest = max(highest, action)
            betting += word
            reached = 3 if hand.finished and sum(not seat.folded for seat in hand.seats) > 1 else hand.street
            if reached > street:
                betting += "/" * (reached - street)
                earlier, highest = earlier + highest, 0
        for player in range(game.seats):
            self._send(player, self._state(number, seat_of[player], hand, betting, deck))
            self.values[player] += hand.payoffs[seat_of[player]]

    def _response(self, player: int, state: str) -> str:
        while True:
            line = self._read(self._files[player])
            if line.startswith(("#", ";")):
                continue
            self.responses.append(line)
            text, _, word = line.rpartition(":")
            assert text == state, f"{text} is not {state}"
            return word

    def _state(self, number: int, seat: int, hand: PlainHand, betting: str, deck: list[int]) -> str:
        seats = range(self.game.seats)
        live = [other for other in seats if not hand.seats[other].folded]
        showdown = hand.finished and len(live) > 1
        shown = ["" for _ in seats]
        for other in seats:
            if other == seat or (showdown and other in live):
                shown[other] = cards_text(hand.seats[other].cards)
        board = deck[2 * self.game.seats :]
        streets = (board[:3], board[3:4], board[4:])[: betting.count("/")]
        table = "".join("/" + cards_text(street) for street in streets)
        return f"MATCHSTATE:{seat}:{number}:{betting}:{'|'.join(shown)}{table}"
