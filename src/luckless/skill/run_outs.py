"""Compiled: the mean share of a pot that one seat wins when the board is dealt out, by what one of the seats holds.

Where all 1,326 hands of a varied seat are asked about, suits hardly matter: on a board without a flush a hand's share
follows from its two ranks. So boards are added up by pairs of ranks, and each hand then takes those away that use a
card of its own; hands that make a flush are counted by themselves. `shares.add_board` gives the same hand by hand.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.hands.evaluator import (
    CARD_BITS,
    CARD_KEYS,
    NO_CARDS,
    flush_strength,
    has_flush,
    rank_strength,
    suited_strength,
    sum_cards,
)
from luckless.hands.pairs import PAIR_CARDS, PAIRS, pair_number
from luckless.kernels import njit
from luckless.skill.shares import NOBODY, Deal, add_board, gone_cards

SAMPLES = 400
"""Boards that are drawn where those to come before the flop are too many to count."""

RANKS, BOARD = 13, 5
_ONE = np.uint64(1)
_NO_SUIT = -1


class Tally(NamedTuple):
    """Boards added up by what they have in common, for the hands that the varied seat may hold."""

    by_ranks: NDArray[np.float64]
    """The sum of shares over all boards by the ranks of both cards, as if no board used a card of the hand."""
    with_card: NDArray[np.float64]
    """By card the sum over the boards that use it, for hands of that card by the rank of their other card."""
    boards: NDArray[np.int64]
    """How many boards there are (at 52), and how many use each card."""
    shares: NDArray[np.float64]
    """The shares on boards of some ranks by the ranks of both cards, if nobody makes a flush."""
    alike: NDArray[np.int64]
    """As `boards`, of boards of those ranks that have not been entered yet."""
    against_flush: NDArray[np.float64]
    """The shares on one board on which another seat has a flush."""


class Contest(NamedTuple):
    """What is to be beaten on a board: the best strength among the contenders whose cards are given, how many of them
    have it, and the judged seat's own (0 if it is the varied one)."""

    best: Any
    sharers: int
    own: Any
    mine: bool


@njit(cache=True, nogil=True)
def mean_shares(deal: Deal, board: int, contenders: int, out: NDArray[np.float64]) -> None:
    """The judged seat's mean share of a pot with 3, 4 or 5 board cards dealt, by the varied seat's hand."""
    out[:] = 0.0
    counts = np.zeros(len(out))
    cards = np.empty(BOARD, np.int64)
    for place in range(board):
        cards[place] = deal.deck[2 * deal.seats + place]
    if board == BOARD:
        add_board(deal, cards, contenders, out, counts)
    elif deal.varied != NOBODY and contenders >> deal.varied & 1:
        _add_by_ranks(deal, cards, board, contenders, (out, counts))
    else:
        _add_one_by_one(deal, cards, board, contenders, (out, counts))
    _divide(out, counts)


@njit(cache=True, nogil=True)
def _add_one_by_one(deal: Deal, cards: NDArray[np.int64], board: int, contenders: int, sums: Any) -> None:
    """Adds every whole board, hand by hand; `sums` are shares and how many boards each hand was counted on."""
    gone, (out, counts) = gone_cards(deal, board), sums
    for fourth in range(52):
        if gone >> np.uint64(fourth) & _ONE:
            continue
        cards[board] = fourth
        if board == 4:
            add_board(deal, cards, contenders, out, counts)
            continue
        for fifth in range(fourth):
            if not gone >> np.uint64(fifth) & _ONE:
                cards[4] = fifth
                add_board(deal, cards, contenders, out, counts)


@njit(cache=True, nogil=True)
def _add_by_ranks(deal: Deal, cards: NDArray[np.int64], board: int, contenders: int, sums: Any) -> None:
    """Adds every whole board, one pair of ranks to come after the other."""
    gone = gone_cards(deal, board)
    tally = _new_tally()
    for high in range(RANKS):
        for low in range(high + 1 if board == 3 else 1):
            if not _can_come(gone, high, low, board):
                continue
            cards[board], cards[4] = 4 * high, 4 * (low if board == 3 else high)
            contest = _contest(deal, cards, contenders, False)
            _set_shares(cards, contest, tally.shares)
            for fourth in range(4 * high, 4 * high + 4):
                if gone >> np.uint64(fourth) & _ONE:
                    continue
                cards[board] = fourth
                if board == 4:
                    _add_whole(deal, cards, board, contenders, contest, tally, sums)
                    continue
                for fifth in range(4 * low, min(4 * low + 4, fourth)):
                    if not gone >> np.uint64(fifth) & _ONE:
                        cards[4] = fifth
                        _add_whole(deal, cards, board, contenders, contest, tally, sums)
            for suit in range(4):
                _enter(4 * high + suit, tally)
                _enter(4 * low + suit, tally)
            _enter_boards(tally)
    _settle(cards[:board], tally, sums)


@njit(cache=True, nogil=True)
def _can_come(gone: Any, high: int, low: int, board: int) -> bool:
    """Whether cards of these ranks are left; of one rank alone if one card is to come."""
    left_high = left_low = 0
    for suit in range(4):
        left_high += not gone >> np.uint64(4 * high + suit) & _ONE
        left_low += not gone >> np.uint64(4 * low + suit) & _ONE
    if board == 4:
        return left_high > 0
    return left_high > 1 if high == low else left_high > 0 and left_low > 0


@njit(cache=True, nogil=True)
def sampled_shares(deal: Deal, contenders: int, state: NDArray[np.uint64], out: NDArray[np.float64]) -> None:
    """The same before the flop, over boards that are drawn without looking at the one that was dealt."""
    gone = gone_cards(deal, 0)
    out[:] = 0.0
    sums = (out, np.zeros(len(out)))
    by_ranks = deal.varied != NOBODY and contenders >> deal.varied & 1 == 1
    cards = np.empty(BOARD, np.int64)
    tally = _new_tally()
    for _ in range(SAMPLES):
        _draw_board(gone, state, cards)
        if not by_ranks:
            add_board(deal, cards, contenders, sums[0], sums[1])
            continue
        contest = _contest(deal, cards, contenders, False)
        _set_shares(cards, contest, tally.shares)
        _add_whole(deal, cards, 0, contenders, contest, tally, sums)
        for card in cards:
            _enter(card, tally)
        _enter_boards(tally)
    if by_ranks:
        _settle(cards[:0], tally, sums)
    _divide(out, sums[1])


@njit(cache=True, nogil=True)
def _draw_board(gone: Any, state: NDArray[np.uint64], cards: NDArray[np.int64]) -> None:
    """Five cards that are not gone."""
    taken = gone
    for place in range(BOARD):
        card = _draw(state)
        while taken >> np.uint64(card) & _ONE:
            card = _draw(state)
        taken |= _ONE << np.uint64(card)
        cards[place] = card


@njit(cache=True, nogil=True)
def _draw(state: NDArray[np.uint64]) -> Any:
    """A card, by a step of SplitMix64 (Steele, Lea and Flood 2014)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return np.int64((z >> np.uint64(32)) * np.uint64(52) >> np.uint64(32))


@njit(cache=True, nogil=True)
def _new_tally() -> Tally:
    square = (RANKS, RANKS)
    many = np.zeros(53, np.int64)
    return Tally(np.zeros(square), np.zeros((52, RANKS)), many, np.zeros(square), many.copy(), np.zeros(square))


@njit(cache=True, nogil=True)
def _enter(card: int, tally: Tally) -> None:
    """Enters the boards of the same ranks that use a card."""
    many = tally.alike[card]
    if many > 0:
        tally.boards[card] += many
        for rank in range(RANKS):
            tally.with_card[card, rank] += many * tally.shares[card >> 2, rank]
        tally.alike[card] = 0


@njit(cache=True, nogil=True)
def _enter_boards(tally: Tally) -> None:
    """Enters that there are these boards of the same ranks."""
    many = tally.alike[52]
    if many > 0:
        tally.boards[52] += many
        for high in range(RANKS):
            for low in range(RANKS):
                tally.by_ranks[high, low] += many * tally.shares[high, low]
        tally.alike[52] = 0


@njit(cache=True, nogil=True)
def _contest(deal: Deal, cards: NDArray[np.int64], contenders: int, flushes: bool) -> Contest:
    """What is to be beaten on a board, by all cards or as if nobody made a flush."""
    key, bits = sum_cards(cards, NO_CARDS)
    best, sharers, own = np.int64(0), 0, np.int64(0)
    for seat in range(deal.seats):
        if not contenders & (1 << seat) or seat == deal.varied:
            continue
        first, second = deal.deck[2 * seat], deal.deck[2 * seat + 1]
        held = key + CARD_KEYS[first] + CARD_KEYS[second]
        if flushes and has_flush(held):
            strength = np.int64(flush_strength(held, bits | CARD_BITS[first] | CARD_BITS[second]))
        else:
            strength = np.int64(rank_strength(held))
        if seat == deal.judged:
            own = strength
        if strength > best:
            best, sharers = strength, 1
        elif strength == best:
            sharers += 1
    return Contest(best, sharers, own, deal.varied == deal.judged)


@njit(cache=True, nogil=True)
def _share_of(strength: Any, contest: Contest) -> Any:
    """What the judged seat gets if the varied one has this strength."""
    if strength > contest.best:
        return 1.0 if contest.mine else 0.0
    wins = contest.own == contest.best
    if strength == contest.best:
        return 1.0 / (contest.sharers + 1) if contest.mine or wins else 0.0
    return 1.0 / contest.sharers if wins and not contest.mine else 0.0


@njit(cache=True, nogil=True)
def _set_shares(cards: NDArray[np.int64], contest: Contest, out: NDArray[np.float64]) -> None:
    """The share by the ranks of both cards of a hand that makes no flush; 0 for a fifth card of a rank."""
    key, _ = sum_cards(cards, NO_CARDS)
    of_rank = np.zeros(RANKS, np.int64)
    for card in cards:
        of_rank[card >> 2] += 1
    for high in range(RANKS):
        for low in range(high + 1):
            fits = of_rank[high] + 1 + (high == low) <= 4 and of_rank[low] + 1 <= 4
            share = 0.0
            if fits:
                share = _share_of(np.int64(rank_strength(key + CARD_KEYS[4 * high] + CARD_KEYS[4 * low])), contest)
            out[high, low] = out[low, high] = share


@njit(cache=True, nogil=True)
def _add_whole(deal, cards, board, contenders, contest, tally, sums):  # type: ignore[no-untyped-def]
    """Adds one whole board whose first `board` cards are on all boards; `contest` is that of its ranks."""
    key, bits = sum_cards(cards, NO_CARDS)
    suit, held = _suit_of_flushes(key)
    if held == BOARD:
        add_board(deal, cards, contenders, sums[0], sums[1])
        return
    shares = tally.shares
    if _has_flush(deal, key, contenders):
        contest, shares = _contest(deal, cards, contenders, True), tally.against_flush
        _set_shares(cards, contest, shares)
        _add_alone(cards[board:], tally)
    else:
        tally.alike[52] += 1
        for card in cards[board:]:
            tally.alike[card] += 1
    for place in range(board, BOARD):
        for other in range(board, place):
            pair = pair_number(cards[place], cards[other])
            sums[0][pair] += shares[cards[place] >> 2, cards[other] >> 2]
            sums[1][pair] += 1.0
    if suit != _NO_SUIT:
        _add_flushes(cards, np.int64(bits >> np.uint64(16 * suit)) & 0x1FFF, (suit, held), contest, shares, sums[0])


@njit(cache=True, nogil=True)
def _add_alone(dealt: NDArray[np.int64], tally: Tally) -> None:
    """Enters one board on which another seat has a flush."""
    shares = tally.against_flush
    tally.boards[52] += 1
    for high in range(RANKS):
        for low in range(RANKS):
            tally.by_ranks[high, low] += shares[high, low]
    for card in dealt:
        tally.boards[card] += 1
        for rank in range(RANKS):
            tally.with_card[card, rank] += shares[card >> 2, rank]


@njit(cache=True, nogil=True)
def _suit_of_flushes(key: Any) -> Any:
    """The suit of three or more cards of a whole board, and how many it has."""
    for suit in range(4):
        held = np.int64(key >> np.uint64(32 + 4 * suit) & np.uint64(15)) - 3
        if held >= 3:
            return suit, held
    return _NO_SUIT, np.int64(0)


@njit(cache=True, nogil=True)
def _has_flush(deal: Deal, key: Any, contenders: int) -> bool:
    """Whether a contender whose cards are given makes a flush."""
    for seat in range(deal.seats):
        if not contenders & (1 << seat) or seat == deal.varied:
            continue
        if has_flush(key + CARD_KEYS[deal.deck[2 * seat]] + CARD_KEYS[deal.deck[2 * seat + 1]]):
            return True
    return False


@njit(cache=True, nogil=True)
def _add_flushes(
    cards: NDArray[np.int64], ranks: int, flush: Any, contest: Contest, shares: NDArray[np.float64], out: Any
) -> None:
    """Adds what hands that make a flush on a board have more than their ranks say; `ranks` are the board's ranks of
    the suit, a bit each."""
    suit, held = flush
    taken = np.uint64(0)
    for card in cards:
        taken |= _ONE << np.uint64(card)
    for high in range(RANKS):
        if ranks >> high & 1:
            continue
        first, with_first = 4 * high + suit, ranks | 1 << high
        for low in range(high):
            if not ranks >> low & 1:
                share = _share_of(np.int64(suited_strength(with_first | 1 << low)), contest)
                out[pair_number(first, 4 * low + suit)] += share - shares[high, low]
        if held == 4:
            share = _share_of(np.int64(suited_strength(with_first)), contest)
            for second in range(52):
                if second & 3 != suit and not taken >> np.uint64(second) & _ONE:
                    out[pair_number(first, second)] += share - shares[high, second >> 2]


@njit(cache=True, nogil=True)
def _settle(fixed: NDArray[np.int64], tally: Tally, sums: Any) -> None:
    """Gives every hand the boards that use no card of it."""
    for pair in range(PAIRS):
        low, high = PAIR_CARDS[pair, 0], PAIR_CARDS[pair, 1]
        blocked = False
        for card in fixed:
            blocked |= card in (low, high)
        if blocked:
            continue
        sums[0][pair] += (
            tally.by_ranks[low >> 2, high >> 2] - tally.with_card[low, high >> 2] - tally.with_card[high, low >> 2]
        )
        sums[1][pair] += tally.boards[52] - tally.boards[low] - tally.boards[high]


@njit(cache=True, nogil=True)
def _divide(out: NDArray[np.float64], counts: NDArray[np.float64]) -> None:
    for place in range(len(out)):
        if counts[place] > 0:
            out[place] /= counts[place]
