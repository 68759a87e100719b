"""Compiled: equity by sampled deals, each equally likely among all deals of the given hands, ranges and cards."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.hands.equity_counts import tally
from luckless.hands.equity_spot import EquitySpot
from luckless.hands.evaluator import CARD_BITS, CARD_KEYS, NO_CARDS, strength_of
from luckless.kernels import njit
from luckless.randomness import SPLITMIX_STEP, multiply_high, splitmix


class Choices(NamedTuple):
    """What may be dealt: player p holds one of the rows `starts[p]` to `starts[p + 1]` of `cards`, or any two cards
    of the deck if there are none. The rest of the board comes from the deck too.
    """

    cards: NDArray[np.uint64]
    starts: NDArray[np.int64]
    board: NDArray[np.uint64]
    deck: NDArray[np.uint64]


def choices_of(spot: EquitySpot) -> Choices:
    """The hands and cards of a spot, ready to be drawn."""
    rows = [
        np.empty((0, 2)) if hand.is_random else left.combos
        for hand, left in zip(spot.hands, spot.ranges, strict=True)
    ]
    known = [*spot.board, *spot.dead]
    for hand in spot.hands:
        if hand.is_one_hand:
            known += hand.combos[0].tolist()
    return Choices(
        cards=np.concatenate(rows).astype(np.uint64),
        starts=np.cumsum([0, *map(len, rows)]),
        board=np.array(spot.board, np.uint64),
        deck=np.setdiff1d(np.arange(52), known).astype(np.uint64),
    )


@njit(cache=True, nogil=True, inline="always")
def _draw_below(size: Any, counter: Any) -> Any:
    """A number below size, and the counter (Lemire, "Fast random integer generation in an interval", 2019)."""
    bound = np.uint64(size)
    counter += SPLITMIX_STEP
    word = splitmix(counter)
    if word * bound < bound:  # so rare that the division below costs nothing
        while word * bound < (np.uint64(0) - bound) % bound:
            counter += SPLITMIX_STEP
            word = splitmix(counter)
    return np.int64(multiply_high(word, bound)), counter


@njit(cache=True, nogil=True, inline="always")
def _draw_card(deck: Any, used: Any, counter: Any) -> Any:
    """A card of the deck that is not used, and the counter."""
    while True:
        place, counter = _draw_below(len(deck), counter)
        card = deck[place]
        if not (used >> card) & np.uint64(1):
            return card, counter


@njit(cache=True, nogil=True)
def _draw_hands(choices: Choices, counter: Any, hole: Any) -> Any:
    """Draws the hands that have rows; gives whether no two share a card, the used cards and the counter."""
    used = np.uint64(0)
    for player in range(len(hole)):
        row, end = choices.starts[player], choices.starts[player + 1]
        if end == row:
            continue
        if end - row > 1:
            pick, counter = _draw_below(end - row, counter)
            row += pick
        first, second = choices.cards[row, 0], choices.cards[row, 1]
        bits = np.uint64(1) << first | np.uint64(1) << second
        if used & bits:
            return False, used, counter
        used |= bits
        hole[player, 0], hole[player, 1] = first, second
    return True, used, counter


@njit(cache=True, nogil=True)
def fitting_share(choices: Choices, limit: int) -> float:
    """About what share of random choices of hands has no card twice, from at most so many; 0 if none was seen."""
    hole = np.empty((len(choices.starts) - 1, 2), np.uint64)
    counter = np.uint64(0)
    fitting, drawn = 0, 0
    while drawn < limit and fitting < 1000:
        fits, _, counter = _draw_hands(choices, counter, hole)
        fitting += fits
        drawn += 1
    return fitting / drawn


@njit(cache=True, nogil=True, inline="always")
def _draw_deal(choices: Choices, counter: Any, hole: Any) -> Any:
    """Draws all hands and the rest of the board; gives the sums of the board's keys and bits and the counter."""
    fits, used = False, np.uint64(0)
    while not fits:  # all hands anew: drawing only the one that clashes would favour some choices
        fits, used, counter = _draw_hands(choices, counter, hole)
    for player in range(len(hole)):
        if choices.starts[player + 1] == choices.starts[player]:
            for place in range(2):
                hole[player, place], counter = _draw_card(choices.deck, used, counter)
                used |= np.uint64(1) << hole[player, place]
    key, bits = NO_CARDS, np.uint64(0)
    for place in range(len(choices.board)):
        key += CARD_KEYS[choices.board[place]]
        bits |= CARD_BITS[choices.board[place]]
    for _ in range(5 - len(choices.board)):
        card, counter = _draw_card(choices.deck, used, counter)
        used |= np.uint64(1) << card
        key += CARD_KEYS[card]
        bits |= CARD_BITS[card]
    return key, bits, counter


@njit(cache=True, nogil=True)
def sample(choices: Choices, samples: int, start: Any) -> Any:
    """The counts of so many random deals; `start` is where the generator starts."""
    players = len(choices.starts) - 1
    hole = np.empty((players, 2), np.uint64)
    strengths = np.empty(players, np.int64)
    counts = np.zeros((players, players), np.int64)
    counter = start
    for _ in range(samples):
        key, bits, counter = _draw_deal(choices, counter, hole)
        for player in range(players):
            first, second = hole[player, 0], hole[player, 1]
            strengths[player] = strength_of(
                key + CARD_KEYS[first] + CARD_KEYS[second], bits | CARD_BITS[first] | CARD_BITS[second]
            )
        tally(strengths, 1, counts)
    return counts
