"""The family of a course report: bots that know their win rate, and the odds that the pot gives them.

The report asks of a bet that pot_amount x win_rate >= cost x lose_rate, so that cost may be at most
amount_0 = pot_amount x win_rate / (1 - win_rate). Here `pot_amount` is all that lies in the middle at the decision,
the opponents' bets of the street included. Every `amount` of the report is read as a cost: chips that the seat has to
put in now. A call costs `to_call`; a raise to x costs x less what the seat has already put in on the street. With a
win rate of 1 any cost is allowed: the bots then never fold, and raise all they have.
"""

from typing import Any

import numpy as np

from luckless.bots.dice import fraction
from luckless.kernels import njit
from luckless.rules.actions import CALL, FOLD

AT = 3
"""Place of the parameter of `threshold`."""
RISK, CONSERVE = 3, 4
"""Places of the parameters of the pot-odds bots; four conserve factors follow each other, one a street."""


@njit(cache=True, nogil=True)
def locked_in(rules: Any, hand: Any) -> Any:
    """Whether folding every round that is left keeps the seat above the chips it began the session with.

    The report's test, (20 - round) x 10 < token_self - 1000: a round costs at most the blind and ante of the dearest
    seat, and chips that are in the pot count as lost.
    """
    dearest = 0
    for seat in range(rules.seats):
        dearest = max(dearest, rules.blind[seat] + rules.ante[seat])
    lead = hand.stack[hand.actor] - hand.session_stack
    return hand.rounds_left >= 0 and np.int64(hand.rounds_left) * dearest < lead


@njit(cache=True, nogil=True)
def allowed_cost(pot: Any, win: Any) -> Any:
    """The report's amount_0: what the pot's odds allow to pay; infinite for a win rate of 1."""
    if win >= 1.0:
        return np.inf
    return pot * win / (1.0 - win)


@njit(cache=True, nogil=True)
def call_by_odds(hand: Any, win: Any, risk: Any) -> Any:
    """Folds when a call costs more than the odds allow, stretched by the risk factor; else calls."""
    return FOLD if hand.to_call > allowed_cost(hand.pot, win) * (1.0 + risk) else CALL


@njit(cache=True, nogil=True)
def raise_by_odds(hand: Any, win: Any, risk: Any, above: Any) -> Any:
    """`call_by_odds`, but with a win rate above `above` raises the most that costs less than the odds allow."""
    most = allowed_cost(hand.pot, win) * (1.0 + risk)
    if not _may_raise(hand, win, most, above):
        return call_by_odds(hand, win, risk)
    return _raise_for(hand, np.ceil(most) - 1.0)


@njit(cache=True, nogil=True)
def raise_mixed(hand: Any, win: Any, risk: Any, conserve: Any, word: Any) -> Any:
    """As `raise_by_odds` above one half, with a cost drawn from amount_0 (1 - conserve) to amount_0 (1 + risk).

    The draw is rounded down to whole chips and then brought within what is legal.
    """
    amount = allowed_cost(hand.pot, win)
    most = amount * (1.0 + risk)
    if not _may_raise(hand, win, most, 0.5):
        return call_by_odds(hand, win, risk)
    if win >= 1.0:
        return hand.max_raise_to
    least = amount * (1.0 - conserve)
    return _raise_for(hand, np.floor(least + fraction(word) * (most - least)))


@njit(cache=True, nogil=True)
def _may_raise(hand: Any, win: Any, most: Any, above: Any) -> Any:
    """Whether raising is open, the win rate is above the bar and the smallest raise costs less than `most`."""
    cheapest = hand.min_raise_to - hand.street_bet[hand.actor]
    return hand.max_raise_to > 0 and hand.to_call <= most and win > above and cheapest < most


@njit(cache=True, nogil=True)
def _raise_for(hand: Any, cost: Any) -> Any:
    """The raise that costs so many chips, brought within what is legal."""
    paid = hand.street_bet[hand.actor]
    within = min(max(cost, hand.min_raise_to - paid), hand.max_raise_to - paid)
    return np.int64(within) + paid
