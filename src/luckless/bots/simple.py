"""Bots that are simple rules, compiled: each takes the public record and its dice, and gives one action."""

from typing import Any

import numpy as np

from luckless.bots.dice import below
from luckless.kernels import njit
from luckless.rules.actions import CALL, FOLD


@njit(cache=True, nogil=True, inline="always")
def check_or_fold(hand: Any) -> Any:
    """The answer that costs nothing: check if that is free, else fold."""
    return CALL if hand.to_call == 0 else FOLD


@njit(cache=True, nogil=True)
def live_opponents(hand: Any) -> Any:
    """How many other seats have not folded."""
    count, live = -1, hand.live
    while live:
        live &= live - 1
        count += 1
    return count


@njit(cache=True, nogil=True)
def raise_between(hand: Any, word: Any) -> Any:
    """A raise to an amount uniform over what is legal; a call when raising is closed."""
    if hand.max_raise_to == 0:
        return CALL
    return hand.min_raise_to + below(word, hand.max_raise_to - hand.min_raise_to + 1)


@njit(cache=True, nogil=True)
def play_random(hand: Any, random_bits: Any) -> Any:
    """Folds, calls and raises with 1/3 each; the amount of a raise is uniform over what is legal."""
    kind = below(random_bits[0], 3)
    if kind == 0:
        return FOLD
    return CALL if kind == 1 else raise_between(hand, random_bits[1])


@njit(cache=True, nogil=True)
def play_uniform(hand: Any, random_bits: Any) -> Any:
    """Uniform over the kinds of action that make sense: fold only to a bet, raise only where it is legal."""
    kinds = 1 + (hand.to_call > 0) + (hand.max_raise_to > 0)
    kind = below(random_bits[0], kinds)
    if kind == 0:
        return CALL
    if kind == 1 and hand.to_call > 0:
        return FOLD
    return raise_between(hand, random_bits[1])


@njit(cache=True, nogil=True)
def raise_by_pot(hand: Any, share: Any) -> Any:
    """A raise by a share of the pot (as it is after a call), within what is legal; a call when raising is closed."""
    if hand.max_raise_to == 0:
        return CALL
    level = hand.street_bet[hand.actor] + hand.to_call
    wanted = level + np.int64(share * (hand.pot + hand.to_call))
    return min(max(wanted, hand.min_raise_to), hand.max_raise_to)
