"""Hands that could not be read: each costs only itself, and keeps its place, its reason and its text."""

from collections.abc import Callable
from dataclasses import dataclass

from luckless.errors import InputError


class BadHand(InputError):
    """A hand of a log that cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Reject:
    """A hand that was left out: where it stands ("line 12"), why, and what it says."""

    where: str
    reason: str
    text: str


OnReject = Callable[[Reject], None]


def refuse(source: str) -> OnReject:
    """For callers that want every hand: the first bad one ends the reading."""

    def on_reject(reject: Reject) -> None:
        raise BadHand(f"{source}, {reject.where}: {reject.reason}")

    return on_reject
