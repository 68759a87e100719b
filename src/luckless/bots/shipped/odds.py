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
from luckless.bots.parameters import Entry, Parameter, place_of
from luckless.bots.shipped.simple import check_or_fold, put
from luckless.bots.shipped.sklansky import SKLANSKY_PARAMETERS, play_starting_hand
from luckless.bots.shipped.win_rate import LOCK, WIN_RATE, win_rate
from luckless.kernels import njit
from luckless.rules.actions import CALL, FOLD

_RISK = "How far above the odds it pays: costs up to (1 + risk) times what they allow."
_THRESHOLD = (
    *WIN_RATE,
    Parameter("at", 0.5, 0, 1, "The win rate from which on it calls."),
    Parameter.word(
        "fold", ("bet", "free"), "What it folds below `at`: only to a bet, or also when checking is free."
    ),
)
_ODDS = (*WIN_RATE, Parameter("risk", 0, 0, 10, _RISK))
_MIXED = (
    *WIN_RATE,
    Parameter("risk", 0.05, 0, 10, _RISK),
    Parameter("preflop", 1, 0, 1, "Conserve factor before the flop."),
    Parameter("flop", 0.8, 0, 1, "Conserve factor on the flop."),
    Parameter("turn", 0.4, 0, 1, "Conserve factor on the turn."),
    Parameter("river", 0.1, 0, 1, "Conserve factor on the river."),
)
_BY_THRESHOLD, _CALLS, _RAISES, _RAISES_AHEAD, _MIXES, _STARTS_BY_GROUP = range(6)
AT, FOLDS = place_of(_THRESHOLD, "at"), place_of(_THRESHOLD, "fold")
RISK, CONSERVE = place_of(_ODDS, "risk"), place_of(_MIXED, "preflop")
FOLDS_FREE = 1
"""The value of the parameter `fold` with which a weak hand is folded though a check is free."""


@njit(cache=True, nogil=True)
def locked_in(rules: Any, hand: Any) -> Any:
    """Whether folding every hand that is left keeps the seat above the chips it began the session with.

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


@njit(cache=True, nogil=True)
def mixed_law(hand: Any, win: Any, risk: Any, conserve: Any, out: Any) -> Any:
    """The law of `raise_mixed`: the draw is uniform, rounded down and brought within the bounds."""
    amount = allowed_cost(hand.pot, win)
    most = amount * (1.0 + risk)
    if not _may_raise(hand, win, most, 0.5):
        action = call_by_odds(hand, win, risk)
        return put(out, 0, action, action, 1.0)
    if win >= 1.0:
        return put(out, 0, hand.max_raise_to, hand.max_raise_to, 1.0)
    paid = hand.street_bet[hand.actor]
    least, low, high = amount * (1.0 - conserve), hand.min_raise_to - paid, hand.max_raise_to - paid
    if most <= least or low == high:
        raise_to = _raise_for(hand, np.floor(least))
        return put(out, 0, raise_to, raise_to, 1.0)
    width = most - least
    first, last = max(np.floor(least), low + 1.0), min(np.ceil(most) - 1.0, high - 1.0)
    place = put(out, 0, low + paid, low + paid, (min(low + 1.0, most) - least) / width)
    if first <= last:
        in_first = (min(first + 1.0, most) - max(first, least)) / width
        place = put(out, place, first + paid, first + paid, in_first)
    if first < last:
        in_last = (min(last + 1.0, most) - last) / width
        place = put(out, place, first + 1.0 + paid, last - 1.0 + paid, (last - first - 1.0) / width)
        place = put(out, place, last + paid, last + paid, in_last)
    return put(out, place, high + paid, high + paid, (most - max(high * 1.0, least)) / width)


@njit(cache=True, nogil=True)
def _locked(bot: Any, rules: Any, hand: Any) -> Any:
    return bot.parameters[LOCK] > 0 and locked_in(rules, hand)


@njit(cache=True, nogil=True)
def _play(bot: Any, rules: Any, hand: Any, cards: Any, random_bits: Any, source: Any) -> Any:
    """All rules of the family, told apart by `bot.variant`: the win rate takes long to compile, so it stands once."""
    variant, parameters = bot.variant, bot.parameters
    if _locked(bot, rules, hand):
        return check_or_fold(hand)
    if variant == _STARTS_BY_GROUP and hand.street == 0:
        return play_starting_hand(bot, rules, hand, cards)
    if hand.to_call == 0 and (variant == _CALLS or (variant == _BY_THRESHOLD and parameters[FOLDS] != FOLDS_FREE)):
        return CALL
    win = win_rate(bot, hand, cards, source)
    if variant == _BY_THRESHOLD:
        return FOLD if win < parameters[AT] else CALL
    if variant == _STARTS_BY_GROUP:
        return raise_by_odds(hand, win, 0.0, 0.5)
    risk = parameters[RISK]
    if variant == _CALLS:
        return call_by_odds(hand, win, risk)
    if variant == _MIXES:
        return raise_mixed(hand, win, risk, parameters[CONSERVE + hand.street], random_bits[1])
    return raise_by_odds(hand, win, risk, 0.5 if variant == _RAISES_AHEAD else 0.0)


@njit(cache=True, nogil=True)
def _pot_odds_mixed_law(bot: Any, rules: Any, hand: Any, cards: Any, source: Any, out: Any) -> Any:
    if _locked(bot, rules, hand):
        return put(out, 0, check_or_fold(hand), check_or_fold(hand), 1.0)
    win, conserve = win_rate(bot, hand, cards, source), bot.parameters[CONSERVE + hand.street]
    return mixed_law(hand, win, bot.parameters[RISK], conserve, out)


THRESHOLD = Entry(
    "threshold",
    "Folds to a bet with a win rate below `at`, otherwise checks or calls. With fold=free it folds such a hand even "
    "when checking is free.",
    _play,
    _THRESHOLD,
    uses_cards=True,
    variant=_BY_THRESHOLD,
)
POT_ODDS_CALL = Entry(
    "pot-odds-call",
    "Folds when a call costs more than pot x win rate / (1 - win rate), otherwise checks or calls.",
    _play,
    _ODDS,
    uses_cards=True,
    variant=_CALLS,
)
POT_ODDS_RAISE = Entry(
    "pot-odds-raise",
    "As pot-odds-call, but raises whenever a raise costs less than those odds allow: the most that does.",
    _play,
    _ODDS,
    uses_cards=True,
    variant=_RAISES,
)
POT_ODDS = Entry(
    "pot-odds",
    "As pot-odds-raise, but raises only with a win rate above 0.5.",
    _play,
    _ODDS,
    uses_cards=True,
    variant=_RAISES_AHEAD,
)
POT_ODDS_MIXED = Entry(
    "pot-odds-mixed",
    "As pot-odds, but the cost of a raise is drawn uniformly between (1 - conserve) and (1 + risk) times what "
    "the odds allow.",
    _play,
    _MIXED,
    uses_cards=True,
    variant=_MIXES,
    law=_pot_odds_mixed_law,
)
SKLANSKY = Entry(
    "sklansky",
    "Before the flop plays by the starting-hand groups of Sklansky and Malmuth: groups 1 and 2 raise by the pot "
    "(against a raise only group 1 does), others up to the loosest call, the rest checks or folds. Then as "
    "pot-odds.",
    _play,
    SKLANSKY_PARAMETERS,
    uses_cards=True,
    variant=_STARTS_BY_GROUP,
)
