"""One round: hands with randomised seats, and what each agent made of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from luckless import work_clock
from luckless.bots.bot import Bot
from luckless.bots.lineup import Lineup
from luckless.keys import Keys
from luckless.learn.decisions import Lesson
from luckless.matches.playing import Chunk, Playing, Seated
from luckless.matches.seating import fresh_seating
from luckless.rules.game import Game
from luckless.style.behaviour import Behaviour, behaviour_of
from luckless.style.cashflow import cashflow_of

HANDS_AT_ONCE = 10_000
"""Hands that are played side by side: many, because networks decide for all that wait at once."""


@dataclass(frozen=True)
class Entrant:
    """What an agent made of a round; chips are summed over its seats, squares are of its total of each hand."""

    agent: int
    seats: int
    chips: int
    squares: int
    faults: int
    behaviour: Behaviour


@dataclass(frozen=True)
class PlayedRound:
    """A round that has been played: its entrants by agent number, who gave chips to whom, and the hands."""

    entrants: tuple[Entrant, ...]
    flows: NDArray[np.float64]
    """Chips from entrant i to entrant j."""
    hands: int
    seed: int
    seconds: float
    chunks: tuple[Chunk, ...]

    def lesson_of(self, agent: int) -> Lesson:
        """What a student learns from."""
        player = [entrant.agent for entrant in self.entrants].index(agent)
        return Lesson.of(self.chunks, [player], self.seed)

    def without_hands(self) -> "PlayedRound":
        """The results alone, for keeping."""
        return replace(self, chunks=())


def play_round(game: Game, line_up: Sequence[int], bots: Mapping[int, Bot], hands: int, seed: int) -> PlayedRound:
    """Plays so many hands; an agent with several seats decides for all of them at once."""
    started = work_clock.seconds()
    agents = sorted(set(line_up))
    player_of = np.array([agents.index(agent) for agent in line_up], np.int8)
    playing = Playing(game, Lineup.of([bots[agent] for agent in agents]), Keys(seed))
    chunks = []
    with playing:
        for first in range(0, hands, HANDS_AT_ONCE):
            count = min(HANDS_AT_ONCE, hands - first)
            players = player_of[fresh_seating(game.seats, seed, first, count)]
            numbers = np.arange(first, first + count)
            chunks.append(playing.play(Seated(numbers, numbers, players)))
    seats = [list(line_up).count(agent) for agent in agents]
    return _counted(agents, seats, chunks, seed, started)


def _counted(
    agents: Sequence[int], seats: Sequence[int], chunks: Sequence[Chunk], seed: int, started: float
) -> PlayedRound:
    parts = [(chunk.records, chunk.hands.players, len(agents)) for chunk in chunks]
    behaviours = np.sum([behaviour_of(*part) for part in parts], axis=0)
    flows = np.sum([cashflow_of(*part) for part in parts], axis=0)
    totals = np.concatenate([_totals(chunk, len(agents)) for chunk in chunks])
    faults = np.bincount([case.player for chunk in chunks for case in chunk.faults], minlength=len(agents))
    entrants = tuple(
        Entrant(
            agent=agent,
            seats=seats[player],
            chips=int(totals[:, player].sum()),
            squares=int((totals[:, player] ** 2).sum()),
            faults=int(faults[player]),
            behaviour=Behaviour(*map(int, behaviours[player])),
        )
        for player, agent in enumerate(agents)
    )
    return PlayedRound(entrants, flows, len(totals), seed, work_clock.seconds() - started, tuple(chunks))


def _totals(chunk: Chunk, players: int) -> NDArray[np.int64]:
    """Chips that each player won in each hand, over all its seats; shape (hands, players)."""
    payoffs = chunk.records.payoffs.astype(np.int64)
    return np.stack([(payoffs * (chunk.hands.players == player)).sum(axis=1) for player in range(players)], axis=1)
