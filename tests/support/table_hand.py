"""One hand of the batch engine behind the face of `engines.Hand`, so that every rules test holds it too."""

from collections.abc import Sequence

import numpy as np

from luckless.rules.actions import Legal
from luckless.rules.game import BOARD_CARDS, Game
from luckless.rules.table import Table

ROW = np.array([0])


class TableHand:
    """A `Table` of one hand."""

    def __init__(self, game: Game, deck: Sequence[int], stacks: Sequence[int] | None = None) -> None:
        hole, to_come = deck[: 2 * game.seats], deck[2 * game.seats : game.cards_in_deck]
        self.game = game
        self.table = Table(game, [[*hole, *game.board, *to_come]], None if stacks is None else [stacks])

    @property
    def _hand(self) -> np.void:
        hand: np.void = self.table.public[0]
        return hand

    @property
    def actor(self) -> int | None:
        return int(self._hand["actor"]) if not self.finished else None

    @property
    def street(self) -> int:
        return int(self._hand["street"])

    @property
    def board(self) -> tuple[int, ...]:
        out = 5 if self._hand["showdown"] else BOARD_CARDS[self.street]
        return tuple(self.table.decks[0, 2 * self.game.seats :].tolist()[:out])

    @property
    def finished(self) -> bool:
        return self.table.finished

    @property
    def payoffs(self) -> tuple[int, ...]:
        return tuple(self.table.records().payoffs[0].tolist())

    @property
    def stacks(self) -> tuple[int, ...]:
        behind = self._hand["stack"][: self.game.seats]
        if self.finished:
            behind = self.table.stacks[0] + self.game.pot_share + self.payoffs
        return tuple(behind.tolist())

    @property
    def bets(self) -> tuple[int, ...]:
        return tuple(self._hand["street_bet"].tolist()[: self.game.seats])

    @property
    def pot(self) -> int:
        return int(self._hand["pot"])

    def legal(self) -> Legal:
        hand = self._hand
        return Legal(True, int(hand["to_call"]), int(hand["min_raise_to"]), int(hand["max_raise_to"]))

    def can(self, action: int) -> bool:
        return bool(self.table.can(ROW, [action])[0])

    def verify(self, action: int) -> None:
        self.table.verify(ROW, [action])

    def do(self, action: int) -> object:
        self.table.act(ROW, [action])
        return action
