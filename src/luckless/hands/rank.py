"""Hand rank: how a hand stands against all hands, or against a range, now (IHR) and after all cards (7cHR).

IHR = (beaten + tied / 2) / opponents; 7cHR is the same with the counts of all completions of the board pooled; EHR
puts the two together (Kan, Postgame Analysis of Poker Decisions, 2007, section 3.1.1). Against a range they are the
thesis's IHS and 7cHS. Everything is counted in whole numbers; fractions are exact.
"""

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from luckless.cards import DECK_SIZE, format_card, format_cards
from luckless.errors import InputError
from luckless.hands.board import rank_rows
from luckless.hands.effective import COMPLETIONS, OPPONENTS, EffectiveRank
from luckless.hands.isomorphism import layout, number_rows, situation_rows
from luckless.hands.preflop import class_numbers, preflop_counts, two_card_strengths
from luckless.hands.showdowns import count_completed, count_now
from luckless.hands.tables import BUILD_COMMAND, SPECS, rank_table
from luckless.progress import Progress
from luckless.threads import run_chunks

STREET_OF_BOARD = {0: 0, 3: 1, 4: 2, 5: 3}
"""The street, 0 (before the flop) to 3 (river), by the number of board cards."""

IHR_UNITS = tuple(2 * opponents for opponents in OPPONENTS)
"""The half-count of `Ranks.ihr` that is a rank of 1, by street."""

HR7_UNITS = tuple(2 * 990 * completions for completions in COMPLETIONS)
"""The half-count of `Ranks.hr7` that is a rank of 1, by street."""

_LONG_WORK = 500_000  # boards to rank: some two seconds
_DIRECT_CHUNK = {3: 10, 4: 200, 5: 10_000}  # hands in hand at a time, by board cards: some forty milliseconds


class Counts(NamedTuple):
    """Opponents that a hand beats, ties and loses to."""

    ahead: int
    tied: int
    behind: int

    @property
    def rank(self) -> Fraction:
        """(beaten + tied / 2) / all of them."""
        return Fraction(2 * self.ahead + self.tied, 2 * sum(self))


@dataclass(frozen=True)
class HandRank:
    """The ranks of a hand: counts of opponents now and over all completions of the board, and the three ranks."""

    now: Counts
    completed: Counts
    ehr: Fraction

    @property
    def ihr(self) -> Fraction:
        """Immediate hand rank (IHS against a range)."""
        return self.now.rank

    @property
    def hr7(self) -> Fraction:
        """7-card hand rank (7cHS against a range)."""
        return self.completed.rank


def hand_rank(
    hole: Sequence[int],
    board: Sequence[int] = (),
    *,
    opponents: ArrayLike | None = None,
    effective: EffectiveRank | None = None,
) -> HandRank:
    """Exact IHR, 7cHR and EHR of two hole cards on a board of 0, 3, 4 or 5 cards.

    `opponents` is an array of shape (n, 2) of the hole cards to compare with, each row once (a `Range`'s `combos`);
    rows that hold a known card are left out. Without it the hand meets every other hand. `effective` is the setting
    of EHR, by default the thesis's.
    """
    _check_situation(hole, board)
    own, table = np.array(hole, np.int64), np.array(board, np.int64)
    others = _all_hands() if opponents is None else _check_opponents(opponents)
    others = others[~np.isin(others, [*hole, *board]).any(axis=1)]
    if len(others) == 0:
        taken = f"{format_cards(hole)} or the board {format_cards(board)}" if len(board) else format_cards(hole)
        raise InputError(f"no hand of the range is possible: each holds a card of {taken}")
    now = _count_now(own, table, others)
    if len(board) == 5:
        completed = now
    elif len(board) == 0 and opponents is None:
        completed = _preflop_completed(own)
    else:
        completed = _count_completed(own, table, others)
    street = STREET_OF_BOARD[len(board)]
    return HandRank(now, completed, (effective or EffectiveRank()).of(street, now.rank, completed.rank))


def _check_situation(hole: Sequence[int], board: Sequence[int]) -> None:
    if len(hole) != 2:
        raise InputError(f"a hand has 2 hole cards, not {len(hole)}")
    if len(board) not in STREET_OF_BOARD:
        raise InputError(f"a board has 0, 3, 4 or 5 cards, not {len(board)}")
    known = [*hole, *board]
    for place, card in enumerate(known):
        if not isinstance(card, int | np.integer) or not 0 <= card < DECK_SIZE:
            raise InputError(f"{card} is not a card: cards are numbers from 0 to 51")
        if card in known[:place]:
            where = "in the hand and on the board" if card in hole and card in board else "twice"
            raise InputError(f"card {format_card(card)} appears {where}; a card can be in one place only")


def _check_opponents(opponents: ArrayLike) -> NDArray[np.int64]:
    rows = np.asarray(opponents)
    if rows.ndim != 2 or rows.shape[1] != 2 or rows.dtype.kind not in "iu":
        raise InputError(f"opponents must be an array of integers of shape (n, 2), not {rows.dtype} {rows.shape}")
    if len(rows) == 0:
        raise InputError("the range holds no hands: give at least one")
    return situation_rows(rows, np.empty((len(rows), 0), np.int64))[:, :2]


def _all_hands() -> NDArray[np.int64]:
    return np.array([(low, high) for high in range(DECK_SIZE) for low in range(high)], np.int64)


def _count_now(hole: NDArray[np.int64], board: NDArray[np.int64], opponents: NDArray[np.int64]) -> Counts:
    if len(board):
        return Counts(*count_now(hole, board, opponents).tolist())
    own, others = two_card_strengths(hole[None, :])[0], two_card_strengths(opponents)
    return Counts(int((others < own).sum()), int((others == own).sum()), int((others > own).sum()))


def _preflop_completed(hole: NDArray[np.int64]) -> Counts:
    number = class_numbers(hole[None, :])[0]
    ahead, tied = int(preflop_counts().ahead[number]), int(preflop_counts().tied[number])
    return Counts(ahead, tied, 990 * COMPLETIONS[0] - ahead - tied)


def _count_completed(hole: NDArray[np.int64], board: NDArray[np.int64], opponents: NDArray[np.int64]) -> Counts:
    counts = np.zeros((DECK_SIZE, 3), np.int64)

    def count(first: int, last: int) -> int:
        for highest in range(first, last):
            counts[highest] = count_completed(hole, board, opponents, highest)
        return int(counts[first:last].sum())

    showdowns = len(opponents) * math.comb(48 - len(board), 5 - len(board))
    with Progress(showdowns, "7cHR, showdowns") as progress:
        run_chunks(DECK_SIZE, 1, count, progress)
    return Counts(*counts.sum(axis=0).tolist())


class Ranks(NamedTuple):
    """Half-counts (2 x beaten + tied) of the opponents of each hand: now, and over all completions of its board."""

    ihr: NDArray[np.int64]
    hr7: NDArray[np.int64]


def ranks(holes: ArrayLike, boards: ArrayLike) -> Ranks:
    """IHR and 7cHR of many hands at once: hole cards (n, 2), boards (n, 0), (n, 3), (n, 4) or (n, 5).

    Counts stay whole. Of the street of the boards, `IHR_UNITS` and `HR7_UNITS` say what stands for a rank of 1; on
    the river both are the same. The tables of `luckless tables build rank` are used where they are built; without
    them the boards are enumerated, which takes up to some milliseconds a hand on the flop.
    """
    cards = situation_rows(holes, boards)
    board_cards = cards.shape[1] - 2
    if board_cards == 0:
        return _preflop_ranks(cards)
    table = rank_table(board_cards)
    if table is None:
        return _direct_ranks(cards)
    numbers = np.empty(len(cards), np.int64)
    number_rows(cards, 2, layout(2, board_cards), numbers)
    ihr = table.ihr[numbers].astype(np.int64)
    return Ranks(ihr, ihr if table.hr7 is table.ihr else table.hr7[numbers].astype(np.int64))


def _preflop_ranks(cards: NDArray[np.int64]) -> Ranks:
    counts, classes = preflop_counts(), class_numbers(cards)
    now, completed = 2 * counts.ahead_now + counts.tied_now, 2 * counts.ahead + counts.tied
    return Ranks(now[classes], completed[classes])


def _direct_ranks(cards: NDArray[np.int64]) -> Ranks:
    """By enumeration, in the order of the boards, so that equal boards are ranked once."""
    board_cards = cards.shape[1] - 2
    boards = len(cards) * COMPLETIONS[STREET_OF_BOARD[board_cards]]
    if boards > _LONG_WORK:
        name = SPECS[board_cards].name
        warnings.warn(f"table {name} is not built, so this takes long; run '{BUILD_COMMAND}' once", stacklevel=3)
    cards = np.hstack([cards[:, :2], np.sort(cards[:, 2:], axis=1)])
    order = np.lexsort(cards[:, 2:].T)
    in_order = cards[order]
    ihr, hr7 = np.empty(len(cards), np.int64), np.empty(len(cards), np.int64)

    def rank_chunk(first: int, last: int) -> int:
        rank_rows(in_order[first:last], ihr[first:last], hr7[first:last])
        return last - first

    with Progress(len(cards), "hand ranks") as progress:
        run_chunks(len(cards), _DIRECT_CHUNK[board_cards], rank_chunk, progress)
    unordered = Ranks(np.empty_like(ihr), np.empty_like(hr7))
    unordered.ihr[order], unordered.hr7[order] = ihr, hr7
    return unordered
