"""Best responses to bots that do not look at their cards, in heads-up limit: all flops exactly, in minutes.

Such a bot holds any hand with equal chance, whatever it has done. So on the river a hand's value follows from the
line of betting and from how many hands it beats, and before the river it is a mean of such numbers over cards to
come. Lines after which the bot does the same for the same stakes are one kind: only kinds of lines that are reached
are worked out, and the bot's reach of each line comes last.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.hands.board import add_half_counts
from luckless.hands.pairs import PAIR_CARDS, PAIRS
from luckless.kernels import njit
from luckless.lanes import LANES, add, load, store
from luckless.solve.limit_policies import LimitPolicy, Tables
from luckless.solve.limit_response import CARDS_TO_COME, next_cards
from luckless.solve.limit_streets import ACTS, FOLDED, Street

Values = NDArray[np.float64]

_MET = (1225, 1081, 1035, 990)
"""Hands that a hand can meet on each street."""
_COUNTS = 2 * _MET[3] + 1
_NOTHING: Values = np.zeros(0)
_CARDS: NDArray[np.int64] = PAIR_CARDS.copy()


def _apart(cards: Sequence[int]) -> NDArray[np.bool_]:
    """Whether each hand shares no card with some."""
    return np.asarray(~np.isin(PAIR_CARDS, cards).any(axis=1), np.bool_)


def reach_after(street: Street, played: Tables, seat: int, reach: Values) -> Values:
    """The bot's reach of the lines of the next street, given that of a street's lines, against a responder's seat."""
    out = np.zeros((street.beginnings, street.closings))
    coming = {0: reach}
    for number, node in enumerate(street.nodes):
        for action, branch in enumerate(node.branches):
            going = coming[number] * (1 if node.player == seat else played[number][action][0])
            if branch.kind == ACTS:
                coming[branch.number] = going
            elif branch.kind != FOLDED:
                out[:, branch.number] = going
    return out.reshape(-1)


class Kinds:
    """The lines with which a street begins that the bot reaches, put into kinds, for a responder in one seat.
    `of_line` says which kind each is; lines that are not reached have none (-1)."""

    def __init__(self, street: Street, played: Tables, seat: int, reach: Values, later: "Kinds | None") -> None:
        self.street, self.seat = street, seat
        lines = np.flatnonzero(reach > 0)
        self._rows: dict[tuple[int, int], Values] = {}
        for number, node in enumerate(street.nodes):
            for action, branch in enumerate(node.branches):
                if node.player != seat:
                    self._rows[number, action] = played[number][action][0, lines].astype(np.float64)
                if len(branch.stakes):
                    self._rows[number, -1 - action] = branch.stakes[lines]
        closings = np.zeros((len(lines), 0), np.int64)
        if later is not None:
            closings = later.of_line.reshape(street.beginnings, street.closings)[lines]
        facts = np.concatenate([np.stack(list(self._rows.values()), axis=1), closings], axis=1)
        _, first, kinds = np.unique(facts, axis=0, return_index=True, return_inverse=True)
        self.of_line: NDArray[np.int64] = np.full(street.beginnings, -1)
        self.of_line[lines] = kinds.reshape(-1)
        self._rows = {key: row[first] for key, row in self._rows.items()}
        self.next: NDArray[np.int64] = closings[first]
        """The kinds after the closings of each kind; what comes after those that are not reached counts nothing."""

    def worth(self, closed: Values, number: int = 0) -> Values:
        """What a decision is worth to the responder, by kind; `closed` has what closings are worth (..., kind,
        closing) or, on the river, hands beaten minus hands that win (..., 1, 1)."""
        node, total = self.street.nodes[number], _NOTHING
        for action, branch in enumerate(node.branches):
            ends = (number, -1 - action) in self._rows
            stake = self._rows[number, -1 - action] if ends else _NOTHING
            if branch.kind == ACTS:
                value = self.worth(closed, branch.number)
            elif branch.kind == FOLDED:
                value = stake * (_MET[self.street.number] * (-1 if branch.number == self.seat else 1))
            else:
                value = closed[..., 0] * stake if ends else closed[..., branch.number]
            if node.player != self.seat:
                value = value * self._rows[number, action]
            joined = np.maximum if node.player == self.seat else np.add
            total = value if action == 0 else joined(total, value)
        return total


@njit(cache=True, nogil=True)
def add_rivers(
    turn: NDArray[np.int64], cards: NDArray[np.int64], images: Any, pairs: Any, worth: Any, out: Values
) -> None:
    """Adds what rivers are worth to all hands: `worth` (twice the hands beaten plus those tied, kind), with kinds in
    whole vectors. River `cards[r, 0]` stands for those of the images from `cards[r, 1]` to `cards[r, 2]`."""
    board, counts = np.empty(5, np.int64), np.empty(PAIRS, np.int64)
    board[:4] = turn
    on_board = np.zeros(52, np.bool_)
    for card in turn:
        on_board[card] = True
    kinds, values, totals = worth.shape[1], worth.reshape(-1), out.reshape(-1)
    for row in range(len(cards)):
        board[4] = cards[row, 0]
        counts[:] = 0
        add_half_counts(board, counts)
        on_board[board[4]] = True
        for pair in range(PAIRS):
            if on_board[pairs[pair, 0]] or on_board[pairs[pair, 1]]:
                continue
            for image in range(cards[row, 1], cards[row, 2]):
                target, source = images[image, pair] * kinds, counts[pair] * kinds
                for kind in range(0, kinds, LANES):
                    total = add(load(totals, target + kind), load(values, source + kind))
                    store(totals, target + kind, total)
        on_board[board[4]] = False


class BlindResponses:
    """Best responses from both seats to one bot that does not look at its cards."""

    def __init__(self, streets: Sequence[Street], policy: LimitPolicy) -> None:
        self._kinds: list[list[Kinds]] = []
        self._reach: list[Values] = []
        worth = []
        tables = [policy.on(number, ()).tables for number in range(4)]
        for seat in (0, 1):
            reach = [np.ones(1)]
            for street in streets[:3]:
                reach.append(reach_after(street, tables[street.number], seat, reach[-1]))
            found: Kinds | None = None
            kinds = []
            for number in (3, 2, 1):
                found = Kinds(streets[number], tables[number], seat, reach[number], found)
                kinds.append(found)
            self._kinds.append(kinds[:0:-1])
            self._reach.append(reach[1])
            won = np.arange(_COUNTS, dtype=np.float64) - _MET[3]
            worth.append(kinds[0].worth(won[:, None, None]))
        self._ends = worth[0].shape[1]
        width = -(-(self._ends + worth[1].shape[1]) // LANES) * LANES
        self._worth = np.zeros((_COUNTS, width))
        self._worth[:, : self._ends + worth[1].shape[1]] = np.concatenate(worth, axis=1)

    def flop_values(self, flop: Sequence[int]) -> Values:
        """What the responder of each seat wins with each hand after each line before the flop: `LimitResponse`."""
        board = tuple(flop)
        totals: list[Values] = [np.zeros(0), np.zeros(0)]
        for card, images in next_cards(board, True):
            for seat, values in enumerate(self._turn((*board, card))):
                if len(totals[seat]) == 0:
                    totals[seat] = np.zeros(values.shape)
                live = _apart((*board, card))
                for renamed in images:
                    totals[seat][renamed[live]] += values[live]
        live = _apart(board)
        out = np.zeros((2, PAIRS, len(self._reach[0])))
        for seat, (flops, _) in enumerate(self._kinds):
            if len(flops.next):
                value = flops.worth((totals[seat] / CARDS_TO_COME[3])[:, flops.next])
                out[seat] = np.where(live[:, None], value[:, flops.of_line] * self._reach[seat], 0)
        return out

    def _turn(self, turn: tuple[int, ...]) -> list[Values]:
        """What a turn is worth to both seats, by hand and kind of line."""
        cards = next_cards(turn, True)
        ends = np.cumsum([0, *(len(images) for _, images in cards)])
        rows = np.stack([[card for card, _ in cards], ends[:-1], ends[1:]], axis=1)
        every = np.stack([renamed for _, images in cards for renamed in images])
        total = np.zeros((PAIRS, self._worth.shape[1]))
        add_rivers(np.array(turn, np.int64), rows, every, _CARDS, self._worth, total)
        total /= CARDS_TO_COME[4]
        parts = total[:, : self._ends], total[:, self._ends :]
        return [turns.worth(part[:, turns.next]) for (_, turns), part in zip(self._kinds, parts, strict=True)]
