"""The messages between us and a program on pipes, one JSON object a line; `docs/protocol.md` is their description.

A decision request holds exactly what a `View` shows, with cards as text, and one random number.
"""

import dataclasses
import json
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.bots.clocks import Clocks
from luckless.cards import format_card
from luckless.rules.endings import Ending
from luckless.rules.game import Game
from luckless.rules.views import View, Views

PROTOCOL = 1
MANY = 1_000
"""Copies of a program that does not say how many there may be: as many as we have cores."""

_VIEW_FIELDS = tuple(field.name for field in dataclasses.fields(View))
_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


class Hello(NamedTuple):
    """What a program says of itself."""

    name: str
    memory: bool
    processes: int
    """The most copies of it that may run side by side, if it has no memory."""


def _line(message: dict[str, Any]) -> bytes:
    return _encode(message).encode() + b"\n"


def hello_line() -> bytes:
    """Asks a program who it is."""
    return _line({"type": "hello", "protocol": PROTOCOL})


def match_line(game: Game, clocks: Clocks) -> bytes:
    """Says what is going to be played."""
    return _line({"type": "match", "game": game.to_dict(), "clocks": dataclasses.asdict(clocks)})


def decision_line(number: int, views: Views, random_bits: NDArray[np.uint64], row: int) -> bytes:
    """Asks for one decision of a batch."""
    view = views.one(row)
    message: dict[str, Any] = {"type": "decide", "id": number}
    for name in _VIEW_FIELDS:
        message[name] = getattr(view, name)
    message["hole"] = [format_card(card) for card in view.hole]
    message["board"] = [format_card(card) for card in view.board]
    message["random"] = (int(random_bits[row, 0]) >> 11) / (1 << 53)  # the first number of the decision's `Dice`
    return _line(message)


def hand_over_line(ending: Ending) -> bytes:
    """Tells how a hand ended."""
    message: dict[str, Any] = {"type": "hand_over"} | {
        field.name: getattr(ending, field.name) for field in dataclasses.fields(ending)
    }
    message["hole"] = [format_card(card) for card in ending.hole]
    message["board"] = [format_card(card) for card in ending.board]
    message["shown"] = [hole and [format_card(card) for card in hole] for hole in ending.shown]
    return _line(message)


def goodbye_line() -> bytes:
    """Says that the match is over."""
    return _line({"type": "goodbye"})


class BadLine(ValueError):
    """A line that is not what the protocol says; the message says why."""


def parse_object(line: bytes) -> dict[str, Any]:
    """The JSON object of a line."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        raise BadLine(f"wrote {shown(line)}, which is not JSON") from None
    if not isinstance(message, dict):
        raise BadLine(f"wrote {shown(line)}, which is not a JSON object")
    return message


def parse_hello(line: bytes) -> Hello:
    """The answer to `hello`."""
    message = parse_object(line)
    if message.get("type") != "hello":
        raise BadLine(f"answered hello with {shown(line)}; the type must be hello")
    if message.get("protocol") != PROTOCOL or isinstance(message["protocol"], bool):
        raise BadLine(f"speaks protocol {message.get('protocol')!r}; luckless speaks protocol {PROTOCOL}")
    name, memory, processes = message.get("name", ""), message.get("memory", False), message.get("processes", MANY)
    if not isinstance(name, str) or not isinstance(memory, bool):
        raise BadLine(f"answered hello with {shown(line)}; name must be a text and memory true or false")
    if not isinstance(processes, int) or isinstance(processes, bool) or processes < 1:
        raise BadLine(f"answered hello with {shown(line)}; processes must be a whole number, 1 or more")
    return Hello(name, memory, processes)


def parse_ready(line: bytes) -> None:
    """Checks the answer to `match`."""
    if parse_object(line).get("type") != "ready":
        raise BadLine(f'answered match with {shown(line)}; {{"type": "ready"}} was expected')


def parse_answer(line: bytes) -> tuple[int, Any]:
    """The id and the action of an answer to a decision; the action may be anything, or missing (None)."""
    message = parse_object(line)
    number = message.get("id")
    if not isinstance(number, int) or isinstance(number, bool):
        raise BadLine(f"wrote {shown(line)}, which has no decision id")
    return number, message.get("action")


def shown(line: bytes) -> str:
    """A line as text that can be printed, shortened."""
    text = line[:200].decode("utf-8", "replace").strip()
    text = "".join(letter if letter.isprintable() else "?" for letter in text)
    return f"{text[:77]}..." if len(text) > 80 else text or "an empty line"
