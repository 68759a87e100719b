"""Rivers of two players, played on exactly: all lines of the betting, by the laws of both, for every hand of one.

Nothing is drawn here, so a value is free of noise. A river is grown from the first situation that is asked about,
one action after the other: who acts is asked what he does, the varied seat with each hand that it may hold. Then
values are found from the ends up. What comes later on the same river is looked up in it.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import Bot
from luckless.bots.distribution import ActionDistribution
from luckless.hands.board import rank_board
from luckless.hands.pairs import PAIR_CARDS, PAIRS, pair_numbers
from luckless.rules.columns import HandColumns
from luckless.rules.state import FINISHED
from luckless.rules.table import Table
from luckless.rules.views import Views
from luckless.skill.playing_out import FREE, Actions, Jobs, Players, past_of
from luckless.skill.shares import NOBODY

MOST_SITUATIONS = 500
"""A river with more is not played on exactly: a player there spreads raises over many sizes."""

ASKED_AT_ONCE = 48
"""Situations that a bot is asked about together, each with up to 1,081 hands."""

BOARD = 5

Vector = NDArray[np.float64]


class _Law(NamedTuple):
    """What is done in one situation: the actions, and how often each hand takes each (action, hand)."""

    actions: NDArray[np.int64]
    chances: Vector


class _Root(NamedTuple):
    """Where a river begins: the hand that it belongs to, its varied seat and the hands that this may hold, how each
    of them fares against the other player's (1, 0 or -1), and who plays."""

    hand: int
    varied: int
    pairs: NDArray[np.int64]
    fares: Vector
    bots: tuple[Bot, ...]


class _Level(NamedTuple):
    """Situations after so many actions: the table, the river of each row, and the rows that follow each by action."""

    table: Table
    roots: NDArray[np.int64]
    after: list[dict[int, int]]
    chances: list[dict[int, Vector]]


def river_values(
    hands: HandColumns, varied: NDArray[np.int64], jobs: Jobs, sums: Vector, made: Actions, players: Players
) -> Vector:
    """What the first of two seats wins from each job on; NaN where a job is not on the river, or not exact."""
    found = np.full(len(jobs.hand), np.nan)
    game = hands.records.game
    if game.seats != 2 or game.rake is not None or game.antes_are_dead or any(game.posts):
        return found
    steps = jobs.public["steps"].astype(np.int64)
    late = np.flatnonzero(jobs.board == BOARD)
    waiting = late[np.lexsort((steps[late], jobs.hand[late]))]
    while len(waiting):
        first = waiting[np.unique(jobs.hand[waiting], return_index=True)[1]]
        rivers = _Rivers(hands, varied, jobs, sums, made, players, first)
        left = []
        for job in waiting.tolist():
            place = rivers.place_of(job)
            if place is None:
                left.append(job)
            else:
                found[job] = rivers.value(job, place)
        waiting = np.array(left, np.int64)
    return found


class _Rivers:
    """Rivers grown from the jobs `first`, of different hands."""

    def __init__(
        self,
        hands: HandColumns,
        varied: NDArray[np.int64],
        jobs: Jobs,
        sums: Vector,
        made: Actions,
        players: Players,
        first: NDArray[np.int64],
    ) -> None:
        self._jobs, self._sums, self._made = jobs, sums, made
        self._river = {int(jobs.hand[job]): number for number, job in enumerate(first.tolist())}
        self._begun = jobs.public["steps"][first].astype(np.int64)
        decks = hands.records.decks[jobs.hand[first]]
        self._roots = [
            _root(deck, int(job), jobs, self._weights(int(job)), int(varied[jobs.hand[job]]), players)
            for deck, job in zip(decks, first.tolist(), strict=True)
        ]
        past = past_of(jobs.take(first), made)
        table = Table.resumed(hands.records.game, decks, jobs.public.take(first), past)
        self._failed = np.zeros(len(first), np.bool_)
        self._levels = self._grown(table)
        self._values = self._valued()

    def _weights(self, job: int) -> Vector | None:
        """How likely each hand of the varied seat is; None where nobody is varied."""
        reach = int(self._jobs.reach[job])
        return None if reach < 0 else np.diff(self._sums[reach], prepend=0.0)

    def place_of(self, job: int) -> tuple[int, int] | None:
        """The level and row of a job; None if its line is not one that is played here."""
        hand = int(self._jobs.hand[job])
        river = self._river[hand]
        if self._failed[river]:
            return (0, river)
        start = int(self._made.starts[hand])
        steps = int(self._jobs.public["steps"][job])
        row = river
        for level, action in enumerate(self._made.actions[start + self._begun[river] : start + steps].tolist()):
            if action not in self._levels[level].after[row]:
                return None
            row = self._levels[level].after[row][action]
        return steps - int(self._begun[river]), row

    def value(self, job: int, place: tuple[int, int]) -> float:
        """What the first seat wins from a job on; NaN if that is not exact."""
        level, row = place
        root = self._roots[self._river[int(self._jobs.hand[job])]]
        if self._failed[self._river[root.hand]]:
            return np.nan
        low, high = int(self._jobs.low[job]), int(self._jobs.high[job])
        if low != FREE:
            if low != high or low not in self._levels[level].after[row]:
                return np.nan
            level, row = level + 1, self._levels[level].after[row][low]
        weights, values = self._weights(job), self._values[level][row]
        if weights is None:
            return float(values[0])
        held = weights[root.pairs]
        return float(held @ values / held.sum())

    def _grown(self, table: Table) -> list[_Level]:
        """All situations, level by level; rivers that grow too large or spread their raises fail."""
        size = np.ones(len(table), np.int64)
        levels = [_Level(table, np.arange(len(table)), [], [])]
        while True:
            level = levels[-1]
            level.after.extend({} for _ in range(len(level.table)))
            level.chances.extend({} for _ in range(len(level.table)))
            rows = level.table.waiting()
            rows = rows[~self._failed[level.roots[rows]]]
            if not len(rows):
                return levels
            laws = self._asked(level, rows)
            following, actions = list[int](), list[int]()
            for row in rows.tolist():
                river, law = int(level.roots[row]), laws[row]
                size[river] += 0 if law is None else len(law.actions)
                if law is None or size[river] > MOST_SITUATIONS:
                    self._failed[river] = True
                    continue
                for action, chances in zip(law.actions.tolist(), law.chances, strict=True):
                    level.after[row][action] = len(following)
                    level.chances[row][action] = chances
                    following.append(row)
                    actions.append(action)
            origin = np.array(following, np.int64)
            after = level.table.copies(origin)
            after.act(np.arange(len(origin)), np.array(actions, np.int64))
            levels.append(_Level(after, level.roots[origin], [], []))

    def _asked(self, level: _Level, rows: NDArray[np.int64]) -> dict[int, _Law | None]:
        """What is done in each of some situations."""
        actors = level.table.public["actor"]
        groups: dict[tuple[int, bool], list[int]] = {}
        for row in rows.tolist():
            root, actor = self._roots[level.roots[row]], int(actors[row])
            groups.setdefault((id(root.bots[actor]), actor == root.varied), []).append(row)
        laws: dict[int, _Law | None] = {}
        for (_, hidden), some in groups.items():
            for first in range(0, len(some), ASKED_AT_ONCE):
                part = np.array(some[first : first + ASKED_AT_ONCE])
                bot = self._roots[level.roots[part[0]]].bots[int(actors[part[0]])]
                laws.update(self._asked_together(bot, level, part, hidden))
        return laws

    def _asked_together(
        self, bot: Bot, level: _Level, rows: NDArray[np.int64], hidden: bool
    ) -> dict[int, _Law | None]:
        views: Views = level.table.views(rows)
        counts = np.ones(len(rows), np.int64)
        if hidden:
            held = [self._roots[level.roots[row]].pairs for row in rows]
            counts = np.array(list(map(len, held)))
            views = views.with_cards(np.repeat(np.arange(len(rows)), counts), PAIR_CARDS[np.concatenate(held)])
        law, ends = bot.probabilities(views), np.cumsum(counts)
        return {
            int(row): _law_of(law, slice(int(end - count), int(end)))
            for row, count, end in zip(rows, counts, ends, strict=True)
        }

    def _valued(self) -> list[list[Vector]]:
        """What each situation is worth to the first seat, by hand of the varied one; from the ends up."""
        values: list[list[Vector]] = []
        for level in reversed(self._levels):
            below = values[-1] if values else []
            values.append([self._worth(level, row, below) for row in range(len(level.table))])
        return values[::-1]

    def _worth(self, level: _Level, row: int, below: Sequence[Vector]) -> Vector:
        root, public = self._roots[level.roots[row]], level.table.public[row]
        total = np.zeros(len(root.pairs))
        if public["actor"] != FINISHED:
            for action, chances in level.chances[row].items():
                total += chances * below[level.after[row][action]]
            return total
        stake = float(min(public["invested"][0], public["invested"][1]))
        if public["showdown"]:
            total += stake * (root.fares if root.varied == 0 else -root.fares)
        else:
            total += stake if public["live"] == 1 else -stake
        return total


def _root(
    deck: NDArray[np.uint8], job: int, jobs: Jobs, weights: Vector | None, varied: int, players: Players
) -> _Root:
    """The river that a job begins. Where nobody is varied, the first seat is, with the one hand that it holds."""
    hand = int(jobs.hand[job])
    bots = tuple(players.bots[number] for number in players.who[hand].tolist())
    holes = pair_numbers(deck[:4].reshape(2, 2))
    seat, pairs = (0, holes[:1]) if weights is None or varied == NOBODY else (varied, np.flatnonzero(weights))
    strengths, ahead, tied = (np.zeros(PAIRS, np.int32) for _ in range(3))
    rank_board(deck[4:].astype(np.int64), strengths, ahead, tied)
    return _Root(hand, seat, pairs, np.sign(strengths[pairs] - strengths[holes[1 - seat]]).astype(np.float64), bots)


def _law_of(law: ActionDistribution, part: slice) -> _Law | None:
    """The rows of one situation by action; None if raises are spread over several sizes."""
    low, high, share = law.low[part], law.high[part], law.probability[part]
    used = share > 0
    if (low != high)[used].any():
        return None
    actions = np.unique(low[used])
    return _Law(actions, np.stack([np.where(low == action, share, 0.0).sum(axis=1) for action in actions]))
