"""One of our bots in one seat of a table whose other seats are played elsewhere: by a foreign dealer, or a script."""

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import Bot
from luckless.bots.lineup import Lineup
from luckless.keys import Keys
from luckless.matches.faults import Case
from luckless.matches.playing import Playing, Seated
from luckless.rules.game import Game
from luckless.rules.table import Table


class SingleSeat:
    """A bot that plays hands of a table with one row; to be used in a `with`, which starts and stops the bot."""

    def __init__(self, bot: Bot, game: Game, keys: Keys, decision_seconds: float) -> None:
        self.game = game
        self.playing = Playing(game, Lineup.of([bot]), keys, decision_seconds)
        self._number: int | None = None

    def __enter__(self) -> "SingleSeat":
        self.playing.__enter__()
        return self

    def __exit__(self, *problem: object) -> None:
        self.playing.__exit__(*problem)

    def act(self, table: Table, number: int) -> list[Case]:
        """Asks the bot for the decision that the table waits for, and makes it; returns its faults."""
        if number != self._number:
            self._number = number
            self.playing.new_hands()
        faults: list[Case] = []
        roles, seated = self._seated(number)
        seat = int(table.public["actor"][0])
        self.playing.answer(table, seated, np.array([0]), int(roles[0, seat]), faults)
        return faults

    def hand_over(self, table: Table, number: int, seat: int) -> tuple[int, list[Case]]:
        """Tells the bot how a hand ended; returns what its seat won, and its faults."""
        faults: list[Case] = []
        roles, seated = self._seated(number)
        roles[0, np.arange(self.game.seats) != seat] = -1
        records = table.records()
        self.playing.tell_results(table, records, seated, roles, faults)
        return int(records.payoffs[0, seat]), faults

    def _seated(self, number: int) -> tuple[NDArray[np.int16], Seated]:
        """The hand in our form, with the bot as the only player."""
        seated = Seated(np.array([number]), np.array([number]), np.zeros((1, self.game.seats), np.int8))
        return self.playing.lineup.roles(self.playing.keys, seated.deals, seated.players), seated
