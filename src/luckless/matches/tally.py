"""Results of a match as they come in: everything that is reported, in memory that does not grow with the hands."""

import numpy as np
from numpy.typing import NDArray

from luckless.matches.faults import FaultLog
from luckless.matches.playing import Chunk
from luckless.skill.estimate import Accumulator

LINE_POINTS = 2_000
"""At most about this many points of the winnings line are kept."""

ENDINGS = ("preflop", "flop", "turn", "river", "showdown")
"""How a hand ended: by a fold on a street, or at showdown."""

RESULT_EDGES_BB = (0, 0.5, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 200, 400, 1000)
"""Classes of hand results by size, in big blinds: 0, up to 0.5, up to 1, ...; the last is open."""

RESULT_CLASSES = 2 * len(RESULT_EDGES_BB) + 1
"""Losses and wins of every size, and nothing in the middle."""


class Tally:
    """Counts chunks of a match, which must come in order."""

    def __init__(self, players: int, set_size: int, hands: int, big_blind: int) -> None:
        self.players = players
        self.set_size = set_size
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
        self.line: list[tuple[int, tuple[int, ...]]] = [(0, (0,) * players)]
        """Hands played and chips won so far by each player, at regular distances."""
        self._edges = np.array(RESULT_EDGES_BB) * big_blind
        self._stride = max(1, hands // set_size // LINE_POINTS) * set_size

    def add(self, chunk: Chunk) -> NDArray[np.int64]:
        """Counts a chunk; returns the chips that each player won in each of its sets, shape (sets, players)."""
        seated, payoffs = chunk.seated, chunk.records.payoffs
        hands = len(payoffs)
        chips = np.empty((hands, self.players), np.int64)
        np.put_along_axis(chips, seated.players.astype(np.int64), payoffs, axis=1)
        of_sets: NDArray[np.int64] = chips.reshape(-1, self.set_size, self.players).sum(axis=1)
        for player in range(self.players):
            self._add_player(player, chips[:, player], of_sets[:, player], chunk)
        self.ending_hands += np.bincount(chunk.streets, minlength=len(ENDINGS))
        self._extend_line(chips)
        self.net_chips += chips.sum(axis=0)
        self.hands += hands
        for case in chunk.faults:
            self.faults.add(case)
        return of_sets

    def _add_player(self, player: int, chips: NDArray[np.int64], of_sets: NDArray[np.int64], chunk: Chunk) -> None:
        self.sets[player].update(of_sets)
        self.singles[player].update(chips)
        self.ending_chips[player] += np.bincount(chunk.streets, chips, len(ENDINGS)).astype(np.int64)
        seats = np.argmax(chunk.seated.players == player, axis=1)
        self.seat_chips[player] += np.bincount(seats, chips, self.players).astype(np.int64)
        self.seat_hands[player] += np.bincount(seats, minlength=self.players)
        classes = len(self._edges) + np.sign(chips) * np.searchsorted(self._edges, np.abs(chips))
        self.result_hands[player] += np.bincount(classes, minlength=RESULT_CLASSES)

    def _extend_line(self, chips: NDArray[np.int64]) -> None:
        first = self._stride - self.hands % self._stride
        ends = np.arange(first, len(chips) + 1, self._stride)
        if len(ends):
            won = np.cumsum(chips, axis=0)[ends - 1] + self.net_chips
            self.line.extend((self.hands + int(end), tuple(row)) for end, row in zip(ends, won.tolist(), strict=True))
