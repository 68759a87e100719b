"""Plays a chunk of a match: all its hands at once, inside the compiled loop or decision by decision."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from luckless import interruptions
from luckless.bots.alarm import BotFailed
from luckless.bots.bot import Bot
from luckless.bots.clocks import Clocks, HandNumbers, Stopwatch, Timing
from luckless.bots.dice import fill_random_bits
from luckless.bots.lineup import Lineup
from luckless.bots.rule_bot import ranks_for
from luckless.errors import InputError
from luckless.kernels import njit
from luckless.keys import Keys
from luckless.matches.asking import ask
from luckless.matches.compiled import Setup, play_hands
from luckless.matches.faults import Case
from luckless.randomness import key_of
from luckless.rules.actions import LegalBatch
from luckless.rules.columns import HandColumns
from luckless.rules.endings import ending_of
from luckless.rules.game import MAX_SEATS, Game
from luckless.rules.records import HandArrays, Records
from luckless.rules.replaying import count_decisions
from luckless.rules.state import FINISHED, NO_SESSION, SessionRound, encode
from luckless.rules.table import Table
from luckless.rules.views import Views

SHOWDOWN = 4
"""The place in `Chunk.streets` of a hand that went to showdown; below it, the street on which the last fold came."""


@dataclass(frozen=True)
class Seated:
    """Which hands are to be played: for each its number in the match, its deal and its players."""

    numbers: NDArray[np.int64]
    deals: NDArray[np.int64]
    players: NDArray[np.int8]
    """The player in each seat, shape (hands, seats)."""
    names: tuple[str, ...] = ()
    """What the players are called in the hands; () where nobody asks."""

    def columns(self, records: Records) -> HandColumns:
        """The hands once they have been played."""
        return HandColumns(records, self.numbers, self.deals, self.players, self.names)


@dataclass(frozen=True)
class Chunk:
    """Hands that have been played, in the order of their numbers."""

    hands: HandColumns
    streets: NDArray[np.int8]
    """The street on which each hand ended, `SHOWDOWN` for a showdown."""
    faults: tuple[Case, ...] = ()
    asked: bool = False
    """Whether bots were asked decision by decision: only then there can be faults."""

    def __len__(self) -> int:
        return len(self.streets)

    @property
    def records(self) -> Records:
        """Cards, stacks, actions and payoffs."""
        return self.hands.records

    @property
    def decisions(self) -> NDArray[np.int64]:
        """How many decisions each player made; none are counted where nobody was asked."""
        players = self.hands.players
        return count_decisions(self.records, players) if self.asked else np.zeros(players.shape[1], np.int64)

    @property
    def first(self) -> int:
        """The number of the first hand."""
        return int(self.hands.numbers[0])

    def split(self, hands: int) -> "tuple[Chunk, Chunk]":
        """The chunk cut in two after so many hands."""
        return self._rows(slice(0, hands)), self._rows(slice(hands, None))

    def _rows(self, which: slice) -> "Chunk":
        hands = self.hands.rows(which)
        numbers = hands.numbers
        own = [case for case in self.faults if len(numbers) and numbers[0] <= case.hand <= numbers[-1]]
        return Chunk(hands, self.streets[which], tuple(own), self.asked)


@dataclass(frozen=True)
class Playing:
    """What the hands of a match have in common."""

    game: Game
    lineup: Lineup
    keys: Keys
    decision_seconds: float = 0.0
    """How long a bot may think about one decision; 0, here and below, for as long as it likes."""
    hand_seconds: float = 0.0
    match_seconds: float = 0.0
    tells_match_clock: bool = True
    """Whether bots are told how long they may think in the whole match."""
    own_loops: bool = False
    """Whether loops that bots bring (`Bot.loop`) are used: they take long to compile. The hands are the same."""
    _watches: list[Stopwatch] = field(default_factory=list, init=False, repr=False, compare=False)
    _running: list[ExitStack] = field(default_factory=list, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._watches.extend(Stopwatch(self.clocks_of(bot)) for bot in self.lineup.cast)

    @property
    def compiled(self) -> bool:
        """Whether whole hands are played inside the compiled loop, which knows open keys only."""
        return self._may_compile and (self.own_loops or self.lineup.loop is None)

    @property
    def _may_compile(self) -> bool:
        return self.lineup.compiled and not self.keys.sealed

    @property
    def clocks(self) -> Clocks:
        """How long a bot may think."""
        return Clocks(self.decision_seconds, self.hand_seconds, self.match_seconds)

    def clocks_of(self, bot: Bot) -> Clocks:
        """How long one bot may think: what holds for it alone goes before what holds for all."""
        own, all_others = bot.own_clocks or Clocks(0.0), self.clocks
        return Clocks(own.decision or all_others.decision, own.hand or all_others.hand, own.match or all_others.match)

    def _told(self, bot: Bot) -> Clocks:
        """The clocks that a bot is told; that of the match only if it does not follow from the number of hands."""
        own = bot.own_clocks is not None and bot.own_clocks.match > 0
        clocks = self.clocks_of(bot)
        return clocks if self.tells_match_clock or own else replace(clocks, match=0.0)

    def __enter__(self) -> "Playing":
        """Starts the bots that need it. Bots outside can be asked only inside `with playing:`, which ends them."""
        for bot in self._started_bots():
            if bot.wants_results and sum(other is bot for other in self.lineup.cast) > 1:
                raise InputError(f"bot {bot.name} follows the hands that it plays, so it can sit in one seat only")
        with ExitStack() as started:
            started.enter_context(interruptions.noticed())
            for bot in self._started_bots():
                started.callback(bot.stop)
                bot.start(self.game, self._told(bot))
            self._running.append(started.pop_all())
        return self

    def __exit__(self, *_: object) -> None:
        self._running.pop().close()

    def _started_bots(self) -> list[Bot]:
        """The bots that play, each once."""
        return list({id(bot): bot for bot in self.lineup.cast}.values())

    def play(
        self, seated: Seated, stacks: NDArray[np.int32] | None = None, session: SessionRound = NO_SESSION
    ) -> Chunk:
        """Plays the hands; `stacks` (hands x seats) replaces the game's starting stacks.

        `session` is what bots are told of the session that the hands belong to.
        """
        if stacks is None:
            stacks = np.tile(np.array(self.game.stacks, np.int32), (len(seated.deals), 1))
        if self.compiled:
            return self._play_compiled(seated, stacks, session)
        if self.lineup.memory and len(seated.deals) > 1:
            return _joined(seated, [self._play_asking(*one, session) for one in _one_by_one(seated, stacks)])
        return self._play_asking(seated, stacks, session)

    def _play_compiled(self, seated: Seated, stacks: NDArray[np.int32], session: SessionRound) -> Chunk:
        hands, seats = seated.players.shape
        fixed = np.array(self.game.board, np.uint8)
        ranks = ranks_for(self.lineup.cast)
        setup = Setup(encode(self.game), fixed, key_of(self.keys.seed), self.lineup.records(), ranks, session)
        roles = self.lineup.roles(self.keys, seated.deals, seated.players)
        out = HandArrays(
            decks=np.empty((hands, 2 * seats + 5), np.uint8),
            stacks=stacks,
            ends=np.zeros(hands, np.int64),
            actions=np.empty(hands * 8 * seats + 64, np.int32),
            payoffs=np.empty((hands, seats), np.int32),
        )
        streets = np.empty(hands, np.int8)
        play = self._loop(setup)
        row = play(seated.deals, roles, 0, out, streets)
        while row < hands:
            out = out._replace(actions=np.concatenate([out.actions, np.empty_like(out.actions)]))
            row = play(seated.deals, roles, row, out, streets)
        out = out._replace(actions=out.actions[: out.ends[-1]].copy() if hands else out.actions[:0])
        return Chunk(seated.columns(Records(self.game, *out)), streets)

    def _loop(self, setup: Setup) -> Callable[..., int]:
        """The compiled loop that knows the bots of this match."""
        own = self.lineup.loop
        return partial(play_hands, setup) if own is None else own(self.game, self.lineup.cast, setup)

    def _play_asking(self, seated: Seated, stacks: NDArray[np.int32], session: SessionRound) -> Chunk:
        table = Table.dealt(self.game, self.keys, seated.deals, stacks)
        table.public["rounds_left"], table.public["session_stack"] = session
        roles = self.lineup.roles(self.keys, seated.deals, seated.players)
        playing, ends = _runs(seated.deals)
        waiting, faults = np.empty_like(playing), list[Case]()
        self.new_hands()
        while deals := _go_on(table.public, playing, ends):
            playing, ends = playing[:deals], ends[:deals]
            for role in range(len(self.lineup.cast)):  # who is made to wait in a round is asked in it: half the calls
                count = _waiting_for(table.public, roles, role, playing, waiting)
                if count:
                    self.answer(table, seated, waiting[:count].copy(), role, faults)
        records = table.records()
        self.tell_results(table, records, seated, roles, faults)
        faults.sort(key=lambda case: case.hand)
        streets = np.where(table.public["showdown"] == 1, SHOWDOWN, table.public["street"]).astype(np.int8)
        return Chunk(seated.columns(records), streets, tuple(faults), asked=not self._may_compile)

    def new_hands(self) -> None:
        """Sets the clocks of hands back."""
        for watch in self._watches:
            watch.new_hands()

    def answer(self, table: Table, seated: Seated, rows: NDArray[np.int64], role: int, faults: list[Case]) -> None:
        """Asks one bot for all its decisions and makes them."""
        views = table.views(rows)
        seats, steps = views.seat, views.public["steps"]
        random_bits = self._random_bits(seated, rows, views)

        def report_fault(row: int, kind: str, detail: str) -> None:
            player = int(seated.players[rows[row], seats[row]])
            faults.append(Case(player, kind, int(seated.numbers[rows[row]]), detail, step=int(steps[row])))

        timing = Timing(self._watches[role], HandNumbers(rows * MAX_SEATS + seats))
        legal = LegalBatch.of(views.public)
        table.act(rows, ask(self.lineup.cast[role], views, legal, random_bits, timing, report_fault))

    def _random_bits(self, seated: Seated, rows: NDArray[np.int64], views: Views) -> NDArray[np.uint64]:
        """The first four random words of each decision. Sealed dice belong to a player: in a duplicate set a bot
        must not see those that its opponent has in the same seat."""
        address = (seated.deals[rows], views.seat, views.public["steps"].copy())
        if self.keys.sealed:
            return self.keys.words("dice", seated.players[rows, views.seat], *address)
        random_bits = np.empty((len(rows), 4), np.uint64)
        fill_random_bits(key_of(self.keys.seed), *address, random_bits)
        return random_bits

    def tell_results(
        self, table: Table, records: Records, seated: Seated, roles: NDArray[np.int16], faults: list[Case]
    ) -> None:
        """Tells the bots that follow their hands how these ended."""
        cast = enumerate(self.lineup.cast)
        told = {role: bot for role, bot in cast if bot.wants_results}
        for row, seat in np.argwhere(np.isin(roles, list(told))).tolist() if told else ():
            role, hand, player = int(roles[row, seat]), int(seated.numbers[row]), int(seated.players[row, seat])
            watch, started = self._watches[role], perf_counter()
            if watch.match_over:
                continue
            try:
                told[role].hand_over(ending_of(table, records, row, seat))
            except BotFailed as failed:
                faults.append(Case(player, "hand_over", hand, str(failed)))
            watch.charge_match(perf_counter() - started)


@njit(cache=True, nogil=True, borrows=True)
def _waiting_for(
    public: NDArray[np.void],
    roles: NDArray[np.int16],
    role: int,
    playing: NDArray[np.int64],
    rows: NDArray[np.int64],
) -> int:
    """Lists those of the hands being played that wait for a decision of one of the cast; returns how many."""
    count = 0
    for row in playing:
        actor = public[row].actor
        if actor != FINISHED and roles[row, actor] == role:
            rows[count] = row
            count += 1
    return count


@njit(cache=True, nogil=True, borrows=True)
def _go_on(public: NDArray[np.void], playing: NDArray[np.int64], ends: NDArray[np.int64]) -> int:
    """Goes on to the next hand of each deal whose hand is over, and moves deals that are over out; how many stay."""
    left = 0
    for place in range(len(playing)):
        row, end = playing[place], ends[place]
        while public[row].actor == FINISHED and row + 1 < end:
            row += 1
        if public[row].actor != FINISHED:
            playing[left], ends[left] = row, end
            left += 1
    return left


def _runs(deals: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first hand of each deal, and the hand after its last.

    The hands of a deal are played one after the other, those of other deals beside them. So a bot is never asked
    about two hands of one deal at once: it holds different cards in them, and seeing them side by side it would know
    those of its opponents.
    """
    starts = np.flatnonzero(np.diff(deals, prepend=-1) != 0)
    return starts, np.append(starts[1:], len(deals))


def _one_by_one(seated: Seated, stacks: NDArray[np.int32]) -> Iterator[tuple[Seated, NDArray[np.int32]]]:
    """The hands one after the other, as a bot with memory must play them."""
    for row in range(len(seated.deals)):
        one = slice(row, row + 1)
        yield Seated(seated.numbers[one], seated.deals[one], seated.players[one], seated.names), stacks[one]


def _joined(seated: Seated, chunks: Sequence[Chunk]) -> Chunk:
    records = Records.joined([chunk.records for chunk in chunks])
    streets = np.concatenate([chunk.streets for chunk in chunks])
    faults = tuple(case for chunk in chunks for case in chunk.faults)
    return Chunk(seated.columns(records), streets, faults, asked=True)
