"""The baseline of DIVAT as a player: it bets what its hand is worth, bluffs never, and folds at equilibrium rates.

The class of a hand is F (fold), C (call) or M1 to M4 (make so many bets), by its effective hand rank (EHR) and the
standard thresholds of Kan, Postgame Analysis of Poker Decisions (2007), table 3.2.
"""

from typing import Any

import numpy as np

from luckless.bots.parameters import Entry
from luckless.bots.shipped.simple import check_or_fold, live_opponents, raise_by_pot
from luckless.hands.effective import (
    EHR_UNITS,
    THESIS_FOLD_OFFSETS,
    THESIS_MAKES,
    EffectiveRank,
    effective_count,
)
from luckless.hands.rank_source import hr7_half_count, ihr_half_count
from luckless.kernels import njit
from luckless.rules.actions import CALL
from luckless.rules.state import LIMIT

FOLD_OFFSETS = np.array(THESIS_FOLD_OFFSETS, np.float64)

MAKES = np.array(THESIS_MAKES, np.float64)

_BARS = EffectiveRank().bars()
_EHR_UNITS = np.array(EHR_UNITS, np.float64)


@njit(cache=True, nogil=True)
def _play(bot: Any, rules: Any, hand: Any, cards: Any, random_bits: Any, source: Any) -> Any:
    """Checks or folds class F, checks or calls class C; class Mk bets or raises while fewer than k bets were made.

    That is table 3.1 of the thesis and, before the flop, where the blind is no bet that was made, the later tool's
    table. Where the size of a bet is free, M1 bets half the pot and M2 to M4 the whole pot (after a call). The
    thesis knows one opponent; against n of them the rank after the flop is taken to the power n.
    """
    street = hand.street
    ihr, hr7 = ihr_half_count(cards, street, source), hr7_half_count(cards, street, source)
    rank = effective_count(street, ihr, hr7, _BARS) / _EHR_UNITS[street]
    if street > 0:
        rank **= live_opponents(hand)
    if hand.to_call > 0 and rank < _fold_below(rules, hand):
        return check_or_fold(hand)
    worth = 0
    while worth < 4 and rank > MAKES[street, worth]:
        worth += 1
    made = hand.bets - 1 if street == 0 else hand.bets
    if made < worth:
        return raise_by_pot(hand, 0.5 if worth == 1 else 1.0)
    return CALL


@njit(cache=True, nogil=True)
def _fold_below(rules: Any, hand: Any) -> Any:
    """The rank below which the hand is class F: bet / (pot + bet) + offset, with the pot at the start of the street.

    In limit the bet is that of the street; else what the seat must have put in on the street to stay. Before the flop
    the pot is both blinds matched (and antes), and only what is bet beyond the big blind counts, at least one blind.
    """
    seat, street = hand.actor, hand.street
    pot = np.float64(hand.pot)
    for other in range(rules.seats):
        pot -= hand.street_bet[other]
    bet = np.float64(hand.street_bet[seat] + hand.to_call)
    if street == 0:
        pot += 2 * rules.big_blind
        bet = max(bet - rules.big_blind, np.float64(rules.big_blind))
    if rules.betting == LIMIT:
        bet = np.float64(rules.bet_size[street])
    return bet / (pot + bet) + FOLD_OFFSETS[street]


VALUE_BET = Entry(
    "value-bet",
    "The baseline of DIVAT as a player: the effective rank of its hand says whether it folds to a bet, calls, or "
    "makes one to four bets. Where sizes are free it bets half the pot with a hand worth one bet, else the pot.",
    _play,
    uses_cards=True,
)
