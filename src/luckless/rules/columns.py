"""Finished hands as every reader gives them and every writer takes them: the records, and who played them.

A batch holds hands of one game. Matches, stored chunks and foreign logs all become `HandColumns`, so that replaying,
storing, writing and analysing know one form only.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from luckless.rules.records import UNKNOWN as UNKNOWN
from luckless.rules.records import Records

Settlement = Literal["whole", "shared", "given"]
"""How payoffs came about. "whole": by our rules, odd chips one by one. "shared": the same, but the source splits odd
chips into fractions, and writers print those. "given": as the source says, because cards of the showdown are unknown
or a rake was taken; they cannot be settled again."""


@dataclass(frozen=True, slots=True)
class HandColumns:
    """Finished hands of one game, in the order they were played; row i of every array is hand i."""

    records: Records
    """Cards, stacks, actions and payoffs; a card may be `UNKNOWN`."""
    numbers: NDArray[np.int64]
    """The number of each hand in its match or log."""
    deals: NDArray[np.int64]
    """The number of each deal. Hands of a match with equal deals are one duplicate set."""
    players: NDArray[np.signedinteger[Any]]
    """Who sits in each seat, as a place in `names`: shape (n, seats)."""
    names: tuple[str, ...]
    settlement: Settlement = "whole"
    scale: int = 1
    """Chips in one unit of the source: 100 for a log in dollars and cents."""

    def __len__(self) -> int:
        return len(self.numbers)

    def rows(self, which: slice) -> "HandColumns":
        """Some of the hands, one after the other."""
        first, last, _ = which.indices(len(self))
        records = self.records
        begin = int(records.ends[first - 1]) if first else 0
        end = int(records.ends[last - 1]) if last > first else begin
        cut = Records(
            records.game,
            records.decks[first:last],
            records.stacks[first:last],
            records.ends[first:last] - begin,
            records.actions[begin:end],
            records.payoffs[first:last],
        )
        return replace(
            self,
            records=cut,
            numbers=self.numbers[first:last],
            deals=self.deals[first:last],
            players=self.players[first:last],
        )

    def take(self, order: NDArray[np.int64]) -> "HandColumns":
        """The hands of these rows, in this order."""
        records = self.records
        counts = np.diff(records.ends, prepend=0)
        starts, lengths = (records.ends - counts)[order], counts[order]
        ends = np.cumsum(lengths)
        places = np.repeat(starts - (ends - lengths), lengths) + np.arange(int(lengths.sum()))
        taken = Records(
            records.game,
            records.decks[order],
            records.stacks[order],
            ends,
            records.actions[places],
            records.payoffs[order],
        )
        numbers, deals, players = self.numbers[order], self.deals[order], self.players[order]
        return replace(self, records=taken, numbers=numbers, deals=deals, players=players)

    def names_of(self, row: int) -> list[str]:
        """The names of the players of one hand, in seat order."""
        return [self.names[player] for player in self.players[row].tolist()]

    def padded_actions(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The actions as a matrix, one hand a row, filled up with 0; and how many of each row are meant."""
        counts = np.diff(self.records.ends, prepend=0)
        matrix = np.zeros((len(self), int(counts.max(initial=0))), np.int32)
        matrix[np.arange(matrix.shape[1]) < counts[:, None]] = self.records.actions
        return matrix, counts


def join(parts: Sequence[HandColumns]) -> HandColumns:
    """Batches of the same game, settlement and scale as one; names are those of the last, which knows the most."""
    first, last = parts[0], parts[-1]
    if len(parts) == 1:
        return first
    lengths = np.array([len(part.records.actions) for part in parts])
    starts = np.cumsum(lengths) - lengths
    records = Records(
        first.records.game,
        np.concatenate([part.records.decks for part in parts]),
        np.concatenate([part.records.stacks for part in parts]),
        np.concatenate([part.records.ends + start for part, start in zip(parts, starts, strict=True)]),
        np.concatenate([part.records.actions for part in parts]),
        np.concatenate([part.records.payoffs for part in parts]),
    )
    return HandColumns(
        records,
        np.concatenate([part.numbers for part in parts]),
        np.concatenate([part.deals for part in parts]),
        np.concatenate([part.players for part in parts]),
        last.names,
        first.settlement,
        first.scale,
    )
