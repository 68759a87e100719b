"""Hold'em that begins on the river with any hand on both sides: its chips, its menu of sizes, and its boards."""

import itertools
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError
from luckless.hands.pairs import PAIR_CARDS, PAIRS
from luckless.rules.game import STREETS, Game
from luckless.solve.betting import Stakes
from luckless.solve.menus import Menu, parse_sizes
from luckless.solve.play_tree import PlayTree, river_tree
from luckless.solve.spot import Spot

BETS, RAISES = "50%,150%,all-in", "100%,all-in"
"""The sizes of `nash`. The smallest bet of river-hu is half of the pot, so no bet lies below the menu; all-in must be
in it, or a player who bets everything would meet a strategy that was made for less."""

RIVER = STREETS.index("river")
_SUITS = np.array(list(itertools.permutations(range(4))), np.int64)


@dataclass(frozen=True)
class RiverGame:
    """The chips of a game that begins on the river."""

    pot: int
    stack: int
    minimum: int

    @classmethod
    def of(cls, game: Game, lead: str = "nash plays river-hu and games like it") -> "RiverGame":
        """The chips of a game of the rules; refused unless it is heads-up no-limit from the river on. `lead` begins
        the reason."""
        problem = _why_not(game)
        if problem:
            like = "heads-up no-limit that starts on the river with equal stacks and without rake"
            raise InputError(f"{lead} ({like}); game {game.name} {problem}")
        return cls(game.pot, game.stacks[0], game.big_blind)

    @cached_property
    def stakes(self) -> Stakes:
        """The chips as the solver takes them."""
        return Stakes(self.pot, self.stack, self.minimum)

    @cached_property
    def menu(self) -> Menu:
        """The sizes that `nash` knows."""
        return Menu(parse_sizes(BETS, "bets of nash"), parse_sizes(RAISES, "raises of nash", raises=True))

    @cached_property
    def tree(self) -> PlayTree:
        """The betting with these sizes."""
        return river_tree(self.stakes, self.menu)

    def spot(self, board: tuple[int, ...]) -> Spot:
        """One board with any hand on both sides."""
        return Spot(board, (_ANY, _ANY), self.stakes, [self.menu], ranges=("??", "??"))


_ANY: NDArray[np.float64] = np.ones(PAIRS)


def _why_not(game: Game) -> str:
    if game.betting != "no-limit":
        return f"is {game.betting}"
    if game.seats != 2:
        return f"has {game.seats} seats"
    if game.first_street != RIVER:
        return f"starts {'preflop' if game.first_street == 0 else 'on the ' + STREETS[game.first_street]}"
    if len(set(game.stacks)) > 1:
        return f"has stacks of {game.stacks[0]} and {game.stacks[1]} chips"
    if game.pot < 1:
        return "has no pot"
    if game.rake is not None and game.rake.per_mille:
        return "has rake"
    return "caps the bets of a street" if game.max_bets[RIVER] else ""


def canonical(boards: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each board (n, 5) the one that stands for all that differ in the names of suits alone, cards ascending, and
    the renaming (n, 4) that leads to it: suit s becomes the s-th."""
    ranks, suits = boards // 4, boards % 4
    named = np.sort(ranks[:, None, :] * 4 + _SUITS[:, suits].transpose(1, 0, 2), axis=2)
    value = named @ (52 ** np.arange(4, -1, -1))
    best = value.argmin(axis=1)
    rows = np.arange(len(boards))
    return named[rows, best], _SUITS[best]


def live_pairs(board: tuple[int, ...] | NDArray[np.int64]) -> NDArray[np.int64]:
    """The pairs that share no card with a board, ascending."""
    gone = np.zeros(52, np.bool_)
    gone[np.asarray(board)] = True
    return np.flatnonzero(~gone[PAIR_CARDS].any(axis=1))
