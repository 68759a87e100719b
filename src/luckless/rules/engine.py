"""The rules, compiled: one record is one hand, and three steps carry it from the blinds to the money.

`begin` posts antes and blinds, `act` makes one legal action and moves to the next decision, `settle` pays. The rules
themselves are stated in `docs/rules.md` and, for reading, in `plain`; this is their fast twin. Nothing is checked
here: `check` says beforehand whether an action is legal, and why not.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.hands.evaluator import CARD_BITS, CARD_KEYS, NO_CARDS, strength_of, sum_cards
from luckless.kernels import njit
from luckless.rules.actions import CALL, FOLD
from luckless.rules.state import FINISHED, LIMIT, POT_LIMIT

LEGAL, OVER, NO_RAISE, TOO_SMALL, TOO_LARGE, NO_ACTION = range(6)
"""What `check` answers: legal, the hand is over, raising is closed, below or above the bounds, a number below -1."""


@njit(cache=True, nogil=True, borrows=True)
def _pay(hand: Any, seat: int, chips: int) -> Any:
    """Moves chips from a stack to the pot, at most what is there; a seat without chips is all-in."""
    paid = min(chips, hand.stack[seat])
    hand.stack[seat] -= paid
    hand.invested[seat] += paid
    hand.pot += paid
    if hand.stack[seat] == 0:
        hand.able &= ~(1 << seat)
    return paid


@njit(cache=True, nogil=True, borrows=True)
def begin(rules: Any, hand: Any, stacks: NDArray[np.int32]) -> None:
    """Starts a hand: stacks, antes, blinds, the first decision."""
    seats = rules.seats
    hand.street = rules.first_street
    hand.showdown = 0
    hand.steps = 0
    hand.rounds_left = -1
    hand.session_stack = 0
    hand.pot = seats * rules.pot_share
    hand.live = (1 << seats) - 1
    hand.able = hand.live
    for seat in range(seats):
        hand.stack[seat] = stacks[seat]
        hand.invested[seat] = rules.pot_share
    if not rules.dead_antes:
        _post_antes(rules, hand)
    _open_street(rules, hand)
    hand.short_blinds = 0
    for seat in range(seats):
        hand.street_bet[seat] = _pay(hand, seat, rules.blind[seat])
        hand.short_blinds += rules.blind[seat] - hand.street_bet[seat]
        hand.bet = max(hand.bet, rules.blind[seat])
    if rules.dead_antes:
        _post_antes(rules, hand)
    hand.level = hand.bet
    hand.bets = 1 if hand.bet > 0 else 0
    hand.pending = hand.able
    _next_decision(rules, hand, rules.first_actor)


@njit(cache=True, nogil=True, borrows=True)
def _post_antes(rules: Any, hand: Any) -> None:
    for seat in range(rules.seats):
        _pay(hand, seat, rules.ante[seat])


@njit(cache=True, nogil=True, borrows=True)
def act(rules: Any, hand: Any, action: int) -> None:
    """Makes a legal action of the seat that is to act and moves on to the next decision or the end."""
    seat = hand.actor
    bit = 1 << seat
    hand.steps += 1
    hand.acted |= bit
    hand.pending &= ~bit
    if action == FOLD:
        hand.live &= ~bit
        hand.able &= ~bit
    elif action > 0:
        hand.street_bet[seat] += _pay(hand, seat, action - hand.street_bet[seat])
        _raise_level(rules, hand, action)
        hand.pending = hand.able & ~bit
    elif hand.to_call > 0:
        hand.street_bet[seat] += _pay(hand, seat, hand.to_call)
    _next_decision(rules, hand, seat + 1)


@njit(cache=True, nogil=True, borrows=True)
def _raise_level(rules: Any, hand: Any, raise_to: int) -> None:
    """Notes a bet or raise: whether it counts, and the last full raise that it makes."""
    if rules.betting == LIMIT:
        if 2 * (raise_to - hand.level) >= hand.raise_size:
            hand.bets += 1
            hand.level = raise_to
    elif raise_to - hand.bet >= hand.raise_size:
        hand.bets += 1
        hand.raise_size = raise_to - hand.bet
    hand.bet = raise_to


@njit(cache=True, nogil=True, borrows=True)
def _next_decision(rules: Any, hand: Any, seat: int) -> None:
    """Finds who decides next, from `seat` on; opens streets and ends the hand when nobody has to."""
    hand.actor = FINISHED
    if hand.live & (hand.live - 1) == 0:
        return
    while True:
        alone = hand.able & (hand.able - 1) == 0
        if hand.pending != 0 and not (alone and _gap_to_all_in(rules, hand) == 0):
            break
        if hand.street == 3 or alone:
            hand.showdown = 1
            return
        hand.street += 1
        _open_street(rules, hand)
        seat = 0
    if seat >= rules.seats:
        seat = 0
    while not hand.pending & (1 << seat):
        seat += 1
        if seat == rules.seats:
            seat = 0
    hand.actor = seat
    _bound_actions(rules, hand, seat)


@njit(cache=True, nogil=True, borrows=True)
def _gap_to_all_in(rules: Any, hand: Any) -> Any:
    """What the one seat with chips left lacks to what its all-in opponents have really put in on this street."""
    most, own = 0, 0
    for seat in range(rules.seats):
        if hand.able & (1 << seat):
            own = hand.street_bet[seat]
        elif hand.live & (1 << seat):
            most = max(most, hand.street_bet[seat])
    return max(most - own, 0)


@njit(cache=True, nogil=True, borrows=True)
def _open_street(rules: Any, hand: Any) -> None:
    for seat in range(rules.seats):
        hand.street_bet[seat] = 0
    hand.bet = 0
    hand.level = 0
    hand.bets = 0
    hand.raise_size = rules.bet_size[hand.street] if rules.betting == LIMIT else rules.big_blind
    hand.pending = hand.able
    hand.acted = 0


@njit(cache=True, nogil=True, borrows=True)
def _bound_actions(rules: Any, hand: Any, seat: int) -> None:
    """What the seat has to call and the bounds of its raise (both 0 when raising is closed to it)."""
    bit = 1 << seat
    gap = hand.bet - hand.street_bet[seat]
    hand.min_raise_to = 0
    hand.max_raise_to = 0
    if hand.able & ~bit == 0:
        hand.to_call = min(_gap_to_all_in(rules, hand), hand.stack[seat])
        return
    hand.to_call = min(gap, hand.stack[seat])
    cap = rules.max_bets[hand.street]
    if hand.stack[seat] <= gap or (cap > 0 and hand.bets >= cap):
        return
    if hand.acted & bit and (2 * gap if rules.betting == LIMIT else gap) < hand.raise_size:
        return
    all_in = hand.street_bet[seat] + hand.stack[seat]
    if rules.betting == LIMIT:
        least = hand.level + hand.raise_size
        most = least
    else:
        least = hand.bet + hand.raise_size
        most = all_in
        if rules.betting == POT_LIMIT:
            short = hand.short_blinds if hand.street == 0 else 0
            most = max(least, hand.bet + hand.pot + short + gap)
    hand.min_raise_to = min(least, all_in)
    hand.max_raise_to = min(most, all_in)


@njit(cache=True, nogil=True, borrows=True)
def check(hand: Any, action: int) -> int:
    """LEGAL, or the reason why the action is not."""
    if hand.actor == FINISHED:
        return OVER
    if action in (FOLD, CALL):
        return LEGAL
    if action < FOLD:
        return NO_ACTION
    if hand.max_raise_to == 0:
        return NO_RAISE
    if action < hand.min_raise_to:
        return TOO_SMALL
    return TOO_LARGE if action > hand.max_raise_to else LEGAL


@njit(cache=True, nogil=True, borrows=True)
def settle(rules: Any, hand: Any, deck: NDArray[np.uint8], payoffs: NDArray[np.int32]) -> None:
    """What each seat has won (after rake) less what it has put in. The deck holds the hole cards, then the board."""
    seats = rules.seats
    contested = hand.live & (hand.live - 1) != 0
    if contested and rules.rake_permille == 0 and not rules.dead_antes and _is_level(rules, hand):
        _share_one_pot(rules, hand, deck, payoffs)
        return
    for seat in range(seats):
        payoffs[seat] = -hand.invested[seat]
    if not contested:
        winner = 0
        while not hand.live >> winner & 1:
            winner += 1
        if rules.rake_permille == 0:
            payoffs[winner] += hand.pot
        else:
            _settle_raked_fold(rules, hand, payoffs)
        return
    _settle_showdown(rules, hand, deck, payoffs)


@njit(cache=True, nogil=True)
def _settle_showdown(rules: Any, hand: Any, deck: NDArray[np.uint8], payoffs: NDArray[np.int32]) -> None:
    """Pays a showdown with side pots, dead chips or rake, onto what each seat has put in."""
    strength = np.empty(rules.seats, np.int64)
    _judge(rules, hand, deck, strength)
    _share_levels(rules, hand, strength, payoffs)


@njit(cache=True, nogil=True)
def _settle_raked_fold(rules: Any, hand: Any, payoffs: NDArray[np.int32]) -> None:
    """Pays the one seat that is left, less the rake."""
    _share_levels(rules, hand, np.ones(rules.seats, np.int64), payoffs)


@njit(cache=True, nogil=True, borrows=True)
def _share_one_pot(rules: Any, hand: Any, deck: NDArray[np.uint8], payoffs: NDArray[np.int32]) -> None:
    """The common end of a hand, without room of its own: strengths stand in `payoffs` until the shares are known."""
    _judge(rules, hand, deck, payoffs)
    best, winners = 0, 0
    for seat in range(rules.seats):
        if payoffs[seat] > best:
            best, winners = payoffs[seat], 1
        elif payoffs[seat] == best:
            winners += 1
    part = hand.pot // winners
    odd = hand.pot - part * winners
    for seat in range(rules.seats):
        won = 0
        if payoffs[seat] == best:
            won = part + (odd > 0)
            odd -= 1
        payoffs[seat] = won - hand.invested[seat]


@njit(cache=True, nogil=True, borrows=True)
def _judge(rules: Any, hand: Any, deck: NDArray[np.uint8], strength: NDArray[Any]) -> None:
    """The strength of each live seat's seven cards; 0 for the others."""
    board = 2 * rules.seats
    key, bits = sum_cards(deck[board : board + 5], NO_CARDS)
    for seat in range(rules.seats):
        strength[seat] = 0
        if hand.live >> seat & 1:
            a, b = deck[2 * seat], deck[2 * seat + 1]
            strength[seat] = strength_of(key + CARD_KEYS[a] + CARD_KEYS[b], bits | CARD_BITS[a] | CARD_BITS[b])


@njit(cache=True, nogil=True, borrows=True)
def _is_level(rules: Any, hand: Any) -> bool:
    """Whether all live seats have put in the same and nobody more: then there is one pot."""
    most, least = 0, np.int64(1) << 40
    for seat in range(rules.seats):
        most = max(most, hand.invested[seat])
        if hand.live >> seat & 1:
            least = min(least, hand.invested[seat])
    return most == least


@njit(cache=True, nogil=True, borrows=True)
def _share(chips: int, contenders: int, strength: NDArray[np.int64], payoffs: NDArray[np.int32]) -> None:
    """Splits one pot among the best of its contenders; odd chips go one by one to the first left of the button."""
    best, winners = 0, 0
    for seat in range(len(strength)):
        if contenders >> seat & 1:
            if strength[seat] > best:
                best, winners = strength[seat], 1
            elif strength[seat] == best:
                winners += 1
    part = chips // winners
    odd = chips - part * winners
    for seat in range(len(strength)):
        if contenders >> seat & 1 and strength[seat] == best:
            payoffs[seat] += part
            if odd > 0:
                payoffs[seat] += 1
                odd -= 1


@njit(cache=True, nogil=True)
def _share_levels(rules: Any, hand: Any, strength: NDArray[np.int64], payoffs: NDArray[np.int32]) -> None:
    """Returns what nobody called, then pays the pots from the lowest level of contribution up."""
    seats = rules.seats
    left = np.empty(seats, np.int64)
    dead = 0
    for seat in range(seats):
        left[seat] = hand.invested[seat]
        if rules.dead_antes:
            posted = min(rules.ante[seat], max(left[seat] - rules.blind[seat], 0))  # the blind came first
            left[seat] -= posted
            dead += posted
    _return_uncalled(hand.live, left, payoffs)
    raked = 0
    rakes = rules.rake_permille > 0 and not (rules.no_flop_no_drop and hand.street == 0 and not hand.showdown)
    while True:
        contenders, level, highest = 0, np.int64(1) << 40, 0
        for seat in range(seats):
            if hand.live >> seat & 1 and (left[seat] > 0 or dead > 0):
                contenders |= 1 << seat
                level = min(level, left[seat])
                highest = max(highest, left[seat])
        if contenders == 0:
            return
        chips, dead = dead, 0
        for seat in range(seats):
            # The last pot also takes what folded seats have put in above every live one.
            part = left[seat] if level == highest else min(level, left[seat])
            chips += part
            left[seat] -= part
        if rakes:
            rake = chips * rules.rake_permille // 1000
            if rules.rake_cap > 0:
                rake = min(rake, rules.rake_cap - raked)
            raked += rake
            chips -= rake
        _share(chips, contenders, strength, payoffs)


@njit(cache=True, nogil=True, borrows=True)
def _return_uncalled(live: int, left: NDArray[np.int64], payoffs: NDArray[np.int32]) -> None:
    """The part of the largest contribution that nobody matched goes back, unless its seat has folded."""
    top, second, owner = 0, 0, 0
    for seat in range(len(left)):
        if left[seat] > top:
            top, second, owner = left[seat], top, seat
        else:
            second = max(second, left[seat])
    if live >> owner & 1:
        payoffs[owner] += top - second
        left[owner] = second
