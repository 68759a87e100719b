"""How often a hand wins against each hand that the other may hold."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.hands.evaluator import CARD_BITS, CARD_KEYS, NO_CARDS, bits_of, strength_of, sum_cards
from luckless.hands.pairs import PAIRS
from luckless.kernels import njit


@njit(cache=True, nogil=True)
def _add_showdowns(
    own: NDArray[Any], board: NDArray[Any], won: NDArray[np.float64], met: NDArray[np.float64]
) -> None:
    """Adds, for each pair that two own cards may meet on a whole board, 1 for a win and 1/2 for a tie; and 1 to
    `met`."""
    key, bits = sum_cards(board, NO_CARDS)
    mine = strength_of(key + CARD_KEYS[own[0]] + CARD_KEYS[own[1]], bits | CARD_BITS[own[0]] | CARD_BITS[own[1]])
    taken = bits | bits_of(own)
    pair = 0
    for high in range(52):
        if CARD_BITS[high] & taken:
            pair += high
            continue
        high_key, high_bits = key + CARD_KEYS[high], bits | CARD_BITS[high]
        for low in range(high):
            if CARD_BITS[low] & taken == 0:
                theirs = strength_of(high_key + CARD_KEYS[low], high_bits | CARD_BITS[low])
                met[pair] += 1.0
                if mine > theirs:
                    won[pair] += 1.0
                elif mine == theirs:
                    won[pair] += 0.5
            pair += 1


@njit(cache=True, nogil=True)
def win_shares(own: NDArray[Any], board: NDArray[Any], draws: NDArray[Any], won: NDArray[np.float64]) -> None:
    """How often two cards win (a tie is half) against each pair if nobody bets any more: exactly on boards of three
    to five cards, before the flop on the boards of `draws`. Pairs that cannot be met have 0."""
    met, whole = np.zeros(PAIRS), np.zeros(5, np.int64)
    won[:] = 0.0
    shown = len(board)
    whole[:shown] = board
    taken = bits_of(own) | bits_of(board)
    if shown == 5:
        _add_showdowns(own, whole, won, met)
    elif shown == 4:
        for card in range(52):
            if CARD_BITS[card] & taken == 0:
                whole[4] = card
                _add_showdowns(own, whole, won, met)
    elif shown == 3:
        for high in range(52):
            for low in range(high):
                if (CARD_BITS[high] | CARD_BITS[low]) & taken == 0:
                    whole[3], whole[4] = low, high
                    _add_showdowns(own, whole, won, met)
    else:
        for row in range(len(draws)):
            if bits_of(draws[row]) & taken == 0:
                whole[:] = draws[row]
                _add_showdowns(own, whole, won, met)
    for pair in range(PAIRS):
        if met[pair] > 0:
            won[pair] /= met[pair]
