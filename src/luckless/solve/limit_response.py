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

from luckless.hands.pairs import PAIR_CARDS, PAIRS, pair_numbers
from luckless.solve.limit_best_rivers import Bets, Room, pack_bets, respond_on_rivers, rivers_of
from luckless.solve.limit_meeting import aligned
from luckless.solve.limit_policies import Member, Played
from luckless.solve.limit_rivers import from_blocks, in_blocks
from luckless.solve.limit_showdowns import Matrix, add_rows, meet_all, split
from luckless.solve.limit_streets import ACTS, FOLDED, Street

CARDS_TO_COME = {3: 45, 4: 44}
"""Cards that can come next, by those on the board, once both hands are dealt."""

_PACKED = 4
"""Sets of columns for which the river's play is kept: up to 40 MB each."""

_CARDS: NDArray[np.int64] = PAIR_CARDS.astype(np.int64)

Cube = NDArray[np.float32]
"""The bot's weights: (member, hand, line)."""

Plan = list[Any]
"""The values of a decision's actions: matrices, plans of later decisions, or numbers of closings."""


@dataclass
class _Board:
    """A street before the river on a board: its hands, and the columns that the bot reaches."""

    street: Street
    hands: NDArray[np.int64]
    cards: NDArray[np.int64]
    played: list[Played]
    columns: NDArray[np.int64]
    after: Cube
    """The bot's reach of the next street's beginnings, (member, 1,326, beginnings)."""


class LimitResponse:
    """Best responses to one bot from one seat. A mix of bots is a member drawn for each hand, as its cards are: what
    is known of a bot are its members and how often each plays."""

    def __init__(self, streets: list[Street], members: Sequence[Member], seat: int) -> None:
        self.streets, self.seat = streets, seat
        self._policies = [policy for _, policy in members]
        self._symmetric = all(policy.symmetric for policy in self._policies)
        self._fixed = all(policy.fixed[3] for policy in self._policies)
        self._narrowed: dict[tuple[int, int, bytes], list[list[NDArray[Any]]]] = {}
        self._packed: dict[bytes, Bets] = {}
        self._before = self._begin(0, (), np.zeros(1, np.int64))
        shares = np.array([share for share, _ in members], np.float32)
        self._plan = self._down(self._before, 0, np.tile(shares[:, None, None], (1, PAIRS, 1)))

    def flop_values(self, flop: Sequence[int]) -> Matrix:
        """What the responder wins with each hand (row) after each line before the flop (column), on one flop: weights
        of the bot's hands times chips, averaged over turn and river."""
        out = np.zeros((PAIRS, self.streets[1].beginnings), np.float32)
        columns = np.flatnonzero(self._before.after.any(axis=(0, 1)))
        if len(columns):
            hands, values = self._values(1, tuple(flop), self._before.after[:, :, columns], columns)
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
        shape = (len(self._policies), PAIRS, self.streets[number].beginnings * street.closings)
        played = [policy.on(number, cards) for policy in self._policies]
        whole = _Board(street, live, PAIR_CARDS[live], played, columns, np.zeros(shape, np.float32))
        return self._narrowed_to(whole, columns)

    def _narrowed_to(self, board: _Board, columns: NDArray[np.int64]) -> _Board:
        """The board in some of its columns."""
        if len(columns) == board.street.beginnings:
            return board
        played = []
        for member, (part, policy) in enumerate(zip(board.played, self._policies, strict=True)):
            key = (member, board.street.number, columns.tobytes())
            tables = self._narrowed.get(key) if policy.fixed[board.street.number] else None
            if tables is None:
                tables = [[np.ascontiguousarray(table[:, columns]) for table in row] for row in part.tables]
                if policy.fixed[board.street.number]:
                    self._narrowed[key] = tables
            played.append(part._replace(tables=tables))
        return replace(board, played=played)

    def _values(
        self, number: int, cards: tuple[int, ...], reach: Cube, columns: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], Matrix]:
        """What the responder wins from a street on, by hand and reached beginning; and the hands."""
        board = self._begin(number, cards, columns)
        plan = self._down(board, 0, reach.take(board.hands, axis=1))
        return board.hands, self._up(board, 0, plan, self._next(number, cards, board.after))

    def _next(self, number: int, cards: tuple[int, ...], reach: Cube) -> Matrix:
        """The mean over the next card of what the responder wins after it."""
        columns = np.flatnonzero(reach.any(axis=(0, 1)))
        out = np.zeros(reach.shape[1:], np.float32)
        if len(columns):
            narrow = np.ascontiguousarray(reach[:, :, columns])
            total = (self.on_rivers if number == 2 else self._turns)(cards, narrow, columns)
            out[:, columns] = total / np.float32(CARDS_TO_COME[len(cards)])
        return out

    def _turns(self, flop: tuple[int, ...], reach: Cube, columns: NDArray[np.int64]) -> Matrix:
        """The sum over turns of what the responder wins there."""
        total = np.zeros(reach.shape[1:], np.float32)
        for card, images in next_cards(flop, self._symmetric):
            hands, values = self._values(2, (*flop, card), reach, columns)
            for renamed in images:
                add_rows(total, renamed[hands], values)
        return total

    def on_rivers(self, turn: tuple[int, ...], reach: Cube, columns: NDArray[np.int64]) -> Matrix:
        """The sum over the rivers of a turn of what the responder wins there, given the bot's reach (member, hand,
        line) of some lines."""
        weights = in_blocks(reach)
        blocks, members, hands, lanes = weights.shape
        out, room = aligned((blocks, hands, lanes)), None
        cards = next_cards(turn, self._symmetric)
        for part in [cards] if self._fixed else [[card] for card in cards]:
            rivers, played = rivers_of(self._policies, turn, part, _CARDS)
            bets = self._bets(played, columns)
            room = room or Room.of(bets.met.shape[2], members)
            respond_on_rivers(rivers, bets, self.seat, _CARDS, weights, room, out)
        return from_blocks(out, len(columns))

    def _bets(self, played: list[Played], columns: NDArray[np.int64]) -> Bets:
        """What the bot does on the river in some columns."""
        key = columns.tobytes()
        bets = self._packed.get(key) if self._fixed else None
        if bets is None:
            bets = pack_bets(self.streets[3], self.seat, played, columns)
            if self._fixed and len(self._packed) < _PACKED:
                self._packed[key] = bets
        return bets

    def _down(self, board: _Board, number: int, weights: Cube) -> Plan:
        """The plan of a decision: what is known of its actions before the next street has been looked at."""
        node = board.street.nodes[number]
        plan: Plan = []
        for action, branch in enumerate(node.branches):
            going = weights if node.player == self.seat else self._split(board, number, action, weights)
            if branch.kind == ACTS:
                plan.append(self._down(board, branch.number, going))
            elif branch.kind == FOLDED:
                stakes = branch.stakes[board.columns].astype(np.float32)
                plan.append(self._met(board, going) * (-stakes if branch.number == self.seat else stakes))
            else:
                columns = board.columns * board.street.closings + branch.number
                board.after[np.ix_(np.arange(len(going)), board.hands, columns)] = going
                plan.append(branch.number)
        return plan

    @staticmethod
    def _split(board: _Board, number: int, action: int, weights: Cube) -> Cube:
        out = np.empty_like(weights)
        for member, played in enumerate(board.played):
            table, classes = played.tables[number][action], played.classes[board.hands]
            split(weights[member], table, classes, np.float32(played.scale), out[member])
        return out

    @staticmethod
    def _met(board: _Board, weights: Cube) -> Matrix:
        together: Matrix = weights[0] if len(weights) == 1 else weights.sum(axis=0)
        out = np.empty_like(together)
        columns = len(board.columns)
        meet_all(board.cards, together, np.empty(columns, np.float32), np.empty((52, columns), np.float32), out)
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
