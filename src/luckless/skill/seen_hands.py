"""Which hands a value function was fitted on, so that they are known again in any file and any order.

A hand is known by the cards that were dealt in it: they are the same in every format, whatever chips and names are.
Hands with the same cards but other actions count as the same too, because the luck of the cards is the same.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from luckless.bots.fingerprints import checksum
from luckless.errors import InputError
from luckless.rules.columns import UNKNOWN, HandColumns
from luckless.rules.replaying import replay

MANY_CARDS = 6
"""From so many cards on (14,658,134,400 ways to deal them), two hands with the same cards are the same hand."""


def card_marks(hands: HandColumns) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
    """A number for each hand that follows from its cards alone, and whether these are enough to be sure."""
    game = hands.records.game
    decks = hands.records.decks.astype(np.uint64)
    places = np.arange(decks.shape[1])
    shown = places < 2 * game.seats + replay(hands.records).board_cards[:, None]
    known = shown & (hands.records.decks != UNKNOWN)
    words = np.where(known, decks, np.uint64(UNKNOWN)) + np.uint64(256) * places.astype(np.uint64)
    marks = np.full(len(decks), game.seats, np.uint64)
    for place in range(decks.shape[1]):
        marks = _mixed(marks ^ _mixed(words[:, place]))
    free = known.sum(axis=1) - (5 if game.board else 0)
    return marks, free >= MANY_CARDS


def _mixed(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A step of SplitMix64's finaliser (Steele, Lea and Flood 2014)."""
    z = words + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@dataclass(frozen=True)
class SeenHands:
    """The marks of some hands, sorted."""

    marks: NDArray[np.uint64] = field(default_factory=lambda: np.zeros(0, np.uint64))

    @classmethod
    def of(cls, batches: Iterable[HandColumns]) -> "SeenHands":
        """The marks of all these hands."""
        parts = [card_marks(batch)[0] for batch in batches]
        return cls(np.unique(np.concatenate([np.zeros(0, np.uint64), *parts])))

    @property
    def digest(self) -> str:
        """Sixteen characters for these hands; empty if there are none."""
        return checksum([self.marks.tobytes()])[:16] if len(self.marks) else ""

    def refuse(self, hands: HandColumns, name: str) -> None:
        """Refuses hands that are among these: one with cards enough to be sure, or most of the hands of a batch."""
        if not len(self.marks) or not len(hands):
            return
        marks, sure = card_marks(hands)
        places = np.minimum(np.searchsorted(self.marks, marks), len(self.marks) - 1)
        met = self.marks[places] == marks
        if not (met & sure).any() and met.mean() <= 0.5:
            return
        row = int(np.argmax(met & sure)) if (met & sure).any() else int(np.argmax(met))
        raise InputError(
            f"the value function {name} was fitted on hand {hands.numbers[row]} and on {int(met.sum()) - 1:,} more "
            "of these hands, so it would take their luck for skill; judge other hands, or use other values"
        )
