"""Compiled: what a situation promises each seat by how strong hands are.

An outlook is a prospect (see `prospects`) that is not decided yet: what a showdown would bring, what it changes if
all fold to an open bet, and what the pot may grow by. How often hands fold, and how much more than the pot of now
they win, depends on their strength: the place of a hand among all hands on its board, from 0 to 1. Such values are
not linear in shares, so deals are still valued by prospects; outlooks value what players do.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.hands.evaluator import CARD_BITS, CARD_KEYS, NO_CARDS, strength_of
from luckless.hands.pairs import PAIR_CARDS, PAIRS, pair_number
from luckless.kernels import njit
from luckless.rules.game import MAX_SEATS
from luckless.rules.state import FINISHED
from luckless.skill.prospects import (
    MOST_POTS,
    Prospect,
    can_be_bet,
    fold_chance,
    new_prospect,
    put_in_at_showdown,
    split_pots,
    take_all,
)
from luckless.skill.shares import Deal

KNOTS = np.array([0.0, 0.4, 0.7, 0.9, 1.0])
"""Strengths at which a number of its own stands; between them numbers go over evenly."""

MANY_KNOTS = len(KNOTS)
FOLDS, ALWAYS, GROWTH, DEPTH = 0, MANY_KNOTS, 2 * MANY_KNOTS, 3 * MANY_KNOTS
"""Where the numbers of a street begin that depend on strength. The first two say how often the strongest of those who
face a bet folds: as a multiple of what leaves a bluff without profit, and besides always. The others say how much
more than the pot of now the cards decide, by the strength of the second best hand: as a share of the pot, and of what
can still be bet."""

LAST_OF_TWO, LAST_OF_MANY = 4 * MANY_KNOTS, 4 * MANY_KNOTS + 1
"""What acting last is worth as a share of the pot, heads-up and at a fuller table."""

NUMBERS = 4 * MANY_KNOTS + 2
"""Numbers of an outlook a street."""

SHOWDOWN, BY_ODDS, BY_ALL = range(3)
"""Parts of an outlook: a showdown, and what it changes if all fold, times the odds and as it is."""

FACING, NO_HAND = MOST_POTS, -1
_TOP_STRENGTH = 7462
_ONE = np.uint64(1)


class Outlook(NamedTuple):
    """What a situation promises, or several in the mean."""

    fixed: NDArray[np.float64]
    """By part what each seat gets for certain."""
    chips: NDArray[np.float64]
    """By part the chips of each pot."""
    growth: NDArray[np.float64]
    """For each pot the pot of now, and what can still be bet; 0 where nobody bets any more."""
    last: NDArray[np.float64]
    """What acting last brings each seat, if two are left and if more are."""
    contenders: NDArray[np.int64]
    """The seats of each pot, a bit a seat."""
    many: NDArray[np.int64]
    """How many pots there are, and the seats that face a bet."""
    best: NDArray[np.int64]
    """The best two hands in each pot, and at `FACING` among those who face a bet; without the varied seat."""
    one: Prospect
    """Room for a prospect."""


@njit(cache=True, nogil=True)
def new_outlook() -> Outlook:
    """Room for an outlook."""
    return Outlook(
        np.zeros((3, MAX_SEATS)),
        np.zeros((3, MOST_POTS)),
        np.zeros((2, MOST_POTS)),
        np.zeros((2, MAX_SEATS)),
        np.zeros(MOST_POTS, np.int64),
        np.zeros(2, np.int64),
        np.zeros((MOST_POTS + 1, 2), np.int64),
        new_prospect(),
    )


@njit(cache=True, nogil=True)
def clear_outlook(out: Outlook) -> None:
    """Takes everything out."""
    out.fixed[:] = 0.0
    out.chips[:] = 0.0
    out.growth[:] = 0.0
    out.last[:] = 0.0
    out.many[:] = 0


@njit(cache=True, nogil=True)
def add_outlook(rules: Any, hand: Any, scale: float, out: Outlook) -> None:
    """Adds the outlook of a public record, times `scale`."""
    one = out.one
    one.pots[0] = 0
    one.fixed[:] = 0.0
    if hand.live & (hand.live - 1) == 0:
        take_all(rules, hand, 1.0, one)
        _add(SHOWDOWN, scale, rules.seats, out)
        return
    split_pots(rules, hand, put_in_at_showdown(rules, hand), 1.0, one)
    _add(SHOWDOWN, scale, rules.seats, out)
    if hand.actor == FINISHED:
        return
    top = one.contenders[one.pots[0] - 1] if one.pots[0] > 0 else 0
    odds = fold_chance(rules, hand)
    if odds > 0:
        _add(BY_ODDS, -scale * odds, rules.seats, out)
        _add(BY_ALL, -scale, rules.seats, out)
        one.pots[0] = 0
        one.fixed[:] = 0.0
        take_all(rules, hand, 1.0, one)
        _add(BY_ODDS, scale * odds, rules.seats, out)
        _add(BY_ALL, scale, rules.seats, out)
        out.many[1] = hand.live & hand.pending
    if top and hand.able & (hand.able - 1) != 0:
        _add_growth(rules, hand, top, scale, out)


@njit(cache=True, nogil=True)
def _add(part: int, scale: float, seats: int, out: Outlook) -> None:
    """Adds the prospect `out.one` to a part."""
    for seat in range(seats):
        out.fixed[part, seat] += scale * out.one.fixed[seat]
    for pot in range(out.one.pots[0]):
        out.chips[part, _pot_of(out.one.contenders[pot], out)] += scale * out.one.chips[pot]


@njit(cache=True, nogil=True)
def _pot_of(contenders: int, out: Outlook) -> int:
    """The place of the pot of some seats."""
    place = 0
    while place < out.many[0] and out.contenders[place] != contenders:
        place += 1
    if place == out.many[0]:
        out.many[0] += 1
        out.contenders[place] = contenders
    return place


@njit(cache=True, nogil=True)
def _add_growth(rules: Any, hand: Any, contenders: int, scale: float, out: Outlook) -> None:
    place = _pot_of(contenders, out)
    out.growth[0, place] += scale * hand.pot
    out.growth[1, place] += scale * can_be_bet(rules, hand, contenders)
    seats, last = 0, -1
    for seat in range(rules.seats):
        if contenders & (1 << seat):
            seats += 1
            last = seat
    for seat in range(rules.seats):
        if contenders & (1 << seat):
            bonus = 1.0 if seat == last else -1.0 / (seats - 1)
            out.last[0 if seats == 2 else 1, seat] += scale * hand.pot * bonus


@njit(cache=True, nogil=True)
def strengths_on(board: NDArray[np.uint8], out: NDArray[np.float64]) -> None:
    """The strength of every hand on a board of 3 to 5 cards: the share of weaker hands that the board leaves, and
    half of those that are as strong; 0 for hands that share a card with it."""
    key, bits, taken = NO_CARDS, np.uint64(0), np.uint64(0)
    for card in board:
        key += CARD_KEYS[card]
        bits |= CARD_BITS[card]
        taken |= _ONE << np.uint64(card)
    counts, found = np.zeros(_TOP_STRENGTH + 1), np.zeros(PAIRS, np.int64)
    for pair in range(PAIRS):
        low, high = PAIR_CARDS[pair, 0], PAIR_CARDS[pair, 1]
        if not (taken >> np.uint64(low) | taken >> np.uint64(high)) & _ONE:
            found[pair] = strength_of(key + CARD_KEYS[low] + CARD_KEYS[high], bits | CARD_BITS[low] | CARD_BITS[high])
            counts[found[pair]] += 1.0
    weaker, total = 0.0, counts.sum()
    for strength in range(1, _TOP_STRENGTH + 1):
        many = counts[strength]
        counts[strength] = (weaker + many / 2) / total
        weaker += many
    for pair in range(PAIRS):
        out[pair] = counts[found[pair]]


@njit(cache=True, nogil=True)
def look_at_cards(deal: Deal, strengths: NDArray[np.float64], out: Outlook) -> None:
    """Finds the best hands of all seats whose cards are given."""
    for place in range(out.many[0] + 1):
        pot = place if place < out.many[0] else FACING
        seats = out.contenders[pot] if place < out.many[0] else out.many[1]
        best, second = NO_HAND, NO_HAND
        for seat in range(deal.seats):
            if seats & (1 << seat) and seat != deal.varied:
                pair = pair_number(deal.deck[2 * seat], deal.deck[2 * seat + 1])
                if best == NO_HAND or strengths[pair] > strengths[best]:
                    best, second = pair, best
                elif second == NO_HAND or strengths[pair] > strengths[second]:
                    second = pair
        out.best[pot, 0], out.best[pot, 1] = best, second


@njit(cache=True, nogil=True, inline="always")
def _strongest(best: int, pair: int, varied: Any, strengths: NDArray[np.float64]) -> Any:
    """The best hand of some seats, if one of them is varied and holds `pair`."""
    return pair if varied and (best == NO_HAND or strengths[pair] > strengths[best]) else best


@njit(cache=True, nogil=True, inline="always")
def _second(best: int, second: int, pair: int, varied: Any, strengths: NDArray[np.float64]) -> Any:
    """The second best hand of some seats, if one of them is varied and holds `pair`."""
    if not varied:
        return second
    if strengths[pair] > strengths[best]:
        return best
    return pair if second == NO_HAND or strengths[pair] > strengths[second] else second


@njit(cache=True, nogil=True, inline="always")
def _between(strength: float) -> Any:
    """The knot below a strength, and which part of the way to the next one it stands."""
    place = 0
    while place < MANY_KNOTS - 2 and strength > KNOTS[place + 1]:
        place += 1
    return place, (strength - KNOTS[place]) / (KNOTS[place + 1] - KNOTS[place])


@njit(cache=True, nogil=True)
def at_strength(strength: float, numbers: NDArray[np.float64]) -> Any:
    """The number of a strength, evenly between those at the knots."""
    place, part = _between(strength)
    return (1.0 - part) * numbers[place] + part * numbers[place + 1]


@njit(cache=True, nogil=True)
def numbers_of_hands(numbers: NDArray[np.float64], strengths: NDArray[np.float64], out: NDArray[np.float64]) -> None:
    """The four numbers of a street that depend on strength, for every hand: shape (1,326, 4)."""
    for pair in range(len(strengths)):
        place, part = _between(strengths[pair])
        for kind in range(4):
            first = kind * MANY_KNOTS + place
            out[pair, kind] = (1.0 - part) * numbers[first] + part * numbers[first + 1]


class Eyes(NamedTuple):
    """What the hands of the varied seat are looked at with: how likely each is, the judged seat's shares of pots by
    hand, where those of each pot stand, and strengths."""

    weights: NDArray[np.float64]
    shares: NDArray[np.float64]
    places: NDArray[np.int64]
    strengths: NDArray[np.float64]


@njit(cache=True, nogil=True)
def worths(
    deal: Deal,
    outlook: Outlook,
    eyes: Eyes,
    of_street: NDArray[np.float64],
    of_hands: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """What an outlook is worth to the judged seat by each hand that the varied one may hold.

    The numbers are those of the street, and the same by hand (see `numbers_of_hands`).
    """
    judged = deal.judged
    fixed, odds_fixed, all_fixed = outlook.fixed[0, judged], outlook.fixed[1, judged], outlook.fixed[2, judged]
    fixed += outlook.last[0, judged] * of_street[LAST_OF_TWO] + outlook.last[1, judged] * of_street[LAST_OF_MANY]
    facing, bold = outlook.many[1], outlook.best[FACING, 0]
    faces = deal.varied >= 0 and (facing >> max(deal.varied, 0)) & 1 == 1
    for pair in range(len(out)):
        out[pair] = fixed
        if facing and eyes.weights[pair] > 0:
            counts = _strongest(bold, pair, faces, eyes.strengths)
            out[pair] += odds_fixed * of_hands[counts, 0] + all_fixed * of_hands[counts, 1]
    for pot in range(outlook.many[0]):
        contenders = outlook.contenders[pot]
        if not contenders >> judged & 1:
            continue
        chips, odds_chips, all_chips = outlook.chips[0, pot], outlook.chips[1, pot], outlook.chips[2, pot]
        grows, deepens, even = outlook.growth[0, pot], outlook.growth[1, pot], even_share(deal, contenders)
        best, second, shares = outlook.best[pot, 0], outlook.best[pot, 1], eyes.shares[eyes.places[pot]]
        is_in = deal.varied >= 0 and (contenders >> max(deal.varied, 0)) & 1 == 1
        for pair in range(len(out)):
            if eyes.weights[pair] <= 0:
                continue
            share = shares[pair]
            value = chips * share
            if facing:
                counts = _strongest(bold, pair, faces, eyes.strengths)
                value += share * (odds_chips * of_hands[counts, 0] + all_chips * of_hands[counts, 1])
            if grows != 0:
                counts = _second(best, second, pair, is_in, eyes.strengths)
                value += (share - even) * (grows * of_hands[counts, 2] + deepens * of_hands[counts, 3])
            out[pair] += value


@njit(cache=True, nogil=True)
def even_share(deal: Deal, contenders: int) -> Any:
    """The share of each seat of a pot if all cards are worth the same."""
    seats = 0
    for seat in range(deal.seats):
        seats += contenders >> seat & 1
    return 1.0 / seats
