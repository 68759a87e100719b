"""What a bot does on a street of heads-up limit, for all its lines and hands: as tables that a best response reads.

Hands fall into classes that the bot plays alike: buckets for a blueprint, one class for a bot that does not look at
its cards, each hand by itself for all others, which are asked about every line on every board.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import Bot
from luckless.bots.rule_bot import RuleBot
from luckless.hands.pairs import PAIR_CARDS, PAIRS
from luckless.kernels import njit
from luckless.rules.game import Game
from luckless.rules.table import Table
from luckless.rules.views import Past, Views
from luckless.solve.betting_tree import BettingTree
from luckless.solve.blueprint_bot import BlueprintBot
from luckless.solve.card_buckets import CardBuckets, bucket_of, river_buckets
from luckless.solve.limit_streets import Street

Tables = list[list[NDArray[Any]]]
"""For each decision of a street and each of its actions: (class, beginning), times a scale the probability."""


class Played(NamedTuple):
    """How a bot plays a street on a board."""

    tables: Tables
    classes: NDArray[np.int64]
    scale: float


class LimitPolicy(Protocol):
    """What a best response knows of a bot."""

    symmetric: bool
    """Whether the names of suits make no difference to it."""
    fixed: bool
    """Whether the tables of a street are the same on all boards."""

    def on(self, street: int, board: Sequence[int]) -> Played:
        """How it plays a street on a board."""


def policy_of(bot: Bot, game: Game, tree: BettingTree, streets: list[Street]) -> LimitPolicy:
    """The tables of any bot that gives probabilities."""
    if isinstance(bot, BlueprintBot):
        return _OfBlueprint(bot, game, streets)
    if all(isinstance(member, RuleBot) and not member.uses_cards for member in bot.members):
        return _Blind(bot, game, tree, streets)
    return _Asked(bot, game, tree, streets)


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


class _OfBlueprint:
    """A blueprint: its buckets are the classes."""

    symmetric, fixed = True, True

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
            one = seen.rows(slice(row, row + 1))
            public = np.repeat(one.public, len(live))
            cards = np.repeat(one.cards, len(live), axis=0)
            cards[:, :2] = PAIR_CARDS[live]
            past = Past.of(public["steps"], (np.repeat(part, len(live), axis=0) for part in one.past))
            law = self.bot.probabilities(Views(self.game, public, cards, past))
            slots = range(self.tree.first[node], self.tree.first[node] + self.tree.size[node])
            for place, slot in enumerate(slots):
                action = np.full(len(live), self.tree.action[slot])
                share = law.of(action)
                if action[0] == 0 and self.tree.action[slots[0]] == 0:  # a fold that costs nothing is a check
                    share = share + law.of(np.full(len(live), -1))
                out[np.searchsorted(pairs, live), self.tree.place[node] + place] = share
        return out


class _Blind(_Lines):
    """A bot that does not look at its cards: asked once a line."""

    symmetric, fixed = True, True

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

    symmetric, fixed = False, False

    def on(self, street: int, board: Sequence[int]) -> Played:
        """What the bot says about the board."""
        every = np.arange(PAIRS)
        return Played(_tables(self.streets[street], self.chances(street, board, every)), every, 1.0)
