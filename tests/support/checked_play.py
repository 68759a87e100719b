"""Random hands of the compiled engine, its books checked at every decision, fast enough for many millions.

The kernels here are not cached: they contain the engine's, and must never run with those of an older version.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.kernels import njit
from luckless.rules import engine
from luckless.rules.actions import CALL, FOLD
from luckless.rules.game import BETTING, Game
from luckless.rules.state import FINISHED, PUBLIC

VIOLATIONS = (
    "none",
    "a stack is negative",
    "a bet or an investment is negative",
    "chips are not conserved",
    "the pot is not what was put in",
    "the able seats are not the live ones with chips",
    "the seat to act is not able",
    "nobody is left to play against",
    "the call is negative or above the stack",
    "fold or call is not legal",
    "the bounds of a raise are not in order",
    "the bounds of a raise are not reachable",
    "a raise does not exceed the bet",
    "an amount outside of the bounds is legal",
    "the payoffs do not add up to nothing",
    "a seat ends with less than nothing",
    "a folded seat is paid",
    "a seat wins more than it contends for",
    "the hand does not end",
)
(
    NONE,
    NEGATIVE_STACK,
    NEGATIVE_BET,
    LOST_CHIPS,
    WRONG_POT,
    WRONG_ABLE,
    WRONG_ACTOR,
    ALONE,
    WRONG_CALL,
    NOTHING_LEGAL,
    UNORDERED,
    UNREACHABLE,
    NO_RAISE,
    LOOSE_BOUNDS,
    UNBALANCED,
    BELOW_NOTHING,
    PAID_FOLDER,
    PAID_TOO_MUCH,
    ENDLESS,
) = range(len(VIOLATIONS))

MOST_ACTIONS = 100_000
"""No hand of these games comes near so many."""


class Count(NamedTuple):
    """What was played; `hand` is the number of the first hand with a violation."""

    violation: int
    hand: int
    decisions: int
    showdowns: int
    side_pots: int
    """Showdowns of seats that had put in different amounts."""
    all_in_blinds: int
    """Hands in which antes and blinds left somebody without chips."""


@njit(nogil=True)
def wrong_chips(rules: Any, hand: Any, total: int) -> int:
    """The first violation in the chips on the table, which must hold at any moment; 0 if there is none."""
    behind, invested, able = 0, 0, 0
    for seat in range(rules.seats):
        if hand.stack[seat] < 0:
            return NEGATIVE_STACK
        if hand.street_bet[seat] < 0 or hand.invested[seat] < hand.street_bet[seat]:
            return NEGATIVE_BET
        behind += hand.stack[seat]
        invested += hand.invested[seat]
        if hand.stack[seat] > 0 and hand.live >> seat & 1:
            able |= 1 << seat
    if behind + hand.pot != total:
        return LOST_CHIPS
    if invested != hand.pot:
        return WRONG_POT
    return NONE if able == hand.able else WRONG_ABLE


@njit(nogil=True)
def wrong_offer(rules: Any, hand: Any) -> int:
    """The first violation in what the seat to act is offered; 0 if there is none."""
    seat = hand.actor
    if not 0 <= seat < rules.seats or not hand.able >> seat & 1:
        return WRONG_ACTOR
    if hand.live & ~(1 << seat) == 0:
        return ALONE
    if not 0 <= hand.to_call <= hand.stack[seat]:
        return WRONG_CALL
    if engine.check(hand, FOLD) != engine.LEGAL or engine.check(hand, CALL) != engine.LEGAL:
        return NOTHING_LEGAL
    least, most = hand.min_raise_to, hand.max_raise_to
    if least == 0 and most == 0:
        return NONE if engine.check(hand, hand.bet + 1) != engine.LEGAL else LOOSE_BOUNDS
    if not 0 < least <= most:
        return UNORDERED
    if most > hand.street_bet[seat] + hand.stack[seat]:
        return UNREACHABLE
    if engine.check(hand, least) != engine.LEGAL or engine.check(hand, most) != engine.LEGAL:
        return UNREACHABLE
    if least <= hand.bet or hand.able & ~(1 << seat) == 0:
        return NO_RAISE
    if engine.check(hand, most + 1) == engine.LEGAL or (least > 1 and engine.check(hand, least - 1) == engine.LEGAL):
        return LOOSE_BOUNDS
    return NONE


@njit(nogil=True)
def wrong_payoffs(rules: Any, hand: Any, stacks: NDArray[np.int32], payoffs: NDArray[np.int32]) -> int:
    """The first violation in how a hand without rake was paid; 0 if there is none."""
    total, top, dead = 0, 0, 0
    for seat in range(rules.seats):
        total += payoffs[seat]
        dead += rules.ante[seat] * rules.dead_antes
        if hand.live >> seat & 1:
            top = max(top, hand.invested[seat])
    if total != 0:
        return UNBALANCED
    for seat in range(rules.seats):
        own = hand.invested[seat]
        if stacks[seat] + rules.pot_share + payoffs[seat] < 0 or payoffs[seat] < -own:
            return BELOW_NOTHING
        if not hand.live >> seat & 1:
            if payoffs[seat] != -own:
                return PAID_FOLDER
            continue
        # A seat contends for as much of everybody's chips as it has put in itself, and for dead antes.
        contends = dead
        for other in range(rules.seats):
            contends += min(hand.invested[other], own)
        if own < top and payoffs[seat] + own > contends:
            return PAID_TOO_MUCH
    return NONE


@njit(nogil=True)
def _random_stacks(rules: Any, stacks: NDArray[np.int32]) -> None:
    """1 chip to 300 big blinds, uniform in the logarithm; in one hand of eight all stacks are the same."""
    span = np.log(300.0 * rules.big_blind)
    alike = np.random.random() < 0.125
    for seat in range(rules.seats):
        stacks[seat] = max(1, int(np.exp(span * np.random.random())))
        if alike:
            stacks[seat] = stacks[0]


@njit(nogil=True)
def _random_deck(count: int, deck: NDArray[np.uint8]) -> None:
    for place in range(count):
        other = place + int(np.random.random() * (52 - place))
        deck[place], deck[other] = deck[other], deck[place]


@njit(nogil=True)
def _random_action(hand: Any) -> Any:
    """Seldom a fold, mostly a call; a raise is the smallest, the largest, or any between (small ones oftener)."""
    luck = np.random.random()
    if luck < 0.1:
        return FOLD
    if luck < 0.6 or hand.max_raise_to == 0:
        return CALL
    if luck < 0.7:
        return hand.min_raise_to
    if luck < 0.75:
        return hand.max_raise_to
    return int(hand.min_raise_to + (hand.max_raise_to - hand.min_raise_to) * np.random.random() ** 4)


@njit(nogil=True)
def _play(rules: Any, hand: Any, total: int) -> Any:
    """Plays a hand that has begun to its end; returns the first violation."""
    while True:
        wrong = wrong_chips(rules, hand, total)
        if wrong != NONE or hand.actor == FINISHED:
            return wrong
        wrong = wrong_offer(rules, hand)
        if wrong != NONE:
            return wrong
        if hand.steps == MOST_ACTIONS:
            return ENDLESS
        engine.act(rules, hand, _random_action(hand))


@njit(nogil=True)
def _has_side_pots(rules: Any, hand: Any) -> bool:
    first = -1
    for seat in range(rules.seats):
        if hand.live >> seat & 1:
            if first >= 0 and hand.invested[seat] != hand.invested[first]:
                return True
            first = seat
    return False


@njit(nogil=True)
def _play_hands(rules_array: Any, public: Any, hands: int, seed: int) -> Any:
    np.random.seed(seed)
    rules, hand = rules_array[0], public[0]
    deck = np.arange(52).astype(np.uint8)
    stacks, payoffs = np.zeros(rules.seats, np.int32), np.zeros(rules.seats, np.int32)
    decisions, showdowns, side_pots, all_in_blinds = 0, 0, 0, 0
    for number in range(hands):
        _random_stacks(rules, stacks)
        _random_deck(2 * rules.seats + 5, deck)
        engine.begin(rules, hand, stacks)
        all_in_blinds += hand.able != hand.live
        wrong = _play(rules, hand, stacks.sum() + rules.seats * rules.pot_share)
        if wrong == NONE:
            engine.settle(rules, hand, deck, payoffs)
            wrong = wrong_payoffs(rules, hand, stacks, payoffs)
        if wrong != NONE:
            return wrong, number, decisions, showdowns, side_pots, all_in_blinds
        decisions += hand.steps
        showdowns += hand.showdown
        side_pots += hand.showdown and _has_side_pots(rules, hand)
    return NONE, hands, decisions, showdowns, side_pots, all_in_blinds


def play_checked(rules: NDArray[np.void], hands: int, seed: int) -> Count:
    """Plays random hands of a game (`state.encode`) with random stacks up to the first violation."""
    return Count(*_play_hands(rules, np.zeros(1, PUBLIC), hands, seed))


def games_to_check() -> list[Game]:
    """All bettings, 2 to 10 seats, no antes, equal ones and a big-blind ante, late posts, and later streets."""
    games = []
    for number, (betting, seats, ante) in enumerate(
        (b, s, a) for b in BETTING for s in range(2, 11) for a in range(4)
    ):
        small, big = ((1, 2), (5, 10), (50, 100), (1, 3), (0, 1))[number % 5]
        straddle = [2 * big] if number % 7 == 0 and seats > 3 else []
        blinds = [big, small] if seats == 2 else ([small, big, *straddle] + [0] * seats)[:seats]
        antes = ([0] * seats, [max(small, 1)] * seats, [big * (blind == max(blinds)) for blind in blinds])[ante % 3]
        late = ante == 3
        posts = [0] * (seats - 2) + [big, small] if seats > 3 + len(straddle) and number % 4 == 2 else []
        games.append(
            Game(
                name=f"{betting} {seats} seats {number}",
                betting=betting,
                seats=seats,
                blinds=(0,) * seats if late else tuple(blinds),
                antes=() if late else tuple(antes),
                posts=() if late else tuple(posts),
                stacks=(300 * big,) * seats,
                bet_sizes=(big, big, 2 * big, 2 * big) if betting == "limit" else (0, 0, 0, 0),
                max_bets=((4, 4, 4, 4), (0, 0, 0, 0), (130, 200, 3, 1))[number % 3 if betting == "limit" else 1],
                first_street=1 + number % 3 if late else 0,
                pot=seats * (number % 4) * big if late else 0,
                unit=big if late else 0,
            )
        )
    return games
