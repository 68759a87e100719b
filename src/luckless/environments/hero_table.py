"""Hands that one learner, the hero, plays against bots: many at a time, each moved on to the hero's next decision."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import Bot, Decisions
from luckless.bots.lineup import Lineup
from luckless.environments.observing import Choices, choices, observe_table
from luckless.errors import InputError
from luckless.matches.faults import Case, FaultLog
from luckless.matches.match import MOST_HANDS, Match
from luckless.matches.playing import Playing, Seated
from luckless.rules.game import Game
from luckless.rules.state import FINISHED
from luckless.rules.table import Table

HERO = 0
"""The hero's place among the players."""


class _Hero(Bot):
    """Holds the hero's place in the line-up; its decisions come from outside."""

    name = spec = "hero"

    def answers(self, decisions: Decisions) -> NDArray[Any]:
        """Never called: who plays the hero acts at the table."""
        raise NotImplementedError

    def fingerprint(self) -> str:
        """Nothing is known of it."""
        return ""


class HeroTable:
    """Some hands in play, one a row. Row i of n plays the hands i, i + n, i + 2 n, ... of its seed.

    Deals and seats are those of a match with fresh decks, the same seed and the hero as its first player: hand k here
    is hand k there.
    """

    def __init__(self, game: Game, opponents: Sequence[Bot], rows: int, seed: int, decision_seconds: float) -> None:
        remembers = [bot.name for bot in opponents if bot.memory]
        if remembers and rows > 1:
            raise InputError(f"{remembers[0]} keeps memory between hands: it cannot play {rows} hands at a time")
        players = [_Hero(), *opponents]
        self._match = Match.plan(
            game, players, hands=MOST_HANDS, seed=seed, decks="fresh", decision_seconds=decision_seconds
        )
        self.game = self._match.game
        self.faults = FaultLog()
        self._playing = Playing(self.game, Lineup.of(players), self._match.keys, decision_seconds)
        self._playing.__enter__()
        self._ahead: dict[int, NDArray[np.int8]] = {}
        self._rows = np.arange(rows)
        self._choices: Choices | None = None
        self._seated = Seated(self._rows.copy(), self._rows.copy(), np.empty((rows, self.game.seats), np.int8))
        self._roles = np.empty((rows, self.game.seats), np.int16)
        self.hero_seats = np.empty(rows, np.int64)
        self.table = Table.dealt(self.game, self._match.keys, self._rows)
        self._begin(self._rows)

    def close(self) -> None:
        """Stops the bots."""
        self._playing.__exit__(None, None, None)

    @property
    def hands(self) -> NDArray[np.int64]:
        """The number of the hand in each row."""
        return self._seated.numbers.copy()

    @property
    def over(self) -> NDArray[np.bool_]:
        """Which hands are over."""
        ended: NDArray[np.bool_] = self.table.public["actor"] == FINISHED
        return ended

    def choices(self) -> Choices:
        """What the hero's numbers stand for in each hand."""
        if self._choices is None:
            self._choices = choices(self.game, self.table.public)
        return self._choices

    def observations(self) -> NDArray[np.float32]:
        """What the hero sees in each hand."""
        return observe_table(self.table, self._rows, self.hero_seats)

    def act(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Acts for the hero, who is to act in these rows; then the bots play up to its next decisions."""
        self.table.act(rows, actions)
        self._move_on()

    def next_hands(self, rows: NDArray[np.int64]) -> None:
        """Deals the next hand in some rows."""
        self._seated.numbers[rows] += len(self._rows)
        self._seated.deals[rows] += len(self._rows)
        self.table.deal_again(rows, self._match.keys, self._seated.deals[rows])
        self._begin(rows)

    def won(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """What the hero won in hands that are over, in big blinds."""
        payoffs = self.table.payoffs(rows)[np.arange(len(rows)), self.hero_seats[rows]]
        return payoffs / self.game.big_blind

    def _begin(self, rows: NDArray[np.int64]) -> None:
        """Seats the players of new hands, and lets the bots play up to the hero's first decisions."""
        players = self._seated.players
        players[rows] = self._players_of(self._seated.numbers[rows])
        self._roles[rows] = self._playing.lineup.roles(self._match.keys, self._seated.deals[rows], players[rows])
        self.hero_seats[rows] = np.argmax(players[rows] == HERO, axis=1)
        self._playing.new_hands()
        self._told = False
        self._move_on()

    def _players_of(self, numbers: NDArray[np.int64]) -> NDArray[np.int8]:
        """Who sits where in some hands; seatings are drawn for a turn of all rows at once and kept while needed."""
        turns, rows = np.divmod(numbers, len(self._rows))
        players = np.empty((len(numbers), self.game.seats), np.int8)
        for turn in np.unique(turns).tolist():
            if turn not in self._ahead:
                self._ahead[turn] = self._match.seated(turn * len(self._rows), len(self._rows)).players
            which = turns == turn
            players[which] = self._ahead[turn][rows[which]]
        oldest = int(self._seated.numbers.min()) // len(self._rows)
        self._ahead = {turn: seating for turn, seating in self._ahead.items() if turn > oldest}
        return players

    def _move_on(self) -> None:
        """Lets the bots act until every hand waits for the hero or is over."""
        public, faults = self.table.public, list[Case]()
        self._choices = None
        while True:
            actor = public["actor"]
            rows = np.flatnonzero((actor != FINISHED) & (actor != self.hero_seats))
            if len(rows) == 0:
                break
            roles = self._roles[rows, actor[rows]]
            for role in np.unique(roles):
                self._playing.answer(self.table, self._seated, rows[roles == role], int(role), faults)
        if len(public) == 1 and self.table.finished and not self._told:  # bots that follow their hands play one alone
            self._told = True
            self._playing.tell_results(self.table, self.table.records(), self._seated, self._roles, faults)
        for case in faults:
            self.faults.add(case)
