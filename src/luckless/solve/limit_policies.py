"""What a bot does on a street of heads-up limit, for all its lines and hands: as tables that a best response reads.

Hands fall into classes that the bot plays alike: buckets for a blueprint, one class for a bot that does not look at
its cards, equal counts of hand rank for shipped rules, each hand by itself for all others, which are asked about
every line on every board.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import Bot, NoProbabilities
from luckless.bots.python_bot import PythonBot
from luckless.bots.rule_bot import RuleBot
from luckless.bots.shipped.win_rate import EXACT
from luckless.errors import InputError
from luckless.hands.board import add_half_counts, pool_completions
from luckless.hands.isomorphism import canonical_boards
from luckless.hands.pairs import PAIR_CARDS, PAIRS
from luckless.hands.preflop import class_numbers
from luckless.kernels import njit
from luckless.rules.game import BOARD_CARDS, Game
from luckless.rules.table import Table
from luckless.rules.views import Past, Views
from luckless.solve.betting_tree import BettingTree
from luckless.solve.blueprint_bot import BlueprintBot
from luckless.solve.card_buckets import CardBuckets, bucket_of, river_buckets
from luckless.solve.limit_streets import Street

Tables = list[list[NDArray[Any]]]
"""For each decision of a street and each of its actions: (class, beginning), times a scale the probability."""


CLASS_OF_HAND = class_numbers(PAIR_CARDS)
_KEPT_BOARDS = 200


class Played(NamedTuple):
    """How a bot plays a street on a board."""

    tables: Tables
    classes: NDArray[np.int64]
    scale: float


class LimitPolicy(Protocol):
    """What a best response knows of a bot."""

    symmetric: bool
    """Whether the names of suits make no difference to it."""
    fixed: tuple[bool, bool, bool, bool]
    """By street: whether its tables are the same on all boards."""
    blind: bool
    """Whether it does not look at its cards."""

    def on(self, street: int, board: Sequence[int]) -> Played:
        """How it plays a street on a board."""


Member = tuple[float, LimitPolicy]
"""How often one of the bots of a mix plays, and how."""


def members_of(bot: Bot, game: Game, tree: BettingTree, streets: list[Street]) -> list[Member]:
    """A bot that gives probabilities, or the members of a mix; members that do not look at their cards are one."""
    for member in bot.members:
        _check(member, game)
    if all(map(_is_blind, bot.members)):
        return [(1.0, _Blind(bot, game, tree, streets))]
    pairs = zip(bot.weights, bot.members, strict=True)
    return [(weight, _policy_of(member, game, tree, streets)) for weight, member in pairs]


def _check(bot: Bot, game: Game) -> None:
    """Refuses a bot of which a best response cannot be worked out: it is asked about the first decision of a hand."""
    if bot.memory:
        raise InputError(f"bot {bot.name} keeps memory between hands; an exact best response needs no memory")
    try:
        bot.probabilities(Table.dealt(game, 1, np.array([0])).views(np.array([0])))
    except NoProbabilities as error:
        needed = "an exact best response needs `probabilities` (--by learn does without)"
        raise InputError(f"{error}; {needed}") from None


def _is_blind(bot: Bot) -> bool:
    """Whether a bot does not look at its cards: shipped ones are known, others say so by `blind = True`."""
    if isinstance(bot, RuleBot):
        return not bot.uses_cards
    return isinstance(bot, PythonBot) and getattr(bot.player, "blind", False) is True


def _policy_of(bot: Bot, game: Game, tree: BettingTree, streets: list[Street]) -> LimitPolicy:
    if type(bot) is BlueprintBot:  # one that solves the river anew plays otherwise
        return _OfBlueprint(bot, game, streets)
    if _is_blind(bot):
        return _Blind(bot, game, tree, streets)
    if isinstance(bot, RuleBot) and _goes_by_ranks(bot):
        return _ByRanks(bot, game, tree, streets)
    return _Asked(bot, game, tree, streets)


def _goes_by_ranks(bot: RuleBot) -> bool:
    """Whether a rule looks at its cards only through its starting hand and through counts of hand rank: all do, but
    for those that sample their win rate."""
    names = [parameter.name for parameter in bot.entry.parameters]
    return "win" not in names or bot.values[names.index("win")] == EXACT


def _tables(street: Street, chances: NDArray[Any]) -> Tables:
    """Tables from an array (class, slot)."""
    return [
        [np.ascontiguousarray(chances[:, node.places + action]) for action in range(len(node.branches))]
        for node in street.nodes
    ]


@njit(cache=True, nogil=True)
def _fill_classes(pairs: NDArray[np.int64], board: NDArray[np.int64], buckets: CardBuckets, out: Any) -> None:
    cards = np.full(7, 255, np.int64)
    cards[2 : 2 + len(board)] = board
    street = max(len(board) - 2, 0)
    if street == 3:
        river_buckets(board, buckets, out)
        return
    for pair in range(len(pairs)):
        cards[0], cards[1] = pairs[pair, 0], pairs[pair, 1]
        if not ((board == cards[0]) | (board == cards[1])).any():
            out[pair] = bucket_of(cards, street, buckets)


def _as_bytes(records: NDArray[Any]) -> NDArray[Any]:
    """Records as values that can be compared."""
    return np.ascontiguousarray(records).view(np.dtype((np.void, records.dtype.itemsize)))


@cache
def _river_situations() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """A hand on a board for each count of hands beaten and tied that there is on the river, and the class of each
    count."""
    found = np.full((2 * 990 + 1, 7), -1, np.int64)
    _find_situations(canonical_boards(5)[0], PAIR_CARDS.copy(), found)
    there = np.flatnonzero(found[:, 0] >= 0)
    classes = np.zeros(len(found), np.int64)
    classes[there] = np.arange(len(there))
    return found[there], classes


@njit(cache=True, nogil=True)
def _find_situations(boards: NDArray[np.int64], pairs: NDArray[np.int64], found: NDArray[np.int64]) -> None:
    counts = np.empty(PAIRS, np.int64)
    for number in range(len(boards)):
        board = boards[number]
        counts[:] = 0
        add_half_counts(board, counts)
        for pair in range(PAIRS):
            low, high = pairs[pair, 0], pairs[pair, 1]
            if found[counts[pair], 0] < 0 and not ((board == low) | (board == high)).any():
                found[counts[pair], 0], found[counts[pair], 1] = low, high
                found[counts[pair], 2:] = board


class _OfBlueprint:
    """A blueprint: its buckets are the classes."""

    symmetric, fixed, blind = True, (True,) * 4, False

    def __init__(self, bot: BlueprintBot, game: Game, streets: list[Street]) -> None:
        played = bot.blueprint_for(game)
        self._buckets = played.buckets
        ends = [*played.start.tolist(), len(played.chances)]
        rows = [
            played.chances[first:end].reshape(-1, int(width))
            for first, end, width in zip(ends[:-1], ends[1:], played.tree.width, strict=True)
        ]
        self._tables = [_tables(street, part) for street, part in zip(streets, rows, strict=True)]

    def on(self, street: int, board: Sequence[int]) -> Played:
        """The tables of the street with the buckets of the board."""
        classes = np.zeros(PAIRS, np.int64)
        _fill_classes(PAIR_CARDS.copy(), np.array(board, np.int64), self._buckets, classes)
        return Played(self._tables[street], classes, 1 / 255)


class _Lines:
    """Asks a bot at all its decisions of a street."""

    def __init__(self, bot: Bot, game: Game, tree: BettingTree, streets: list[Street]) -> None:
        self.bot, self.game, self.tree, self.streets = bot, game, tree, streets
        self._lines: list[list[int]] = [[] for _ in range(len(tree.player))]
        for node in range(len(tree.player)):
            for slot in range(tree.first[node], tree.first[node] + tree.size[node]):
                if tree.after[slot] >= 0:
                    self._lines[tree.after[slot]] = [*self._lines[node], int(tree.action[slot])]

    def views(self, nodes: NDArray[np.int64], board: Sequence[int]) -> Views:
        """The situations of some decisions, with any cards."""
        rest = [card for card in range(52) if card not in board]
        deck = np.array([*rest[:4], *board, *rest[4 : 9 - len(board)]], np.uint8)
        table = Table(self.game, np.tile(deck, (len(nodes), 1)))
        lines = [self._lines[node] for node in nodes]
        for step in range(max(map(len, lines), default=0)):
            rows = [row for row, line in enumerate(lines) if len(line) > step]
            table.act(np.array(rows), [lines[row][step] for row in rows])
        return table.views(np.arange(len(nodes)))

    def chances(self, street: int, board: Sequence[int], pairs: NDArray[np.int64]) -> NDArray[np.float32]:
        """Probabilities (hand, slot) of some hands on a board; hands that share a card with it have none."""
        live = pairs[~np.isin(PAIR_CARDS[pairs], board).any(axis=1)]
        out = np.zeros((len(pairs), int(self.tree.width[street])), np.float32)
        nodes = np.flatnonzero(self.tree.street == street)
        seen = self.views(nodes, board)
        for row, node in enumerate(nodes):
            shares = self._shares(seen.rows(slice(row, row + 1)), int(node), PAIR_CARDS[live])
            place = self.tree.place[node]
            out[np.searchsorted(pairs, live), place : place + shares.shape[1]] = shares
        return out

    def _shares(self, one: Views, node: int, seen: NDArray[np.int64]) -> NDArray[np.float64]:
        """Probabilities (situation, action) at a decision for own cards, each followed by a board if it is given."""
        public = np.repeat(one.public, len(seen))
        cards = np.repeat(one.cards, len(seen), axis=0)
        cards[:, : seen.shape[1]] = seen
        past = Past.of(public["steps"], (np.repeat(part, len(seen), axis=0) for part in one.past))
        law = self.bot.probabilities(Views(self.game, public, cards, past))
        actions = self.tree.action[self.tree.first[node] : self.tree.first[node] + self.tree.size[node]]
        shares = np.stack([law.of(np.full(len(seen), action)) for action in actions], axis=1)
        if actions[0] == 0:  # a fold that costs nothing is a check
            shares[:, 0] += law.of(np.full(len(seen), -1))
        return shares


class _Blind(_Lines):
    """A bot that does not look at its cards: asked once a line."""

    symmetric, fixed, blind = True, (True,) * 4, True

    def __init__(self, bot: Bot, game: Game, tree: BettingTree, streets: list[Street]) -> None:
        super().__init__(bot, game, tree, streets)
        boards = [range(size) for size in (0, 3, 4, 5)]
        self._tables = [
            _tables(streets[number], self.chances(number, list(board), np.array([PAIRS - 1])))
            for number, board in enumerate(boards)
        ]

    def on(self, street: int, board: Sequence[int]) -> Played:
        """The tables of the street."""
        return Played(self._tables[street], np.zeros(PAIRS, np.int64), 1.0)


class _Asked(_Lines):
    """Any other bot: asked about each hand on each line and board, which takes long."""

    symmetric, fixed, blind = False, (False,) * 4, False

    def on(self, street: int, board: Sequence[int]) -> Played:
        """What the bot says about the board."""
        every = np.arange(PAIRS)
        return Played(_tables(self.streets[street], self.chances(street, board, every)), every, 1.0)


class _ByRanks(_Lines):
    """A shipped rule: it sees the public record, its starting hand and how many hands its own beats now and at the
    end. So it is asked once for all lines with the same record and all hands with the same counts; on the river, once
    for all boards."""

    symmetric, fixed, blind = True, (True, False, False, True), False

    def __init__(self, bot: Bot, game: Game, tree: BettingTree, streets: list[Street]) -> None:
        super().__init__(bot, game, tree, streets)
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[int, ...], Played] = OrderedDict()
        first = np.unique(CLASS_OF_HAND, return_index=True)[1]
        self._before = Played(self._asked(0, PAIR_CARDS[first]), CLASS_OF_HAND, 1.0)
        self._river: Tables | None = None

    def on(self, street: int, board: Sequence[int]) -> Played:
        """The tables of the street; those of some boards are kept, for the other seat asks for them too."""
        if street == 0:
            return self._before
        cards = np.array(board, np.int64)
        counts = np.zeros((2, PAIRS), np.int64)
        add_half_counts(cards, counts[0])
        if street == 3:
            return Played(self._river_tables(), _river_situations()[1][counts[0]], 1.0)
        key = tuple(board)
        with self._lock:
            if key in self._kept:
                return self._kept[key]
        pool_completions(cards, counts[1])
        live = np.flatnonzero(~np.isin(PAIR_CARDS, cards).any(axis=1))
        _, first, of_hand = np.unique(counts[:, live], axis=1, return_index=True, return_inverse=True)
        seen = np.concatenate([PAIR_CARDS[live[first]], np.tile(cards, (len(first), 1))], axis=1)
        classes = np.zeros(PAIRS, np.int64)
        classes[live] = of_hand.reshape(-1)
        played = Played(self._asked(street, seen), classes, 1.0)
        with self._lock:
            self._kept[key] = played
            while len(self._kept) > _KEPT_BOARDS:
                self._kept.popitem(last=False)
        return played

    def _river_tables(self) -> Tables:
        """The tables of the river, asked for when they are needed first."""
        with self._lock:
            if self._river is None:
                self._river = self._asked(3, _river_situations()[0])
            return self._river

    def _asked(self, street: int, cards: NDArray[np.int64]) -> Tables:
        """The tables for situations of own cards and board: each is asked about each public record."""
        nodes = np.flatnonzero(self.tree.street == street)
        views = self.views(nodes, list(range(BOARD_CARDS[street])))
        _, first, record = np.unique(_as_bytes(views.public), return_index=True, return_inverse=True)
        out = np.zeros((len(cards), int(self.tree.width[street])), np.float32)
        for number, row in enumerate(first):
            shares = self._shares(views.rows(slice(row, row + 1)), int(nodes[row]), cards)
            for node in nodes[record.reshape(-1) == number]:
                out[:, self.tree.place[node] : self.tree.place[node] + shares.shape[1]] = shares
        return _tables(self.streets[street], out)
