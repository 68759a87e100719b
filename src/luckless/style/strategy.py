"""The strategy vector: what an agent does in each situation with each tenth of the cards (Kaminsky and Liebendörfer
2020, section 3.3.2). At six seats it has 432 situations x 10 tenths x 53 actions, as many as the thesis's.
"""

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import Bot
from luckless.bots.clocks import Clocks, Stopwatch, Timing
from luckless.bots.dice import fill_random_bits
from luckless.kernels import njit
from luckless.learn.percentiles import Percentiles, percentile_of, percentiles
from luckless.matches.asking import ask
from luckless.randomness import key_of
from luckless.rules.actions import LegalBatch
from luckless.rules.dealing import deal
from luckless.rules.game import BOARD_CARDS, STREETS, Game
from luckless.rules.views import UNSEEN, Past, Views
from luckless.style.behaviour import CALLS, CHECKS, FOLDS, RAISES, Behaviour, kind_of
from luckless.style.situations import all_situations, reach

TENTHS = 10
RAISE_SIZES = 50
"""Raises by size: up to 1/50 of the stack, up to 2/50, ...: at 200 chips, steps of 4."""

ACTIONS = RAISES + RAISE_SIZES
"""Folds, calls, checks, then raises by size."""


def strategy_vector(bot: Bot, game: Game, hands: int, seed: int) -> NDArray[np.int32]:
    """How often a bot takes each action in each situation with each tenth of the cards.

    Shape (situations, tenths, actions), situations in the order of `situations.all_situations`. In every situation of
    a street the bot is asked about the same hands, `hands` for each tenth, which are drawn with the seed. A wrong
    answer counts as the check or fold that it becomes in play.
    """
    parts = []
    for street in range(len(STREETS)):
        situations = _situations(game, street)
        views = _with_cards(situations, _cards(game, street, hands, seed))
        part = np.zeros((len(situations), TENTHS, ACTIONS), np.int32)
        _count(views.public, _answers(bot, game, views, seed), hands, part)
        parts.append(part)
    return np.concatenate(parts)


def behaviour_in(vector: NDArray[np.int32]) -> Behaviour:
    """Folds, calls, checks and raises in all situations together."""
    sums = vector.sum(axis=(0, 1), dtype=np.int64)
    return Behaviour(int(sums[FOLDS]), int(sums[CALLS]), int(sums[CHECKS]), int(sums[RAISES:].sum()))


def _cards(game: Game, street: int, hands: int, seed: int) -> NDArray[np.uint8]:
    """Hole cards and board as a seat sees them on a street: `TENTHS` times `hands`, from the weakest tenth up."""
    decks = deal(game, seed, np.arange(TENTHS * hands))
    cards = np.full((len(decks), 7), UNSEEN, np.uint8)
    cards[:, :2] = decks[:, :2]
    shown = BOARD_CARDS[street]
    cards[:, 2 : 2 + shown] = decks[:, 2 * game.seats : 2 * game.seats + shown]
    ranks = np.empty(len(cards), np.float32)
    _rank(cards, street, percentiles(), ranks)
    return np.ascontiguousarray(cards[np.argsort(ranks, kind="stable")])


@njit(cache=True, nogil=True)
def _rank(cards: Any, street: int, table: Percentiles, ranks: Any) -> None:
    for row in range(len(cards)):
        ranks[row] = percentile_of(cards[row], street, table)


@functools.lru_cache(maxsize=8)
def _situations(game: Game, street: int) -> Views:
    """One row for each situation of a street, with cards that mean nothing."""
    tables = [reach(game, situation) for situation in all_situations(game.seats) if situation.street == street]
    parts = [table.views(np.zeros(1, np.int64)) for table in tables]
    steps = max(part.actions.shape[1] for part in parts)

    def joined(rows: list[NDArray[Any]]) -> NDArray[Any]:
        return np.concatenate([np.pad(row, ((0, 0), (0, steps - row.shape[1]))) for row in rows])

    public = np.concatenate([part.public for part in parts])
    log = (
        joined([part.actions for part in parts]),
        joined([part.action_seats for part in parts]),
        joined([part.action_streets for part in parts]),
    )
    past = Past.of(public["steps"], log)
    return Views(game, public, np.concatenate([part.cards for part in parts]), past)


def _with_cards(rows: Views, cards: NDArray[np.uint8]) -> Views:
    """Every situation with every hand."""
    times = len(cards)
    public = np.repeat(rows.public, times)
    past = Past.of(public["steps"], (np.repeat(part, times, axis=0) for part in rows.past))
    return Views(rows.game, public, np.tile(cards, (len(rows), 1)), past)


def _answers(bot: Bot, game: Game, views: Views, seed: int) -> NDArray[np.int64]:
    """The actions of a bot; its dice lie at the number of the row."""
    numbers = np.arange(len(views))
    random_bits = np.empty((len(views), 4), np.uint64)
    fill_random_bits(key_of(seed), numbers, views.seat, views.public["steps"].copy(), random_bits)
    timing = Timing(Stopwatch(Clocks(0)), numbers.tolist())
    return ask(bot, views, LegalBatch.of(views.public), random_bits, timing, lambda row, kind, detail: None)


@njit(cache=True, nogil=True)
def _count(public: Any, actions: Any, hands: int, vector: Any) -> None:
    for row in range(len(actions)):
        tenth = row // hands
        hand = public[row]
        action = kind_of(actions[row], hand.to_call)
        if action == RAISES:
            chips = hand.stack[hand.actor] + hand.invested[hand.actor]
            action += min((actions[row] * RAISE_SIZES - 1) // chips, RAISE_SIZES - 1)
        vector[tenth // TENTHS, tenth % TENTHS, action] += 1
