"""All hole cards on one board at once: how strong each pair is, and how many opponents it beats and ties.

Pairs go by their numbers (`pairs.pair_number`).

Cards that a board cannot tell apart are one kind: all live cards of a rank, save that the cards of a suit in which
a flush is possible are each a kind of their own. So a board has at most 13 + 10 kinds, and only the pairs of kinds
are evaluated, sorted by strength and swept from the weakest up. Counts of the hands seen so far that hold a card of
a kind take the opponents away that would share a card with the hand.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.hands.evaluator import CARD_BITS, CARD_KEYS, NO_CARDS, strength_of, sum_cards
from luckless.hands.pairs import PAIRS, pair_number
from luckless.kernels import njit

_MAX_KINDS = 32
_BLOCKED = 0  # the kind of the cards on the board
_LOW_BITS = 7
_LOW_VALUES = 1 << _LOW_BITS
_HIGH_VALUES = 64  # strengths stay below 64 * 128


class _Kinds(NamedTuple):
    """The kinds of cards of a board: of each card its kind, of each kind a card and its size; all are below `end`."""

    of_card: NDArray[np.uint8]
    card: NDArray[np.int64]
    size: NDArray[np.int64]
    end: int


class _KindRanks(NamedTuple):
    """Strength and opponents beaten and tied, by the kinds of the two cards; zero for blocked cards."""

    strengths: NDArray[np.int32]
    ahead: NDArray[np.int32]
    tied: NDArray[np.int32]


@njit(cache=True, nogil=True)
def _kinds_of(board: NDArray[Any]) -> _Kinds:
    of_card = np.full(52, 255, np.uint8)
    card_of_kind, size = np.zeros(_MAX_KINDS, np.int64), np.zeros(_MAX_KINDS, np.int64)
    suit_counts = np.zeros(4, np.int64)
    for card in board:
        of_card[card] = _BLOCKED
        suit_counts[card & 3] += 1
    flush_suit = -1
    for suit in range(4):
        if suit_counts[suit] >= 3:
            flush_suit = suit
    count = 1
    for rank in range(13):
        alike = -1
        for card in range(4 * rank, 4 * rank + 4):
            if of_card[card] == _BLOCKED:
                continue
            alone = (card & 3) == flush_suit
            kind = count if alone or alike < 0 else alike
            if kind == count:
                count += 1
                card_of_kind[kind] = card
            if not alone:
                alike = kind
            of_card[card] = kind
            size[kind] += 1
    return _Kinds(of_card, card_of_kind, size, count)


@njit(cache=True, nogil=True)
def _evaluate_kinds(board: NDArray[Any], kinds: _Kinds, codes: NDArray[np.uint32]) -> int:
    """Writes strength << 16 | kind << 8 | other kind for each pair of kinds, and gives their number.

    The card that stands for a kind never makes a flush that its cards do not make: of a suit without a possible flush
    the board has at most two cards.
    """
    key, bits = sum_cards(board, NO_CARDS)
    count = 0
    for high in range(1, kinds.end):
        high_key, high_bits = key + CARD_KEYS[kinds.card[high]], bits | CARD_BITS[kinds.card[high]]
        for low in range(1, high + (kinds.size[high] > 1)):
            card = kinds.card[low]
            strength = strength_of(high_key + CARD_KEYS[card], high_bits | CARD_BITS[card])
            codes[count] = np.uint32(strength) << np.uint32(16) | np.uint32(high << 8 | low)
            count += 1
    return count


@njit(cache=True, nogil=True)
def sort_by_strength(codes: NDArray[np.uint32], count: int) -> NDArray[np.uint32]:
    """The first `count` codes in the order of their upper halves: a radix sort of two passes."""
    half_sorted, in_order = np.empty(count, np.uint32), np.empty(count, np.uint32)
    low_places, high_places = np.zeros(_LOW_VALUES + 1, np.int32), np.zeros(_HIGH_VALUES + 1, np.int32)
    for place in range(count):
        strength = codes[place] >> 16
        low_places[(strength & (_LOW_VALUES - 1)) + 1] += 1
        high_places[(strength >> _LOW_BITS) + 1] += 1
    for value in range(1, _LOW_VALUES):
        low_places[value] += low_places[value - 1]
    for value in range(1, _HIGH_VALUES):
        high_places[value] += high_places[value - 1]
    for place in range(count):
        value = (codes[place] >> 16) & (_LOW_VALUES - 1)
        half_sorted[low_places[value]] = codes[place]
        low_places[value] += 1
    for place in range(count):
        value = half_sorted[place] >> (16 + _LOW_BITS)
        in_order[high_places[value]] = half_sorted[place]
        high_places[value] += 1
    return in_order


@njit(cache=True, nogil=True)
def _rank_kinds(board: NDArray[Any], kinds: _Kinds) -> _KindRanks:
    codes = np.empty(_MAX_KINDS * _MAX_KINDS, np.uint32)
    codes = sort_by_strength(codes, _evaluate_kinds(board, kinds, codes))
    square = (_MAX_KINDS, _MAX_KINDS)
    strengths, ahead, tied = np.zeros(square, np.int32), np.zeros(square, np.int32), np.zeros(square, np.int32)
    size = kinds.size
    seen = np.zeros(_MAX_KINDS, np.int64)  # hands swept so far that hold a given card of the kind
    total = 0
    start = 0
    while start < len(codes):
        strength = codes[start] >> 16
        weaker = total
        end = start
        while end < len(codes) and codes[end] >> 16 == strength:
            high, low = np.int64(codes[end] >> 8 & 255), np.int64(codes[end] & 255)
            ahead[high, low] = weaker - seen[high] - seen[low]
            end += 1
        for place in range(start, end):
            high, low = np.int64(codes[place] >> 8 & 255), np.int64(codes[place] & 255)
            if high == low:
                total += size[high] * (size[high] - 1) // 2
                seen[high] += size[high] - 1
            else:
                total += size[high] * size[low]
                seen[high] += size[low]
                seen[low] += size[high]
        for place in range(start, end):
            high, low = np.int64(codes[place] >> 8 & 255), np.int64(codes[place] & 255)
            # The hand itself was taken away twice, once for each of its cards.
            tied[high, low] = total - seen[high] - seen[low] + 1 - ahead[high, low]
            strengths[high, low] = strength
            strengths[low, high], ahead[low, high], tied[low, high] = strength, ahead[high, low], tied[high, low]
        start = end
    return _KindRanks(strengths, ahead, tied)


@njit(cache=True, nogil=True)
def rank_board(
    board: NDArray[Any], strengths: NDArray[np.int32], ahead: NDArray[np.int32], tied: NDArray[np.int32]
) -> None:
    """Ranks every pair of hole cards on a board of 3, 4 or 5 cards against every other pair.

    For each pair (dense number) that the board leaves, writes its strength and the number of opponents that it beats
    and that it ties, of the 1,081, 1,035 or 990 that share no card with it. Pairs that the board blocks get
    strength 0 and no opponents. The three arrays have 1,326 places.
    """
    kinds = _kinds_of(board)
    ranks = _rank_kinds(board, kinds)
    pair = 0
    for high in range(1, 52):
        kind = kinds.of_card[high]
        for low in range(high):
            other = kinds.of_card[low]
            strengths[pair] = ranks.strengths[kind, other]
            ahead[pair] = ranks.ahead[kind, other]
            tied[pair] = ranks.tied[kind, other]
            pair += 1


@njit(cache=True, nogil=True)
def add_half_counts(board: NDArray[Any], totals: NDArray[Any]) -> None:
    """Adds 2 x beaten + tied of every pair on a board (0 where the board blocks it) to `totals`, 1,326 places."""
    kinds = _kinds_of(board)
    ranks = _rank_kinds(board, kinds)
    half_counts = ranks.ahead * 2 + ranks.tied
    pair = 0
    for high in range(1, 52):
        kind = kinds.of_card[high]
        for low in range(high):
            totals[pair] += half_counts[kind, kinds.of_card[low]]
            pair += 1


@njit(cache=True, nogil=True)
def half_count(hole: NDArray[Any], board: NDArray[Any]) -> int:
    """2 x beaten + tied of one pair on a board of 3, 4 or 5 cards; a sixth of the time of ranking all pairs."""
    kinds = _kinds_of(board)
    key, bits = sum_cards(board, NO_CARDS)
    own_key, own_bits = key + CARD_KEYS[hole[0]] + CARD_KEYS[hole[1]], bits | CARD_BITS[hole[0]] | CARD_BITS[hole[1]]
    own = strength_of(own_key, own_bits)
    size = kinds.size  # what the opponents can hold: the pair's own two cards are gone
    size[kinds.of_card[hole[0]]] -= 1
    size[kinds.of_card[hole[1]]] -= 1
    total = 0
    for high in range(1, kinds.end):
        high_key, high_bits = key + CARD_KEYS[kinds.card[high]], bits | CARD_BITS[kinds.card[high]]
        for low in range(1, high + 1):
            hands = size[high] * size[low] if low < high else size[high] * (size[high] - 1) // 2
            if hands > 0:
                card = kinds.card[low]
                other = strength_of(high_key + CARD_KEYS[card], high_bits | CARD_BITS[card])
                total += hands * (2 * (own > other) + (own == other))
    return total


@njit(cache=True, nogil=True)
def pool_completions(board: NDArray[Any], totals: NDArray[Any]) -> None:
    """Adds the half-counts of every pair over all completions of a board of 3, 4 or 5 cards to `totals`.

    A completion that uses a card of a pair adds nothing to that pair, so each live pair gets those of its own
    1,081, 46 or 1 completions.
    """
    size = len(board)
    full = np.empty(5, np.int64)
    full[:size] = board
    on_board = np.zeros(52, np.bool_)
    for card in board:
        on_board[card] = True
    if size == 5:
        add_half_counts(full, totals)
        return
    for fourth in range(52):
        if on_board[fourth]:
            continue
        full[size] = fourth
        if size == 4:
            add_half_counts(full, totals)
            continue
        for fifth in range(fourth):
            if not on_board[fifth]:
                full[4] = fifth
                add_half_counts(full, totals)


@njit(cache=True, nogil=True)
def rank_rows(cards: NDArray[Any], ihr: NDArray[np.int64], hr7: NDArray[np.int64]) -> None:
    """Half-counts now and over all completions of each row of two hole cards and 3, 4 or 5 board cards.

    Rows that follow each other on the same board share its work.
    """
    now, completed = np.empty(PAIRS, np.int64), np.empty(PAIRS, np.int64)
    for row in range(len(cards)):
        board = cards[row, 2:]
        if row == 0 or (board != cards[row - 1, 2:]).any():
            now[:], completed[:] = 0, 0
            add_half_counts(board, now)
            pool_completions(board, completed)
        pair = pair_number(cards[row, 0], cards[row, 1])
        ihr[row], hr7[row] = now[pair], completed[pair]
