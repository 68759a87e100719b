"""Passes over boards whose regrets and averages are kept in 16 bits, for spots that would not fit otherwise.

A board is opened into 32-bit numbers, passed over as any other, and closed again. Its strategy is not kept: it
follows from the regrets, as in every variant without negative regrets and predictions; others cannot be packed.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.kernels import njit
from luckless.lanes import LANES, add, fill, load, shorten, store, where_positive, widen
from luckless.solve.passes import Flow, Street, board_size, enter_board, learn_board, normalise
from luckless.solve.schedules import Schedule
from luckless.solve.showdown import meet
from luckless.solve.street import Side
from luckless.solve.vectors import Learned, Work, send


class Packed(NamedTuple):
    """What a player has learned on a street, as short numbers: (board, block, action, lane), each flat."""

    regrets: NDArray[np.uint16]
    average: NDArray[np.uint16]


def can_be_packed(schedule: Schedule) -> bool:
    """Whether a variant has neither negative regrets nor predictions."""
    step = schedule(2)
    return step.clip > 0 and step.predict == 0


@njit(cache=True, nogil=True)
def widen_board(packed: Any, at: int, out: Any) -> None:
    """Copies a board's short numbers, which begin at `at`."""
    for place in range(0, len(out), LANES):
        store(out, place, widen(packed, at + place, out))


@njit(cache=True, nogil=True)
def shorten_board(numbers: Any, packed: Any, at: int) -> None:
    """Copies a board's numbers into short ones."""
    for place in range(0, len(numbers), LANES):
        shorten(packed, at + place, load(numbers, place))


@njit(cache=True, nogil=True)
def shorten_regrets(side: Side, regrets: Any, packed: Any, at: int) -> None:
    """Keeps a board's regrets; a hand that has none left at a decision keeps the old ones there, as rounding alone
    can take them all."""
    size = (side.start[-1] - side.start[0]) * LANES
    zero = fill(regrets, regrets.dtype.type(0))
    for block in range(side.cards.shape[1] // LANES):
        shift = block * size - side.start[0] * LANES
        for place in range(len(side.parent)):
            first, end = side.start[place], side.start[place + 1]
            total = zero
            for row in range(first, end):
                total = add(total, load(regrets, shift + row * LANES))
            for row in range(first, end):
                old = widen(packed, at + shift + row * LANES, regrets)
                kept = where_positive(total, load(regrets, shift + row * LANES), old)
                shorten(packed, at + shift + row * LANES, kept)


@njit(cache=True, nogil=True)
def descend_packed(street: Street, player: int, first: int, last: int, above: Any, work: Work, dealt: Any) -> None:
    """A player's reach at the deals of some boards (board, hand, deal)."""
    side, packed = street.sides[player], street.learned[player]
    strategy = np.empty(board_size(side), np.float32)
    entering = np.empty((side.cards.shape[1], above.shape[2]), np.float32)
    for board in range(first, last):
        normalise(side, packed.regrets, board, strategy)
        enter_board(side, board, above[street.parents[board]], entering)
        send(side, strategy, 0, entering, work, dealt[board])


@njit(cache=True, nogil=True)
def climb_packed(street: Street, player: int, first: int, last: int, step: Any, work: Work, flow: Flow) -> None:
    """One player's half of an iteration on some boards of a street."""
    own, other, packed = street.sides[player], street.sides[1 - player], street.learned[player]
    entries, size = flow.above[0].shape[2], board_size(own)
    entering = np.empty((own.cards.shape[1], entries), np.float32)
    coming = np.empty((other.cards.shape[1], entries), np.float32)
    nothing = np.empty((other.cards.shape[1], len(other.dealt)), np.float32)
    strategy = np.empty(board_size(other), np.float32)
    opened = Learned(np.empty(size, np.float32), np.empty(size, np.float32), np.empty(size, np.float32))
    wide = Street(street.sides, (opened, opened), street.stakes, street.parents, street.share)
    for board in range(first, last):
        normalise(other, street.learned[1 - player].regrets, board, strategy)
        enter_board(other, board, flow.above[1 - player][street.parents[board]], coming)
        send(other, strategy, 0, coming, work, nothing)
        meet(own, other, board, work.reach, work.wins, work.everything, work.sums)
        at = board * size
        widen_board(packed.regrets, at, opened.regrets)
        widen_board(packed.average, at, opened.average)
        normalise(own, packed.regrets, board, opened.strategy)
        learn_board(wide, player, board, 0, step, entering, work, flow)
        shorten_regrets(own, opened.regrets, packed.regrets, at)
        shorten_board(opened.average, packed.average, at)
