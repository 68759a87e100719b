"""What a learner sees of a decision, and which actions its numbers stand for: the same in all our environments.

Observation: a vector of numbers from 0 to 1 (see `observe`). Actions are numbers:

    limit      0 fold, 1 check or call, 2 bet or raise
    otherwise  0 fold, 1 check or call, 2 smallest raise, 3 half the pot, 4 the pot, 5 twice the pot, 6 largest raise

A raise by a share of the pot is to the bet plus that share of the pot as it would be after a call, rounded down; it
is masked out unless it lies between the smallest and the largest raise (so in pot-limit the pot is number 6), and the
largest is when it is also the smallest. Folding is masked out when checking is free.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.cards import DECK_SIZE
from luckless.kernels import njit
from luckless.rules.actions import CALL, FOLD
from luckless.rules.game import STREETS, Game
from luckless.rules.state import FINISHED, LIMIT, encode
from luckless.rules.table import Table
from luckless.rules.views import UNSEEN, see_cards

LIMIT_ACTIONS = ("fold", "check or call", "bet or raise")
NO_LIMIT_ACTIONS = ("fold", "check or call", "smallest raise", "half pot", "pot", "twice the pot", "largest raise")
POT_SHARES = (0.5, 1.0, 2.0)

_SHARES = np.array(POT_SHARES)
_BOARD, _STREET = DECK_SIZE, 2 * DECK_SIZE
_PLACE = _STREET + len(STREETS)


class Choices(NamedTuple):
    """What the numbers of a learner stand for at some decisions: arrays of the shape (decisions, numbers)."""

    amounts: NDArray[np.int64]
    """The action of our rules for each number. A number that is masked out has one too, the nearest that is legal: a
    check for a fold, the smallest or largest raise for one that is out of bounds, a call where raising is closed."""
    mask: NDArray[np.int8]
    """1 for the numbers that can be chosen; only check or call where nobody is to act."""

    def actions(self, numbers: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        """The actions of our rules for one number at each decision."""
        chosen: NDArray[np.int64] = self.amounts[np.arange(len(self.amounts)), numbers]
        return chosen


@lru_cache(maxsize=64)
def _rules(game: Game) -> NDArray[np.void]:
    """The game as kernels take it: encoding it takes longer than one observation."""
    return encode(game)


def action_names(game: Game) -> tuple[str, ...]:
    """What the numbers of a game's actions stand for."""
    return LIMIT_ACTIONS if game.betting == "limit" else NO_LIMIT_ACTIONS


def observation_size(game: Game) -> int:
    """How many numbers an observation has."""
    return _PLACE + 4 + 5 * game.seats


@njit(cache=True, nogil=True)
def _fill_choices(rules: Any, public: Any, shares: Any, amounts: Any, mask: Any) -> None:
    limit = rules[0].betting == LIMIT
    for row in range(len(public)):
        hand = public[row]
        amounts[row, :] = CALL
        mask[row, :] = 0
        mask[row, 1] = 1
        if hand.actor == FINISHED:
            continue
        if hand.to_call > 0:
            amounts[row, 0] = FOLD
            mask[row, 0] = 1
        least, most = hand.min_raise_to, hand.max_raise_to
        if most == 0:
            continue
        amounts[row, 2] = least
        mask[row, 2] = 1
        if limit:
            continue
        bet = hand.street_bet[hand.actor] + hand.to_call
        for place in range(len(shares)):
            raise_to = bet + np.int64(shares[place] * (hand.pot + hand.to_call))
            amounts[row, 3 + place] = min(max(raise_to, least), most)
            mask[row, 3 + place] = least < raise_to < most
        last = 3 + len(shares)
        amounts[row, last] = most
        mask[row, last] = most > least


def choices(game: Game, public: NDArray[np.void]) -> Choices:
    """What each number stands for at some decisions, given by their public records (`rules.state.PUBLIC`)."""
    shape = (len(public), len(action_names(game)))
    found = Choices(np.empty(shape, np.int64), np.empty(shape, np.int8))
    _fill_choices(_rules(game), public.copy(), _SHARES, found.amounts, found.mask)
    return found


@njit(cache=True, nogil=True)
def _observe(rules: Any, public: Any, cards: Any, seats: Any, out: Any) -> None:
    count = rules[0].seats
    amounts = _PLACE + count
    out[:] = 0.0
    for row in range(len(public)):
        hand, seat = public[row], seats[row]
        for place in range(7):
            card = cards[row, place]
            if card != UNSEEN:
                out[row, card if place < 2 else _BOARD + card] = 1.0
        out[row, _STREET + hand.street] = 1.0
        out[row, _PLACE + seat] = 1.0
        total = np.float64(hand.pot)
        for other in range(count):
            total += hand.stack[other]
        out[row, amounts] = hand.pot / total
        if hand.actor == seat:
            out[row, amounts + 1] = hand.to_call / total
            out[row, amounts + 2] = hand.min_raise_to / total
            out[row, amounts + 3] = hand.max_raise_to / total
        for step in range(count):
            other, first = (seat + step) % count, amounts + 4 + 4 * step
            out[row, first] = hand.live >> other & 1
            out[row, first + 1] = hand.stack[other] / total
            out[row, first + 2] = hand.street_bet[other] / total
            out[row, first + 3] = hand.invested[other] / total


def observe(
    game: Game, public: NDArray[np.void], cards: NDArray[np.uint8], seats: NDArray[np.integer[Any]]
) -> NDArray[np.float32]:
    """What seats see, as numbers from 0 to 1, one situation a row; amounts are shares of all chips of the game.

    `cards` are the own two and the board as it lies (see `Views.cards`). In this order: own cards (52 places), board
    (52), street (4), own seat (one place a seat); pot, to call, smallest and largest raise (the last three are 0 when
    the seat is not to act); then for each seat from the own one on: live, stack, bet on the street, put in during the
    hand.
    """
    out = np.empty((len(public), observation_size(game)), np.float32)
    _observe(_rules(game), public.copy(), cards.copy(), seats.astype(np.int64), out)
    return out


@njit(cache=True, nogil=True)
def _see_rows(public: Any, decks: Any, seats: Any, cards: Any) -> None:
    for row in range(len(public)):
        hand = public[row]
        see_cards(hand, decks[row], seats[row], cards[row])
        if hand.actor == FINISHED and hand.showdown:
            for place in range(5):
                cards[row, 2 + place] = decks[row, decks.shape[1] - 5 + place]


def observe_table(table: Table, rows: NDArray[np.int64], seats: NDArray[np.integer[Any]]) -> NDArray[np.float32]:
    """What one seat of each of some hands sees now, whether or not it is to act; see `observe`."""
    public, cards = table.public.take(rows), np.empty((len(rows), 7), np.uint8)
    _see_rows(public, table.decks[rows], seats.astype(np.int64), cards)
    return observe(table.game, public, cards, seats)
