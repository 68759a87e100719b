"""Compiled: exact equity of any number of hands and ranges, matchup by matchup.

All choices of one hand a player are walked through; of those that differ only by a renaming of the suits the first
is counted for all of them. It needs renamings that leave every range and the known cards as they are.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.hands.equity_counts import tally
from luckless.hands.equity_preflop import Matchup, count_preflop, new_matchup
from luckless.hands.equity_spot import EquitySpot, numbers_of, renamed_combos
from luckless.hands.evaluator import CARD_BITS, CARD_KEYS, NO_CARDS, strength_of, sum_cards
from luckless.hands.pairs import PAIR_CARDS
from luckless.kernels import njit

_COMBO_BITS = np.array([1 << low | 1 << high for low, high in PAIR_CARDS.tolist()], np.uint64)


class Matchups(NamedTuple):
    """All choices of hands: player p holds one of the combos `numbers[starts[p]:starts[p + 1]]`.

    `images[r]` are the numbers of all combos after the renaming r of the suits; `board` and `dead` are cards.
    """

    numbers: NDArray[np.int64]
    starts: NDArray[np.int64]
    images: NDArray[np.int64]
    board: NDArray[np.int64]
    dead: NDArray[np.int64]


def matchups_of(spot: EquitySpot) -> Matchups:
    """The matchups of a spot, ready to be counted."""
    numbers = [numbers_of(hand) for hand in spot.ranges]
    return Matchups(
        numbers=np.concatenate(numbers),
        starts=np.cumsum([0, *map(len, numbers)]),
        images=renamed_combos()[spot.suit_symmetries],
        board=np.array(spot.board, np.int64),
        dead=np.array(spot.dead, np.int64),
    )


@njit(cache=True, nogil=True)
def _choose(matchups: Matchups, index: Any, chosen: Any) -> Any:
    """Sets the combos of the choice with this index; gives how many choices share its first clash of cards, or 0.

    The last player's hand changes fastest, so that all choices with the same clash stand together.
    """
    players = len(chosen)
    together = 1
    for player in range(players):
        together *= matchups.starts[player + 1] - matchups.starts[player]
    used = np.uint64(0)
    for player in range(players):
        together //= matchups.starts[player + 1] - matchups.starts[player]
        place = index // together
        index -= place * together
        chosen[player] = matchups.numbers[matchups.starts[player] + place]
        if used & _COMBO_BITS[chosen[player]]:
            return together - index
        used |= _COMBO_BITS[chosen[player]]
    return 0


@njit(cache=True, nogil=True)
def _alike(chosen: Any, images: Any) -> Any:
    """How many choices renamed suits make of this one, if it is the first of them; otherwise 0."""
    unchanged = 0
    for image in images:
        order = 0
        for combo in chosen:
            order = image[combo] - combo
            if order != 0:
                break
        if order < 0:
            return 0
        unchanged += order == 0
    return len(images) // unchanged


@njit(cache=True, nogil=True)
def _count_postflop(hole: Any, board: Any, taken: Any, counts: Any) -> None:
    """Tallies all completions of a board of three to five cards; `taken` has a bit for each card not to come."""
    key, bits = sum_cards(board, NO_CARDS)
    players, to_come = len(hole), 5 - len(board)
    keys, bit_sets = np.empty(players, np.uint64), np.empty(players, np.uint64)
    for player in range(players):
        first, second = hole[player]
        keys[player] = key + CARD_KEYS[first] + CARD_KEYS[second]
        bit_sets[player] = bits | CARD_BITS[first] | CARD_BITS[second]
    deck = np.empty(52, np.int64)
    size = 0
    for card in range(52):
        if not (taken >> np.uint64(card)) & np.uint64(1):
            deck[size] = card
            size += 1
    strengths = np.empty(players, np.int64)
    for turn in range(size if to_come > 0 else 1):
        for river in range(turn if to_come > 1 else 1):
            new_key, new_bits = np.uint64(0), np.uint64(0)
            if to_come > 0:
                new_key, new_bits = CARD_KEYS[deck[turn]], CARD_BITS[deck[turn]]
            if to_come > 1:
                new_key += CARD_KEYS[deck[river]]
                new_bits |= CARD_BITS[deck[river]]
            for player in range(players):
                strengths[player] = strength_of(keys[player] + new_key, bit_sets[player] | new_bits)
            tally(strengths, 1, counts)


@njit(cache=True, nogil=True)
def _count_one(chosen: Any, matchups: Matchups, matchup: Matchup, counts: Any) -> None:
    """Tallies all boards of one choice of hands."""
    hole = PAIR_CARDS[chosen]
    taken = np.uint64(0)
    for card in matchups.dead:
        taken |= np.uint64(1) << np.uint64(card)
    if len(matchups.board) == 0:
        count_preflop(hole, taken, matchup, counts)
        return
    for card in matchups.board:
        taken |= np.uint64(1) << np.uint64(card)
    for combo in chosen:
        taken |= _COMBO_BITS[combo]
    _count_postflop(hole, matchups.board, taken, counts)


@njit(cache=True, nogil=True)
def count_matchups(matchups: Matchups, first: int, end: int) -> Any:
    """The counts of all boards of the choices with indices `first` to `end`."""
    players = len(matchups.starts) - 1
    chosen = np.empty(players, np.int64)
    matchup = new_matchup(players)
    counts, total = np.zeros((players, players), np.int64), np.zeros((players, players), np.int64)
    index = first
    while index < end:
        clashing = _choose(matchups, index, chosen)
        if clashing > 0:
            index += clashing
            continue
        alike = _alike(chosen, matchups.images)
        if alike > 0:
            counts[:] = 0
            _count_one(chosen, matchups, matchup, counts)
            total += alike * counts
        index += 1
    return total
