"""A solution walked node by node: at each decision every hand's reach, strategy, value and equity.

A line is what was done, in words parted by spaces: `x` check, `c` call, `b120` bet, `r300` raise to, and between
streets the card that came, such as `Qd`. Sums here are plain matrices over the hands of one board; only what later
streets are worth comes from the solver (`HoldemSolver.values_below`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.cards import format_card, parse_cards
from luckless.errors import InputError
from luckless.hands.pairs import PAIR_CARDS
from luckless.hands.strength import strengths
from luckless.solve.betting import FOLD, SHOWDOWN, Decision, Forest
from luckless.solve.holdem import HoldemSolver

SAMPLED_RUNOUTS = 60
"""Run-outs of a flop on which equities are taken."""


@dataclass
class Position:
    """A point of the tree: where the betting and the board stand, and with what weight each hand comes there."""

    street: int
    board: int
    line: str
    """The betting as the forest writes it."""
    reach: list[NDArray[np.float64]]
    put_in: list[int]
    """Chips of each player since the start."""
    street_begin: int = 0
    """What each had put in when the street began."""
    over: str = ""
    """How it ended, if it did: fold or showdown."""
    deal: int | None = None
    """The deal that comes next, if a card is to be dealt."""
    words: list[str] = field(default_factory=list)


class HandRow(NamedTuple):
    """One hand at a decision: its number, weight, how often it takes each action, value and equity."""

    pair: int
    weight: float
    shares: tuple[float, ...]
    ev: float
    """Chips that it takes out of the pot from here on; a fold takes 0."""
    equity: float


class Walk:
    """The tree of one solution. Values of later streets are made once, when they are first asked for."""

    def __init__(self, solver: HoldemSolver) -> None:
        self.solver = solver
        self._below: dict[int, list[NDArray[np.float64]]] = {}
        self._by_line = [
            {_plain(decision.line): decision for decision in layer.forest.decisions} for layer in solver.layers
        ]

    def at(self, words: Sequence[str]) -> Position:
        """The position after a line; refuses words that the tree does not have."""
        spot, solver = self.solver.spot, self.solver
        reach = [spot.weights[player][solver.hands[0][player][0]].copy() for player in (0, 1)]
        position = Position(0, 0, "", reach, [0, 0])
        for word in words:
            position = self._deal(position, word) if position.deal is not None else self._act(position, word)
        return position

    def decision(self, position: Position) -> Decision | None:
        """The decision at a position; None where it is over or a card comes next."""
        if position.over or position.deal is not None:
            return None
        return self._by_line[position.street][_plain(position.line)]

    def words_of(self, decision: Decision) -> list[str]:
        """The word of each action of a decision."""
        return [_word(action) for action in decision.actions]

    def cards_after(self, position: Position) -> list[tuple[str, int]]:
        """The cards that can come, without those that differ by a suit's name alone, and how many each stands for."""
        boards = self.solver.layers[position.street + 1].boards
        return [
            (format_card(cards[-1]), len(boards.renamings[number]))
            for number, cards in enumerate(boards.cards)
            if boards.parent[number] == position.board
        ]

    def board(self, position: Position) -> tuple[int, ...]:
        """The cards that lie on the table."""
        return self.solver.layers[position.street].boards.cards[position.board]

    def rows(self, position: Position, decision: Decision) -> list[HandRow]:
        """Every hand of the player who decides, with all that is known of it."""
        player = decision.player
        own, other = (self.solver.hands[position.street][who][position.board] for who in (player, 1 - player))
        shares = self._strategy(position, player)[_rows_of(self._forest(position), decision)]
        meets = _can_meet(own, other)
        met = meets @ position.reach[1 - player]
        value = (shares * self._action_values(position, decision, meets)).sum(axis=0)
        base = self.solver.spot.stakes.pot / 2 + position.put_in[player]
        with np.errstate(divide="ignore", invalid="ignore"):
            ev = value / met + base
        equity = self._equity(position, player, meets)
        weights = position.reach[player]
        return [
            HandRow(
                int(pair),
                float(weights[place]),
                tuple(shares[:, place].tolist()),
                float(ev[place]),
                float(equity[place]),
            )
            for place, pair in enumerate(own)
        ]

    # Moving

    def _act(self, position: Position, word: str) -> Position:
        decision = self.decision(position)
        if decision is None:
            raise InputError(f"nothing follows {' '.join(position.words) or 'the start'}: the hand is over there")
        words = self.words_of(decision)
        if word not in words:
            raise InputError(
                f"there is no {word!r} after {' '.join(position.words) or 'the start'}; allowed is {', '.join(words)}"
            )
        place, player = words.index(word), decision.player
        share = self._strategy(position, player)[_rows_of(self._forest(position), decision)][place]
        reach, put_in = list(position.reach), list(position.put_in)
        reach[player] = reach[player] * share
        if word[0] in "br":
            put_in[player] = position.street_begin + int(word[1:])
        elif word == "c":
            put_in[player] = put_in[1 - player]
        line = f"{position.line} {word}"
        after = Position(
            position.street, position.board, line, reach, put_in, position.street_begin, words=[*position.words, word]
        )
        if word == "f":
            after.over = FOLD
        elif word == "c" or (word == "x" and player == 1):
            self._close(after)
        return after

    def _close(self, position: Position) -> None:
        """The betting of the street is over."""
        if position.street == len(self.solver.layers) - 1:
            position.over = SHOWDOWN
        elif put_all_in(self.solver, position):
            position.over = SHOWDOWN  # no betting is left, only cards
        else:
            position.deal = self._deal_number(position)

    def _deal_number(self, position: Position) -> int:
        """Which of the street's deals a line leads to: they stand in the order of the trees that begin with them."""
        target = _plain(f"{position.line} /")
        for decision in self.solver.layers[position.street + 1].forest.decisions:
            if _plain(decision.line) == target:
                return decision.parent
        raise AssertionError(f"no tree begins with {target}")

    def _deal(self, position: Position, word: str) -> Position:
        assert position.deal is not None
        try:
            [card] = parse_cards(word)
        except (InputError, ValueError):
            card = -1
        boards = self.solver.layers[position.street + 1].boards
        for number, cards in enumerate(boards.cards):
            if boards.parent[number] == position.board and cards[-1] == card:
                break
        else:
            shown = ", ".join(text for text, _ in self.cards_after(position))
            raise InputError(f"the card {word!r} cannot come there; allowed is {shown}")
        reach = []
        for player in (0, 1):
            places = self.solver.layers[position.street + 1].sides[player].above[number, 0]
            reach.append(
                position.reach[player][places[: len(self.solver.hands[position.street + 1][player][number])]]
            )
        line = f"{position.line} /"
        words = [*position.words, word]
        return Position(
            position.street + 1, number, line, reach, list(position.put_in), position.put_in[0], words=words
        )

    # Values

    def _forest(self, position: Position) -> Forest:
        return self.solver.layers[position.street].forest

    def _strategy(self, position: Position, player: int) -> NDArray[np.float64]:
        return self.solver.strategy(position.street, position.board, player)

    def _action_values(
        self, position: Position, decision: Decision, meets: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """What each action is worth to each hand, times the weight that it meets: (action, hand)."""
        player, forest = decision.player, self._forest(position)
        reach = self._rows_reach(position, 1 - player, decision)
        values = np.zeros((forest.next_row[player], meets.shape[0]))
        for ending in forest.endings:
            row, other = ending.rows[player], reach.get(ending.rows[1 - player])
            if other is None:
                continue
            if ending.kind == SHOWDOWN:
                wins = self._wins(position, player, meets)
                values[row] += (ending.stake - ending.rake / 2) * (wins @ other) - ending.rake / 2 * (meets @ other)
            else:
                won = ending.stake if player == 0 else -ending.stake
                values[row] += (won - ending.rake if won > 0 else won) * (meets @ other)
        self._add_deals(position, player, reach, values)
        strategy = self._strategy(position, player)
        for one in reversed(forest.decisions):
            if one.player == player and one.first_row > decision.first_row:
                rows = slice(one.first_row, one.first_row + len(one.actions))
                values[one.parent] += (strategy[_rows_of(forest, one)] * values[rows]).sum(axis=0)
        return values[decision.first_row : decision.first_row + len(decision.actions)]

    def _add_deals(
        self, position: Position, player: int, reach: dict[int, NDArray[np.float64]], values: NDArray[np.float64]
    ) -> None:
        """Adds what later streets are worth; the solver weighs them by the whole reach of the other player."""
        forest = self._forest(position)
        if not forest.deals:
            return
        if player not in self._below:
            self._below[player] = self.solver.values_below(player)
        below = self._below[player][position.street][position.board]
        for place, rows in enumerate(forest.deals):
            if rows[1 - player] in reach:
                values[rows[player]] += below[: values.shape[1], place]

    def _rows_reach(self, position: Position, player: int, since: Decision) -> dict[int, NDArray[np.float64]]:
        """The reach of a player's rows on the street from a decision of the other one on."""
        forest, strategy = self._forest(position), self._strategy(position, player)
        begin = _plain(since.line)
        own = self._own_row(position, player)
        found = {own: position.reach[player]}
        for one in forest.decisions:
            if one.player == player and _plain(one.line).startswith(f"{begin} ".lstrip()) and one.parent in found:
                for step, row in enumerate(range(one.first_row, one.first_row + len(one.actions))):
                    found[row] = found[one.parent] * strategy[_rows_of(forest, one)][step]
        return found

    def _own_row(self, position: Position, player: int) -> int:
        """The row of a player that leads to a position: his last action on the street, or its beginning."""
        done = _plain(position.line).rpartition("/")[2].split()
        head = _plain(position.line).rpartition("/")
        begin = f"{head[0].strip()} /" if head[1] else ""
        row = self._entry(position)
        for step, word in enumerate(done):
            decision = self._by_line[position.street][_plain(f"{begin} {' '.join(done[:step])}")]
            if decision.player == player:
                row = decision.first_row + self.words_of(decision).index(word)
        return row

    def _entry(self, position: Position) -> int:
        """The row with which the trees of this street begin."""
        head = _plain(position.line).rpartition("/")
        begin = f"{head[0].strip()} /" if head[1] else ""
        return self._by_line[position.street][_plain(begin)].parent

    def _wins(self, position: Position, player: int, meets: NDArray[np.float64]) -> NDArray[np.float64]:
        """+1 where the player's hand wins on the river, -1 where it loses, 0 where they tie or cannot meet."""
        hands = self.solver.hands[position.street]
        return _signs(self.board(position), hands[player][position.board], hands[1 - player][position.board]) * meets

    def _equity(self, position: Position, player: int, meets: NDArray[np.float64]) -> NDArray[np.float64]:
        """Each hand's share of the pot against what the other player brings here, if all cards came at once."""
        own, other = (self.solver.hands[position.street][who][position.board] for who in (player, 1 - player))
        board, weights = self.board(position), position.reach[1 - player]
        total, share = np.zeros(len(own)), np.zeros(len(own))
        for runout in _runouts(board):
            free = [np.asarray(~np.isin(PAIR_CARDS[hands], runout).any(axis=1)) for hands in (own, other)]
            possible = meets * free[0][:, None] * free[1][None, :]
            total += possible @ weights
            share += (possible * (1 + _signs((*board, *runout), own, other)) / 2) @ weights
        with np.errstate(divide="ignore", invalid="ignore"):
            return share / total


def put_all_in(solver: HoldemSolver, position: Position) -> bool:
    """Whether both players have everything in the pot."""
    return min(position.put_in) >= solver.spot.stakes.stack


def _plain(line: str) -> str:
    return " ".join(line.split())


def _word(action: str) -> str:
    name, _, chips = action.partition(" ")
    return {"check": "x", "call": "c", "fold": "f", "bet": "b", "raise": "r"}[name] + chips


def _rows_of(forest: Forest, decision: Decision) -> slice:
    first = decision.first_row - forest.entries
    return slice(first, first + len(decision.actions))


def _can_meet(own: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.float64]:
    """1 where two hands share no card (own, other)."""
    first, second = PAIR_CARDS[own], PAIR_CARDS[other]
    shared = (first[:, None, :, None] == second[None, :, None, :]).any(axis=(2, 3))
    apart: NDArray[np.float64] = (~shared).astype(np.float64)
    return apart


def _signs(board: Sequence[int], own: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.float64]:
    ranks = [_ranks(board, hands) for hands in (own, other)]
    signs: NDArray[np.float64] = np.sign(ranks[0][:, None] - ranks[1][None, :]).astype(np.float64)
    return signs


def _ranks(board: Sequence[int], hands: NDArray[np.int64]) -> NDArray[np.int64]:
    """The strength of each hand on a river; 0 for hands that share a card with the board."""
    free = ~np.isin(PAIR_CARDS[hands], board).any(axis=1)
    found = np.zeros(len(hands), np.int64)
    cards = np.hstack([PAIR_CARDS[hands[free]], np.tile(np.array(board), (int(free.sum()), 1))])
    found[free] = strengths(cards)
    return found


def _runouts(board: Sequence[int]) -> list[tuple[int, ...]]:
    """The cards to come: none on the river, every card on the turn, some of all pairs on the flop."""
    rest = [card for card in range(52) if card not in board]
    if len(board) == 5:
        return [()]
    if len(board) == 4:
        return [(card,) for card in rest]
    pairs = [(first, second) for place, first in enumerate(rest) for second in rest[:place]]
    picked = np.random.default_rng(0).permutation(len(pairs))[:SAMPLED_RUNOUTS]
    return [pairs[place] for place in picked]
