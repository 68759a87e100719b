"""What a best response wins from a bot on a board of the river, exactly, in a tree of what the responder may do.

The bot plays as it says it does, with all sizes that it uses. The responder sees the board, the betting and his own
cards, knows the bot's probabilities, and chooses among fold, call and a menu of sizes. So whatever he wins can be won
in the whole game too: the figure is a lower bound of the bot's exploitability there. A raise that the bot spreads
evenly over many sizes is answered by fold or call alone; the responder tells such sizes apart by steps of the pot.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import Bot
from luckless.rules.game import Game
from luckless.rules.table import Table
from luckless.rules.views import Views
from luckless.solve.menus import Faced, Menu, Trimming, amounts_of, parse_sizes
from luckless.solve.play_tree import CALL, FOLD
from luckless.solve.river_game import RiverGame
from luckless.solve.river_meeting import BoardHands, beaten, met

Vector = NDArray[np.float64]

SIZES = ("50%,100%,200%,500%,all-in", "100%,300%,all-in", "all-in")
"""The responder's sizes: for his first bet or raise, for the second, and for all later ones."""

_MENUS = tuple(parse_sizes(text, "sizes of the responder", raises=True) for text in SIZES)
STEPS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
"""Where the responder tells the sizes of a spread raise apart, in pots."""


@dataclass
class _Node:
    """A public situation. `weights` is the bot's reach by hand, `own` what the responder has bet, `bot` what the bot
    has; `spread` is the reach times the bot's bet where that is not one number."""

    history: tuple[int, ...]
    actor: int
    weights: Vector
    own: int = 0
    bot: int = 0
    raised: int = 0
    raises: int = 0
    """How often the responder has bet or raised."""
    spread: Vector | None = None
    ends: list[Vector] = field(default_factory=list)
    """What actions that end the hand are worth, by the responder's hand."""
    after: list["_Node"] = field(default_factory=list)


@dataclass(frozen=True)
class Response:
    """What a best response wins from a bot on one board, in chips a hand, by the responder's seat."""

    by_seat: tuple[float, float]

    @property
    def loss(self) -> float:
        """The bot's exploitability: the mean of both seats. A true one is never negative, so neither is the bound."""
        return max(sum(self.by_seat) / 2, 0.0)


def respond(bot: Bot, game: Game, board: tuple[int, ...], menu: Menu | None = None) -> Response:
    """The best response to a bot on a board, from both seats; with the sizes of a menu in place of `SIZES`."""
    first, second = (_Search(bot, game, board, seat, menu).value() for seat in (0, 1))
    return Response((first, second))


class _Search:
    """One board with the responder in one seat."""

    def __init__(self, bot: Bot, game: Game, board: tuple[int, ...], seat: int, menu: Menu | None) -> None:
        self.bot, self.game, self.board, self.seat, self.menu = bot, game, board, seat, menu
        self.river = RiverGame.of(game)
        self.hands = BoardHands.of(board)

    def value(self) -> float:
        """What the responder wins on average."""
        root = _Node((), 0, np.ones(len(self.hands.pairs)), raised=self.river.minimum)
        order, level = [root], [root]
        while level:
            own = [node for node in level if node.actor == self.seat]
            for node in own:
                self._respond_at(node)
            self._bot_at([node for node in level if node.actor != self.seat])
            level = [after for node in level for after in node.after]
            order += level
        values: dict[int, Vector] = {}
        for node in reversed(order):
            parts = [*node.ends, *(values.pop(id(after)) for after in node.after)]
            values[id(node)] = np.max(parts, axis=0) if node.actor == self.seat else np.sum(parts, axis=0)
        pairs = self._met(root.weights).sum()
        return float(values[id(root)].sum() / pairs)

    def _met(self, weights: Vector) -> Vector:
        out = np.empty(len(weights))
        met(self.hands, weights, out)
        return out

    def _shown(self, weights: Vector) -> Vector:
        out = np.empty(len(weights))
        beaten(self.hands, weights, out)
        return out

    def _respond_at(self, node: _Node) -> None:
        """The responder's actions."""
        half = self.river.pot / 2
        faced = node.bot > node.own or node.spread is not None
        if faced:
            node.ends.append(-(half + node.own) * self._met(node.weights))
            bets = node.bot * node.weights if node.spread is None else node.spread
            node.ends.append(self._shown(half * node.weights + bets))
        elif self.seat == 1:  # the second check
            node.ends.append(self._shown(half * node.weights))
        else:
            node.after.append(self._next(node, CALL, node.weights))
        if node.spread is None:
            node.after += [
                self._next(node, amount, node.weights, own=amount, raises=node.raises + 1)
                for amount in self._amounts(node)
            ]

    def _amounts(self, node: _Node) -> list[int]:
        if node.bot >= self.river.stack:
            return []
        pot = self.river.pot + 2 * node.bot
        seen = Faced(pot, node.bot, node.raised, self.river.stack, 1)
        sizes = _MENUS[min(node.raises, len(_MENUS) - 1)]
        if self.menu is not None:
            sizes = self.menu.raises if node.bot else self.menu.bets
        return amounts_of(sizes, seen, Trimming(), self.river.minimum)

    def _next(
        self, node: _Node, action: int, weights: Vector, own: int | None = None, bot: int | None = None,
        raises: int | None = None, spread: Vector | None = None,
    ) -> _Node:  # fmt: skip
        bets = (node.own if own is None else own, node.bot if bot is None else bot)
        raised = max(node.raised, max(bets) - max(node.own, node.bot))
        history = (*node.history, action)
        return _Node(history, 1 - node.actor, weights, *bets, raised, raises or node.raises, spread)

    def _bot_at(self, nodes: Sequence[_Node]) -> None:
        """The bot's actions at all of some situations, asked at once."""
        if not nodes:
            return
        held = [np.flatnonzero(node.weights) for node in nodes]
        law = self.bot.probabilities(self._views(nodes, held))
        first = 0
        for node, hands in zip(nodes, held, strict=True):
            rows = slice(first, first + len(hands))
            first += len(hands)
            self._act(node, hands, law.low[rows], law.high[rows], law.probability[rows])

    def _views(self, nodes: Sequence[_Node], held: Sequence[NDArray[np.int64]]) -> Views:
        """The situations with each hand that the bot may hold there."""
        rest = [card for card in range(52) if card not in self.board][:4]
        table = Table(self.game, np.tile(np.array([*rest, *self.board], np.uint8), (len(nodes), 1)))
        for step in range(max(len(node.history) for node in nodes)):
            rows = [row for row, node in enumerate(nodes) if len(node.history) > step]
            table.act(np.array(rows), [nodes[row].history[step] for row in rows])
        seen = table.views(np.arange(len(nodes)))
        which = np.repeat(np.arange(len(nodes)), [len(hands) for hands in held])
        return seen.with_cards(which, self.hands.cards[np.concatenate(held)])

    def _act(
        self, node: _Node, hands: NDArray[np.int64], low: NDArray[np.int64], high: NDArray[np.int64], chance: Vector
    ) -> None:
        """Splits the bot's reach over what it does."""
        used, single = chance > 0, low == high
        for action in np.unique(low[used & single]):
            share = np.where(used & single & (low == action), chance, 0.0).sum(axis=1)
            self._one_action(node, int(action), self._spread_out(node, hands, share))
        if (used & ~single).any():
            self._spread_raises(node, hands, low, high, np.where(single, 0.0, chance))

    def _spread_out(self, node: _Node, hands: NDArray[np.int64], share: Vector) -> Vector:
        weights = np.zeros(len(node.weights))
        weights[hands] = node.weights[hands] * share
        return weights

    def _one_action(self, node: _Node, action: int, weights: Vector) -> None:
        half = self.river.pot / 2
        if action == FOLD:
            node.ends.append((half + node.bot) * self._met(weights))
        elif action > CALL:
            node.after.append(self._next(node, action, weights, bot=action))
        elif node.own > node.bot or self.seat == 0:  # a call, or the second check
            node.ends.append(self._shown((half + node.own) * weights))
        else:
            node.after.append(self._next(node, CALL, weights))

    def _spread_raises(
        self, node: _Node, hands: NDArray[np.int64], low: NDArray[np.int64], high: NDArray[np.int64], chance: Vector
    ) -> None:
        """Raises that are equally likely over a range, cut into steps; within one, only their mean counts."""
        pot = self.river.pot + 2 * node.own
        cuts = [node.own + int(step * pot) for step in STEPS]
        for start, end in zip([0, *cuts], [*(cut - 1 for cut in cuts), self.river.stack], strict=True):
            least, most = np.maximum(low, start), np.minimum(high, end)
            share = np.where(most >= least, chance * (most - least + 1) / (high - low + 1), 0.0)
            if not share.any():
                continue
            bets = self._spread_out(node, hands, (share * (least + most) / 2).sum(axis=1))
            weights = self._spread_out(node, hands, share.sum(axis=1))
            node.after.append(self._next(node, int(most.max()), weights, bot=int(most.max()), spread=bets))
