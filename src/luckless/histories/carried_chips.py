"""Checks that the hands of stored sessions follow one another: games, rounds, seats, and chips from hand to hand."""

from collections.abc import Iterator

import numpy as np

from luckless.histories.store import StoredHands
from luckless.matches.session import session_seating
from luckless.rules.columns import HandColumns
from luckless.rules.game import Game


class CarriedChips:
    """Follows sessions from hand to hand: who sits where, and that everybody brings the chips of the hand before."""

    def __init__(self, stored: StoredHands) -> None:
        self._rounds = int(stored.settings["rounds"])
        self._game = Game.from_dict(stored.settings["game"])
        self._start = np.array(self._game.stacks, np.int64)
        self._number = -1
        self._chips = np.zeros(self._game.seats, np.int64)
        """The last hand, and the chips of each player after it; before the first game, somebody is bust."""

    @property
    def games(self) -> int:
        """Sessions so far."""
        return self._number // self._rounds + 1

    def problems(self, columns: HandColumns) -> Iterator[str]:
        """What is wrong with the next hands as hands of sessions."""
        games, rounds = np.divmod(columns.numbers, self._rounds)
        expected = session_seating(self._game.seats, games, rounds)
        brought, payoffs = columns.records.stacks.astype(np.int64), columns.records.payoffs
        for row, number in enumerate(columns.numbers.tolist()):
            if number != self._next():
                yield f"hand {number} of the sessions comes where hand {self._next()} is due"
            if rounds[row] == 0:
                self._chips = self._start.copy()
            players = expected[row]
            if (columns.players[row] != players).any():
                yield f"hand {number}: its players are {columns.players[row].tolist()}, not {players.tolist()}"
            elif (brought[row] != self._chips[players]).any():
                was = self._chips[players].tolist()
                yield f"hand {number}: the stacks are {brought[row].tolist()}; the hand before left {was}"
            self._chips[players] = brought[row] + payoffs[row]
            self._number = number

    def _next(self) -> int:
        """The number of the hand that is due: the next round, or the next game once somebody is bust."""
        ended = (self._chips == 0).any() or self._number % self._rounds == self._rounds - 1
        return self.games * self._rounds if ended else self._number + 1
