"""Sweeps over the betting of one board with all hands of a player: reach down, values up, regrets matched.

Each hand plays by itself: hands meet in the showdown alone. So a block of hands, one a lane, is swept through the
whole betting of a street before the next one, and its rows stay in the nearest cache. All arrays are flat.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.kernels import njit
from luckless.lanes import (
    LANES,
    add,
    divide,
    fill,
    larger,
    load,
    multiply,
    store,
    subtract,
    transpose,
    where_positive,
)
from luckless.solve.street import DEAL, WINS, Side


class Learned(NamedTuple):
    """What a player has learned on a street: (board, block, action, lane), each flat."""

    regrets: NDArray[Any]
    average: NDArray[Any]
    strategy: NDArray[Any]


class Work(NamedTuple):
    """Scratch for one board: what the other player sends, what the own hands meet, and one block's rows."""

    reach: Any
    """(panel, hand of the other, line)"""
    wins: Any
    """(panel, own hand, line)"""
    everything: Any
    """(panel, own hand, line)"""
    sums: Any
    rows: Any
    """Reach (row, lane)."""
    values: Any
    """(row, lane)"""
    tile: Any
    """What a block's hands meet: (wins then everything, line, lane)."""


@njit(cache=True, nogil=True)
def turn_square(source: Any, place: int, stride: int, target: Any, target_place: int, target_stride: int) -> None:
    """Transposes LANES x LANES numbers."""
    for row in range(0, LANES, 8):
        for column in range(0, LANES, 8):
            transpose(
                source,
                place + row * stride + column,
                stride,
                target,
                target_place + column * target_stride + row,
                target_stride,
            )


@njit(cache=True, nogil=True)
def enter_block(entering: Any, block: int, rows: Any) -> None:
    """Copies the reach at the beginnings (hand, entry) into the rows of a block."""
    for lane in range(LANES):
        for entry in range(entering.shape[1]):
            rows[entry * LANES + lane] = entering[block * LANES + lane, entry]


@njit(cache=True, nogil=True)
def spread_block(side: Side, strategy: Any, at: int, rows: Any) -> None:
    """The reach of every row of a block, from that of its beginnings; the block's strategy begins at `at`."""
    shift = at - side.start[0] * LANES
    for place in range(len(side.parent)):
        before = load(rows, side.parent[place] * LANES)
        for row in range(side.start[place], side.start[place + 1]):
            store(rows, row * LANES, multiply(before, load(strategy, shift + row * LANES)))


@njit(cache=True, nogil=True)
def send(side: Side, strategy: Any, at: int, entering: Any, work: Work, dealt: Any) -> None:
    """The reach of a player's hands in the lines that the other one meets, and at the deals (hand, deal)."""
    rows, reach = work.rows, work.reach
    width = side.cards.shape[1]
    size = (side.start[-1] - side.start[0]) * LANES
    columns = len(side.sent)
    for block in range(width // LANES):
        enter_block(entering, block, rows)
        spread_block(side, strategy, at + block * size, rows)
        for first in range(0, columns, LANES):
            for column in range(first, min(first + LANES, columns)):
                store(work.tile, (column - first) * LANES, load(rows, side.sent[column] * LANES))
            turn_square(work.tile, 0, LANES, reach, first * width + block * LANES * LANES, LANES)
        for deal in range(len(side.dealt)):
            row = side.dealt[deal] * LANES
            for lane in range(LANES):
                dealt[block * LANES + lane, deal] = rows[row + lane]


@njit(cache=True, nogil=True)
def collect_block(side: Side, stakes: Any, block: int, work: Work, deals: Any) -> None:
    """The value of each row of a block where the betting ends right behind it.

    `deals` (hand, deal) is what the streets to come are worth.
    """
    values, tile = work.values, work.tile
    zero = fill(values, values.dtype.type(0))
    for row in range(side.start[-1]):
        store(values, row * LANES, zero)
    width = side.cards.shape[1]
    columns = side.columns
    for first in range(0, columns, LANES):
        source = first * width + block * LANES * LANES
        if first < side.showdowns:
            turn_square(work.wins, source, LANES, tile, first * LANES, LANES)
        if first + LANES > side.first_fold:
            turn_square(work.everything, source, LANES, tile, (side.padded + first) * LANES, LANES)
    for ending in range(len(side.ending_row)):
        row, column, kind = side.ending_row[ending] * LANES, side.ending_column[ending], side.ending_kind[ending]
        if kind != DEAL:
            place = (column if kind == WINS else side.padded + column) * LANES
            paid = multiply(fill(values, stakes[ending]), load(tile, place))
            store(values, row, add(load(values, row), paid))
        else:
            for lane in range(LANES):
                values[row + lane] += stakes[ending] * deals[block * LANES + lane, column]


@njit(cache=True, nogil=True)
def learn_block(side: Side, learned: Learned, at: int, values: Any, step: Any) -> None:
    """Values up to the beginnings; regrets and the next strategy of every decision of a block.

    A hand without any positive regret plays all actions alike. Where regrets are not allowed below zero that can only
    come from rounding, and the hand goes on as before: one such accident can cost more than the rest of the game.
    """
    regrets, strategy = learned.regrets, learned.strategy
    number = values.dtype.type
    zero, one, clip = fill(values, number(0)), fill(values, number(1)), fill(values, step[3])
    positive, negative, weight = fill(values, step[0]), fill(values, step[1]), fill(values, step[2])
    floor = fill(values, number(0) if step[3] > number(0) else -number(np.inf))
    ahead, predict = fill(values, step[4]), fill(values, step[5])
    shift = at - side.start[0] * LANES
    for place in range(len(side.parent) - 1, -1, -1):
        first, end = side.start[place], side.start[place + 1]
        total = zero
        for row in range(first, end):
            total = add(total, multiply(load(strategy, shift + row * LANES), load(values, row * LANES)))
        above = side.parent[place] * LANES
        store(values, above, add(load(values, above), total))
        wishes = zero
        for row in range(first, end):
            new, old = subtract(load(values, row * LANES), total), load(regrets, shift + row * LANES)
            kept = add(multiply(old, where_positive(old, positive, negative)), multiply(weight, new))
            kept = larger(kept, floor)
            store(regrets, shift + row * LANES, kept)
            wish = larger(add(multiply(kept, ahead), multiply(predict, new)), zero)
            store(values, row * LANES, wish)
            wishes = add(wishes, wish)
        even = fill(values, number(1) / number(end - first))
        scale = divide(one, where_positive(wishes, wishes, one))
        for row in range(first, end):
            share = multiply(load(values, row * LANES), scale)
            rest = where_positive(clip, load(strategy, shift + row * LANES), even)
            store(strategy, shift + row * LANES, where_positive(wishes, share, rest))


@njit(cache=True, nogil=True)
def average_block(side: Side, average: Any, at: int, rows: Any, step: Any) -> None:
    """Takes the reach of this iteration's strategy into the average."""
    forget, gain = fill(rows, step[6]), fill(rows, step[7])
    shift = at - side.start[0] * LANES
    for row in range(side.start[0], side.start[-1]):
        mean = multiply(load(average, shift + row * LANES), forget)
        store(average, shift + row * LANES, add(mean, multiply(gain, load(rows, row * LANES))))


@njit(cache=True, nogil=True)
def hand_up(side: Side, board: int, block: int, values: Any, share: Any, deals: Any) -> None:
    """Adds the values of a board's beginnings to those of the board above, for each board that it stands for."""
    last = min(LANES, side.hands[board] - block * LANES)
    for image in range(side.images[board]):
        above = side.above[board, image]
        for lane in range(last):
            hand = above[block * LANES + lane]
            for entry in range(deals.shape[1]):
                deals[hand, entry] += share * values[entry * LANES + lane]
