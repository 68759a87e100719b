"""Bots that do not look at their cards: each takes the public record and its dice, and gives one action."""

from typing import Any

import numpy as np

from luckless.bots.dice import below
from luckless.bots.parameters import Entry
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
def raise_by_pot(hand: Any, share: Any) -> Any:
    """A raise by a share of the pot (as it is after a call), within what is legal; a call when raising is closed."""
    if hand.max_raise_to == 0:
        return CALL
    level = hand.street_bet[hand.actor] + hand.to_call
    wanted = level + np.int64(share * (hand.pot + hand.to_call))
    return min(max(wanted, hand.min_raise_to), hand.max_raise_to)


@njit(cache=True, nogil=True)
def put(out: Any, place: int, low: Any, high: Any, probability: Any) -> Any:
    """Writes an entry of a law unless it never happens; gives the next free place."""
    if probability <= 0.0:
        return place
    out[place, 0] = low
    out[place, 1] = high
    out[place, 2] = probability
    return place + 1


@njit(cache=True, nogil=True)
def _play_random(bot: Any, rules: Any, hand: Any, cards: Any, random_bits: Any, source: Any) -> Any:
    """Folds, calls and raises with 1/3 each; the amount of a raise is uniform over what is legal."""
    kind = below(random_bits[0], 3)
    if kind == 0:
        return FOLD
    return CALL if kind == 1 else raise_between(hand, random_bits[1])


@njit(cache=True, nogil=True)
def _random_law(bot: Any, rules: Any, hand: Any, cards: Any, source: Any, out: Any) -> Any:
    third, closed = 1 / 3, hand.max_raise_to == 0
    place = put(out, 0, FOLD, FOLD, third)
    place = put(out, place, CALL, CALL, 2 * third if closed else third)
    return put(out, place, hand.min_raise_to, hand.max_raise_to, 0.0 if closed else third)


@njit(cache=True, nogil=True)
def _play_uniform(bot: Any, rules: Any, hand: Any, cards: Any, random_bits: Any, source: Any) -> Any:
    """Uniform over the kinds of action that make sense: fold only to a bet, raise only where it is legal."""
    kinds = 1 + (hand.to_call > 0) + (hand.max_raise_to > 0)
    kind = below(random_bits[0], kinds)
    if kind == 0:
        return CALL
    if kind == 1 and hand.to_call > 0:
        return FOLD
    return raise_between(hand, random_bits[1])


@njit(cache=True, nogil=True)
def _uniform_law(bot: Any, rules: Any, hand: Any, cards: Any, source: Any, out: Any) -> Any:
    share = 1.0 / (1 + (hand.to_call > 0) + (hand.max_raise_to > 0))
    place = put(out, 0, CALL, CALL, share)
    place = put(out, place, FOLD, FOLD, share if hand.to_call > 0 else 0.0)
    return put(out, place, hand.min_raise_to, hand.max_raise_to, share if hand.max_raise_to > 0 else 0.0)


@njit(cache=True, nogil=True, inline="always")
def _play_call(bot: Any, rules: Any, hand: Any, cards: Any, random_bits: Any, source: Any) -> Any:
    return CALL


@njit(cache=True, nogil=True, inline="always")
def _play_fold(bot: Any, rules: Any, hand: Any, cards: Any, random_bits: Any, source: Any) -> Any:
    return check_or_fold(hand)


@njit(cache=True, nogil=True, inline="always")
def _play_raise(bot: Any, rules: Any, hand: Any, cards: Any, random_bits: Any, source: Any) -> Any:
    return hand.min_raise_to


@njit(cache=True, nogil=True, inline="always")
def _play_all_in(bot: Any, rules: Any, hand: Any, cards: Any, random_bits: Any, source: Any) -> Any:
    return hand.max_raise_to


RANDOM = Entry(
    "random",
    "Folds, calls or raises with 1/3 each, also when checking is free; the amount is uniform over what is legal.",
    _play_random,
    law=_random_law,
)
UNIFORM = Entry(
    "uniform",
    "Uniform over the kinds of action that make sense (no fold when checking is free); amounts as `random`.",
    _play_uniform,
    law=_uniform_law,
)
CALLER = Entry("call", "Always checks or calls.", _play_call)
FOLDER = Entry("fold", "Folds to any bet, otherwise checks.", _play_fold)
RAISER = Entry("raise", "Always bets or raises the smallest amount, calls when raising is closed.", _play_raise)
ALL_IN = Entry("all-in", "Always bets or raises the largest amount, calls when raising is closed.", _play_all_in)
