"""A match in pieces for a crew: hands from a number on, as many as take a couple of seconds."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

from luckless.errors import InputError
from luckless.matches.playing import Chunk
from luckless.pieces import PIECE_SECONDS, Crew, Doer, in_order

if TYPE_CHECKING:
    from luckless.matches.match import Match

MOST_HANDS = 1 << 20
"""Hands of a piece at most: a hundred megabytes or so on their way back."""

FIRST_HANDS, FIRST_ASKED = 16_384, 64
"""Hands of the first pieces, before the pace of the bots is known: of compiled bots, and of others."""

GROWTH = 8


@dataclass(frozen=True)
class MatchJob:
    """A match that workers play; a piece is the first hand and how many."""

    match: "Match"

    @contextmanager
    def opened(self) -> Iterator[Doer]:
        """Starts the bots. Compiled ones play a set at once, so that their code is in place."""
        playing = self.match.playing()
        with playing:
            if playing.compiled:
                playing.play(self.match.seated(0, self.match.set_size))

            def play(piece: tuple[int, int]) -> tuple[Chunk, float]:
                started = perf_counter()
                return playing.play(self.match.seated(*piece)), perf_counter() - started

            yield play


class _Sizes:
    """How many hands the next piece has, from how long those before it took."""

    def __init__(self, first: int, set_size: int) -> None:
        self._size, self._set_size = first, set_size

    def hands(self, left: int, workers: int) -> int:
        """Whole sets, and not so many that at the end some workers have nothing to do."""
        wanted = min(self._size, -(-left // (2 * workers)), MOST_HANDS)
        return min(-(-wanted // self._set_size) * self._set_size, left)

    def took(self, hands: int, seconds: float) -> None:
        """A piece of so many hands has taken so long."""
        fitting = max(int(hands * min(PIECE_SECONDS / max(seconds, 1e-9), GROWTH)), 1)
        self._size = fitting if seconds > PIECE_SECONDS else max(self._size, fitting)


def chunks_of_crew(match: "Match", crew: Crew, first: int) -> Iterator[Chunk]:
    """The hands of a match from a number on, played by a crew, in order."""
    remembers = [player.name for player in match.players if player.memory or player.wants_results]
    if remembers:
        problem = f"{remembers[0]} follows the hands of a match in their order"
        raise InputError(f"this match cannot be shared out: {problem}; leave --on away")
    sizes = _Sizes(FIRST_HANDS if match.playing().compiled else FIRST_ASKED, match.set_size)

    def pieces() -> Iterator[tuple[int, int]]:
        start = first
        while start < match.hands:
            hands = sizes.hands(match.hands - start, crew.slots)
            yield start, hands
            start += hands

    for (_, hands), (chunk, seconds) in in_order(crew, MatchJob(match), pieces()):
        sizes.took(hands, seconds)
        yield chunk
