"""One street of a spot as arrays: its boards, the hands each player can hold there, and his rows of the betting.

Hands of a board are sorted by strength on the river, and fill blocks of `LANES` hands: within a block the numbers of
an action lie side by side, so that sweeps work on `LANES` hands at once and a block's rows stay in the nearest cache.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.hands.board import rank_board
from luckless.hands.pairs import PAIR_CARDS, PAIRS, pair_numbers
from luckless.lanes import LANES
from luckless.solve.betting import FOLD, SHOWDOWN, Forest

WINS, ALL, DEAL = 0, 1, 2
"""What an ending is paid by: hands beaten minus hands that win, all hands of the opponent, the streets to come."""


class Side(NamedTuple):
    """One player on one street."""

    parent: NDArray[np.int32]
    """The row that leads to each of his decisions."""
    start: NDArray[np.int32]
    """The row of its first action; one more at the end."""
    hands: NDArray[np.int32]
    """How many there are on each board."""
    cards: NDArray[np.uint8]
    """Their cards (board, hand, 2)."""
    above: NDArray[np.int32]
    """Their places on the board before the last card (board, image, hand); an image is a board that differs in the
    names of suits alone."""
    images: NDArray[np.int32]
    """How many boards each board stands for."""
    strength: NDArray[np.int32]
    same: NDArray[np.int32]
    """Where the other player holds the same two cards, or -1."""
    sent: NDArray[np.int32]
    """His rows that the other player meets, as columns: showdowns first, folds last, some are both."""
    dealt: NDArray[np.int32]
    """His row at each deal."""
    columns: int
    """Lines that the other player sends: the first `showdowns` end in one, those from `first_fold` on in a fold."""
    showdowns: int
    first_fold: int
    padded: int
    """Columns filled up to whole panels."""
    ending_row: NDArray[np.int32]
    ending_column: NDArray[np.int32]
    ending_kind: NDArray[np.int8]
    ending_stake: NDArray[np.float64]


@dataclass(frozen=True)
class Boards:
    """The boards of a street: each with its cards and the board above it, and the suits' names that map it to the
    others that it stands for (the first changes nothing)."""

    cards: tuple[tuple[int, ...], ...]
    parent: tuple[int, ...]
    renamings: tuple[tuple[tuple[int, ...], ...], ...]


def build_sides(
    forest: Forest,
    boards: Boards,
    held: tuple[NDArray[np.int64], NDArray[np.int64]],
    above: list[list[NDArray[np.int64]]],
) -> tuple[tuple[Side, Side], list[list[NDArray[np.int64]]]]:
    """Both players' arrays of a street, and their hands (numbers of pairs) by player and board.

    `held` are the pairs that each player can hold at the start, `above` the hands of the street before.
    """
    is_river = len(boards.cards[0]) == 5
    strengths = [_strengths(cards) if is_river else None for cards in boards.cards]
    hands = [
        [_hands_on(pairs, cards, strength) for cards, strength in zip(boards.cards, strengths, strict=True)]
        for pairs in held
    ]
    sides = tuple(_side_of(player, forest, boards, hands, above, strengths) for player in (0, 1))
    return (sides[0], sides[1]), hands


def _strengths(board: tuple[int, ...]) -> NDArray[np.int32]:
    strengths, ahead, tied = (np.zeros(PAIRS, np.int32) for _ in range(3))
    rank_board(np.array(board, np.int64), strengths, ahead, tied)
    return strengths


def _hands_on(
    pairs: NDArray[np.int64], board: tuple[int, ...], strength: NDArray[np.int32] | None
) -> NDArray[np.int64]:
    live = pairs[~np.isin(PAIR_CARDS[pairs], board).any(axis=1)]
    return live if strength is None else live[np.argsort(strength[live], kind="stable")]


def _side_of(
    player: int,
    forest: Forest,
    boards: Boards,
    hands: list[list[NDArray[np.int64]]],
    above: list[list[NDArray[np.int64]]],
    strengths: list[NDArray[np.int32] | None],
) -> Side:
    own = hands[player]
    width = -(-max(1, *(len(live) for live in own)) // LANES) * LANES
    most = max(len(images) for images in boards.renamings)
    cards, same = np.zeros((len(own), width, 2), np.uint8), np.full((len(own), width), -1, np.int32)
    strength, places = np.zeros((len(own), width), np.int32), np.zeros((len(own), most, width), np.int32)
    for board, live in enumerate(own):
        size = len(live)
        cards[board, :size] = PAIR_CARDS[live]
        same[board, :size] = _place_of(live, hands[1 - player][board])
        if (ranks := strengths[board]) is not None:
            strength[board, :size] = ranks[live]
        for image, suits in enumerate(boards.renamings[board]):
            places[board, image, :size] = _place_of(renamed(live, suits), above[player][boards.parent[board]])
    return Side(
        *_decisions_of(player, forest),
        np.array([len(live) for live in own], np.int32),
        cards,
        places,
        np.array([len(images) for images in boards.renamings], np.int32),
        strength,
        same,
        *_meetings_of(player, forest),
    )


def renamed(pairs: NDArray[np.int64], suits: tuple[int, ...]) -> NDArray[np.int64]:
    """Pairs with their suits renamed: suit s becomes suits[s]."""
    cards = PAIR_CARDS[pairs]
    return pair_numbers(cards // 4 * 4 + np.array(suits)[cards % 4])


def _place_of(wanted: NDArray[np.int64], among: NDArray[np.int64]) -> NDArray[np.int32]:
    places = np.full(PAIRS, -1, np.int32)
    places[among] = np.arange(len(among), dtype=np.int32)
    return places[wanted]


def _decisions_of(player: int, forest: Forest) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    own = [decision for decision in forest.decisions if decision.player == player]
    starts = [decision.first_row for decision in own] + [forest.next_row[player]]
    return np.array([decision.parent for decision in own], np.int32), np.array(starts, np.int32)


def _columns_of(sender: int, forest: Forest) -> tuple[list[int], int, int]:
    """Rows of a player that the other one meets: those of showdowns, of both, of folds; and the two bounds.

    With rake a showdown also needs the sum over all hands, so its row counts as both.
    """
    raked = any(ending.rake for ending in forest.endings)
    shown = {ending.rows[sender] for ending in forest.endings if ending.kind == SHOWDOWN}
    folded = {ending.rows[sender] for ending in forest.endings if ending.kind == FOLD} | (shown if raked else set())
    rows = sorted(shown - folded) + sorted(shown & folded) + sorted(folded - shown)
    return rows, len(shown), len(shown - folded)


def _meetings_of(player: int, forest: Forest) -> tuple[Any, ...]:
    """What the player sends, and his own endings paid by what the other one sends."""
    sent, _, _ = _columns_of(player, forest)
    met, showdowns, first_fold = _columns_of(1 - player, forest)
    column = {row: place for place, row in enumerate(met)}
    sign = 1 if player == 0 else -1
    entries: list[tuple[int, int, int, float]] = []
    for ending in forest.endings:
        row, place = ending.rows[player], column[ending.rows[1 - player]]
        if ending.kind == SHOWDOWN:  # half the rake is taken from both sides of the pot, see `_columns_of`
            entries.append((row, place, WINS, ending.stake - ending.rake / 2))
            if ending.rake:
                entries.append((row, place, ALL, -ending.rake / 2))
        else:
            won = sign * ending.stake
            entries.append((row, place, ALL, won - ending.rake if won > 0 else won))
    for place, rows in enumerate(forest.deals):
        entries.append((rows[player], place, DEAL, 1.0))
    entries.sort(key=lambda entry: entry[0])
    rows, columns, kinds, stakes = zip(*entries, strict=True)
    return (
        np.array(sent, np.int32),
        np.array([rows[player] for rows in forest.deals], np.int32),
        len(met),
        showdowns,
        first_fold,
        -(-len(met) // LANES) * LANES,
        np.array(rows, np.int32),
        np.array(columns, np.int32),
        np.array(kinds, np.int8),
        np.array(stakes),
    )
