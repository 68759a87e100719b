"""The strategy vector: what an agent does in each situation with each tenth of the cards (Kaminsky and Liebendörfer
2020, section 3.3.2). At six seats it has 432 situations x 10 tenths x 53 actions, as many as the thesis's.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import Actor
from luckless.bots.clocks import Clocks, Stopwatch, Timing
from luckless.bots.dice import fill_words
from luckless.errors import InputError
from luckless.kernels import njit
from luckless.learn.percentiles import Percentiles, percentile_of, percentiles
from luckless.matches.asking import ask
from luckless.randomness import key_of
from luckless.rules.dealing import deal
from luckless.rules.game import BOARD_CARDS, STREETS, Game
from luckless.rules.state import encode
from luckless.rules.views import UNSEEN, Views
from luckless.style.behaviour import CALLS, CHECKS, FOLDS, RAISES, Behaviour, kind_of
from luckless.style.situations import all_situations, reach

TENTHS = 10
RAISE_SIZES = 50
"""Raises by size: up to 1/50 of the stack, up to 2/50, ...: at 200 chips, steps of 4."""

ACTIONS = RAISES + RAISE_SIZES
"""Folds, calls, checks, then raises by size."""


def strategy_vector(bot: Actor, game: Game, hands: int, seed: int) -> NDArray[np.int32]:
    """How often a bot takes each action in each situation with each tenth of the cards.

    Shape (situations, tenths, actions), situations in the order of `situations.all_situations`. In every situation of
    a street the bot is asked about the same hands, `hands` for each tenth, which are drawn with the seed.
    """
    situations = all_situations(game.seats)
    vector = np.zeros((len(situations), TENTHS, ACTIONS), np.int32)
    for street in range(len(STREETS)):
        places = [place for place, situation in enumerate(situations) if situation.street == street]
        views, deals = _asked(game, [situations[place] for place in places], _cards(game, street, hands, seed))
        actions = _answers(bot, game, views, deals, seed)
        tenths = np.tile(np.repeat(np.arange(TENTHS), hands), len(places))
        _count(views.public, actions, np.repeat(places, TENTHS * hands), tenths, vector)
    return vector


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


def _asked(game: Game, situations: Any, cards: NDArray[np.uint8]) -> tuple[Views, NDArray[np.int64]]:
    """Every situation with every hand, and a number for the dice of each."""
    tables = [reach(game, situation) for situation in situations]
    parts = [table.views(np.zeros(1, np.int64)) for table in tables]
    steps = max(part.actions.shape[1] for part in parts)
    count = len(cards)

    def spread(rows: list[NDArray[Any]]) -> NDArray[Any]:
        padded = [np.pad(row, ((0, 0), (0, steps - row.shape[1]))) for row in rows]
        return np.repeat(np.concatenate(padded), count, axis=0)

    public = np.repeat(np.concatenate([part.public for part in parts]), count)
    history = [
        spread([getattr(part, name) for part in parts]) for name in ("actions", "action_seats", "action_streets")
    ]
    views = Views(game.seats, game.big_blind, public, np.tile(cards, (len(parts), 1)), *history)
    return views, np.arange(len(public))


def _answers(bot: Actor, game: Game, views: Views, deals: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    words = np.empty((len(views), 4), np.uint64)
    fill_words(key_of(seed), deals, views.seat, views.public["steps"], words)

    def complain(row: int, kind: str, detail: str) -> None:
        raise InputError(f"{bot.name} has no strategy vector: {kind}: {detail}")

    return ask(bot, encode(game), views, words, Timing(Stopwatch(Clocks(0)), deals.tolist()), complain)


@njit(cache=True, nogil=True)
def _count(public: Any, actions: Any, places: Any, tenths: Any, vector: Any) -> None:
    for row in range(len(actions)):
        hand = public[row]
        action = kind_of(actions[row], hand.to_call)
        if action == RAISES:
            chips = hand.stack[hand.actor] + hand.invested[hand.actor]
            action += min((actions[row] * RAISE_SIZES - 1) // chips, RAISE_SIZES - 1)
        vector[places[row], tenths[row], action] += 1
