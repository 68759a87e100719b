"""A river solved again from the hands that both players may have, such that the opponent never gets more than before.

The opponent, with each of his hands, may first choose to take what a best response of his would get against the
strategy that is replaced; else the river is played (N. Burch, M. Johanson and M. Bowling, "Solving imperfect
information games using decomposition", 2014). In equilibrium of that game no hand of his gets more than that, so the
new strategy is not more exploitable than the old one. It is found by CFR+ over all hands at once, in a fixed number
of iterations, in 64-bit sums: the same on every machine.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.kernels import njit
from luckless.rules.actions import FOLD
from luckless.solve.betting_tree import SHOWDOWN, BettingTree
from luckless.solve.river_meeting import BoardHands, beaten, met


class RiverLines(NamedTuple):
    """The betting of a river: of each decision its player, first slot and number of slots; of each slot the decision
    that follows or -1 - the number of an ending; of each ending who folded (2: a showdown) and the loser's stake."""

    player: NDArray[np.int8]
    first: NDArray[np.int32]
    size: NDArray[np.int32]
    after: NDArray[np.int32]
    loser: NDArray[np.int8]
    stake: NDArray[np.float64]

    @classmethod
    def of(cls, tree: BettingTree) -> "RiverLines":
        """The lines of a tree that begins on the river."""
        return cls(tree.player, tree.first, tree.size, tree.after, tree.loser, tree.stake)


class Play(NamedTuple):
    """What is worked with: by slot and hand the strategy, the reach of each player after it and its value; and by
    decision and hand the value."""

    strategy: NDArray[np.float64]
    reach: NDArray[np.float64]
    slot_value: NDArray[np.float64]
    value: NDArray[np.float64]

    @classmethod
    def new(cls, lines: RiverLines, hands: int) -> "Play":
        """Room for a river; every action is equally likely."""
        slots, nodes = len(lines.after), len(lines.player)
        strategy = np.repeat(1.0 / lines.size, lines.size)[:, None] * np.ones(hands)
        return cls(strategy, np.zeros((2, slots, hands)), np.zeros((slots, hands)), np.zeros((nodes, hands)))


@njit(cache=True, nogil=True)
def spread(lines: RiverLines, player: int, start: NDArray[np.float64], play: Play) -> None:
    """How likely a player with each hand makes the play go behind each slot, if he comes with `start`."""
    reach, strategy = play.reach[player], play.strategy
    above = np.full(len(lines.player), -1, np.int64)
    for node in range(len(lines.player)):
        for slot in range(lines.first[node], lines.first[node] + lines.size[node]):
            if lines.after[slot] >= 0:
                above[lines.after[slot]] = slot
            for hand in range(len(start)):
                before = start[hand] if node == 0 else reach[above[node], hand]
                reach[slot, hand] = before * (strategy[slot, hand] if lines.player[node] == player else 1.0)


@njit(cache=True, nogil=True)
def find_values(lines: RiverLines, hands: BoardHands, player: int, best: bool, play: Play) -> None:
    """What each slot and decision is worth to a player with each hand, against the reach of the other; played by the
    strategy or, with `best`, as well as can be."""
    other = play.reach[1 - player]
    for node in range(len(lines.player) - 1, -1, -1):
        own = lines.player[node] == player
        total = play.value[node]
        first, end = lines.first[node], lines.first[node] + lines.size[node]
        for slot in range(first, end):
            out, after = play.slot_value[slot], lines.after[slot]
            if after >= 0:
                out[:] = play.value[after]
            else:
                loser, stake = lines.loser[-1 - after], lines.stake[-1 - after]
                if loser == SHOWDOWN:
                    beaten(hands, other[slot], out)
                else:
                    met(hands, other[slot], out)
                out *= -stake if loser == player else stake
            for hand in range(len(total)):
                part = out[hand]
                if own and not best:
                    part *= play.strategy[slot, hand]
                if slot == first:
                    total[hand] = part
                elif own and best:
                    total[hand] = max(total[hand], part)
                else:
                    total[hand] += part


@njit(cache=True, nogil=True)
def _match_regrets(lines: RiverLines, player: int, regrets: NDArray[np.float64], play: Play) -> None:
    """The strategy of a player in proportion to his regrets, after the values of his decisions were added."""
    for node in range(len(lines.player)):
        if lines.player[node] != player:
            continue
        first, end = lines.first[node], lines.first[node] + lines.size[node]
        for hand in range(play.value.shape[1]):
            total = 0.0
            for slot in range(first, end):
                regret = regrets[slot, hand] + play.slot_value[slot, hand] - play.value[node, hand]
                regrets[slot, hand] = max(regret, 0.0)
                total += regrets[slot, hand]
            for slot in range(first, end):
                play.strategy[slot, hand] = regrets[slot, hand] / total if total > 0 else 1.0 / (end - first)


@njit(cache=True, nogil=True)
def resolve_river(
    lines: RiverLines, hands: BoardHands, ranges: NDArray[np.float64], offer: NDArray[np.float64], seat: int,
    iterations: int, play: Play,
) -> NDArray[np.float64]:  # fmt: skip
    """The average strategy of `seat`, by slot and hand, not yet normalised. `ranges` has a row a seat; `offer` is
    what the other may take instead, with each hand, against the whole range of `seat`."""
    count = len(offer)
    regrets, average = np.zeros(play.strategy.shape), np.zeros(play.strategy.shape)
    plays_on, takes, came = np.zeros(count), np.zeros(count), np.empty(count)
    for iteration in range(1, iterations + 1):
        for hand in range(count):
            total = plays_on[hand] + takes[hand]
            came[hand] = ranges[1 - seat, hand] * (plays_on[hand] / total if total > 0 else 0.5)
        spread(lines, 1 - seat, came, play)
        find_values(lines, hands, seat, False, play)
        _match_regrets(lines, seat, regrets, play)
        spread(lines, seat, ranges[seat], play)
        for node in range(len(lines.player)):
            if lines.player[node] == seat:
                for slot in range(lines.first[node], lines.first[node] + lines.size[node]):
                    for hand in range(count):
                        average[slot, hand] += iteration * play.reach[seat, slot, hand]
        find_values(lines, hands, 1 - seat, False, play)
        for hand in range(count):
            gain = play.value[0, hand] - offer[hand]
            total = plays_on[hand] + takes[hand]
            share = plays_on[hand] / total if total > 0 else 0.5
            plays_on[hand] = max(plays_on[hand] + gain * (1 - share), 0.0)
            takes[hand] = max(takes[hand] - gain * share, 0.0)
        _match_regrets(lines, 1 - seat, regrets, play)
    return average


def best_values(
    lines: RiverLines, hands: BoardHands, seat: int, start: NDArray[np.float64], strategy: NDArray[np.float64]
) -> NDArray[np.float64]:
    """What a best response of the other player gets with each hand against a strategy of `seat` (slot, hand)."""
    play = Play.new(lines, len(start))._replace(strategy=strategy)
    spread(lines, seat, start, play)
    find_values(lines, hands, 1 - seat, True, play)
    won: NDArray[np.float64] = play.value[0].copy()
    return won


def normalised(tree: BettingTree, seat: int, numbers: NDArray[Any]) -> NDArray[np.float64]:
    """Numbers by slot and hand as probabilities; where a decision has none, the player checks or calls."""
    out = np.zeros(numbers.shape)
    for node in np.flatnonzero(tree.player == seat):
        first = tree.first[node]
        own = slice(first, first + tree.size[node])
        passive = np.zeros((tree.size[node], 1))
        passive[1 if tree.action[first] == FOLD else 0] = 1.0
        total = numbers[own].sum(axis=0)
        out[own] = np.where(total > 0, numbers[own] / np.where(total > 0, total, 1.0), passive)
    return out
