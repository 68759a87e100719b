"""What an all-in is worth before the board is dealt out: the exact mean over all boards, pot by pot.

Some logs print this in place of what the dealt board gave, to take luck out. Their hands are recognised by it.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.hands.evaluator import CARD_BITS, CARD_KEYS, NO_CARDS, strength_of, sum_cards
from luckless.kernels import njit
from luckless.rules.columns import UNKNOWN
from luckless.rules.even_shares import SHARES
from luckless.rules.game import BOARD_CARDS
from luckless.rules.plain_settlement import side_pots


@njit(cache=True, nogil=True)
def _share(holes: NDArray[np.uint8], key: Any, bits: Any, contenders: NDArray[np.int64], out: Any) -> None:
    """Adds the share of each seat in each pot on one board (its cards summed up in `key` and `bits`)."""
    strength = np.zeros(len(holes), np.int64)
    for seat in range(len(holes)):
        a, b = holes[seat, 0], holes[seat, 1]
        strength[seat] = strength_of(key + CARD_KEYS[a] + CARD_KEYS[b], bits | CARD_BITS[a] | CARD_BITS[b])
    for pot in range(len(contenders)):
        best, winners = 0, 0
        for seat in range(len(holes)):
            if contenders[pot] >> seat & 1:
                if strength[seat] > best:
                    best, winners = strength[seat], 1
                elif strength[seat] == best:
                    winners += 1
        for seat in range(len(holes)):
            if contenders[pot] >> seat & 1 and strength[seat] == best:
                out[pot, seat] += SHARES // winners


@njit(cache=True, nogil=True)
def _sum_boards(
    holes: NDArray[np.uint8], board: NDArray[np.uint8], rest: NDArray[np.uint8], contenders: Any, out: Any
) -> int:
    """Adds the shares of all boards that the rest of the deck can complete; returns how many there are."""
    missing = 5 - len(board)
    key, bits = sum_cards(board, NO_CARDS)
    places = np.arange(missing)
    boards = 0
    while True:
        now_key, now_bits = key, bits
        for place in places:
            now_key += CARD_KEYS[rest[place]]
            now_bits |= CARD_BITS[rest[place]]
        _share(holes, now_key, now_bits, contenders, out)
        boards += 1
        last = missing - 1
        while last >= 0 and places[last] == len(rest) - missing + last:
            last -= 1
        if last < 0:
            return boards
        places[last] += 1
        for place in range(last + 1, missing):
            places[place] = places[place - 1] + 1


@lru_cache(maxsize=4096)
def _shares(
    holes: tuple[int, ...], board: tuple[int, ...], dead: tuple[int, ...], contenders: tuple[int, ...]
) -> list[list[Fraction]]:
    """The mean share of each hand in each pot, exactly; `contenders` are sets of hands as bits."""
    rest = [card for card in range(52) if card not in (*holes, *board, *dead)]
    out = np.zeros((len(contenders), len(holes) // 2), np.int64)
    cards = np.array(holes, np.uint8).reshape(-1, 2)
    boards = _sum_boards(
        cards, np.array(board, np.uint8), np.array(rest, np.uint8), np.array(contenders, np.int64), out
    )
    return [[Fraction(share, SHARES * boards) for share in pot] for pot in out.tolist()]


def all_in_values(
    deck: Sequence[int], street: int, put_in: Sequence[int], dead: Sequence[int], live: Sequence[int]
) -> Iterator[list[Fraction]]:
    """What each seat wins in the mean when the betting has ended on a street and the rest of the board is dealt.

    `put_in` is what each seat has put in for good (uncalled bets returned, dead antes apart). Given are the values
    with the cards of folded seats in the deck, and then, if any are known, with these cards out of it.
    """
    seats = len(put_in)
    holes = tuple(card for seat in live for card in deck[2 * seat : 2 * seat + 2])
    board = tuple(deck[2 * seats : 2 * seats + BOARD_CARDS[street]])
    if UNKNOWN in holes or UNKNOWN in board:
        return
    folded = [card for seat in range(seats) if seat not in live for card in deck[2 * seat : 2 * seat + 2]]
    known = tuple(card for card in folded if card != UNKNOWN)
    pots = side_pots(put_in, sum(dead), live)
    contenders = tuple(sum(1 << live.index(seat) for seat in pot.contenders) for pot in pots)
    for gone in [(), known] if known else [()]:
        values = [Fraction(-chips - ante) for chips, ante in zip(put_in, dead, strict=True)]
        for pot, shares in zip(pots, _shares(holes, board, gone, contenders), strict=True):
            for seat, share in zip(live, shares, strict=True):
                values[seat] += pot.chips * share
        yield values
