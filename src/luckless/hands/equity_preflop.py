"""Compiled: exact results of hands before the flop, without walking through all 1.7 million boards.

Where nobody makes a flush, a board counts by its ranks alone, and there are only 6,175 multisets of five ranks.
Where somebody does, it is in the one suit that has at least three of the board's cards: those boards are counted by
the set of ranks in that suit, and the remaining one or two cards matter only if they give a player without a flush
a full house or more.
"""

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.hands.equity_counts import tally
from luckless.hands.evaluator import rank_strength, suited_strength
from luckless.hands.strength_build import RANK_KEYS
from luckless.kernels import njit


class Matchup(NamedTuple):
    """Hole cards and the deck that they leave, as the kernels need them; `_deal` fills it in for each matchup.

    By player: the summed rank key, the mask of ranks, and by suit the mask of ranks held and how many they are.
    Of the deck: the mask of ranks by suit, and by pick (5 * rank + number of cards) the ways to take it: in all, with
    the suit's card of that rank among them (`within`) and without it (`outside`); pick 0 takes nothing.
    `off_suit` has the ways to take one or two cards of the other suits than the one at hand, `needed` the smallest
    number of board cards of a suit with which somebody has a flush.
    """

    keys: NDArray[np.uint64]
    ranks: NDArray[np.int64]
    held: NDArray[np.int64]
    held_sizes: NDArray[np.int64]
    deck: NDArray[np.int64]
    ways: NDArray[np.int64]
    within: NDArray[np.int64]
    outside: NDArray[np.int64]
    off_suit: NDArray[np.int64]
    needed: NDArray[np.int64]


def _masks(rank_sets: Sequence[tuple[int, ...]]) -> NDArray[np.int64]:
    return np.array([sum(1 << rank for rank in set(ranks)) for ranks in rank_sets], np.int64)


def _keys(rank_sets: Sequence[tuple[int, ...]]) -> NDArray[np.uint64]:
    return np.array([sum(RANK_KEYS[rank] for rank in ranks) for ranks in rank_sets], np.uint64)


def _picks(ranks: tuple[int, ...]) -> list[int]:
    return ([5 * rank + ranks.count(rank) for rank in sorted(set(ranks))] + [0] * 4)[:5]


# The boards by rank, those of few different ranks first so that branches on the size are foreseen.
_BOARDS = [ranks for ranks in itertools.combinations_with_replacement(range(13), 5) if ranks[0] != ranks[4]]
_BOARDS.sort(key=lambda ranks: len(set(ranks)))
_BOARD_SIZES = np.array([len(set(ranks)) for ranks in _BOARDS], np.uint8)
_BOARD_PICKS = np.array([_picks(ranks) for ranks in _BOARDS], np.uint8)
_BOARD_MASKS, _BOARD_KEYS = _masks(_BOARDS), _keys(_BOARDS)

# The sets of three, four or five ranks that may lie in one suit.
_SUITED = [ranks for size in (3, 4, 5) for ranks in itertools.combinations(range(13), size)]
_SUITED_SIZES = np.array([len(ranks) for ranks in _SUITED], np.uint8)
_SUITED_MASKS, _SUITED_KEYS = _masks(_SUITED), _keys(_SUITED)

# One card, then two cards, beside four or three suited ones.
_PAIRS = list(itertools.combinations_with_replacement(range(13), 2))
_OFF_SUIT: list[tuple[int, ...]] = [*((rank,) for rank in range(13)), *_PAIRS]
_OFF_SUIT_MASKS, _OFF_SUIT_KEYS = _masks(_OFF_SUIT), _keys(_OFF_SUIT)
_PAIR_RANKS = np.array(_PAIRS, np.int64)

_RANK_KEYS = np.array(RANK_KEYS, np.uint64)
_CHOOSE = np.array([[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]], np.int64)
_SIZE_OF = np.array([mask.bit_count() for mask in range(1 << 13)], np.uint8)


@njit(cache=True, nogil=True)
def new_matchup(players: int) -> Matchup:
    """Room for a matchup of so many players."""
    return Matchup(
        keys=np.zeros(players, np.uint64),
        ranks=np.zeros(players, np.int64),
        held=np.zeros((players, 4), np.int64),
        held_sizes=np.zeros((players, 4), np.int64),
        deck=np.zeros(4, np.int64),
        ways=np.ones(65, np.int64),
        within=np.ones((4, 65), np.int64),
        outside=np.zeros((4, 65), np.int64),
        off_suit=np.zeros(len(_OFF_SUIT_MASKS), np.int64),
        needed=np.zeros(4, np.int64),
    )


@njit(cache=True, nogil=True)
def _deal(hole: Any, dead: Any, matchup: Matchup) -> None:
    """Fills the matchup in from the hole cards, a row a player, and the dead cards, a bit a card."""
    matchup.keys.fill(0)
    matchup.ranks.fill(0)
    matchup.held.fill(0)
    matchup.held_sizes.fill(0)
    matchup.deck.fill(0)
    taken = dead
    for player in range(hole.shape[0]):
        for card in hole[player]:
            rank, suit = card >> 2, card & 3
            taken |= np.uint64(1) << np.uint64(card)
            matchup.keys[player] += _RANK_KEYS[rank]
            matchup.ranks[player] |= 1 << rank
            matchup.held[player, suit] |= 1 << rank
            matchup.held_sizes[player, suit] += 1
    for rank in range(13):
        free = (~taken >> np.uint64(4 * rank)) & np.uint64(15)
        left = _SIZE_OF[free]
        for cards in range(1, 5):
            matchup.ways[5 * rank + cards] = _CHOOSE[left, cards]
        for suit in range(4):
            there = np.int64(free >> np.uint64(suit)) & 1
            matchup.deck[suit] |= there << rank
            for cards in range(1, 5):
                matchup.within[suit, 5 * rank + cards] = there * _CHOOSE[left - there, cards - 1]
                matchup.outside[suit, 5 * rank + cards] = _CHOOSE[left - there, cards]
    for suit in range(4):
        matchup.needed[suit] = max(3, 5 - matchup.held_sizes[:, suit].max())


@njit(cache=True, nogil=True, inline="always")
def _flush_ways(board: Any, suit: Any, matchup: Matchup) -> Any:
    """On how many boards of a multiset of ranks somebody has a flush in the suit."""
    spare = np.int64(_BOARD_SIZES[board]) - matchup.needed[suit]
    if spare < 0 or _SIZE_OF[_BOARD_MASKS[board] & ~matchup.deck[suit]] > spare:
        return 0
    # The ways in which none, one or two of the ranks seen so far have no card of the suit.
    none, one, two = 1, 0, 0
    for place in range(5):
        pick = _BOARD_PICKS[board, place]
        within, outside = matchup.within[suit, pick], matchup.outside[suit, pick]
        two = two * within + one * outside
        one = one * within + none * outside
        none = none * within
    return none + (one if spare > 0 else 0) + (two if spare > 1 else 0)


@njit(cache=True, nogil=True)
def _count_by_ranks(matchup: Matchup, counts: Any) -> None:
    """The boards on which nobody has a flush."""
    strengths = np.empty(len(matchup.keys), np.int64)
    for board in range(len(_BOARD_SIZES)):
        boards = 1
        for place in range(5):
            boards *= matchup.ways[_BOARD_PICKS[board, place]]
        for suit in range(4):
            boards -= _flush_ways(board, suit, matchup)
        if boards > 0:
            for player in range(len(strengths)):
                strengths[player] = rank_strength(_BOARD_KEYS[board] + matchup.keys[player])
            tally(strengths, boards, counts)


@njit(cache=True, nogil=True)
def _count_off_suit(suit: int, matchup: Matchup) -> None:
    """Fills in the ways to take each one or two ranks from the other suits."""
    outside = matchup.outside[suit]
    for rank in range(13):
        matchup.off_suit[rank] = outside[5 * rank + 1]
    for pair in range(len(_PAIR_RANKS)):
        low, high = _PAIR_RANKS[pair, 0], _PAIR_RANKS[pair, 1]
        different = outside[5 * low + 1] * outside[5 * high + 1]
        matchup.off_suit[13 + pair] = outside[5 * low + 2] if low == high else different


@njit(cache=True, nogil=True)
def _count_full_houses(suited: int, matchup: Matchup, strengths: Any, counts: Any) -> int:
    """The boards on which a player without a flush (strength 0) beats the best flush; gives their number.

    `suited` numbers the set of three or four ranks that lie in the flush's suit.
    """
    best = strengths.max()
    contest = np.empty_like(strengths)
    lost = 0
    start, end = (13, len(_OFF_SUIT_MASKS)) if _SUITED_SIZES[suited] == 3 else (0, 13)
    for others in range(start, end):
        if matchup.off_suit[others] == 0:
            continue
        key = _SUITED_KEYS[suited] + _OFF_SUIT_KEYS[others]
        mask = _SUITED_MASKS[suited] | _OFF_SUIT_MASKS[others]
        beaten = False
        for player in range(len(strengths)):
            contest[player] = strengths[player]
            if strengths[player] == 0 and _SIZE_OF[mask | matchup.ranks[player]] <= 4:
                contest[player] = rank_strength(key + matchup.keys[player])
                beaten |= contest[player] > best
        if beaten:
            tally(contest, matchup.off_suit[others], counts)
            lost += matchup.off_suit[others]
    return lost


@njit(cache=True, nogil=True)
def _count_flushes(suit: int, matchup: Matchup, counts: Any) -> None:
    """The boards on which somebody has a flush in the suit."""
    strengths = np.empty(len(matchup.keys), np.int64)
    _count_off_suit(suit, matchup)
    ways_by_others = (1, matchup.off_suit[:13].sum(), matchup.off_suit[13:].sum())
    for suited in range(len(_SUITED_SIZES)):
        size, mask = np.int64(_SUITED_SIZES[suited]), _SUITED_MASKS[suited]
        if size < matchup.needed[suit] or mask & ~matchup.deck[suit]:
            continue
        threatened = False
        for player in range(len(strengths)):
            strengths[player] = 0
            if size + matchup.held_sizes[player, suit] >= 5:
                strengths[player] = suited_strength(mask | matchup.held[player, suit])
            elif _SIZE_OF[mask | matchup.ranks[player]] <= 4:
                threatened = True  # seven cards of at most four ranks can be a full house
        boards = ways_by_others[5 - size]
        if threatened:
            boards -= _count_full_houses(suited, matchup, strengths, counts)
        tally(strengths, boards, counts)


@njit(cache=True, nogil=True)
def count_preflop(hole: Any, dead: Any, matchup: Matchup, counts: Any) -> None:
    """Tallies all boards for the hole cards, a row a player, without the dead cards (a bit a card)."""
    _deal(hole, dead, matchup)
    _count_by_ranks(matchup, counts)
    for suit in range(4):
        _count_flushes(suit, matchup, counts)
