"""A spot of hold'em: board, ranges, pot, stacks and what may be bet."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from luckless.cards import format_cards
from luckless.errors import InputError
from luckless.hands.pairs import PAIR_CARDS, PAIRS
from luckless.solve.betting import Stakes
from luckless.solve.menus import Menu, Trimming, check_bets

STREETS = {3: "flop", 4: "turn", 5: "river"}


@dataclass(frozen=True)
class Spot:
    """Two players with ranges (a weight for each of the 1,326 pairs) on a board of three to five cards.

    The first player acts first on each street. `menus` has one menu a street, from the board's to the river.
    """

    board: tuple[int, ...]
    weights: tuple[NDArray[np.float64], NDArray[np.float64]]
    stakes: Stakes
    menus: list[Menu]
    trimming: Trimming = field(default_factory=Trimming)
    ranges: tuple[str, str] = ("", "")
    """The ranges as they were written."""

    def __post_init__(self) -> None:
        if len(self.board) not in STREETS:
            raise InputError(f"the board has {len(self.board)} cards; a spot begins with 3, 4 or 5 cards")
        if len(self.menus) != 6 - len(self.board):
            raise InputError(f"the spot has menus for {len(self.menus)} streets; it plays {6 - len(self.board)}")
        if self.stakes.pot < 1 or self.stakes.stack < 1:
            raise InputError(
                f"pot {self.stakes.pot} and stack {self.stakes.stack} must each be a whole number of chips, 1 or more"
            )
        for place, menu in enumerate(self.menus):
            street = STREETS[len(self.board) + place]
            check_bets(menu, self.stakes.pot, self.stakes.stack, self.stakes.minimum, f"bets of the {street}")
        object.__setattr__(self, "weights", tuple(self._checked(player) for player in (0, 1)))
        if not _can_meet(*self.weights):
            raise InputError("the two ranges conflict: no hand of one leaves a hand of the other its cards")

    def _checked(self, player: int) -> NDArray[np.float64]:
        weights = np.array(self.weights[player], np.float64)
        name = f"the {('first', 'second')[player]} range {self.ranges[player]!r}"
        if weights.shape != (PAIRS,) or not np.isfinite(weights).all() or (weights < 0).any():
            raise InputError(f"{name} must have 1,326 weights of 0 or more")
        weights[np.isin(PAIR_CARDS, self.board).any(axis=1)] = 0
        if not weights.any():
            raise InputError(f"{name} is empty on the board {format_cards(self.board)}")
        return weights


def _can_meet(first: NDArray[np.float64], second: NDArray[np.float64]) -> bool:
    others = PAIR_CARDS[np.flatnonzero(second)]
    return any(not np.isin(others, PAIR_CARDS[pair]).any(axis=1).all() for pair in np.flatnonzero(first))
