"""Sessions: short tournaments with carried stacks, and who came out ahead of whom how often.

A session is a fixed number of rounds at one table; the button moves on after each, and the first bust ends it. Who
has more chips than another player at the end has won against that player. All sessions are played side by side.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import Bot
from luckless.bots.clocks import Clocks
from luckless.bots.lineup import Lineup
from luckless.errors import InputError
from luckless.matches.faults import FaultLog
from luckless.matches.playing import Playing, Seated
from luckless.progress import Progress
from luckless.rules.game import Game
from luckless.rules.state import SessionRound
from luckless.stats.proportion import WinProbability, win_probability

SESSIONS_AT_ONCE = 4_096
MOST = 10**9
"""Rounds and games at most: far more than anybody can play, and the numbers of deals still fit into 64 bits."""


@dataclass(frozen=True)
class Sessions:
    """What is to be played. Make one with `plan`, which checks it."""

    game: Game
    players: tuple[Bot, ...]
    rounds: int
    games: int
    seed: int
    decision_seconds: float = 10.0

    @classmethod
    def plan(
        cls,
        players: Sequence[Bot],
        *,
        rounds: int = 20,
        stack: int = 1000,
        blinds: tuple[int, int] = (5, 10),
        games: int = 10,
        seed: int = 1,
        decision_seconds: float = 10.0,
    ) -> "Sessions":
        """Sessions of no-limit hold'em; blinds are (small, big)."""
        if len(players) < 2:
            raise InputError(f"a session needs at least two bots; {len(players)} was given")
        for number, what in ((rounds, "rounds"), (games, "games")):
            if not 1 <= number <= MOST:
                raise InputError(f"{what} is {number}: at least 1 is needed, at most {MOST:,} are possible")
        Clocks(decision_seconds)  # refuses a wrong one
        seats, (small, big) = len(players), blinds
        if small > big:
            raise InputError(f"the small blind is {small} and the big blind {big}: the small one comes first")
        posted = (big, small) if seats == 2 else (small, big) + (0,) * (seats - 2)
        game = Game(name="session", betting="no-limit", seats=seats, blinds=posted, stacks=(stack,) * seats)
        return cls(game, tuple(players), rounds, games, seed, decision_seconds)


@dataclass(frozen=True)
class SessionResult:
    """Final chips of every session (games x players), rounds played, and faults."""

    sessions: Sessions
    chips: NDArray[np.int64]
    rounds: NDArray[np.int64]
    faults: FaultLog

    def pairing(self, player: int, opponent: int) -> WinProbability:
        """How often a player ended with more chips than an opponent, with an exact interval."""
        ahead = self.chips[:, player] - self.chips[:, opponent]
        return win_probability(int((ahead > 0).sum()), int((ahead < 0).sum()), int((ahead == 0).sum()))

    def pairings(self) -> list[tuple[int, int, WinProbability]]:
        """Every pair of players, the one named first on the left."""
        pairs = itertools.combinations(range(len(self.sessions.players)), 2)
        return [(player, opponent, self.pairing(player, opponent)) for player, opponent in pairs]


def play_sessions(sessions: Sessions, *, show_progress: bool = False) -> SessionResult:
    """Plays all the sessions. The same seed gives the same sessions, however many are played."""
    lineup = Lineup.of(sessions.players)
    playing = Playing(sessions.game, lineup, sessions.seed, sessions.decision_seconds)
    at_once = 1 if lineup.memory else SESSIONS_AT_ONCE
    faults = FaultLog()
    parts = []
    with playing, Progress(sessions.games, "sessions", show=show_progress) as progress:
        for first in range(0, sessions.games, at_once):
            games = np.arange(first, min(first + at_once, sessions.games))
            parts.append(_play_side_by_side(sessions, playing, games, faults))
            progress.advance(len(games))
    chips, rounds = (np.concatenate(part) for part in zip(*parts, strict=True))
    return SessionResult(sessions, chips, rounds, faults)


def _play_side_by_side(
    sessions: Sessions, playing: Playing, games: NDArray[np.int64], faults: FaultLog
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Final chips and rounds played of each of the games."""
    seats = sessions.game.seats
    chips = np.tile(np.array(sessions.game.stacks, np.int64), (len(games), 1))
    rounds = np.zeros(len(games), np.int64)
    for number in range(sessions.rounds):
        running = np.flatnonzero((chips > 0).all(axis=1))
        if len(running) == 0:
            break
        players = (np.arange(seats) + number + games[running, None]) % seats
        deals = games[running] * sessions.rounds + number
        stacks = np.take_along_axis(chips[running], players, axis=1)
        seated = Seated(0, deals, players.astype(np.int8))
        here = SessionRound(sessions.rounds - 1 - number, sessions.game.stacks[0])
        chunk = playing.play(seated, stacks.astype(np.int32), here)
        won = np.zeros((len(running), seats), np.int64)
        np.put_along_axis(won, players, chunk.records.payoffs, axis=1)
        chips[running] += won
        rounds[running] += 1
        for case in chunk.faults:
            faults.add(case)
    return chips, rounds
