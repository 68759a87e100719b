"""Compiled: walks through a hand and tells at each step what was gained by playing and what was luck.

A value is kept from the start of the hand to its end: what the judged seat can expect, in the mean over the hands
that the varied seat might hold by what it has done so far. Each deal and each action moves it. Where the chances of a
step are known (a deal; an action of a player whose policy is known) the step splits into what had to be expected
there, which stays, and the rest, which is luck and has the mean 0. All steps together give the money of the hand:

    money = start + gains + luck + rest

This is AIVAT (Burch, Schmid, Moravcik, Morrill and Bowling, "AIVAT: a new variance reduction technique for agent
evaluation in imperfect information games", AAAI 2018), told as a sum of steps. With nobody varied and no policy known
it is the chance-only estimator (MIVAT: White and Bowling, "Learning a value analysis tool for agent evaluation",
IJCAI 2009).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.hands.pairs import PAIRS, pair_number
from luckless.kernels import njit
from luckless.rules import engine
from luckless.rules.actions import FOLD
from luckless.rules.game import BOARD_CARDS, MAX_SEATS, STREETS
from luckless.rules.records import HandArrays
from luckless.rules.replaying import action_places
from luckless.rules.state import FINISHED, PUBLIC
from luckless.skill.outlooks import (
    MANY_KNOTS,
    Eyes,
    Outlook,
    add_outlook,
    at_strength,
    clear_outlook,
    look_at_cards,
    new_outlook,
    numbers_of_hands,
    strengths_on,
    worths,
)
from luckless.skill.prospects import MOST_POTS, Prospect, look_ahead, new_prospect
from luckless.skill.run_outs import mean_shares, sampled_shares
from luckless.skill.shares import (
    NOBODY,
    Deal,
    block_hands,
    early_shares,
    hands_of,
)

DEAL, FLOP, TURN, RIVER, OWN_ACTIONS, OTHER_ACTIONS, OWN_CARDS = range(7)
LUCKS = ("deal", "flop", "turn", "river", "own actions", "other actions", "own cards")
"""The kinds of luck: hole cards, each street's cards, the coins of the judged player and of others whose policies are
known, and which of the hands that would have played so the varied seat held."""

MANY_MASKS = 16

_BOARD_CARDS = np.array(BOARD_CARDS)


class Known(NamedTuple):
    """What known policies do, by decision (place in the actions of the batch) and alternative there.

    Alternatives of decision d are those from `first[d]` to `first[d + 1]` - 1: raises from `low` to `high` (or one
    action). Alternative a has the entries from `at[a]` to `at[a + 1]` - 1: a hand of the seat where it is varied,
    else 0, and how often that hand takes it. Most hands do one thing only, so entries are few.
    """

    first: NDArray[np.int64]
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    at: NDArray[np.int64]
    hands: NDArray[np.int64]
    chances: NDArray[np.float64]


class Question(NamedTuple):
    """Who is judged and varied in each hand (a seat, or `NOBODY`), and a random word for each that knows no cards."""

    judged: NDArray[np.int64]
    varied: NDArray[np.int64]
    words: NDArray[np.uint64]


class Promise(NamedTuple):
    """A value function as kernels take it: its numbers (see `prospects`), equities before the flop; and by street the
    numbers of what players do (see `outlooks`) with the strengths of hands before the flop. Without those, the first
    numbers value what players do, too."""

    model: NDArray[np.float64]
    preflop: NDArray[np.float32]
    answers: NDArray[np.float64]
    strengths: NDArray[np.float64]


class Account(NamedTuple):
    """What happened to the judged seat, one row a hand; see `new_account`."""

    start: NDArray[np.float64]
    """The value before any card is dealt."""
    gains: NDArray[np.float64]
    """What playing moved, by street and by the seat that acted."""
    luck: NDArray[np.float64]
    """By kind (see `LUCKS`)."""
    rest: NDArray[np.float64]
    """What the value function leaves over: odd chips, rake, guesses before the flop. It stays in the estimate."""
    all_in: NDArray[np.float64]
    """The luck of cards that came when nobody could bet any more; part of `luck`."""
    imagined: NDArray[np.float64]
    """The result in the mean over all hands that would have been played so, and over folds on the way (Bowling,
    Johanson, Burch and Szafron, "Strategy evaluation in extensive games with importance sampling", ICML 2008)."""
    forbidden: NDArray[np.int64]
    """The place of the first action that a known policy never takes there; -1 if there is none."""


def new_account(hands: int) -> Account:
    """An empty account of so many hands."""
    start, rest, all_in, imagined = (np.zeros(hands) for _ in range(4))
    gains, luck = np.zeros((hands, len(STREETS), MAX_SEATS)), np.zeros((hands, len(LUCKS)))
    return Account(start, gains, luck, rest, all_in, imagined, np.full(hands, -1))


def part_of(account: Account, which: slice) -> Account:
    """Some hands of an account; what is written there stands in the account."""
    parts: list[Any] = [column[which] for column in account]
    return Account(*parts)


class Sight(NamedTuple):
    """What is known of one hand on the way: how likely each hand of the varied seat is, and shares of pots so far."""

    weights: NDArray[np.float64]
    values: NDArray[np.float64]
    share: NDArray[np.float64]
    masks: NDArray[np.int64]
    shares: NDArray[np.float64]
    prospect: Prospect
    outlook: Outlook
    strengths: NDArray[np.float64]
    of_hands: NDArray[np.float64]
    ready: NDArray[np.bool_]
    tried: NDArray[np.float64]


@njit(cache=True, nogil=True)
def new_sight(hands: int, by_strength: bool) -> Sight:
    return Sight(
        np.ones(hands),
        np.zeros(hands),
        np.zeros(hands),
        np.zeros(MANY_MASKS, np.int64),
        np.zeros((MANY_MASKS, hands)),
        new_prospect(),
        new_outlook(),
        np.empty(PAIRS if by_strength else 0),
        np.empty((len(STREETS), PAIRS if by_strength else 0, 4)),
        np.zeros(len(STREETS), np.bool_),
        np.zeros(hands),
    )


@njit(cache=True, nogil=True)
def _shares_at(deal: Deal, board: int, contenders: int, sight: Sight) -> int:
    """The place in `sight.shares` of a pot's shares on the board of now."""
    place = 0
    while place < MANY_MASKS - 1 and sight.masks[place] != 0 and sight.masks[place] != contenders:
        place += 1
    if sight.masks[place] != contenders:
        sight.masks[place] = contenders
        if board == 0:
            early_shares(deal, contenders, sight.shares[place])
        else:
            mean_shares(deal, board, contenders, sight.shares[place])
    return place


@njit(cache=True, nogil=True)
def _add_values(deal: Deal, board: int, scale: float, sight: Sight) -> None:
    """Adds what the judged seat can expect by a prospect, for each hand of the varied seat, to `sight.values`."""
    prospect = sight.prospect
    sight.values[:] += scale * prospect.fixed[deal.judged]
    for pot in range(prospect.pots[0]):
        if prospect.contenders[pot] & (1 << deal.judged):
            place = _shares_at(deal, board, prospect.contenders[pot], sight)
            sight.values[:] += scale * prospect.chips[pot] * sight.shares[place]


@njit(cache=True, nogil=True)
def _mean(sight: Sight) -> Any:
    total = sight.weights.sum()
    return (sight.weights * sight.values).sum() / total if total > 0 else 0.0


@njit(cache=True, nogil=True)
def value_now(rules: Any, hand: Any, promise: Promise, deal: Deal, board: int, sight: Sight) -> Any:
    """The mean value of a public record on the board of now."""
    look_ahead(rules, hand, promise.model, sight.prospect)
    sight.values[:] = 0.0
    _add_values(deal, board, 1.0, sight)
    return _mean(sight)


@njit(cache=True, nogil=True)
def look_at_board(promise: Promise, deal: Deal, board: int, sight: Sight) -> None:
    """Finds the strengths of hands on the board of now, if values depend on them."""
    if len(promise.answers) == 0:
        return
    sight.ready[:] = False
    if board == 0:
        sight.strengths[:] = promise.strengths
    else:
        strengths_on(deal.deck[2 * deal.seats : 2 * deal.seats + board], sight.strengths)


@njit(cache=True, nogil=True)
def value_after(rules: Any, hand: Any, promise: Promise, deal: Deal, board: int, sight: Sight) -> Any:
    """The mean value of a public record after an action."""
    if len(promise.answers) == 0:
        return value_now(rules, hand, promise, deal, board, sight)
    clear_outlook(sight.outlook)
    add_outlook(rules, hand, 1.0, sight.outlook)
    _set_worths(promise, deal, board, np.int64(hand.street), sight, sight.values)
    return _mean(sight)


@njit(cache=True, nogil=True)
def _set_worths(
    promise: Promise, deal: Deal, board: int, street: int, sight: Sight, out: NDArray[np.float64]
) -> None:
    """What the outlook is worth by each hand of the varied seat."""
    places = np.empty(MOST_POTS, np.int64)
    _look_at_outlook(deal, board, sight, places)
    of_street, of_hands = _numbers_at(promise, street, sight)
    eyes = Eyes(sight.weights, sight.shares, places, sight.strengths)
    worths(deal, sight.outlook, eyes, of_street, of_hands, out)


@njit(cache=True, nogil=True)
def _numbers_at(promise: Promise, street: int, sight: Sight) -> Any:
    """The numbers of a street, and the same by hand on the board of now."""
    if not sight.ready[street]:
        numbers_of_hands(promise.answers[street], sight.strengths, sight.of_hands[street])
        sight.ready[street] = True
    return promise.answers[street], sight.of_hands[street]


@njit(cache=True, nogil=True)
def _look_at_outlook(deal: Deal, board: int, sight: Sight, places: NDArray[np.int64]) -> None:
    """Sets the strengths in the outlook, and where the shares of its pots stand in `sight.shares`."""
    look_at_cards(deal, sight.strengths, sight.outlook)
    for pot in range(sight.outlook.many[0]):
        places[pot] = -1
        if sight.outlook.contenders[pot] & (1 << deal.judged):
            places[pot] = _shares_at(deal, board, sight.outlook.contenders[pot], sight)


@njit(cache=True, nogil=True)
def worth_in_sight(numbers: NDArray[np.float64], deal: Deal, board: int, sight: Sight) -> Any:
    """What the outlook that was looked at last is worth by other numbers, with all cards open."""
    places = np.empty(MOST_POTS, np.int64)
    _look_at_outlook(deal, board, sight, places)
    for seat in range(deal.seats):
        pair = pair_number(deal.deck[2 * seat], deal.deck[2 * seat + 1])
        for kind in range(4):
            part = numbers[kind * MANY_KNOTS : (kind + 1) * MANY_KNOTS]
            sight.of_hands[0, pair, kind] = at_strength(sight.strengths[pair], part)
    sight.ready[0] = False
    eyes = Eyes(sight.weights, sight.shares, places, sight.strengths)
    worths(deal, sight.outlook, eyes, numbers, sight.of_hands[0], sight.tried)
    return sight.tried[0]


@njit(cache=True, nogil=True)
def _value_at_start(rules: Any, hand: Any, promise: Promise, deal: Deal, sight: Sight) -> Any:
    """The value before any card is dealt: every contender of a pot has the same mean share."""
    look_ahead(rules, hand, promise.model, sight.prospect)
    value = sight.prospect.fixed[deal.judged]
    for pot in range(sight.prospect.pots[0]):
        contenders = sight.prospect.contenders[pot]
        if contenders & (1 << deal.judged):
            seats = 0
            for seat in range(rules.seats):
                seats += contenders >> seat & 1
            value += sight.prospect.chips[pot] / seats
    return value


@njit(cache=True, nogil=True)
def _deal_street(
    rules: Any, hand: Any, promise: Promise, deal: Deal, street: int, sight: Sight, state: NDArray[np.uint64]
) -> Any:
    """Deals a street: the value that had to be expected, and the value with its cards."""
    before = _BOARD_CARDS[street - 1]
    if before == 0 and rules.seats > 2:
        sight.masks[:] = 0
        look_ahead(rules, hand, promise.model, sight.prospect)
        for pot in range(sight.prospect.pots[0]):
            contenders = sight.prospect.contenders[pot]
            if contenders & (1 << deal.judged):
                sight.masks[pot] = contenders
                sampled_shares(deal, contenders, state, sight.shares[pot])
    expected = value_now(rules, hand, promise, deal, before, sight)
    board = _BOARD_CARDS[street]
    block_hands(deal, board, sight.weights)
    sight.masks[:] = 0
    return expected, value_now(rules, hand, promise, deal, board, sight)


@njit(cache=True, nogil=True)
def _look_at_all(
    rules: Any, buffer: NDArray[np.void], model: NDArray[np.float64], low: int, high: int, out: Prospect
) -> None:
    """The mean prospect of equally likely actions from `low` to `high`; pots of the same seats are one."""
    one = new_prospect()
    out.fixed[:] = 0.0
    out.pots[0] = 0
    share = 1.0 / (high - low + 1)
    for action in range(low, high + 1):
        buffer[1] = buffer[0]
        engine.act(rules, buffer[1], action)
        look_ahead(rules, buffer[1], model, one)
        out.fixed[:] += share * one.fixed
        for pot in range(one.pots[0]):
            place = 0
            while place < out.pots[0] and out.contenders[place] != one.contenders[pot]:
                place += 1
            if place == out.pots[0]:
                out.pots[0] += 1
                out.contenders[place], out.chips[place] = one.contenders[pot], 0.0
            out.chips[place] += share * one.chips[pot]


@njit(cache=True, nogil=True)
def _try_actions(
    rules: Any, buffer: NDArray[np.void], promise: Promise, known: Known, one: int, table: Any, sight: Sight
) -> None:
    """Sets what all actions of an alternative are worth in the mean, by hand of the varied seat, in `sight.tried`."""
    deal, board = table
    low, high = known.low[one], known.high[one]
    if len(promise.answers) > 0:
        clear_outlook(sight.outlook)
        for action in range(low, high + 1):
            buffer[1] = buffer[0]
            engine.act(rules, buffer[1], action)
            add_outlook(rules, buffer[1], 1.0 / (high - low + 1), sight.outlook)
        _set_worths(promise, deal, board, np.int64(buffer[1].street), sight, sight.tried)
        return
    _look_at_all(rules, buffer, promise.model, low, high, sight.prospect)
    sight.tried[:] = sight.prospect.fixed[deal.judged]
    for pot in range(sight.prospect.pots[0]):
        contenders = sight.prospect.contenders[pot]
        if contenders & (1 << deal.judged):
            place, chips = _shares_at(deal, board, contenders, sight), sight.prospect.chips[pot]
            for pair in range(len(sight.tried)):
                sight.tried[pair] += chips * sight.shares[place, pair]


@njit(cache=True, nogil=True)
def _expected_of(
    rules: Any, buffer: NDArray[np.void], promise: Promise, known: Known, at: int, table: Any, sight: Sight
) -> Any:
    """The mean value over all that a known policy may do at a decision; `table` is the deal and its board cards."""
    deal, _ = table
    total, mass = 0.0, sight.weights.sum()
    varied = buffer[0].actor == deal.varied
    for one in range(known.first[at], known.first[at + 1]):
        _try_actions(rules, buffer, promise, known, one, table, sight)
        for entry in range(known.at[one], known.at[one + 1]):
            if varied:
                hand = known.hands[entry]
                total += sight.weights[hand] * known.chances[entry] * sight.tried[hand]
                continue
            for hand in range(len(sight.weights)):
                total += sight.weights[hand] * known.chances[entry] * sight.tried[hand]
    return total / mass if mass > 0 else 0.0


@njit(cache=True, nogil=True)
def _follow_policy(known: Known, at: int, action: int, varied: bool, sight: Sight) -> Any:
    """Weighs the hands of the varied seat by how often they do what was done; False if that is never."""
    sight.share[:] = 0.0
    for alternative in range(known.first[at], known.first[at + 1]):
        low, high = known.low[alternative], known.high[alternative]
        if low <= action <= high:
            for entry in range(known.at[alternative], known.at[alternative + 1]):
                sight.share[known.hands[entry] if varied else 0] += known.chances[entry] / (high - low + 1)
    if varied:
        sight.weights[:] *= sight.share
        return sight.weights.sum() > 0
    return sight.share[0] > 0


@njit(cache=True, nogil=True)
def _fold_share(known: Known, at: int, sight: Sight) -> Any:
    """How often the hands of the varied seat fold at a decision, in the mean."""
    total, mass = 0.0, sight.weights.sum()
    for alternative in range(known.first[at], known.first[at + 1]):
        if known.low[alternative] == FOLD:
            for entry in range(known.at[alternative], known.at[alternative + 1]):
                total += sight.weights[known.hands[entry]] * known.chances[entry]
    return total / mass if mass > 0 else 0.0


@njit(cache=True, nogil=True)
def walk(
    rules: NDArray[np.void], hands: HandArrays, question: Question, promise: Promise, known: Known, out: Account
) -> None:
    """The account of some hands; all their cards must be known."""
    buffer = np.zeros(2, PUBLIC)
    state = np.zeros(1, np.uint64)
    for row in range(len(hands.ends)):
        deal = Deal(hands.decks[row], rules[0].seats, question.varied[row], question.judged[row], promise.preflop)
        state[0] = question.words[row]
        _walk_hand(rules[0], hands, promise, known, row, deal, (buffer, state), out)


@njit(cache=True, nogil=True)
def _walk_hand(rules, hands, promise, known, row, deal, scratch, out):  # type: ignore[no-untyped-def]
    buffer, state = scratch
    sight = new_sight(hands_of(deal), len(promise.answers) > 0)
    engine.begin(rules, buffer[0], hands.stacks[row])
    street = buffer[0].street
    board = _BOARD_CARDS[street]
    start = _value_at_start(rules, buffer[0], promise, deal, sight)
    block_hands(deal, board, sight.weights)
    value = value_now(rules, buffer[0], promise, deal, board, sight)
    look_at_board(promise, deal, board, sight)
    out.start[row] = start
    out.luck[row, DEAL] = value - start
    first, last = action_places(hands, row)
    for at in range(first, last):
        actor, action = np.int64(buffer[0].actor), hands.actions[at]
        kind, varied = OWN_ACTIONS if actor == deal.judged else OTHER_ACTIONS, actor == deal.varied
        is_known = known.first[at + 1] > known.first[at]
        before = value
        if is_known:
            if varied and actor == deal.judged:
                out.imagined[row] += _fold_share(known, at, sight) * -buffer[0].invested[actor]
            expected = _expected_of(rules, buffer, promise, known, at, (deal, board), sight)
            if not _follow_policy(known, at, action, varied, sight):
                out.forbidden[row] = at
                return
        engine.act(rules, buffer[0], action)
        value = value_after(rules, buffer[0], promise, deal, board, sight)
        if is_known:
            out.gains[row, street, actor] += expected - before
            out.luck[row, kind] += value - expected
        else:
            out.gains[row, street, actor] += value - before
        over = buffer[0].actor == FINISHED
        reached = 3 if buffer[0].showdown else np.int64(buffer[0].street)
        while street < reached:
            before = value
            street += 1
            board = _BOARD_CARDS[street]
            expected, value = _deal_street(rules, buffer[0], promise, deal, street, sight, state)
            look_at_board(promise, deal, board, sight)
            out.rest[row] += expected - before
            out.luck[row, street] += value - expected
            if over:
                out.all_in[row] += value - expected
    observed = sight.values[0]
    if deal.varied != NOBODY:
        low, high = np.int64(deal.deck[2 * deal.varied]), np.int64(deal.deck[2 * deal.varied + 1])
        observed = sight.values[max(low, high) * (max(low, high) - 1) // 2 + min(low, high)]
    out.luck[row, OWN_CARDS] = observed - value
    out.rest[row] += hands.payoffs[row, deal.judged] - observed
    if deal.varied != deal.judged or buffer[0].live & (1 << deal.varied):
        out.imagined[row] += value
    out.imagined[row] += hands.payoffs[row, deal.judged] - observed
