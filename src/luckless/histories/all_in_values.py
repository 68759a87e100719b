"""What an all-in is worth before the board is dealt out: the exact mean over all boards, pot by pot.

Some logs print this in place of what the dealt board gave, to take luck out. Their hands are recognised by it.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from luckless.cards import format_cards
from luckless.hands.equity import equity
from luckless.rules.columns import UNKNOWN
from luckless.rules.game import BOARD_CARDS
from luckless.rules.plain_settlement import Pot, side_pots

Hole = tuple[int, int]


@lru_cache(maxsize=4096)
def _shares(holes: tuple[Hole, ...], board: tuple[int, ...], dead: tuple[int, ...]) -> list[Fraction]:
    """The exact mean share of each hand in a pot."""
    if len(holes) == 1:
        return [Fraction(1)]
    result = equity([format_cards(hole) for hole in holes], format_cards(board), format_cards(dead))
    return [
        sum((Fraction(deals, sharers * result.deals) for sharers, deals in enumerate(counts, 1)), Fraction(0))
        for counts in result.counts
    ]


def all_in_values(
    deck: Sequence[int], street: int, put_in: Sequence[int], dead: Sequence[int], live: Sequence[int]
) -> Iterator[list[Fraction]]:
    """What each seat wins in the mean when the betting has ended on a street and the rest of the board is dealt.

    `put_in` is what each seat has put in for good (uncalled bets returned, dead antes apart). Given are the values
    with the cards of folded seats in the deck, and then, if any are known, with these cards out of it.
    """
    seats = len(put_in)
    board = tuple(deck[2 * seats : 2 * seats + BOARD_CARDS[street]])
    holes: dict[int, Hole] = {seat: (deck[2 * seat], deck[2 * seat + 1]) for seat in live}
    if UNKNOWN in board or any(UNKNOWN in hole for hole in holes.values()):
        return
    folded = [card for seat in range(seats) if seat not in live for card in deck[2 * seat : 2 * seat + 2]]
    known = tuple(card for card in folded if card != UNKNOWN)
    pots = side_pots(put_in, sum(dead), live)
    for gone in [(), known] if known else [()]:
        values = [Fraction(-chips - ante) for chips, ante in zip(put_in, dead, strict=True)]
        for pot in pots:
            for seat, share in _pot_shares(pot, holes, board, gone).items():
                values[seat] += pot.chips * share
        yield values


def _pot_shares(
    pot: Pot, holes: dict[int, Hole], board: tuple[int, ...], gone: tuple[int, ...]
) -> dict[int, Fraction]:
    """The mean share of each contender; the cards of everybody else who is all-in cannot come."""
    others = tuple(card for seat, hole in holes.items() if seat not in pot.contenders for card in hole)
    shares = _shares(tuple(holes[seat] for seat in pot.contenders), board, (*gone, *others))
    return dict(zip(pot.contenders, shares, strict=True))
