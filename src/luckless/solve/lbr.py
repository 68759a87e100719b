"""Local best response: what a simple player who knows a bot's probabilities wins from it in hold'em.

V. Lisy and M. Bowling, "Equilibrium approximation quality of current no-limit poker bots" (2017). The responder
keeps the bot's range: the probability of each of the 1,326 hands, given what the bot did. At each decision he values
fold, call and each size of a menu as if the hand were then checked and called to its end, save that the bot may fold
to the bet as it says it does, and takes the best. That is a strategy for the whole game: what it wins is a lower
bound of the bot's exploitability. The bot's cards are never drawn: its actions are drawn from the whole range, and
showdowns are valued against all of it, so luck counts less.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import Bot
from luckless.bots.distribution import ActionDistribution
from luckless.errors import InputError
from luckless.hands.pairs import PAIR_CARDS, PAIRS
from luckless.progress import Progress
from luckless.rules.actions import CALL, FOLD
from luckless.rules.dealing import deal
from luckless.rules.game import BOARD_CARDS, STREETS, Game
from luckless.rules.table import Table
from luckless.rules.views import UNSEEN
from luckless.solve.held_hands import win_shares

Vectors = NDArray[np.float64]

AT_ONCE = 16
"""Deals that are played together, each from both seats. Results depend on it: the dice belong to such a batch."""
_DRAWS, _DRAWS_SEED = 500, 23
"""Boards on which hands are compared before the flop."""

MENUS: dict[str, tuple[float, ...]] = {
    "fold-call": (),
    "pot": (1.0,),
    "pot-all-in": (1.0, np.inf),
    "56": (*np.geomspace(0.1, 100.0, 55).tolist(), np.inf),
}
"""Sizes as shares of the pot after a call, by the name of the menu. In limit a menu with any size is the one bet."""


@dataclass(frozen=True)
class LbrSettings:
    """What the responder may do: only check and call before the street `start`, then fold, call and the menu."""

    start: str = "preflop"
    menu: str = "pot-all-in"

    def __post_init__(self) -> None:
        if self.start not in STREETS:
            raise InputError(f"--start is {self.start!r}; allowed is {', '.join(STREETS)}")
        if self.menu not in MENUS:
            raise InputError(f"--menu is {self.menu!r}; allowed is {', '.join(MENUS)}")


class LocalBestResponse:
    """Plays against one bot in heads-up hold'em."""

    def __init__(self, bot: Bot, game: Game, settings: LbrSettings) -> None:
        if game.seats != 2 or game.rake is not None:
            raise InputError(f"game {game.name}: local best response needs two seats and no rake")
        if len(set(game.stacks)) > 1:
            raise InputError(f"game {game.name}: local best response needs equal stacks, not {list(game.stacks)}")
        self.bot, self.game, self.settings = bot, game, settings

    def play(self, seed: int, pairs: int, show_progress: bool = False) -> NDArray[np.float64]:
        """What the responder wins in chips, for each deal on average over both seats."""
        won = []
        with Progress(pairs, "deals, each from both seats", show=show_progress) as progress:
            for first in range(0, pairs, AT_ONCE):
                deals = np.arange(first, min(first + AT_ONCE, pairs))
                won.append(_Hands(self, deals, seed).play())
                progress.advance(len(deals))
        return np.concatenate(won)

    @cached_property
    def draws(self) -> NDArray[np.int64]:
        """The boards of comparisons before the flop."""
        return deal(Game.load("limit-hu"), _DRAWS_SEED, range(_DRAWS))[:, -5:].astype(np.int64)


class _Hands:
    """Some deals, each played with the responder in both seats."""

    def __init__(self, response: LocalBestResponse, deals: NDArray[np.int64], seed: int) -> None:
        self.bot, self.settings, self.draws = response.bot, response.settings, response.draws
        self.table = Table.dealt(response.game, seed, np.repeat(deals, 2))
        self.seat = np.tile([0, 1], len(deals))
        self.dice = np.random.default_rng([seed, int(deals[0])])
        hands = np.arange(len(self.seat))
        places = 2 * self.seat[:, None] + [0, 1]
        self.own = self.table.decks[hands[:, None], places].astype(np.int64)
        self.boards = self.table.decks[:, -5:].astype(np.int64)
        self.weights = np.stack([_apart(cards).astype(np.float64) for cards in self.own])
        """The bot's range of each hand, board cards not yet taken out."""
        self.dealt = np.stack([_apart(board) for board in self.boards])
        """The pairs that the whole board leaves: among them the bot's cards are."""
        self._shares: dict[tuple[int, int], Vectors] = {}

    def play(self) -> NDArray[np.float64]:
        """What the responder wins, by deal."""
        while len(rows := self.table.waiting()):
            actors = self.table.public["actor"][rows]
            own = actors == self.seat[rows]
            if (~own).any():
                self._bot_acts(rows[~own])
            if own.any():
                self._respond(rows[own])
        won = np.array([self._won(row) for row in range(len(self.seat))])
        both: NDArray[np.float64] = won.reshape(-1, 2).mean(axis=1)
        return both

    def _won(self, row: int) -> float:
        public = self.table.public[row]
        if not public["showdown"]:
            return float(self.table.payoffs(np.array([row]))[0, self.seat[row]])
        range_ = self.weights[row] * self.dealt[row]
        share = float(range_ @ self._win_shares(row, 5) / range_.sum())
        return (2 * share - 1) * float(public["invested"][:2].min())

    def _shown(self, row: int) -> int:
        return BOARD_CARDS[self.table.public["street"][row]]

    def _win_shares(self, row: int, cards: int) -> Vectors:
        """How often the responder's hand wins against each pair, with so many board cards out."""
        if (row, cards) not in self._shares:
            shares = np.empty(PAIRS)
            win_shares(self.own[row], self.boards[row, :cards], self.draws, shares)
            self._shares[row, cards] = shares
        return self._shares[row, cards]

    def _range(self, row: int) -> Vectors:
        """The bot's range as the responder sees it: no pair with a card that is out."""
        left: Vectors = self.weights[row] * _apart(self.boards[row, : self._shown(row)])
        return left

    def _law(self, table: Table, rows: NDArray[np.int64], held: list[NDArray[np.int64]]) -> ActionDistribution:
        """What the bot does at each of some situations with each of some hands, one situation after the other."""
        which = np.repeat(np.arange(len(rows)), [len(pairs) for pairs in held])
        return self.bot.probabilities(table.views(rows).with_cards(which, PAIR_CARDS[np.concatenate(held)]))

    def _bot_acts(self, rows: NDArray[np.int64]) -> None:
        """The bot's actions, drawn from its range; what it did not do is taken out of the range."""
        held = [np.flatnonzero(self._range(row)) for row in rows]
        law = self._law(self.table, rows, held)
        actions, first = [], 0
        for row, pairs in zip(rows, held, strict=True):
            part = slice(first, first + len(pairs))
            first += len(pairs)
            low, high, chance = law.low[part], law.high[part], law.probability[part]
            possible = self.weights[row, pairs] * self.dealt[row, pairs]
            hand = _drawn(possible, self.dice.random())
            entry = _drawn(chance[hand], self.dice.random())
            action = int(self.dice.integers(low[hand, entry], high[hand, entry] + 1))
            actions.append(action)
            share = ActionDistribution(low, high, chance).of(np.full(len(pairs), action))
            kept = np.zeros(PAIRS)
            kept[pairs] = self.weights[row, pairs] * share
            self.weights[row] = kept / kept.sum()
        self.table.act(rows, actions)

    def _respond(self, rows: NDArray[np.int64]) -> None:
        """The responder's actions."""
        early = self.table.public["street"][rows] < STREETS.index(self.settings.start)
        if early.any():
            self.table.act(rows[early], np.zeros(int(early.sum()), np.int64))
        rows = rows[~early]
        if not len(rows):
            return
        best = np.full(len(rows), CALL)
        value = np.empty(len(rows))
        for place, row in enumerate(rows):
            pot, asked = (float(self.table.public[name][row]) for name in ("pot", "to_call"))
            win = self._win_chance(row, self._range(row))
            value[place] = win * pot - (1 - win) * asked
            if asked > 0 and value[place] < 0:
                best[place], value[place] = FOLD, 0.0
        self._try_raises(rows, best, value)
        self.table.act(rows, best)

    def _win_chance(self, row: int, range_: Vectors) -> float:
        return float(range_ @ self._win_shares(row, self._shown(row)) / range_.sum())

    def _try_raises(self, rows: NDArray[np.int64], best: NDArray[np.int64], value: Vectors) -> None:
        """Puts raises in the place of what is worth less."""
        tried = [(place, amount) for place, row in enumerate(rows) for amount in self._amounts(row)]
        if not tried:
            return
        places, amounts = (np.array(column) for column in zip(*tried, strict=True))
        after = self.table.copies(rows[places])
        after.act(np.arange(len(places)), amounts)
        ranges = [self._range(row) for row in rows]
        held = [np.flatnonzero(ranges[place]) for place in places]
        law, first = self._law(after, np.arange(len(places)), held), 0
        folds = law.kinds()[:, 0]
        for place, amount, pairs in zip(places, amounts, held, strict=True):
            range_ = ranges[place][pairs]
            fold = folds[first : first + len(pairs)]
            first += len(pairs)
            worth = self._raise_value(int(rows[place]), int(amount), pairs, range_, fold)
            if worth > value[place]:
                best[place], value[place] = amount, worth

    def _raise_value(self, row: int, amount: int, pairs: NDArray[np.int64], range_: Vectors, fold: Vectors) -> float:
        public, seat = self.table.public[row], self.seat[row]
        pot, asked = float(public["pot"]), float(public["to_call"])
        cost = amount - float(public["street_bet"][seat])
        folds = float(range_ @ fold / range_.sum())
        stays = range_ * (1 - fold)
        if stays.sum() <= 0:
            return pot
        win = float(stays @ self._win_shares(row, self._shown(row))[pairs] / stays.sum())
        return folds * pot + (1 - folds) * (win * (pot + cost - asked) - (1 - win) * cost)

    def _amounts(self, row: int) -> list[int]:
        """What the menu allows the responder to raise to."""
        public = self.table.public[row]
        least, most = int(public["min_raise_to"]), int(public["max_raise_to"])
        if most == 0:
            return []
        bet, pot = int(public["bet"]), int(public["pot"]) + int(public["to_call"])
        wanted = (most if share == np.inf else bet + round(share * pot) for share in MENUS[self.settings.menu])
        return sorted({min(max(amount, least), most) for amount in wanted})


def _apart(cards: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which pairs share no card with some cards."""
    gone = np.zeros(UNSEEN + 1, np.bool_)
    gone[cards] = True
    return np.asarray(~gone[PAIR_CARDS].any(axis=1))


def _drawn(weights: Vectors, fraction: float) -> int:
    """A place, as often as its weight says."""
    sums = np.cumsum(weights)
    return min(int((fraction * sums[-1] >= sums).sum()), int(np.flatnonzero(weights)[-1]))
