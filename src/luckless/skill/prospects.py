"""Compiled: what a public situation promises each seat, before anybody's cards are looked at.

A prospect is linear in shares of pots: a seat gets a fixed amount, and of each pot the share that its cards win when
the board is dealt out. So what a card is worth on average before it is dealt follows from shares alone, which have
the same mean before and after a deal. Value functions of this form are therefore fair at every deal by construction.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.kernels import njit
from luckless.rules.game import MAX_SEATS
from luckless.rules.state import FINISHED

PARAMETERS = 6
"""Numbers of an equity value function, each by street: how often a bet makes the others fold (as a multiple of what
leaves a bluff without profit, and besides always), how much the cards count beyond the pot of now (as a share of the
pot, and of what can still be bet), and what acting last is worth (as a share of the pot) heads-up and at a fuller
table."""

MOST_POTS = 2 * MAX_SEATS
"""Pots of one prospect, or of the mean of several."""

FOLDS, ALWAYS, GROWTH, DEPTH, LAST_OF_TWO, LAST_OF_MANY = range(PARAMETERS)

BETS_AHEAD = 3
"""What can still be bet counts up to so many pots."""


class Prospect(NamedTuple):
    """What each seat gets for certain, and the pots: chips, contenders (a bit a seat), and how many there are."""

    fixed: NDArray[np.float64]
    chips: NDArray[np.float64]
    contenders: NDArray[np.int64]
    pots: NDArray[np.int64]


@njit(cache=True, nogil=True)
def new_prospect() -> Prospect:
    """Room for a prospect."""
    return Prospect(np.zeros(MAX_SEATS), np.zeros(MOST_POTS), np.zeros(MOST_POTS, np.int64), np.zeros(1, np.int64))


@njit(cache=True, nogil=True)
def look_ahead(rules: Any, hand: Any, model: NDArray[np.float64], out: Prospect) -> None:
    """The prospect of a public record under the numbers of a value function, shape (4 streets, `PARAMETERS`)."""
    out.pots[0] = 0
    out.fixed[:] = 0.0
    if hand.live & (hand.live - 1) == 0:
        take_all(rules, hand, 1.0, out)
        return
    folds = 0.0
    if hand.actor != FINISHED:
        odds = fold_chance(rules, hand)
        if odds > 0:
            folds = odds * model[hand.street, FOLDS] + model[hand.street, ALWAYS]
    if folds != 0:
        take_all(rules, hand, folds, out)
    split_pots(rules, hand, put_in_at_showdown(rules, hand), 1.0 - folds, out)
    if hand.actor != FINISHED and hand.able & (hand.able - 1) != 0:
        _bend(rules, hand, model, out)


@njit(cache=True, nogil=True)
def put_in_at_showdown(rules: Any, hand: Any) -> Any:
    """What each seat has put in once the open bet is called."""
    put_in = np.zeros(MAX_SEATS, np.int64)
    for seat in range(rules.seats):
        put_in[seat] = hand.invested[seat]
        if hand.actor != FINISHED and hand.live & (1 << seat) and hand.pending & (1 << seat):
            put_in[seat] += min(hand.stack[seat], max(hand.bet - hand.street_bet[seat], 0))
    return put_in


@njit(cache=True, nogil=True)
def _bettor(rules: Any, hand: Any) -> int:
    """The one live seat that nobody has called yet; -1 if there are several such seats or none."""
    found = -1
    for seat in range(rules.seats):
        bit = 1 << seat
        if hand.live & bit and (not hand.able & bit or hand.street_bet[seat] >= hand.bet):
            if found >= 0:
                return -1
            found = seat
    return found


@njit(cache=True, nogil=True)
def fold_chance(rules: Any, hand: Any) -> Any:
    """How often all who face a bet would fold if each did so just often enough to make a bluff pay nothing."""
    bettor = _bettor(rules, hand)
    if bettor < 0 or hand.bet == 0:
        return 0.0
    others, facing = 0, 0
    for seat in range(rules.seats):
        if hand.live & (1 << seat) and seat != bettor:
            facing += 1
            others = max(others, hand.street_bet[seat])
    risk = hand.street_bet[bettor] - others
    if risk <= 0 or hand.pot <= 0:
        return 0.0
    return (risk / hand.pot) ** facing


@njit(cache=True, nogil=True)
def take_all(rules: Any, hand: Any, chance: float, out: Prospect) -> None:
    """Adds the case that one seat is left: the only live one, or the bettor when all others fold."""
    winner = _bettor(rules, hand)
    for seat in range(rules.seats):
        if hand.live == 1 << seat:
            winner = seat
    for seat in range(rules.seats):
        out.fixed[seat] -= chance * hand.invested[seat]
    out.fixed[winner] += chance * hand.pot


@njit(cache=True, nogil=True)
def split_pots(rules: Any, hand: Any, put_in: NDArray[np.int64], chance: float, out: Prospect) -> None:
    """Adds the case of a showdown: what nobody called goes back, the rest lies in pots by level."""
    for seat in range(rules.seats):
        out.fixed[seat] -= chance * put_in[seat]
    below = 0
    while True:
        level = 0
        for seat in range(rules.seats):
            if hand.live & (1 << seat) and put_in[seat] > below and (level == 0 or put_in[seat] < level):
                level = put_in[seat]
        if level == 0:
            break
        chips, contenders = 0, 0
        for seat in range(rules.seats):
            chips += max(min(put_in[seat], level) - below, 0)
            if hand.live & (1 << seat) and put_in[seat] >= level:
                contenders |= 1 << seat
        below = level
        _add_pot(chance * chips, contenders, out)
    for seat in range(rules.seats):  # folded seats may have put in more than any live one
        if put_in[seat] > below and out.pots[0] > 0:
            out.chips[out.pots[0] - 1] += chance * (put_in[seat] - below)


@njit(cache=True, nogil=True)
def _add_pot(chips: float, contenders: int, out: Prospect) -> None:
    if contenders & (contenders - 1) == 0:
        seat = 0
        while not contenders & (1 << seat):
            seat += 1
        out.fixed[seat] += chips
        return
    last = out.pots[0] - 1
    if last >= 0 and out.contenders[last] == contenders:
        out.chips[last] += chips
        return
    out.chips[last + 1] = chips
    out.contenders[last + 1] = contenders
    out.pots[0] += 1


@njit(cache=True, nogil=True)
def can_be_bet(rules: Any, hand: Any, contenders: int) -> Any:
    """What two of the contenders can still put in each after the open bet is called, up to `BETS_AHEAD` pots."""
    deepest, second = 0, 0
    for seat in range(rules.seats):
        if contenders & (1 << seat):
            left = hand.stack[seat]
            if hand.pending & (1 << seat):
                left -= min(left, max(hand.bet - hand.street_bet[seat], 0))
            if left >= deepest:
                deepest, second = left, deepest
            elif left > second:
                second = left
    return min(second, BETS_AHEAD * hand.pot)


@njit(cache=True, nogil=True)
def _bend(rules: Any, hand: Any, model: NDArray[np.float64], out: Prospect) -> None:
    """What more betting adds: shares count for more than the pot of now, and acting last is worth something.

    Both take from some what they give to others, so nothing is made up. All that the numbers of a value function do
    is linear in them, so that they can be fitted by least squares.
    """
    street = hand.street
    pot = out.pots[0] - 1
    if pot < 0:
        return
    contenders = out.contenders[pot]
    seats, last = 0, -1
    for seat in range(rules.seats):
        if contenders & (1 << seat):
            seats += 1
            last = seat
    extra = hand.pot * model[street, GROWTH] + can_be_bet(rules, hand, contenders) * model[street, DEPTH]
    out.chips[pot] += extra
    bonus = hand.pot * model[street, LAST_OF_TWO if seats == 2 else LAST_OF_MANY]
    for seat in range(rules.seats):
        if contenders & (1 << seat):
            out.fixed[seat] -= extra / seats
            out.fixed[seat] += bonus if seat == last else -bonus / (seats - 1)
