"""Sessions: short tournaments with carried stacks, and how often each player beat each other.

A session is a fixed number of hands at one table; the button moves on after each, and the first bust ends it. Who
has more chips than another player at the end has won against that player. Sessions are played in blocks.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from luckless import work_clock
from luckless.bots.bot import Bot
from luckless.bots.clocks import Clocks, default_match_seconds
from luckless.bots.lineup import Lineup
from luckless.errors import InputError
from luckless.keys import Keys, choose_seed
from luckless.matches.faults import Case, FaultLog
from luckless.matches.match import any_outside
from luckless.matches.pace import Pace
from luckless.matches.playing import Playing, Seated
from luckless.matches.session_result import SessionResult, SessionSettings
from luckless.matches.settings import player_names
from luckless.progress import Progress
from luckless.rules.columns import HandColumns, join
from luckless.rules.game import Game
from luckless.rules.replaying import count_decisions
from luckless.rules.state import SessionRound

MOST = 10**9
"""Rounds and games at most: far more than anybody can play, and the numbers of deals still fit into 64 bits."""

SESSIONS_AT_ONCE = 4_096
BATCH_HANDS, ASKING_HANDS = 131_072, 8_192
"""Hands of a block at most: where bots decide for whole batches, and where they are asked one by one."""


@dataclass(frozen=True)
class Sessions:
    """What is to be played. Make one with `plan`, which checks it."""

    game: Game
    players: tuple[Bot, ...]
    rounds: int
    games: int
    seed: int
    decision_seconds: float = 10.0
    match_seconds: float = 0.0
    """How long a bot may think in all the sessions together; 0 is without end."""
    sealed: bool = False
    """Whether their keys are sealed (see `keys`)."""

    @classmethod
    def plan(
        cls,
        players: Sequence[Bot],
        *,
        rounds: int = 20,
        stack: int = 1000,
        blinds: tuple[int, int] = (5, 10),
        games: int = 10,
        seed: int | None = None,
        decision_seconds: float = 10.0,
        match_seconds: float | None = None,
        sealed: bool | None = None,
    ) -> "Sessions":
        """Sessions of no-limit hold'em; blinds are (small, big).

        Seed, keys and clocks are as in `Match.plan`: all sessions together are one match, of the most hands they can
        have.
        """
        if len(players) < 2:
            raise InputError(f"a session needs at least two bots; {len(players)} was given")
        for number, what in ((rounds, "rounds"), (games, "games")):
            if not 1 <= number <= MOST:
                raise InputError(f"{what} is {number}; allowed is 1 to {MOST:,}")
        Clocks(decision_seconds, match=match_seconds or 0)  # refuses wrong ones
        seats, (small, big) = len(players), blinds
        if small > big:
            raise InputError(
                f"the small blind is {small} and the big blind {big}; the small blind must be first and not larger"
            )
        posted = (big, small) if seats == 2 else (small, big) + (0,) * (seats - 2)
        game = Game(name="session", betting="no-limit", seats=seats, blinds=posted, stacks=(stack,) * seats)
        if sealed is None:
            sealed = any_outside(players)
        keys = Keys(choose_seed(seed, sealed), sealed)
        all_seconds = default_match_seconds(rounds * games) if match_seconds is None else match_seconds
        return cls(game, tuple(players), rounds, games, keys.seed, decision_seconds, all_seconds, sealed)

    @property
    def keys(self) -> Keys:
        """What their cards and dice follow from."""
        return Keys(self.seed, self.sealed)

    @property
    def settings(self) -> SessionSettings:
        """The sessions as a record that needs no bot."""
        names = tuple(player.name for player in self.players)
        specs = tuple(player.spec for player in self.players)
        lasting = (self.decision_seconds, self.match_seconds, self.sealed)
        return SessionSettings(self.game, names, specs, self.rounds, self.games, self.seed, *lasting)

    def playing(self) -> Playing:
        """What their hands have in common; bots are not told a clock that follows from the number of sessions."""
        tells = self.match_seconds != default_match_seconds(self.rounds * self.games)
        return Playing(
            self.game, Lineup.of(self.players), self.keys, decision_seconds=self.decision_seconds,
            match_seconds=self.match_seconds, tells_match_clock=tells,
        )  # fmt: skip

    def block_games(self) -> int:
        """Sessions that are stored together, and played side by side at most."""
        lineup = Lineup.of(self.players)
        hands = BATCH_HANDS if lineup.batch else ASKING_HANDS
        return max(1, min(SESSIONS_AT_ONCE, hands // self.rounds))

    def seating(self, games: NDArray[np.int64], number: int) -> NDArray[np.int64]:
        """The player in each seat of a round of some games: the button moves on after each."""
        return session_seating(self.game.seats, games, np.full(len(games), number))


def session_seating(seats: int, games: NDArray[np.int64], rounds: NDArray[np.int64]) -> NDArray[np.int64]:
    """The player in each seat of rounds of games, shape (hands, seats)."""
    players: NDArray[np.int64] = (np.arange(seats) + rounds[:, None] + games[:, None]) % seats
    return players


@dataclass(frozen=True)
class SessionBlock:
    """Sessions that were played one after the other or side by side: final chips, rounds, faults, and the hands."""

    chips: NDArray[np.int64]
    rounds: NDArray[np.int64]
    faults: tuple[Case, ...]
    hands: HandColumns | None = None
    """In the order of games, then rounds; None where nobody asked for them."""
    decisions: tuple[int, ...] = ()
    """Of each player, where bots were asked decision by decision."""

    def __len__(self) -> int:
        return len(self.chips)

    def without_hands(self) -> "SessionBlock":
        """The results alone, for keeping."""
        return replace(self, hands=None)

    @classmethod
    def of_hands(
        cls, hands: HandColumns, rounds: int, faults: tuple[Case, ...] = (), asked: bool = False
    ) -> "SessionBlock":
        """The results of complete sessions, counted from their hands; their decisions too, if bots were asked."""
        games, firsts, counts = np.unique(hands.numbers // rounds, return_index=True, return_counts=True)
        won = np.zeros(hands.players.shape, np.int64)
        np.put_along_axis(won, hands.players.astype(np.int64), hands.records.payoffs, axis=1)
        start = np.array(hands.records.game.stacks, np.int64)
        chips = start + np.add.reduceat(won, firsts, axis=0) if len(games) else won
        decisions = tuple(count_decisions(hands.records, hands.players).tolist()) if asked else ()
        return cls(chips, counts.astype(np.int64), faults, hands, decisions)


def play_sessions(
    sessions: Sessions,
    *,
    stored: Iterable[SessionBlock] = (),
    on_block: Callable[[SessionBlock], None] | None = None,
    show_progress: bool = False,
) -> SessionResult:
    """Plays all the sessions. The same seed gives the same sessions, however many are played.

    `stored` are the first sessions, played before: they are counted, and the others follow. `on_block` is called with
    every new block, in order, hands included. Ctrl-C ends it early with the sessions that are finished.
    """
    interrupted, started = False, work_clock.seconds()
    blocks = [block.without_hands() for block in stored]
    first = sum(map(len, blocks))
    with Progress(sessions.games, "sessions", show=show_progress) as progress:
        progress.advance(first)
        try:
            for block in _blocks(sessions, first, keep_hands=on_block is not None):
                blocks.append(block.without_hands())
                if on_block is not None:
                    on_block(block)
                progress.advance(len(block))
        except KeyboardInterrupt:
            if not blocks:
                raise KeyboardInterrupt("interrupted before any session was over: there is no result") from None
            interrupted = True
    faults = FaultLog()
    chips, rounds = count_blocks(blocks, faults)
    return SessionResult(sessions.settings, chips, rounds, faults, work_clock.seconds() - started, interrupted)


def count_blocks(blocks: Iterable[SessionBlock], faults: FaultLog) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Final chips and rounds of all sessions of some blocks; their faults are added to the log."""
    chips, rounds = [], []
    for block in blocks:
        chips.append(block.chips)
        rounds.append(block.rounds)
        for case in block.faults:
            faults.add(case)
        faults.add_decisions(block.decisions)
    return np.concatenate(chips), np.concatenate(rounds)


def _blocks(sessions: Sessions, first: int, keep_hands: bool) -> Iterator[SessionBlock]:
    """The sessions from a number on, some at a time."""
    playing = sessions.playing()
    stored_together = sessions.block_games()
    pace = Pace(1 if playing.lineup.memory else stored_together)
    if playing.compiled:
        pace.size = stored_together
    if first >= sessions.games:
        return
    with playing:
        while first < sessions.games:
            at_once = min(pace.size, stored_together - first % stored_together, sessions.games - first)
            started = work_clock.seconds()
            block = play_block(sessions, playing, np.arange(first, first + at_once), keep_hands)
            pace.played(at_once, work_clock.seconds() - started)
            yield block
            first += at_once


def play_block(
    sessions: Sessions, playing: Playing, games: NDArray[np.int64], keep_hands: bool = True
) -> SessionBlock:
    """Plays some sessions side by side, hand by hand."""
    seats, names = sessions.game.seats, player_names([player.name for player in sessions.players])
    chips = np.tile(np.array(sessions.game.stacks, np.int64), (len(games), 1))
    rounds = np.zeros(len(games), np.int64)
    decisions = np.zeros(seats, np.int64)
    faults: list[Case] = []
    hands: list[HandColumns] = []
    for number in range(sessions.rounds):
        running = np.flatnonzero((chips > 0).all(axis=1))
        if len(running) == 0:
            break
        players = sessions.seating(games[running], number)
        numbers = games[running] * sessions.rounds + number
        stacks = np.take_along_axis(chips[running], players, axis=1)
        seated = Seated(numbers, numbers, players.astype(np.int8), names)
        here = SessionRound(sessions.rounds - 1 - number, sessions.game.stacks[0])
        chunk = playing.play(seated, stacks.astype(np.int32), here)
        won = np.zeros((len(running), seats), np.int64)
        np.put_along_axis(won, players, chunk.records.payoffs, axis=1)
        chips[running] += won
        rounds[running] += 1
        faults += chunk.faults
        decisions += chunk.decisions
        if keep_hands:
            hands.append(chunk.hands)
    in_order = tuple(sorted(faults, key=lambda case: case.hand))
    if not keep_hands:
        return SessionBlock(chips, rounds, in_order, None, tuple(decisions.tolist()))
    together = join(hands)
    by_game = together.take(np.argsort(together.numbers))
    return SessionBlock(chips, rounds, in_order, by_game, tuple(decisions.tolist()))
