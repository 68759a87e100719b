"""The same hand through one of our engines and PokerKit.

Where the two play by different rules, docs/rules.md says which holds; here stands the exact condition under which a
difference is accepted. Any other difference fails.
"""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from pokerkit import Automation, BettingStructure, FixedLimitTexasHoldem, NoLimitTexasHoldem
from pokerkit_bounds import PokerKitStreet
from random_hands import StreetWatch, random_action, random_deck, reported

from engines import Engine, Hand
from luckless.cards import format_cards
from luckless.rules.actions import CALL, FOLD, Legal
from luckless.rules.game import Game
from luckless.rules.plain import PlainHand
from luckless.rules.plain_events import Won

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)

PotLimitTexasHoldem: Any = type(
    "PotLimitTexasHoldem", (NoLimitTexasHoldem,), {"betting_structure": BettingStructure.POT_LIMIT}
)
"""PokerKit has the rules of pot-limit and of hold'em, but no game that joins them."""


def is_comparable(game: Game) -> bool:
    """PokerKit lets a short big blind lower the call for everyone: such hands are another game."""
    big_blind_seat = (game.first_seat - 1) % game.seats
    return game.stacks[big_blind_seat] >= game.blinds[big_blind_seat] + game.antes[big_blind_seat]


def pokerkit_state(game: Game) -> Any:
    """The start of a hand; heads-up, PokerKit writes blinds and antes small blind first and swaps them itself."""
    swap = -1 if game.seats == 2 else 1
    common = (AUTOMATIONS, not game.antes_are_dead, game.antes[::swap], game.blinds[::swap])
    if game.betting == "limit":
        sizes = game.bet_sizes[0], game.bet_sizes[2]
        return FixedLimitTexasHoldem.create_state(*common, *sizes, game.stacks, game.seats)
    kind = NoLimitTexasHoldem if game.betting == "no-limit" else PotLimitTexasHoldem
    return kind.create_state(*common, game.big_blind, game.stacks, game.seats)


def compare_hand(engine: Engine, game: Game, rng: random.Random, tally: Counter[str]) -> None:
    """Plays one random hand through both, comparing turn, bounds and payoffs; counts accepted differences."""
    deck, actions = random_deck(rng, game), list[int]()
    ours, theirs = engine(game, deck, None), pokerkit_state(game)
    for seat in range(game.seats):
        theirs.deal_hole(format_cards(deck[2 * seat : 2 * seat + 2]))
    board = iter(deck[2 * game.seats :])
    with reported(game, deck, actions):
        _play(ours, theirs, board, game, rng, actions, tally)
        _finish(theirs, board, tally)
        _compare_payoffs(ours.payoffs, PlainHand(game, deck), actions, theirs, tally)
    tally["hands"] += 1


def _play(
    ours: Hand,
    theirs: Any,
    board: Iterator[int],
    game: Game,
    rng: random.Random,
    actions: list[int],
    tally: Counter[str],
) -> None:
    watch, their_watch = StreetWatch(game), PokerKitStreet(game)
    while not ours.finished:
        _deal_board(theirs, board)
        watch.see_street(ours.street)
        their_watch.see_street(ours.street)
        seat = ours.actor
        assert seat is not None
        assert theirs.actor_index == seat
        assert (theirs.bets, theirs.stacks) == (list(ours.bets), list(ours.stacks))
        action = random_action(rng, _compare_bounds(ours, theirs, watch, their_watch, tally))
        watch.see_action(seat, action)
        their_watch.see_action(seat, action, ours)
        _act(theirs, action)
        ours.do(action)
        actions.append(action)


def _deal_board(theirs: Any, board: Iterator[int]) -> None:
    while theirs.can_burn_card("??"):
        theirs.burn_card("??")
        count = 3 if theirs.street_index == 1 else 1
        theirs.deal_board(format_cards(next(board) for _ in range(count)))


def _act(theirs: Any, action: int) -> None:
    if action == FOLD:
        theirs.fold()
    elif action == CALL:
        theirs.check_or_call()
    else:
        theirs.complete_bet_or_raise_to(action)


def _compare_bounds(
    ours: Hand, theirs: Any, watch: StreetWatch, their_watch: PokerKitStreet, tally: Counter[str]
) -> Legal:
    """Compares what may be done, and gives back what may be done in both.

    Each side must offer exactly what its rules say, and the two the same, or a listed difference must apply.
    """
    seat, legal = theirs.actor_index, ours.legal()
    offered = (
        theirs.min_completion_betting_or_raising_to_amount or 0,
        theirs.max_completion_betting_or_raising_to_amount or 0,
    )
    by_rule, by_theirs = watch.bounds(seat, ours), their_watch.bounds(seat, ours, watch.others(seat))
    assert theirs.checking_or_calling_amount == legal.call
    assert (legal.min_raise_to, legal.max_raise_to) == by_rule, (legal, by_rule, offered, watch)
    assert offered == by_theirs, (offered, by_theirs, legal, their_watch)
    if offered == by_rule:
        return legal
    reason = _explanation(seat, ours, watch, their_watch)
    assert reason, (legal, offered, watch, theirs.bets, theirs.stacks)
    tally[reason] += 1
    least, most = max(offered[0], legal.min_raise_to), min(offered[1], legal.max_raise_to)
    return Legal(True, legal.call, least, most) if least <= most else Legal(True, legal.call, 0, 0)


def _explanation(seat: int, hand: Hand, watch: StreetWatch, their_watch: PokerKitStreet) -> str:
    """The difference of rules that accounts for bounds that differ, or nothing."""
    here, there = watch.bounds(seat, hand), their_watch.bounds(seat, hand, watch.others(seat))
    if there == (0, 0) and all(hand.bets[other] + hand.stacks[other] <= watch.bet for other in watch.others(seat)):
        return "no raise there when no opponent holds more than the bet"
    if here == (0, 0) and watch.short_first:
        return "a short all-in as the first bet or raise of a street reopens the betting there"
    if watch.game.betting == "limit":
        return _limit_explanation(here, there, watch, their_watch) if watch.short_all_in else ""
    if there == (0, 0) and watch.bet - watch.full_level >= watch.size:
        return "short all-ins that have reopened the betting once are forgotten when another follows there"
    if watch.game.betting == "pot-limit" and watch.street == 0 and watch.short_blinds and here[0] == there[0]:
        return "a short blind lowers the pot of pot-limit before the flop there"
    return ""


def _limit_explanation(
    here: tuple[int, int], there: tuple[int, int], watch: StreetWatch, their_watch: PokerKitStreet
) -> str:
    """The differences after a short all-in in limit."""
    if there == (0, 0) and their_watch.is_capped:
        return "in limit short all-ins count towards the cap there"
    if there == (0, 0):
        return "in limit half a bet does not reopen the betting there"
    if here != (0, 0) and watch.level < watch.bet:
        return "in limit a short all-in is not completed but raised by a full bet there"
    return ""


def _finish(theirs: Any, board: Iterator[int], tally: Counter[str]) -> None:
    """Their hand must be over too, but for board cards and a seat that is asked though it has nothing to decide."""
    _deal_board(theirs, board)
    while theirs.status:
        assert theirs.checking_or_calling_amount == 0
        assert theirs.max_completion_betting_or_raising_to_amount is None
        theirs.check_or_call()
        tally["a seat without a decision is asked there"] += 1
        _deal_board(theirs, board)


def _compare_payoffs(
    ours: tuple[int, ...], plain: PlainHand, actions: list[int], theirs: Any, tally: Counter[str]
) -> None:
    if list(ours) == theirs.payoffs:
        return
    for action in actions:
        plain.do(action)
    assert plain.payoffs == ours
    assert pokerkit_payoffs(plain) == theirs.payoffs
    tally["all odd chips go to one seat, and pots left to the same seats are joined there"] += 1


def pokerkit_payoffs(hand: PlainHand) -> list[int]:
    """The payoffs by PokerKit's manner of paying: hands that win no pot are out first, pots then left to the same
    seats are one pot, and the first winner gets all odd chips."""
    paid = [event for event in hand.events if isinstance(event, Won)]
    values = list(hand.payoffs)
    joined: dict[tuple[int, ...], tuple[int, list[int]]] = {}
    survivors = {seat for event in paid for seat, _ in event.shares}
    for event in paid:
        for seat, share in event.shares:
            values[seat] -= share
        left = tuple(seat for seat in event.pot.contenders if seat in survivors)
        chips = joined[left][0] if left in joined else 0
        joined[left] = chips + event.pot.chips, [seat for seat, _ in event.shares]
    for chips, winners in joined.values():
        share, odd = divmod(chips, len(winners))
        for place, seat in enumerate(winners):
            values[seat] += share + (odd if place == 0 else 0)
    return values
