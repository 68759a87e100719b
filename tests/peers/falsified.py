"""Engines that are wrong in one place each, where other engines play by other rules: a comparison must find them.

Only what is offered is falsified, never what is done.
"""

import dataclasses
from collections.abc import Callable

from engines import Engine
from luckless.rules.actions import Legal
from luckless.rules.plain import PlainHand

Falsify = Callable[[PlainHand, Legal], tuple[int, int]]
"""The wrong bounds of a raise for the seat to act."""


def engine_offering(falsify: Falsify) -> Engine:
    """The plain engine with these bounds."""

    class Falsified(PlainHand):
        def legal(self) -> Legal:
            legal = super().legal()
            least, most = falsify(self, legal)
            return dataclasses.replace(legal, min_raise_to=least, max_raise_to=most)

    return Falsified


def _all_in(hand: PlainHand) -> int:
    assert hand.actor is not None
    return hand.bets[hand.actor] + hand.stacks[hand.actor]


def _is_short(hand: PlainHand) -> bool:
    """Whether the bet is a short all-in: one that does not count."""
    return hand.bet != hand.level


def seven_bets_more(hand: PlainHand, legal: Legal) -> tuple[int, int]:
    """Limit: after an all-in of less than half a bet, a raise of seven bets."""
    if not legal.can_raise or not _is_short(hand):
        return legal.min_raise_to, legal.max_raise_to
    amount = min(hand.bet + 7 * hand.game.bet_sizes[hand.street], _all_in(hand))
    return amount, amount


def no_completion(hand: PlainHand, legal: Legal) -> tuple[int, int]:
    """Limit: a raise over a short all-in is a full bet more, as in PokerKit."""
    if not legal.can_raise:
        return 0, 0
    amount = min(hand.bet + hand.game.bet_sizes[hand.street], _all_in(hand))
    return amount, amount


def never_reopened(hand: PlainHand, legal: Legal) -> tuple[int, int]:
    """All-ins open the betting to nobody: neither half a bet in limit nor several that add up to a full raise."""
    assert hand.actor is not None
    answered = hand.seats[hand.actor].answered
    is_limit = hand.game.betting == "limit"
    if answered is not None and (
        hand.bet - answered < hand.game.bet_sizes[hand.street] if is_limit else _is_short(hand)
    ):
        return 0, 0
    return legal.min_raise_to, legal.max_raise_to


def always_reopened(hand: PlainHand, legal: Legal) -> tuple[int, int]:
    """Every short all-in opens the betting to everybody, as in OpenSpiel."""
    able = sum(seat.able for seat in hand.seats) > 1
    if legal.can_raise or not able or not _is_short(hand) or _all_in(hand) <= hand.bet:
        return legal.min_raise_to, legal.max_raise_to
    if hand.game.betting == "limit":
        amount = min(hand.level + hand.game.bet_sizes[hand.street], _all_in(hand))
        return amount, amount
    return min(hand.bet + hand.full_raise, _all_in(hand)), _all_in(hand)


def larger_minimum(hand: PlainHand, legal: Legal) -> tuple[int, int]:
    """The smallest raise over a short all-in is a chip more than it should be."""
    least = legal.min_raise_to + (legal.can_raise and _is_short(hand))
    return min(least, legal.max_raise_to), legal.max_raise_to


def posted_pot(hand: PlainHand, legal: Legal) -> tuple[int, int]:
    """Pot-limit: the maximum counts a short blind as what was posted, as in PokerKit."""
    assert hand.actor is not None
    pot = 2 * hand.bet - hand.bets[hand.actor] + hand.pot
    return legal.min_raise_to, max(min(legal.max_raise_to, pot), legal.min_raise_to)
