"""Compiled: equity by sampled deals, each equally likely among all deals of the given hands, ranges and cards.

Cards are places here: 16 times the suit plus the rank. The cards that are left are the bits of one word, of which a
draw takes the n-th: no card is drawn in vain, nothing is shuffled, and the cards that a flush needs lie there as the
evaluator wants them. One random word draws the board and the first random hand, another each further one.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.bits import nth_bit, place_of_bit
from luckless.hands.equity_spot import EquitySpot
from luckless.hands.evaluator import CARD_BITS, CARD_KEYS, NO_CARDS, flush_strength, has_flush, rank_strength
from luckless.kernels import njit
from luckless.randomness import SPLITMIX_STEP, multiply_high, splitmix

_PLACES = np.array([int(bit).bit_length() - 1 for bit in CARD_BITS], np.uint64)
_PLACE_KEYS = np.zeros(64, np.uint64)
_PLACE_KEYS[_PLACES] = CARD_KEYS
_WORDS = 1 << 64


class Choices(NamedTuple):
    """What may be dealt: player p holds one of the rows `starts[p]` to `starts[p + 1]` of `cards`, or any two cards
    if there are none. `deck` has the bits of all cards that are neither on the board nor dead.

    `bounds` are the numbers of cards that each draw is from: of the board first, then of each random hand. What is
    left of a random word must not be below `rejected`, by word, so that no card is favoured.
    """

    cards: NDArray[np.uint64]
    starts: NDArray[np.int64]
    board: NDArray[np.uint64]
    deck: np.uint64
    bounds: NDArray[np.uint64]
    rejected: NDArray[np.uint64]


def choices_of(spot: EquitySpot) -> Choices:
    """The hands and cards of a spot, ready to be drawn."""
    rows = [
        np.empty((0, 2), np.int64) if hand.is_random else left.combos
        for hand, left in zip(spot.hands, spot.ranges, strict=True)
    ]
    randoms, known = sum(not len(row) for row in rows), [*spot.board, *spot.dead]
    size, drawn = 52 - len(known) - 2 * (len(rows) - randoms), spot.to_come + 2 * randoms
    first = spot.to_come + 2 * bool(randoms)
    words = [range(first), *(range(first, first + 2) for first in range(first, drawn, 2))]
    return Choices(
        cards=_PLACES[np.concatenate(rows)],
        starts=np.cumsum([0, *map(len, rows)]),
        board=_PLACES[list(spot.board)],
        deck=np.bitwise_or.reduce(CARD_BITS[np.setdiff1d(np.arange(52), known)]),
        bounds=np.arange(size, size - drawn, -1).astype(np.uint64),
        rejected=np.array([_WORDS % math.prod(size - draw for draw in word) for word in words], np.uint64),
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


@njit(cache=True, nogil=True)
def _draw_hands(cards: Any, starts: Any, counter: Any, keys: Any, bits: Any) -> Any:
    """Draws the hands that have rows, as sums of keys and of bits by player.

    Gives whether no two share a card, all their bits and the counter.
    """
    used = np.uint64(0)
    for player in range(len(keys)):
        row, end = starts[player], starts[player + 1]
        if end == row:
            continue
        if end - row > 1:
            pick, counter = _draw_below(end - row, counter)
            row += pick
        first, second = cards[row, 0], cards[row, 1]
        own = np.uint64(1) << first | np.uint64(1) << second
        if used & own:
            return False, used, counter
        used |= own
        keys[player], bits[player] = _PLACE_KEYS[first] + _PLACE_KEYS[second], own
    return True, used, counter


@njit(cache=True, nogil=True)
def fitting_share(choices: Choices, limit: int) -> float:
    """About what share of random choices of hands has no card twice, from at most so many; 0 if none was seen."""
    players, counter = len(choices.starts) - 1, np.uint64(0)
    keys, bits = np.empty(players, np.uint64), np.empty(players, np.uint64)
    fitting, drawn = 0, 0
    while drawn < limit and fitting < 1000:
        fits, _, counter = _draw_hands(choices.cards, choices.starts, counter, keys, bits)
        fitting += fits
        drawn += 1
    return fitting / drawn


@njit(cache=True, nogil=True, inline="always")
def _draw_cards(left: Any, first: Any, count: Any, bounds: Any, rest: Any) -> Any:
    """Makes `count` draws, the first of them number `first`, from the cards that are left and the rest of a word.

    Gives the sum of their keys, the cards then left and what is left of the word: it is multiplied by one bound after
    the other, and each carry is a draw (Brackett-Rozinsky and Lemire, "Batched ranged random integer generation",
    2024).
    """
    key = np.uint64(0)
    for step in range(count):
        bound = bounds[first + step]
        bit = nth_bit(left, multiply_high(rest, bound))
        rest *= bound
        key += _PLACE_KEYS[place_of_bit(bit)]
        left ^= bit
    return key, left, rest


@njit(cache=True, nogil=True)
def sample(choices: Choices, samples: int, start: Any) -> Any:
    """The counts of so many random deals; `start` is where the generator starts."""
    cards, starts, deck, bounds, rejected = (
        choices.cards, choices.starts, choices.deck, choices.bounds, choices.rejected
    )  # fmt: skip
    players, to_come = len(starts) - 1, np.uint64(5 - len(choices.board))
    known_key, known_bits = NO_CARDS, np.uint64(0)
    for place in range(len(choices.board)):
        known_key += _PLACE_KEYS[choices.board[place]]
        known_bits |= np.uint64(1) << choices.board[place]
    keys, bits = np.zeros(players, np.uint64), np.zeros(players, np.uint64)
    _, used, _ = _draw_hands(cards, starts, start, keys, bits)  # if all that have rows are known, once and for all
    counter = start
    is_random, varies, randoms = np.empty(players, np.bool_), False, False
    for player in range(players):
        rows = starts[player + 1] - starts[player]
        is_random[player] = rows == 0
        randoms |= rows == 0
        varies |= rows > 1
    winners = np.zeros(1 << players, np.int64)
    for _ in range(samples):
        fits = not varies
        while not fits:  # all hands anew: drawing only the one that clashes would favour some choices
            fits, used, counter = _draw_hands(cards, starts, counter, keys, bits)
        all_left = deck & ~used
        board, left, hole, after, rest = NO_CARDS, all_left, NO_CARDS, all_left, np.uint64(0)
        while True:  # once, but for one word in sixteen million
            counter += SPLITMIX_STEP
            rest = splitmix(counter)
            if to_come == 5:  # known when it is compiled, which makes it a third faster
                board, left, rest = _draw_cards(all_left, np.uint64(0), np.uint64(5), bounds, rest)
            else:
                board, left, rest = _draw_cards(all_left, np.uint64(0), to_come, bounds, rest)
            if randoms:  # the first hand of any two cards
                hole, after, rest = _draw_cards(left, to_come, np.uint64(2), bounds, rest)
            if rest >= rejected[0]:
                break
        board += known_key
        board_bits = all_left ^ left | known_bits
        best, who, word = np.int64(0), np.int64(0), np.uint64(0)
        for player in range(np.uint64(players)):
            key, own = board + keys[player], bits[player]
            if is_random[player]:
                while word:  # for each further one, and again when the word must not count
                    counter += SPLITMIX_STEP
                    draw, rest = to_come + np.uint64(2) * word, splitmix(counter)
                    hole, after, rest = _draw_cards(left, draw, np.uint64(2), bounds, rest)
                    if rest >= rejected[word]:
                        break
                word += np.uint64(1)
                key += hole
                own = left ^ after
                left = after
            strength = np.int64(rank_strength(key))
            if has_flush(key):
                strength = np.int64(flush_strength(key, board_bits | own))
            worse = best - strength >> 63  # -1 or 0, and no branch, which would often go wrong
            who = who & ~worse | (strength - best >> 63) + 1 << np.int64(player)
            best -= (best - strength) & worse
        winners[np.uint64(who)] += 1
    return _by_sharers(winners, players)


@njit(cache=True, nogil=True)
def _by_sharers(winners: Any, players: Any) -> Any:
    """The counts from how often each set of players had the best hand."""
    counts = np.zeros((players, players), np.int64)
    for who in range(1, len(winners)):
        sharers = 0
        for player in range(players):
            sharers += who >> player & 1
        for player in range(players):
            counts[player, sharers - 1] += winners[who] * (who >> player & 1)
    return counts
