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

Settlement = Literal["whole", "shared", "given", "shown", "expected"]
"""How payoffs came about. "whole": by our rules, odd chips one by one. "shared": the same, but the source splits odd
chips into fractions, and writers print those. "given": as the source says, because cards of the showdown are unknown
or a rake was taken; they cannot be settled again. "shown": the source gives no result; of a showdown those seats win
that showed the best cards, and who did not show lost. "expected": the source prints what an all-in was worth before
the board was dealt out (`HandColumns.printed`); payoffs are by the cards that were dealt, if they are known."""

MILLION = 1_000_000
"""Parts of a chip in which printed values are kept."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where hands of a log come from; row i of every array is hand i."""

    files: tuple[str, ...]
    file: NDArray[np.int32]
    """The log of each hand, as a place in `files`."""
    line: NDArray[np.int32]
    """The line of the log on which the hand begins."""
    tables: tuple[str, ...]
    table: NDArray[np.int32]
    """The table of each hand, as a place in `tables`; -1 if the log names none."""
    time: NDArray[np.int64]
    """When the hand was played, in seconds from 1970 on by the clock of the log; `NO_TIME` if it does not say."""

    def take(self, which: Any) -> "Origin":
        """The hands of these rows."""
        return replace(
            self, file=self.file[which], line=self.line[which], table=self.table[which], time=self.time[which]
        )


NO_TIME = -(2**62)


@dataclass(frozen=True, slots=True)
class HandColumns:
    """Finished hands of one game, in the order they were played; row i of every array is hand i."""

    records: Records
    """Cards, stacks, actions and payoffs; a card may be `UNKNOWN`."""
    numbers: NDArray[np.int64]
    """The number of each hand in its match or log. Numbers of a log may repeat: see `keys`."""
    deals: NDArray[np.int64]
    """The number of each deal. Hands of a match with equal deals are one duplicate set."""
    players: NDArray[np.signedinteger[Any]]
    """Who sits in each seat, as a place in `names`: shape (n, seats)."""
    names: tuple[str, ...]
    settlement: Settlement = "whole"
    scale: int = 1
    """Chips in one unit of the source: 100 for a log in dollars and cents."""
    printed: NDArray[np.int64] | None = None
    """What each seat won as the source prints it, in millionths of a chip, where that is no whole number of chips by
    the cards (`settlement` "expected"): shape (n, seats)."""
    origin: Origin | None = None
    """Where the hands of a log come from."""
    own_keys: NDArray[np.int64] | None = None
    """The one number of each hand that no other has, if `numbers` may repeat."""

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def keys(self) -> NDArray[np.int64]:
        """One number for each hand that no other hand of its match, store or reading has."""
        return self.numbers if self.own_keys is None else self.own_keys

    @property
    def kind(self) -> tuple[Any, ...]:
        """What batches must have in common to be joined: game, settlement, scale, and whether they know their log."""
        return self.records.game, self.settlement, self.scale, self.origin is None

    def values(self) -> NDArray[np.float64]:
        """What each seat won in chips as the source counts it: printed values where there are any, else payoffs."""
        if self.printed is not None:
            return self.printed / MILLION
        return self.records.payoffs.astype(np.float64)

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
        return self._with(cut, slice(first, last))

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
        return self._with(taken, order)

    def _with(self, records: Records, which: Any) -> "HandColumns":
        return replace(
            self,
            records=records,
            numbers=self.numbers[which],
            deals=self.deals[which],
            players=self.players[which],
            printed=None if self.printed is None else self.printed[which],
            origin=None if self.origin is None else self.origin.take(which),
            own_keys=None if self.own_keys is None else self.own_keys[which],
        )

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
    """Batches of one `kind` and one source as one; names are those of the last, which knows the most."""
    first, last = parts[0], parts[-1]
    if len(parts) == 1:
        return first
    return replace(
        last,
        records=Records.joined([part.records for part in parts]),
        numbers=np.concatenate([part.numbers for part in parts]),
        deals=np.concatenate([part.deals for part in parts]),
        players=np.concatenate([part.players for part in parts]),
        printed=joined_arrays([part.printed for part in parts]),
        origin=_joined_origins([part.origin for part in parts]),
        own_keys=joined_arrays([part.own_keys for part in parts]),
    )


def joined_arrays(parts: Sequence[NDArray[np.int64] | None]) -> NDArray[np.int64] | None:
    """Arrays that all parts have, end to end; None if one has none."""
    there = [part for part in parts if part is not None]
    return np.concatenate(there) if len(there) == len(parts) else None


def _joined_origins(parts: Sequence[Origin | None]) -> Origin | None:
    there = [part for part in parts if part is not None]
    if len(there) < len(parts):
        return None
    return Origin(
        there[-1].files,
        np.concatenate([part.file for part in there]),
        np.concatenate([part.line for part in there]),
        there[-1].tables,
        np.concatenate([part.table for part in there]),
        np.concatenate([part.time for part in there]),
    )
