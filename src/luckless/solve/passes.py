"""Passes over the boards of one street: reach down to the next street, values and regrets back up.

A street's boards do not meet each other, so any share of them can be passed over by itself, on a thread of its own.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.kernels import njit
from luckless.lanes import LANES, add, divide, fill, larger, load, multiply, store, where_positive, widen
from luckless.solve.showdown import meet
from luckless.solve.street import Side
from luckless.solve.vectors import (
    Work,
    average_block,
    collect_block,
    enter_block,
    hand_up,
    learn_block,
    send,
    spread_block,
)


class Street(NamedTuple):
    """What a pass works on: both players' arrays, what they have learned, and how boards hang together."""

    sides: Any
    learned: Any
    stakes: Any
    """What endings pay, by player, in the numbers of the pass."""
    parents: NDArray[np.int32]
    share: Any
    """The probability of each board given the one above and both hands."""


class Flow(NamedTuple):
    """What goes from street to street."""

    above: Any
    """Reach at the deals of the street above, by player (board above, hand, deal)."""
    deals: Any
    """What the streets below are worth to the player (board, hand, deal)."""
    handed: Any
    """Where the values of this street go (board above, hand, deal)."""


@njit(cache=True, nogil=True)
def enter_board(side: Side, board: int, dealt: Any, entering: Any) -> None:
    """The reach with which a player's hands come to a board."""
    above = side.above[board, 0]
    for hand in range(len(entering)):
        live = hand < side.hands[board]
        for entry in range(entering.shape[1]):
            entering[hand, entry] = dealt[above[hand], entry] if live else 0


@njit(cache=True, nogil=True)
def board_size(side: Side) -> Any:
    """Numbers that a board has in the arrays of what was learned."""
    return (side.start[-1] - side.start[0]) * side.cards.shape[1]


@njit(cache=True, nogil=True)
def descend(street: Street, player: int, first: int, last: int, above: Any, work: Work, dealt: Any) -> None:
    """A player's reach at the deals of some boards (board, hand, deal)."""
    side, strategy = street.sides[player], street.learned[player].strategy
    entering = np.empty((side.cards.shape[1], side.start[0] if len(side.parent) else above.shape[2]), above.dtype)
    for board in range(first, last):
        enter_board(side, board, above[street.parents[board]], entering)
        send(side, strategy, board * board_size(side), entering, work, dealt[board])


@njit(cache=True, nogil=True)
def learn_board(
    street: Street, player: int, board: int, at: int, step: Any, entering: Any, work: Work, flow: Flow
) -> None:
    """What a player learns on a board, after `meet`; his numbers begin at `at`. `entering` is scratch."""
    side, learned = street.sides[player], street.learned[player]
    enter_board(side, board, flow.above[player][street.parents[board]], entering)
    size = (side.start[-1] - side.start[0]) * LANES
    for block in range(side.cards.shape[1] // LANES):
        enter_block(entering, block, work.rows)
        spread_block(side, learned.strategy, at + block * size, work.rows)
        average_block(side, learned.average, at + block * size, work.rows, step)
        collect_block(side, street.stakes[player], block, work, flow.deals[board])
        learn_block(side, learned, at + block * size, work.values, step)
        hand_up(side, board, block, work.values, street.share, flow.handed[street.parents[board]])


@njit(cache=True, nogil=True)
def climb(street: Street, player: int, first: int, last: int, step: Any, work: Work, flow: Flow) -> None:
    """One player's half of an iteration on some boards of a street."""
    own, other = street.sides[player], street.sides[1 - player]
    entries = flow.above[0].shape[2]
    entering = np.empty((own.cards.shape[1], entries), work.rows.dtype)
    coming = np.empty((other.cards.shape[1], entries), work.rows.dtype)
    nothing = np.empty((other.cards.shape[1], len(other.dealt)), work.rows.dtype)
    for board in range(first, last):
        enter_board(other, board, flow.above[1 - player][street.parents[board]], coming)
        send(other, street.learned[1 - player].strategy, board * board_size(other), coming, work, nothing)
        meet(own, other, board, work.reach, work.wins, work.everything, work.sums)
        learn_board(street, player, board, board * board_size(own), step, entering, work, flow)


@njit(cache=True, nogil=True)
def iterate(street: Street, steps: Any, works: Any, flows: Any) -> None:
    """Whole iterations of a spot that has one street."""
    for row in range(len(steps)):
        for player in range(2):
            climb(street, player, 0, len(street.parents), steps[row], works[player], flows[player])


@njit(cache=True, nogil=True)
def normalise(side: Side, weights: Any, board: int, out: Any) -> None:
    """The strategy of a board in proportion to weights, such as the average; uniform where a hand has none."""
    size = (side.start[-1] - side.start[0]) * LANES
    one = fill(out, out.dtype.type(1))
    for block in range(side.cards.shape[1] // LANES):
        at = block * size - side.start[0] * LANES
        shift = board * board_size(side) + at
        for place in range(len(side.parent)):
            first, end = side.start[place], side.start[place + 1]
            total = fill(out, out.dtype.type(0))
            for row in range(first, end):
                weight = widen(weights, shift + row * LANES, out)
                store(out, at + row * LANES, weight)
                total = add(total, weight)
            even = fill(out, out.dtype.type(1) / out.dtype.type(end - first))
            scale = divide(one, where_positive(total, total, one))
            for row in range(first, end):
                share = multiply(load(out, at + row * LANES), scale)
                store(out, at + row * LANES, where_positive(total, share, even))


@njit(cache=True, nogil=True)
def value_block(side: Side, strategy: Any, at: int, values: Any, best: bool) -> None:
    """Values up to the beginnings, by a strategy or as well as can be."""
    shift = at - side.start[0] * LANES
    for place in range(len(side.parent) - 1, -1, -1):
        first, end = side.start[place], side.start[place + 1]
        above = side.parent[place] * LANES
        total = load(values, first * LANES)
        if not best:
            total = multiply(total, load(strategy, shift + first * LANES))
        for row in range(first + 1, end):
            value = load(values, row * LANES)
            played = add(total, multiply(value, load(strategy, shift + row * LANES)))
            total = larger(total, value) if best else played
        store(values, above, add(load(values, above), total))


@njit(cache=True, nogil=True)
def judge_descend(street: Street, player: int, first: int, last: int, above: Any, work: Work, dealt: Any) -> None:
    """`descend` by the average strategy, in 64-bit numbers."""
    side = street.sides[player]
    strategy = np.empty(board_size(side))
    entering = np.empty((side.cards.shape[1], above.shape[2]))
    for board in range(first, last):
        normalise(side, street.learned[player].average, board, strategy)
        enter_board(side, board, above[street.parents[board]], entering)
        send(side, strategy, 0, entering, work, dealt[board])


@njit(cache=True, nogil=True)
def judge_climb(
    street: Street, player: int, first: int, last: int, work: Work, above: Any, flows: Any, played: bool
) -> None:
    """What some boards are worth to a player as well as can be (flows[1]), and `played` by the average (flows[0])."""
    own, other = street.sides[player], street.sides[1 - player]
    strategy, other_strategy = np.empty(board_size(own)), np.empty(board_size(other))
    coming = np.empty((other.cards.shape[1], above.shape[2]))
    nothing = np.empty((other.cards.shape[1], len(other.dealt)))
    size = (own.start[-1] - own.start[0]) * LANES
    for board in range(first, last):
        if played:
            normalise(own, street.learned[player].average, board, strategy)
        normalise(other, street.learned[1 - player].average, board, other_strategy)
        enter_board(other, board, above[street.parents[board]], coming)
        send(other, other_strategy, 0, coming, work, nothing)
        meet(own, other, board, work.reach, work.wins, work.everything, work.sums)
        for block in range(own.cards.shape[1] // LANES):
            for best in range(0 if played else 1, 2):
                flow = flows[best]
                collect_block(own, street.stakes[player], block, work, flow.deals[board])
                value_block(own, strategy, block * size, work.values, best == 1)
                hand_up(own, board, block, work.values, street.share, flow.handed[street.parents[board]])
