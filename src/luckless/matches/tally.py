"""Results of a match as they come in: everything that is reported, in memory that does not grow with the hands."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.kernels import njit
from luckless.matches.faults import FaultLog
from luckless.matches.playing import Chunk
from luckless.stats.estimate import Accumulator

LINE_POINTS = 2_000
"""At most about this many points of the winnings line are kept."""

ENDINGS = ("preflop", "flop", "turn", "river", "showdown")
"""How a hand ended: by a fold on a street, or at showdown."""

RESULT_EDGES_BB = (0, 0.5, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 200, 400, 1000)
"""Classes of hand results by size, in big blinds: 0, up to 0.5, up to 1, ...; the last is open."""

RESULT_CLASSES = 2 * len(RESULT_EDGES_BB) + 1
"""Result bins: losses, zero, wins."""


class _Counts(NamedTuple):
    """The sums of a `Tally` that its kernel adds to."""

    net_chips: NDArray[np.int64]
    seat_chips: NDArray[np.int64]
    seat_hands: NDArray[np.int64]
    ending_chips: NDArray[np.int64]
    ending_hands: NDArray[np.int64]
    result_hands: NDArray[np.int64]
    seat_squares: NDArray[np.float64]
    ending_squares: NDArray[np.float64]


_SQUARES = ("seat_squares", "ending_squares")
"""Counts that older stores do not have: without them a part of a win rate has no interval."""


@njit(cache=True, nogil=True)
def _add_squares(chips: NDArray[np.float64], squares: NDArray[np.float64]) -> None:
    """Adds the squares of what a set brought, and begins the next set."""
    for player in range(chips.shape[0]):
        for part in range(chips.shape[1]):
            squares[player, part] += chips[player, part] * chips[player, part]
            chips[player, part] = 0


@njit(cache=True, nogil=True)
def _count(
    players: Any, payoffs: Any, endings: Any, edges: NDArray[np.float64], counts: _Counts, chips: Any, set_size: int
) -> None:
    """Adds hands to the counts, and lays out what each player won in each of them: `chips` [player, hand]."""
    of_seats = np.zeros_like(counts.seat_squares)  # chips of the present set
    of_endings = np.zeros_like(counts.ending_squares)
    for hand in range(len(payoffs)):
        ending = endings[hand]
        counts.ending_hands[ending] += 1
        for seat in range(payoffs.shape[1]):
            player, won = players[hand, seat], np.int64(payoffs[hand, seat])
            chips[player, hand] = won
            counts.net_chips[player] += won
            counts.seat_chips[player, seat] += won
            counts.seat_hands[player, seat] += 1
            counts.ending_chips[player, ending] += won
            size = 0
            while size < len(edges) and edges[size] < abs(won):
                size += 1
            counts.result_hands[player, len(edges) + (size if won > 0 else -size)] += 1
            of_seats[player, seat] += won
            of_endings[player, ending] += won
        if (hand + 1) % set_size == 0:
            _add_squares(of_seats, counts.seat_squares)
            _add_squares(of_endings, counts.ending_squares)


class Tally:
    """Counts chunks of a match, which must come in order."""

    def __init__(self, players: int, set_size: int, hands: int, big_blind: int) -> None:
        self.players = players
        self.set_size = set_size
        self.big_blind = big_blind
        self.planned_hands = hands
        self.hands = 0
        self.faults = FaultLog()
        self.sets = [Accumulator() for _ in range(players)]
        self.singles = [Accumulator() for _ in range(players)]
        self.net_chips = np.zeros(players, np.int64)
        self.seat_chips = np.zeros((players, players), np.int64)
        self.seat_hands = np.zeros((players, players), np.int64)
        self.ending_chips = np.zeros((players, len(ENDINGS)), np.int64)
        self.ending_hands = np.zeros(len(ENDINGS), np.int64)
        self.result_hands = np.zeros((players, RESULT_CLASSES), np.int64)
        self.seat_squares = np.zeros((players, players))
        """Sums over the sets of the squared chips that a player won in a seat; NaN where a store has no such sums."""
        self.ending_squares = np.zeros((players, len(ENDINGS)))
        """The same for hands that ended in one way."""
        self.line: list[tuple[int, tuple[int, ...]]] = [(0, (0,) * players)]
        """Hands played and chips won so far by each player, at regular distances."""
        self._edges = np.array(RESULT_EDGES_BB) * big_blind
        self._stride = max(1, hands // set_size // LINE_POINTS) * set_size

    def add(self, chunk: Chunk) -> NDArray[np.int64]:
        """Counts a chunk; returns the chips that each player won in each of its sets, shape (sets, players)."""
        payoffs, before = chunk.records.payoffs, self.net_chips.copy()
        chips = np.empty((self.players, len(payoffs)), np.int64)
        _count(chunk.hands.players, payoffs, chunk.streets, self._edges, self._counts(), chips, self.set_size)
        of_sets = chips[:, :: self.set_size].copy()
        for place in range(1, self.set_size):
            of_sets += chips[:, place :: self.set_size]
        for player in range(self.players):
            self.sets[player].update(of_sets[player])
            self.singles[player].update(chips[player])
        self._extend_line(chips, before)
        self.hands += len(payoffs)
        for case in chunk.faults:
            self.faults.add(case)
        self.faults.add_decisions(chunk.decisions)
        return of_sets.T

    def to_dict(self) -> dict[str, Any]:
        """Everything that was counted, as plain values for JSON: `from_dict` gives the same tally again."""
        known = {name: array for name, array in self._counts()._asdict().items() if not np.isnan(array).any()}
        counts = {name: array.tolist() for name, array in known.items()}
        return {
            "set_size": self.set_size,
            "planned_hands": self.planned_hands,
            "big_blind": self.big_blind,
            "hands": self.hands,
            "sets": [one.to_dict() for one in self.sets],
            "singles": [one.to_dict() for one in self.singles],
            **counts,
            "line": [[hands, list(won)] for hands, won in self.line],
            "faults": self.faults.to_dict(),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Tally":
        """The tally that `to_dict` described."""
        tally = cls(len(values["sets"]), values["set_size"], values["planned_hands"], values["big_blind"])
        tally.hands = values["hands"]
        tally.faults = FaultLog.from_dict(values["faults"])
        tally.sets = [Accumulator.from_dict(one) for one in values["sets"]]
        tally.singles = [Accumulator.from_dict(one) for one in values["singles"]]
        for name, array in tally._counts()._asdict().items():
            array[:] = values.get(name, np.nan) if name in _SQUARES else values[name]
        tally.line = [(hands, tuple(won)) for hands, won in values["line"]]
        return tally

    def _counts(self) -> _Counts:
        by_seat, by_ending = (self.seat_chips, self.seat_hands), (self.ending_chips, self.ending_hands)
        squares = (self.seat_squares, self.ending_squares)
        return _Counts(self.net_chips, *by_seat, *by_ending, self.result_hands, *squares)

    def _extend_line(self, chips: NDArray[np.int64], before: NDArray[np.int64]) -> None:
        """Adds the points that lie in a chunk; `before` is what was won before it."""
        first = self._stride - self.hands % self._stride
        ends = np.arange(first, chips.shape[1] + 1, self._stride)
        if len(ends):
            won = np.cumsum(chips, axis=1)[:, ends - 1].T + before
            self.line.extend((self.hands + int(end), tuple(row)) for end, row in zip(ends, won.tolist(), strict=True))
