"""Compiled: the share of a pot that a seat wins on a whole board or before the flop, by what one of the seats holds.

A `Deal` holds all that is known of the cards of one hand. Where a seat is `varied`, its hand is taken as unknown:
shares are then vectors over the 1,326 hands that it might hold, else they are single numbers.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.hands.evaluator import CARD_BITS, CARD_KEYS, NO_CARDS, strength_of
from luckless.hands.pairs import PAIR_CARDS, PAIRS, pair_number
from luckless.kernels import njit
from luckless.rules.records import UNKNOWN

NOBODY = -1
_ONE = np.uint64(1)


class Deal(NamedTuple):
    """The cards of one hand: a row of `decks`, how many seats, the varied seat or `NOBODY`, the seat that is judged;
    and what the equities of two hands before the flop are, shape (1,326, 1,326)."""

    deck: NDArray[np.uint8]
    seats: int
    varied: int
    judged: int
    preflop: NDArray[np.float32]


@njit(cache=True, nogil=True)
def hands_of(deal: Deal) -> int:
    """How many hands shares run over: 1, or all 1,326 of the varied seat."""
    return 1 if deal.varied == NOBODY else PAIRS


@njit(cache=True, nogil=True)
def gone_cards(deal: Deal, board: int) -> Any:
    """The cards that cannot come any more, a bit a card: all known hole cards but the varied ones, and the board."""
    gone = np.uint64(0)
    for place in range(2 * deal.seats + board):
        if place // 2 != deal.varied or place >= 2 * deal.seats:
            card = deal.deck[place]
            if card != UNKNOWN:
                gone |= _ONE << np.uint64(card)
    return gone


@njit(cache=True, nogil=True)
def block_hands(deal: Deal, board: int, weights: NDArray[np.float64]) -> None:
    """Takes away the weight of hands that the varied seat cannot hold."""
    if deal.varied == NOBODY:
        return
    gone = gone_cards(deal, board)
    for pair in range(PAIRS):
        low, high = PAIR_CARDS[pair, 0], PAIR_CARDS[pair, 1]
        if (gone >> np.uint64(low) | gone >> np.uint64(high)) & _ONE:
            weights[pair] = 0.0


@njit(cache=True, nogil=True)
def add_board(
    deal: Deal, board: NDArray[np.int64], contenders: int, out: NDArray[np.float64], counts: NDArray[np.float64]
) -> None:
    """Adds the judged seat's share on one whole board, for each hand of the varied seat that the board leaves."""
    key, bits = NO_CARDS, np.uint64(0)
    for card in board:
        key += CARD_KEYS[card]
        bits |= CARD_BITS[card]
    best, sharers, own = 0, 0, 0  # among the contenders whose cards are given
    for seat in range(deal.seats):
        if not contenders & (1 << seat) or seat == deal.varied:
            continue
        first, second = deal.deck[2 * seat], deal.deck[2 * seat + 1]
        strength = strength_of(
            key + CARD_KEYS[first] + CARD_KEYS[second], bits | CARD_BITS[first] | CARD_BITS[second]
        )
        if seat == deal.judged:
            own = strength
        if strength > best:
            best, sharers = strength, 1
        elif strength == best:
            sharers += 1
    if deal.varied == NOBODY or not contenders & (1 << deal.varied):
        share = 1.0 / sharers if own == best else 0.0
        out[:] += share
        counts[:] += 1.0
        return
    taken = np.uint64(0)
    for card in board:
        taken |= _ONE << np.uint64(card)
    mine = deal.varied == deal.judged
    pair = 0
    for high in range(52):
        if taken >> np.uint64(high) & _ONE:
            pair += high
            continue
        high_key, high_bits = key + CARD_KEYS[high], bits | CARD_BITS[high]
        for low in range(high):
            if not taken >> np.uint64(low) & _ONE:
                strength = strength_of(high_key + CARD_KEYS[low], high_bits | CARD_BITS[low])
                counts[pair] += 1.0
                if strength > best:
                    out[pair] += 1.0 if mine else 0.0
                elif strength == best:
                    out[pair] += 1.0 / (sharers + 1) if mine or own == best else 0.0
                elif not mine and own == best:
                    out[pair] += 1.0 / sharers
            pair += 1


@njit(cache=True, nogil=True)
def early_shares(deal: Deal, contenders: int, out: NDArray[np.float64]) -> None:
    """The judged seat's share before the flop: exact for two hands, guessed from pairs of hands for more.

    The guess takes each hand's chances against each other one, multiplied, and shares the pot in proportion. It is
    fair in the one way that matters: over all deals every seat has the same mean.
    """
    pairs, products = np.zeros(deal.seats, np.int64), np.ones(deal.seats)
    for seat in range(deal.seats):
        if contenders & (1 << seat):
            pairs[seat] = pair_number(deal.deck[2 * seat], deal.deck[2 * seat + 1])
    varied = deal.varied if deal.varied != NOBODY and contenders >> deal.varied & 1 else NOBODY
    for seat in range(deal.seats):
        for other in range(deal.seats):
            if other != seat and other != varied and contenders & (1 << other):
                products[seat] *= deal.preflop[pairs[seat], pairs[other]]
    for place in range(len(out)):
        total, own = 0.0, 0.0
        for seat in range(deal.seats):
            if not contenders & (1 << seat):
                continue
            product = products[seat]
            if seat == varied:
                product = 1.0
                for other in range(deal.seats):
                    if other != seat and contenders & (1 << other):
                        product *= deal.preflop[place, pairs[other]]
            elif varied != NOBODY:
                product *= deal.preflop[pairs[seat], place]
            total += product
            if seat == deal.judged:
                own = product
        out[place] = own / total if total > 0 else 0.0
