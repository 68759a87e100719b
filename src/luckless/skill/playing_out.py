"""Situations of finished hands played out by bots, many times each: what every seat wins from there on, in the mean.

A job is a situation. In each of its samples the cards that lie there stay, the varied seat's hand is drawn by how
likely each is, and all other cards are drawn from the rest of the pack. The random numbers of a job start from its
word alone. So they know nothing of the cards that came and the actions that were taken, and jobs with the same word
share them.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import Bot
from luckless.bots.dice import BatchDice, below, fraction
from luckless.hands.pairs import PAIR_CARDS
from luckless.kernels import njit
from luckless.randomness import SPLITMIX_STEP, splitmix
from luckless.rules.columns import HandColumns
from luckless.rules.table import Table
from luckless.rules.views import Past
from luckless.skill.shares import NOBODY

NOT_DEALT = -1
"""The board of a situation in which no card is dealt, hole cards neither."""

FREE = -2
"""The first action of a job in which nothing is forced."""

_ONE = np.uint64(1)


class Jobs(NamedTuple):
    """Situations to be played out, one a row."""

    public: NDArray[np.void]
    hand: NDArray[np.int64]
    """The row of the hand among those that it belongs to."""
    board: NDArray[np.int64]
    """How many board cards lie there, or `NOT_DEALT`."""
    reach: NDArray[np.int64]
    """The row of sums of weights that the varied seat's hand is drawn by; -1 if nobody is varied."""
    word: NDArray[np.uint64]
    low: NDArray[np.int64]
    """The first action is drawn from `low` to `high`, or is free (`FREE`)."""
    high: NDArray[np.int64]

    def take(self, rows: NDArray[np.int64]) -> "Jobs":
        """Some of them."""
        parts: list[Any] = [part.take(rows) for part in self]
        return Jobs(*parts)


class Actions(NamedTuple):
    """All actions of some hands in a row, with the seat and street of each; and the first action of each hand."""

    actions: NDArray[np.int64]
    seats: NDArray[np.int64]
    streets: NDArray[np.int64]
    starts: NDArray[np.int64]


class Players(NamedTuple):
    """Bots, and which of them plays in each hand and seat."""

    bots: Sequence[Bot]
    who: NDArray[np.int64]


@njit(cache=True, nogil=True)
def _draw_pair(sums: NDArray[np.float64], point: float) -> int:
    """The first hand whose sum of weights is above a share of all of it."""
    target = point * sums[-1]
    low, high = 0, len(sums) - 1
    while low < high:
        middle = (low + high) >> 1
        if sums[middle] > target:
            high = middle
        else:
            low = middle + 1
    return low


@njit(cache=True, nogil=True)
def draw_decks(
    decks: NDArray[np.uint8], varied: NDArray[np.int64], jobs: Jobs, reach: NDArray[np.float64], out: Any, words: Any
) -> None:
    """The decks of all samples of all jobs, and a random word for each; hands are drawn in even steps of weight."""
    samples = len(out) // max(len(jobs.hand), 1)
    holes = decks.shape[1] - 5
    for job in range(len(jobs.hand)):
        base, board = decks[jobs.hand[job]], jobs.board[job]
        seat = varied[jobs.hand[job]] if jobs.reach[job] >= 0 else NOBODY
        lying = 0 if board < 0 else holes + board
        counter = jobs.word[job]
        offset = fraction(splitmix(counter))
        for sample in range(samples):
            row = job * samples + sample
            counter += SPLITMIX_STEP
            words[row] = splitmix(counter)
            taken = np.uint64(0)
            for place in range(lying):
                if place >= holes or place // 2 != seat:
                    out[row, place] = base[place]
                    taken |= _ONE << np.uint64(base[place])
            if seat != NOBODY:
                pair = _draw_pair(reach[jobs.reach[job]], (sample + offset) / samples)
                for place in range(2):
                    card = PAIR_CARDS[pair, place]
                    out[row, 2 * seat + place] = card
                    taken |= _ONE << np.uint64(card)
            for place in range(lying, decks.shape[1]):
                card = 52
                while card == 52 or taken >> np.uint64(card) & _ONE:
                    counter += SPLITMIX_STEP
                    card = below(splitmix(counter), 52)
                out[row, place] = card
                taken |= _ONE << np.uint64(card)


@njit(cache=True, nogil=True)
def _fill_bits(words: NDArray[np.uint64], steps: NDArray[np.int64], out: NDArray[np.uint64]) -> None:
    """Four words for the decision of each row, from the word of its sample and the number of actions before."""
    for row in range(len(words)):
        counter = splitmix(words[row] + SPLITMIX_STEP * np.uint64(steps[row] + 1))
        for place in range(4):
            counter += SPLITMIX_STEP
            out[row, place] = splitmix(counter)


def _dice(words: NDArray[np.uint64], steps: NDArray[np.int64]) -> NDArray[np.uint64]:
    bits = np.empty((len(words), 4), np.uint64)
    _fill_bits(words, steps, bits)
    return bits


def past_of(jobs: Jobs, made: Actions) -> Past:
    """What was done before each job."""
    steps = jobs.public["steps"].astype(np.int64)
    width = int(steps.max(initial=0))
    done = np.arange(width) < steps[:, None]
    places = np.where(done, made.starts[jobs.hand][:, None] + np.arange(width), 0)
    kinds = (np.int32, np.int8, np.int8)
    parts = (made.actions, made.seats, made.streets)
    return Past(*(np.where(done, part[places], 0).astype(kind) for part, kind in zip(parts, kinds, strict=True)))


def play_out(
    hands: HandColumns,
    varied: NDArray[np.int64],
    jobs: Jobs,
    reach: NDArray[np.float64],
    made: Actions,
    players: Players,
    samples: int,
) -> NDArray[np.float64]:
    """What each seat wins in the mean over the samples of each job; shape (jobs, seats)."""
    records, count = hands.records, len(jobs.hand)
    decks = np.empty((count * samples, records.decks.shape[1]), np.uint8)
    words = np.empty(len(decks), np.uint64)
    draw_decks(records.decks, varied, jobs, reach, decks, words)
    owner = np.repeat(np.arange(count), samples)
    before = past_of(jobs, made)
    past = Past(before.actions[owner], before.seats[owner], before.streets[owner])
    table = Table.resumed(records.game, decks, jobs.public.take(owner), past)
    forced = np.flatnonzero(jobs.low[owner] != FREE)
    if len(forced):
        low, high = jobs.low[owner[forced]], jobs.high[owner[forced]]
        steps = table.public["steps"][forced].astype(np.int64)
        table.act(forced, BatchDice(_dice(words[forced], steps)).integer(low, high))
    who = players.who[jobs.hand]
    while len(waiting := table.waiting()):
        table.act(waiting, _decided(table, waiting, who[owner[waiting]], words[waiting], players.bots))
    payoffs = table.payoffs(np.arange(len(table))).astype(np.float64)
    mean: NDArray[np.float64] = payoffs.reshape(count, samples, -1).mean(axis=1)
    return mean


def _decided(
    table: Table,
    waiting: NDArray[np.int64],
    who: NDArray[np.int64],
    words: NDArray[np.uint64],
    bots: Sequence[Bot],
) -> NDArray[np.int64]:
    """What the bots do in some rows of the table, each by its own law."""
    public = table.public.take(waiting)
    asked = who[np.arange(len(waiting)), public["actor"]]
    actions = np.zeros(len(waiting), np.int64)
    for number in np.unique(asked).tolist():
        some = np.flatnonzero(asked == number)
        law = bots[number].probabilities(table.views(waiting[some]))
        bits = _dice(words[some], public["steps"][some].astype(np.int64))
        actions[some] = law.draw(BatchDice(bits))
    return actions
