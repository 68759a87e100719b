"""A match from beginning to end: hands in chunks, on all cores where the bots allow it, with results as they come."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import get_args

import numpy as np

from luckless import pieces, work_clock
from luckless.bots.bot import Bot
from luckless.bots.clocks import Clocks, default_match_seconds
from luckless.bots.lineup import Lineup
from luckless.errors import InputError
from luckless.keys import Keys, choose_seed
from luckless.matches.pace import Pace
from luckless.matches.playing import Chunk, Playing, Seated
from luckless.matches.seating import Decks, fresh_seating, orders, set_size
from luckless.matches.settings import MatchSettings, player_names
from luckless.matches.shared_out import chunks_of_crew
from luckless.rules.game import Game
from luckless.threads import core_count

MOST_HANDS = 10**15
"""Far more than anybody can play, and the numbers of hands and deals still fit into 64 bits."""

COMPILED_CHUNK, BATCH_CHUNK, ASKING_CHUNK = 16_384, 16_384, 2_048
"""Hands of a chunk at most: inside the compiled loop; when bots decide for whole batches, or one decision at a time.
Bots that are asked are given as many as take a couple of seconds (`pace`)."""

WORTH_COMPILING = 50_000
"""Hands of a match from which on a loop of a bot's own (`Bot.loop`) is compiled for it."""


@dataclass(frozen=True)
class Match:
    """What is to be played. Make one with `plan`, which checks it."""

    game: Game
    players: tuple[Bot, ...]
    hands: int
    seed: int
    decks: Decks
    decision_seconds: float = 10.0
    hand_seconds: float = 0.0
    match_seconds: float = 0.0
    sealed: bool = False
    """Whether its keys are sealed (see `keys`)."""
    table_seats: int = 0
    """Seats of the game that it is played at; some may be empty. 0: as many as there are bots."""

    @classmethod
    def plan(
        cls,
        game: Game,
        players: Sequence[Bot],
        *,
        hands: int,
        seed: int | None = None,
        decks: Decks | None = None,
        sealed: bool | None = None,
        decision_seconds: float = 10.0,
        hand_seconds: float = 0.0,
        match_seconds: float | None = None,
    ) -> "Match":
        """A match of so many hands, rounded up to whole duplicate sets; fewer bots than seats play short-handed.

        With a bot from outside it is sealed, unless `sealed` says otherwise, as a match of an earlier version does.
        Without a seed, a sealed match has a secret one. Without `decks` it is duplicate, unless it is sealed or a bot
        keeps memory: that could remember the first play of a deal.
        The clocks say how long a bot may think about a decision, a hand and the match; 0 is without end. For the
        match it is an hour and five seconds a hand, unless `match_seconds` is given.
        """
        if len(players) < 2:
            raise InputError(f"a match needs at least two bots; {len(players)} was given")
        if len(players) > game.seats:
            raise InputError(f"{len(players)} bots were given, and game {game.name} has only {game.seats} seats")
        if not 1 <= hands <= MOST_HANDS:
            raise InputError(f"hands is {hands}; allowed is 1 to {MOST_HANDS:,}")
        if decks not in (None, *get_args(Decks)):
            raise InputError(f"decks is {decks!r}; allowed is {' or '.join(get_args(Decks))}")
        Clocks(decision_seconds, hand_seconds, match_seconds or 0)  # refuses wrong ones
        remembers = [player.name for player in players if player.memory]
        if decks == "duplicate" and remembers:
            raise InputError(
                f"duplicate decks cannot be used: {remembers[0]} keeps memory between hands and would know the deal"
            )
        if sealed is None:
            sealed = any_outside(players)
        chosen: Decks = decks or ("fresh" if remembers or sealed else "duplicate")
        keys = Keys(choose_seed(seed, sealed), sealed)
        table_seats, game = game.seats, game.with_seats(len(players))
        size = set_size(game.seats, chosen)
        whole = -(-hands // size) * size
        all_seconds = default_match_seconds(whole) if match_seconds is None else match_seconds
        clocks = (decision_seconds, hand_seconds, all_seconds)
        return cls(game, tuple(players), whole, keys.seed, chosen, *clocks, sealed, table_seats)

    @property
    def keys(self) -> Keys:
        """What its cards, seats and dice follow from."""
        return Keys(self.seed, self.sealed)

    @property
    def set_size(self) -> int:
        """Hands of one independent sample: a duplicate set, or one hand."""
        return set_size(self.game.seats, self.decks)

    @property
    def settings(self) -> MatchSettings:
        """The match as a record that needs no bot."""
        names = tuple(player.name for player in self.players)
        specs = tuple(player.spec for player in self.players)
        clocks = (self.decision_seconds, self.hand_seconds, self.match_seconds)
        lasting = (self.sealed, self.table_seats or self.game.seats)
        return MatchSettings(self.game, names, specs, self.hands, self.seed, self.decks, *clocks, *lasting)

    @property
    def hand_names(self) -> tuple[str, ...]:
        """What the players are called in the hands: no two alike."""
        return player_names([player.name for player in self.players])

    def seated(self, first: int, hands: int) -> Seated:
        """Deals and players of `hands` hands from number `first` on (whole sets)."""
        numbers = np.arange(first, first + hands)
        if self.decks == "fresh":
            players = fresh_seating(self.game.seats, self.keys, first, hands)
            return Seated(numbers, numbers, players, self.hand_names)
        turns, size = orders(self.game.seats), self.set_size
        deals = np.arange(first // size, (first + hands) // size)
        return Seated(numbers, np.repeat(deals, size), np.tile(turns, (len(deals), 1)), self.hand_names)

    def playing(self) -> Playing:
        """What all its hands have in common."""
        clocks = (self.decision_seconds, self.hand_seconds, self.match_seconds)
        # The default follows from the number of hands, which is told to nobody.
        tells = self.match_seconds != default_match_seconds(self.hands)
        lineup = Lineup.of(self.players)
        long = self.hands >= WORTH_COMPILING
        return Playing(self.game, lineup, self.keys, *clocks, tells_match_clock=tells, own_loops=long)

    def chunks(self, first: int = 0, workers: int | None = None) -> Iterator[Chunk]:
        """The hands from number `first` on, played in order; compiled bots play on all cores, or all on a crew."""
        workers = core_count() if workers is None else workers
        if workers < 1:
            raise InputError(f"workers is {workers}; allowed is 1 or more")
        if (crew := pieces.crew()) is not None:
            return chunks_of_crew(self, crew, first)
        playing = self.playing()
        if not playing.compiled:
            return self._in_turn(playing, first)
        # A short match is shared out too: bots that look at cards take their time.
        size = min(COMPILED_CHUNK, -(-(self.hands - first) // (4 * workers)))
        size = -(-max(size, 1) // self.set_size) * self.set_size

        def play(start: int) -> Chunk:
            return playing.play(self.seated(start, min(size, self.hands - start)))

        return _in_order(play, range(first, self.hands, size), workers)

    def _in_turn(self, playing: Playing, first: int) -> Iterator[Chunk]:
        """Hands out chunks as they are played, with the bots started before the first and stopped after the last."""
        batches = playing.lineup.batch and not playing.lineup.memory
        pace = Pace(-(-(BATCH_CHUNK if batches else ASKING_CHUNK) // self.set_size), batches)
        with playing:
            while first < self.hands:
                sets = min(pace.size, (self.hands - first) // self.set_size)
                started = work_clock.seconds()
                chunk = playing.play(self.seated(first, sets * self.set_size))
                pace.played(sets, work_clock.seconds() - started)
                yield chunk
                first += len(chunk)


def any_outside(players: Iterable[Bot]) -> bool:
    """Whether any bot comes from outside."""
    return any(member.outside for player in players for member in player.members)


def _in_order(play: Callable[[int], Chunk], starts: range, workers: int) -> Iterator[Chunk]:
    """Plays chunks on several threads and hands them out in order, only a few of them ahead."""
    with ThreadPoolExecutor(workers) as pool:
        ahead: deque[Future[Chunk]] = deque()
        try:
            for start in starts:
                ahead.append(pool.submit(play, start))
                if len(ahead) > 2 * workers:
                    yield ahead.popleft().result()
            while ahead:
                yield ahead.popleft().result()
        finally:
            for future in ahead:
                future.cancel()
