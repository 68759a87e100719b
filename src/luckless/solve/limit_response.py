"""The best response to a bot in heads-up limit, by vectors over the public tree.

The responder sees the board, the betting and his own cards, and knows the bot's probabilities. Going down, the bot's
reach of each line is worked out for all its hands; going up, the responder takes the best action with each of his
hands. Rows are the 1,326 hands, columns the lines with which a street begins (see `limit_streets`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.hands.board import rank_board
from luckless.hands.pairs import PAIR_CARDS, PAIRS, pair_numbers
from luckless.solve.limit_policies import LimitPolicy, Played
from luckless.solve.limit_showdowns import Matrix, add_rows, meet_all, show_down, split
from luckless.solve.limit_streets import ACTS, FOLDED, Branch, Street

_CARDS_TO_COME = {3: 45, 4: 44}
"""Cards that can come next, by those on the board, once both hands are dealt."""

_BLOCK = 64
"""Lines of the river that are worked out together: so many stay close to the processor."""
_NOTHING = np.zeros((0, 0), np.float32)

Plan = list[Any]
"""The values of a decision's actions: matrices, plans of later decisions, or numbers of closings."""


@dataclass
class _Board:
    """A street on a board: its hands, weakest first, and the columns that the bot reaches."""

    street: Street
    hands: NDArray[np.int64]
    cards: NDArray[np.int64]
    strength: NDArray[np.int64]
    played: Played
    columns: NDArray[np.int64]
    after: Matrix | None
    """The bot's reach of the next street's beginnings, (1,326, beginnings)."""

    def sums(self) -> tuple[NDArray[np.float32], Matrix]:
        """Room for the sums of a sweep."""
        return np.empty(len(self.columns), np.float32), np.empty((52, len(self.columns)), np.float32)


class LimitResponse:
    """Best responses to one bot from one seat."""

    def __init__(self, streets: list[Street], policy: LimitPolicy, seat: int) -> None:
        self.streets, self.policy, self.seat = streets, policy, seat
        self._narrowed: dict[tuple[int, bytes], list[list[NDArray[Any]]]] = {}
        self._before = self._begin(0, (), np.zeros(1, np.int64))
        self._plan = self._down(self._before, 0, np.ones((PAIRS, 1), np.float32))

    def flop_values(self, flop: Sequence[int]) -> Matrix:
        """What the responder wins with each hand (row) after each line before the flop (column), on one flop: weights
        of the bot's hands times chips, averaged over turn and river."""
        out = np.zeros((PAIRS, self.streets[1].beginnings), np.float32)
        assert self._before.after is not None
        columns = np.flatnonzero(self._before.after.any(axis=0))
        if len(columns):
            hands, values = self._values(1, tuple(flop), self._before.after[:, columns], columns)
            out[np.ix_(hands, columns)] = values
        return out

    def before_flop(self, choosing: NDArray[np.float64], valued: NDArray[np.float64]) -> float:
        """Chips a hand, given values after the lines before the flop: one decides the choices, the other values them.

        Both are sums over all flops, as seen from a hand, divided by the number of flops.
        """
        _, value = self._chosen(0, self._plan, choosing, valued)
        return float(value.sum() / (PAIRS * 1225))

    def _begin(self, number: int, cards: tuple[int, ...], columns: NDArray[np.int64]) -> _Board:
        street = self.streets[number]
        live = _live(frozenset(cards))
        strength = np.zeros(PAIRS, np.int32)
        if number == 3:
            ahead, tied = np.zeros(PAIRS, np.int32), np.zeros(PAIRS, np.int32)
            rank_board(np.array(cards, np.int64), strength, ahead, tied)
            live = live[np.argsort(strength[live], kind="stable")]
        after = None if number == 3 else np.zeros((PAIRS, self.streets[number + 1].beginnings), np.float32)
        played = self.policy.on(number, cards)
        whole = _Board(street, live, PAIR_CARDS[live], strength[live].astype(np.int64), played, columns, after)
        return whole if number == 3 else self._narrowed_to(whole, columns)

    def _narrowed_to(self, board: _Board, columns: NDArray[np.int64]) -> _Board:
        """The board in some of its columns."""
        played = board.played
        if len(columns) < board.street.beginnings:
            key = (board.street.number, columns.tobytes())
            tables = self._narrowed.get(key) if self.policy.fixed else None
            if tables is None:
                tables = [[np.ascontiguousarray(table[:, columns]) for table in row] for row in played.tables]
                self._narrowed[key] = tables
            played = played._replace(tables=tables)
        return replace(board, played=played, columns=columns)

    def _values(
        self, number: int, cards: tuple[int, ...], reach: Matrix, columns: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], Matrix]:
        """What the responder wins from a street on, by hand and reached beginning; and the hands."""
        board = self._begin(number, cards, columns)
        weights = reach.take(board.hands, axis=0)
        if board.after is not None:
            plan = self._down(board, 0, weights)
            return board.hands, self._up(board, 0, plan, self._next(number, cards, board.after))
        out = np.empty_like(weights)
        for first in range(0, len(columns), _BLOCK):
            part = self._narrowed_to(board, columns[first : first + _BLOCK])
            own = np.ascontiguousarray(weights[:, first : first + _BLOCK])
            out[:, first : first + _BLOCK] = self._up(part, 0, self._down(part, 0, own), _NOTHING)
        return board.hands, out

    def _next(self, number: int, cards: tuple[int, ...], reach: Matrix) -> Matrix:
        """The mean over the next card of what the responder wins after it."""
        columns = np.flatnonzero(reach.any(axis=0))
        narrow = reach if len(columns) == reach.shape[1] else np.ascontiguousarray(reach[:, columns])
        total = np.zeros(narrow.shape, np.float32)
        if len(columns):
            for card, images in next_cards(cards, self.policy.symmetric):
                hands, values = self._values(number + 1, (*cards, card), narrow, columns)
                for renamed in images:
                    add_rows(total, renamed[hands], values)
        total /= np.float32(_CARDS_TO_COME[len(cards)])
        if len(columns) == reach.shape[1]:
            return total
        out = np.zeros(reach.shape, np.float32)
        out[:, columns] = total
        return out

    def _down(self, board: _Board, number: int, weights: Matrix) -> Plan:
        """The plan of a decision: what is known of its actions before the next street has been looked at."""
        node = board.street.nodes[number]
        plan: Plan = []
        met: Matrix | None = None
        for action, branch in enumerate(node.branches):
            own = node.player == self.seat
            going = weights if own else self._split(board, number, action, weights)
            if branch.kind == ACTS:
                plan.append(self._down(board, branch.number, going))
            elif branch.kind == FOLDED or board.after is None:
                met = self._met(board, going) if met is None or not own else met
                plan.append(self._ended(board, branch, going, met))
            else:
                columns = board.columns * board.street.closings + branch.number
                board.after[np.ix_(board.hands, columns)] = going
                plan.append(branch.number)
        return plan

    def _split(self, board: _Board, number: int, action: int, weights: Matrix) -> Matrix:
        out = np.empty_like(weights)
        table, classes = board.played.tables[number][action], board.played.classes[board.hands]
        split(weights, table, classes, np.float32(board.played.scale), out)
        return out

    @staticmethod
    def _met(board: _Board, weights: Matrix) -> Matrix:
        out = np.empty_like(weights)
        meet_all(board.cards, weights, *board.sums(), out)
        return out

    def _ended(self, board: _Board, branch: Branch, weights: Matrix, met: Matrix) -> Matrix:
        stakes = branch.stakes[board.columns].astype(np.float32)
        if branch.kind == FOLDED:
            value: Matrix = met * (-stakes if branch.number == self.seat else stakes)
            return value
        out = np.empty_like(weights)
        show_down(board.cards, board.strength, weights, met, stakes, board.sums(), out)
        return out

    def _up(self, board: _Board, number: int, plan: Plan, later: Matrix) -> Matrix:
        """What a decision is worth to the responder."""
        node = board.street.nodes[number]
        total: Matrix | None = None
        for branch, known in zip(node.branches, plan, strict=True):
            if branch.kind == ACTS:
                value = self._up(board, branch.number, known, later)
            elif isinstance(known, int):
                columns = board.columns * board.street.closings + known
                value = later[np.ix_(board.hands, columns)]
            else:
                value = known
            if total is None:
                total = value.copy()
            elif node.player == self.seat:
                np.maximum(total, value, out=total)
            else:
                total += value
        assert total is not None
        return total

    def _chosen(
        self, number: int, plan: Plan, choosing: NDArray[np.float64], valued: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What a decision before the flop is worth by both, with the actions that are best by the first."""
        node, parts = self.streets[0].nodes[number], []
        for branch, known in zip(node.branches, plan, strict=True):
            if branch.kind == ACTS:
                parts.append(self._chosen(branch.number, known, choosing, valued))
            elif isinstance(known, int):
                parts.append((choosing[:, known], valued[:, known]))
            else:
                parts.append((known[:, 0].astype(np.float64),) * 2)
        first, second = (np.stack([part[side] for part in parts]) for side in (0, 1))
        if node.player != self.seat:
            return first.sum(axis=0), second.sum(axis=0)
        best = first.argmax(axis=0)[None]
        return np.take_along_axis(first, best, 0)[0], np.take_along_axis(second, best, 0)[0]


@lru_cache(maxsize=4096)
def _live(board: frozenset[int]) -> NDArray[np.int64]:
    """The hands that a board leaves."""
    return np.flatnonzero(~np.isin(PAIR_CARDS, list(board)).any(axis=1))


@cache
def _renamings() -> list[tuple[tuple[int, ...], NDArray[np.int64]]]:
    """All renamings of the suits, each with the number that every hand gets."""
    cards = np.arange(52)
    every = []
    for suits in permutations(range(4)):
        renamed = (cards & ~3) | np.array(suits)[cards & 3]
        every.append((tuple(renamed.tolist()), pair_numbers(renamed[PAIR_CARDS])))
    return every


@lru_cache(maxsize=4096)
def next_cards(board: tuple[int, ...], symmetric: bool) -> list[tuple[int, list[NDArray[np.int64]]]]:
    """The cards that can come, one for each set that differs by the names of suits alone; with it, for each card of
    its set, the number that every hand gets there."""
    same = [(cards, hands) for cards, hands in _renamings() if _same_streets(board, cards)]
    done: set[int] = set()
    found = []
    for card in range(52):
        if card in board or card in done:
            continue
        images: dict[int, NDArray[np.int64]] = {}
        for cards, hands in same if symmetric else _renamings()[:1]:
            images.setdefault(cards[card], hands)
        done |= images.keys()
        found.append((card, list(images.values())))
    return found


def _same_streets(board: tuple[int, ...], cards: tuple[int, ...]) -> bool:
    """Whether a renaming leaves the flop a flop and the turn the turn."""
    return {cards[card] for card in board[:3]} == set(board[:3]) and all(cards[card] == card for card in board[3:])
