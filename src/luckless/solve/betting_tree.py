"""The betting of a whole heads-up game as one flat tree of arrays, from the blinds to the end, without cards.

Limit games have one size a street; in no-limit a menu says what may be bet. Decisions (nodes) are numbered as a walk
meets them, a decision's actions (slots) lie side by side. The slots of a street are counted anew, those of seat 0
first: a hand's bucket has one row of numbers a street, in which each decision finds its own at its `place`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError
from luckless.rules.actions import CALL, FOLD
from luckless.rules.game import STREETS, Game
from luckless.solve.menus import Faced, Size, Trimming, amounts_of

SHOWDOWN = 2
"""The `loser` of an ending at which hands are compared."""
MOST_NODES = 200_000
MOST_RAISES = 12
"""Bets and raises of one street in a row."""

Menus = Sequence[Sequence[tuple[Size, ...]]]
"""For each street the sizes of its first bet or raise, of the second, ..., and of all later ones."""


class BettingTree(NamedTuple):
    """Decisions, actions and endings as arrays. Amounts are chips."""

    player: NDArray[np.int8]
    street: NDArray[np.int8]
    first: NDArray[np.int32]
    """Of each decision: who acts, the street, its first slot and, in `size`, how many it has."""
    size: NDArray[np.int32]
    place: NDArray[np.int32]
    """Where a decision's slots begin in the row of a bucket of its street."""
    action: NDArray[np.int32]
    """Of each slot: -1 fold, 0 check or call, above 0 a bet or raise to that."""
    after: NDArray[np.int32]
    """The decision that follows, or -1 - the number of an ending."""
    share: NDArray[np.float64]
    """Of raises: how much they are more than a call, as a share of the pot after the call, to two digits."""
    all_in: NDArray[np.int8]
    """1 for raises that put all chips in."""
    loser: NDArray[np.int8]
    """Of each ending: the seat that folded, or `SHOWDOWN`."""
    stake: NDArray[np.float64]
    """What the loser loses."""
    width: NDArray[np.int64]
    """Slots of each street."""

    @property
    def nodes_by_street(self) -> list[int]:
        """How many decisions each street has."""
        return [int((self.street == street).sum()) for street in range(4)]


@dataclass(frozen=True)
class _Spot:
    """Before a decision: chips put in before the street by each, bets of the street, raises so far and their last
    step, and whether a call or check would leave the other player to act."""

    street: int
    player: int
    put_in: int
    bets: tuple[int, int]
    raises: int
    raised: int
    open: bool


@dataclass
class _Builder:
    game: Game
    menus: Menus | None
    trimming: Trimming
    nodes: list[tuple[int, int, int, int]] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)
    after: list[int] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)
    all_in: list[int] = field(default_factory=list)
    endings: list[tuple[int, float]] = field(default_factory=list)

    def act(self, spot: _Spot) -> int:
        """One decision and all that follows; returns its number."""
        if len(self.nodes) >= MOST_NODES:
            raise InputError(f"the menu of sizes makes more than {MOST_NODES:,} decisions; allow fewer sizes")
        if spot.raises > MOST_RAISES:
            raise InputError(f"the menu of sizes allows more than {MOST_RAISES} raises in a row; end with all-in")
        bet, own = max(spot.bets), spot.bets[spot.player]
        most = self.game.stacks[0] - spot.put_in
        amounts = self._raises(spot, bet, most)
        actions = [*([FOLD] if bet > own else []), CALL, *amounts]
        number, first = len(self.nodes), len(self.actions)
        self.nodes.append((spot.player, spot.street, first, len(actions)))
        self.actions += actions
        self.after += [0] * len(actions)
        pot = 2 * (spot.put_in + bet)
        self.shares += [round((action - bet) / pot, 2) if action > CALL else 0.0 for action in actions]
        self.all_in += [int(action == most) for action in actions]
        for slot, action in enumerate(actions, first):
            self.after[slot] = self._follow(spot, action, bet, most)
        return number

    def _raises(self, spot: _Spot, bet: int, most: int) -> list[int]:
        if bet >= most:
            return []
        if self.menus is None:
            size, cap = self.game.bet_sizes[spot.street], self.game.max_bets[spot.street]
            if bet + size > most:
                raise InputError(f"game {self.game.name}: stacks of {self.game.stacks[0]} chips are too short for it")
            return [bet + size] if spot.raises < cap else []
        menu = self.menus[spot.street]
        sizes = menu[min(spot.raises, len(menu) - 1)]
        seen = Faced(2 * (spot.put_in + bet), bet, spot.raised, most, len(STREETS) - spot.street)
        return amounts_of(sizes, seen, self.trimming, self.game.big_blind)

    def _follow(self, spot: _Spot, action: int, bet: int, most: int) -> int:
        player, other = spot.player, 1 - spot.player
        if action == FOLD:
            return self._end(player, spot.put_in + spot.bets[player])
        if action > CALL:
            bets = (action, spot.bets[1]) if player == 0 else (spot.bets[0], action)
            return self.act(_Spot(spot.street, other, spot.put_in, bets, spot.raises + 1, action - bet, False))
        if spot.open:
            return self.act(_Spot(spot.street, other, spot.put_in, (bet, bet), spot.raises, spot.raised, False))
        put_in = spot.put_in + bet
        if spot.street == len(STREETS) - 1 or bet == most:
            return self._end(SHOWDOWN, put_in)
        return self.act(_Spot(spot.street + 1, 0, put_in, (0, 0), 0, 0, True))

    def _end(self, loser: int, stake: int) -> int:
        self.endings.append((loser, float(stake)))
        return -len(self.endings)


def betting_tree(game: Game, menus: Menus | None = None, trimming: Trimming | None = None) -> BettingTree:
    """The tree of a heads-up game from the blinds on; limit games need no menus."""
    _check(game, menus)
    builder = _Builder(game, menus, trimming or Trimming())
    first = (game.blinds[0], game.blinds[1])
    blind_counts = 1 if menus is None else 0  # in limit the blind is the first of the bets that are allowed
    builder.act(_Spot(0, game.first_seat, 0, first, blind_counts, game.big_blind, True))
    return _flattened(builder)


def river_betting(game: Game, menus: Menus | None, put_in: int) -> BettingTree:
    """The tree of the river alone, once both players have put so much in; it must leave them chips."""
    builder = _Builder(game, menus, Trimming())
    builder.act(_Spot(len(STREETS) - 1, 0, put_in, (0, 0), 0, 0, True))
    return _flattened(builder)


def _flattened(builder: _Builder) -> BettingTree:
    player, street, start, count = (np.array(column) for column in zip(*builder.nodes, strict=True))
    loser, stake = zip(*builder.endings, strict=True)
    place, width = _places(player, street, count)
    return BettingTree(
        player.astype(np.int8), street.astype(np.int8), start.astype(np.int32), count.astype(np.int32), place,
        np.array(builder.actions, np.int32), np.array(builder.after, np.int32), np.array(builder.shares),
        np.array(builder.all_in, np.int8),
        np.array(loser, np.int8), np.array(stake, np.float64), width,
    )  # fmt: skip


def _places(
    player: NDArray[np.int64], street: NDArray[np.int64], count: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Where the slots of each decision lie in the row of its street, and how long the rows are."""
    place, width = np.zeros(len(player), np.int32), np.zeros(4, np.int64)
    for seat in (0, 1):
        for number in range(4):
            rows = np.flatnonzero((player == seat) & (street == number))
            ends = width[number] + np.cumsum(count[rows])
            place[rows] = ends - count[rows]
            width[number] = ends[-1] if len(ends) else width[number]
    return place, width


def _check(game: Game, menus: Menus | None) -> None:
    if game.seats != 2 or game.first_street or any(game.antes) or any(game.posts) or game.rake is not None:
        raise InputError(f"game {game.name}: a blueprint needs two seats, blinds, no antes and no rake")
    if len(set(game.stacks)) > 1:
        raise InputError(f"game {game.name}: a blueprint needs equal stacks, not {list(game.stacks)}")
    if (game.betting == "limit") != (menus is None) or game.betting == "pot-limit":
        raise InputError(f"game {game.name}: menus of sizes are for no-limit games, and limit games have none")
    if game.betting == "limit" and not all(game.max_bets):
        raise InputError(f"game {game.name}: a blueprint needs a cap on the bets of each street")
