"""How a strategy for a few bet sizes plays where any size may come: each bet is read as one that the strategy knows.

A bet between two known sizes is read as one of both at random, by the pseudo-harmonic mapping (S. Ganzfried and T.
Sandholm, "Action translation in extensive-form games with large action spaces", 2013): with shares of the pot
A < x < B it is A with the probability (B - x)(1 + A) / ((B - A)(1 + x)). The coin is tossed once, when the bet is
made, and its outcome is kept for the rest of the hand. So what the player did since then says something about the
outcome, and the law of his next action, given all that was seen, is a mixture weighted by that: it is exact.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from luckless.solve.play_tree import CALL, END, FOLD, PlayTree, Point


def harmonic(share: float, sizes: Sequence[float]) -> list[tuple[int, float]]:
    """The known sizes (ascending, as shares of the pot) that a bet is read as: their places and probabilities."""
    above = next((place for place, size in enumerate(sizes) if size >= share), len(sizes))
    if above in (0, len(sizes)) or sizes[above] == share:
        return [(min(above, len(sizes) - 1), 1.0)]
    low, high = sizes[above - 1], sizes[above]
    chance = (high - share) * (1 + low) / ((high - low) * (1 + share))
    return [(above - 1, chance), (above, 1 - chance)]


@dataclass(frozen=True)
class Real:
    """What lies on the table before an action of a heads-up river."""

    pot: int
    """The pot before the betting."""
    bets: tuple[int, int]
    raised: int
    """By how much the last bet was more than the one before, or the smallest bet."""
    most: tuple[int, int]
    """What each seat can bet in all."""

    def share(self, amount: int) -> float:
        """How much a bet is more than a call, as a share of the pot after the call."""
        return (amount - max(self.bets)) / (self.pot + 2 * max(self.bets))

    def all_in(self, amount: int) -> bool:
        """Whether a bet puts somebody's last chip in."""
        return amount >= min(self.most)

    def bounds(self, player: int) -> tuple[int, int]:
        """The smallest and the largest raise, as the rules have it; both 0 when none is possible."""
        faced, most = max(self.bets), self.most[player]
        if faced >= most or (faced and self.bets[1 - player] >= self.most[1 - player]):
            return 0, 0
        return min(faced + self.raised, most), most

    def after(self, player: int, action: int) -> "Real":
        """The table after a bet or raise; a check changes nothing."""
        if action <= CALL:
            return self
        bets = (action, self.bets[1]) if player == 0 else (self.bets[0], action)
        return replace(self, bets=bets, raised=max(self.raised, action - max(self.bets)))


def chips(point: Point, tree: PlayTree, action: int, real: Real, bounds: tuple[int, int]) -> int:
    """What an action of the strategy is at the real table."""
    if action == FOLD:
        return FOLD if max(real.bets) > real.bets[point.player] else CALL
    least, most = bounds
    if action == CALL or most == 0:
        return CALL
    if action == tree.stack:
        return most
    wanted = max(real.bets) + round(point.share(action) * (real.pot + 2 * max(real.bets)))
    return min(max(wanted, least), most)


def readings(point: Point, tree: PlayTree, amount: int, real: Real) -> list[tuple[int, float]]:
    """The raises of a point that a real bet is read as: places among its actions, and probabilities."""
    raises = [(place, action) for place, action in enumerate(point.actions) if action > CALL]
    if not raises:
        return []
    if real.all_in(amount):
        return [(raises[-1][0], 1.0)]
    known = harmonic(real.share(amount), [point.share(action) for _, action in raises])
    return [(raises[place][0], chance) for place, chance in known]


Law = dict[int, NDArray[np.float64]]
"""The probability of each action for each of some hands."""
_Paths = list[tuple[int, NDArray[np.float64]]]
"""Points of the tree where the player may be, with a weight for each hand."""


def law(tree: PlayTree, player: int, shares: NDArray[np.float64], history: Sequence[int], now: Real) -> Law:
    """What a player does with each of some hands after a history of real actions, seat 0 first.

    `shares` (hand, action) are the probabilities of all his actions of the tree. `now` has no bets yet: the history
    makes them. Where he would never have acted as he did, his own bets are read like those of the other.
    """
    hands = np.ones(len(shares))
    strict: _Paths = [(0, hands)]
    loose: _Paths = [(0, hands)]
    actor = 0
    for action in history:
        if actor == player:
            strict = _own(tree, strict, shares, action, now)
            loose = _read(tree, loose, action, now)
        else:
            strict, loose = (_read(tree, paths, action, now) for paths in (strict, loose))
        now, actor = now.after(actor, action), 1 - actor
    found = _mixed(tree, strict, shares, now, player)
    return _filled(found, _mixed(tree, loose, shares, now, player), len(shares))


def _own(tree: PlayTree, paths: _Paths, shares: NDArray[np.float64], action: int, real: Real) -> _Paths:
    after = []
    for number, weight in paths:
        point = tree.points[number]
        bounds = real.bounds(point.player)
        for place, known in enumerate(point.actions):
            if point.after[place] != END and chips(point, tree, known, real, bounds) == action:
                after.append((point.after[place], weight * shares[:, point.first + place]))
    return after


def _read(tree: PlayTree, paths: _Paths, action: int, real: Real) -> _Paths:
    after = []
    for number, weight in paths:
        point = tree.points[number]
        known = [(point.actions.index(CALL), 1.0)] if action == CALL else readings(point, tree, action, real)
        after += [(point.after[place], weight * chance) for place, chance in known if point.after[place] != END]
    return after


def _mixed(tree: PlayTree, paths: _Paths, shares: NDArray[np.float64], real: Real, player: int) -> Law:
    """The law of the next action, each path by its weight; hands without any weight have the law 0."""
    total = sum((weight for _, weight in paths), np.zeros(len(shares)))
    scale = 1 / np.where(total > 0, total, 1)
    found: Law = {}
    bounds = real.bounds(player)
    for number, weight in paths:
        point = tree.points[number]
        for place, known in enumerate(point.actions):
            action = chips(point, tree, known, real, bounds)
            found[action] = found.get(action, 0.0) + weight * scale * shares[:, point.first + place]
    return found


def _filled(found: Law, instead: Law, hands: int) -> Law:
    """A law with the rows that it lacks taken from another one; a player who is lost checks or calls."""
    for more in (instead, {CALL: np.ones(hands)}):
        lacks = sum(found.values(), np.zeros(hands)) <= 0
        if not lacks.any():
            break
        for action, chance in more.items():
            found[action] = found.get(action, np.zeros(hands)) + np.where(lacks, chance, 0.0)
    return found
