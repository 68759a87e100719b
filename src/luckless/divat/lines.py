"""The betting of one street of heads-up limit hold'em as a tree: every line that can be played, by number.

A line is a text of f (fold), c (check or call) and r (bet or raise). Four bets a street are allowed; before the flop
the big blind counts as the first of them, the small blind (seat 1) acts first and holds half a bet. After the flop
seat 0 acts first. A fold that nobody asked for (checking was free) is a line of its own.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from luckless.errors import InputError
from luckless.kernels import njit

MOST_BETS = 4

NO_LINE = 255
"""In an array of line numbers: the street was not played."""


class Line(NamedTuple):
    """A finished street: its actions, the bets that each player has put in, and who folded (-1: nobody).

    `bets[0]` and `bets[1]` are equal if nobody folded. Before the flop they include the blinds.
    """

    text: str
    bets: tuple[float, float]
    folder: int


class Tree(NamedTuple):
    """All positions of a street: `step[node, action]` is the next node, -1 where the action is not allowed.

    Actions are 0 (fold), 1 (check or call), 2 (bet or raise). `line[node]` is the number of the line that ends at a
    node, -1 while the street goes on; `folds[line]` says whether it ends in a fold. Node 0 is the start.
    """

    step: NDArray[np.int16]
    line: NDArray[np.int16]
    folds: NDArray[np.bool_]


def _grow(first_seat: int, blinds: tuple[float, float]) -> tuple[list[Line], Tree]:
    lines: list[Line] = []
    steps: list[list[int]] = []
    ends: list[int] = []

    def visit(text: str, bets: tuple[float, float]) -> int:
        node = len(steps)
        steps.append([-1, -1, -1])
        ends.append(-1)
        seat = (first_seat + len(text)) % 2
        high = int(max(bets))
        called = (float(high), float(high))
        raised = (high + 1.0, bets[1]) if seat == 0 else (bets[0], high + 1.0)
        steps[node][0] = finish(text + "f", bets, seat)
        # A call ends the street, except that the other player may still act when nobody has acted before.
        steps[node][1] = finish(text + "c", called, -1) if text else visit("c", called)
        if high < MOST_BETS:
            steps[node][2] = visit(text + "r", raised)
        return node

    def finish(text: str, bets: tuple[float, float], folder: int) -> int:
        lines.append(Line(text, bets, folder))
        steps.append([-1, -1, -1])
        ends.append(len(lines) - 1)
        return len(steps) - 1

    visit("", blinds)
    folds = np.array([line.folder >= 0 for line in lines])
    return lines, Tree(np.array(steps, np.int16), np.array(ends, np.int16), folds)


PREFLOP_LINES, PREFLOP_TREE = _grow(first_seat=1, blinds=(1.0, 0.5))
POSTFLOP_LINES, POSTFLOP_TREE = _grow(first_seat=0, blinds=(0.0, 0.0))
PREFLOP_NUMBERS = {line.text: number for number, line in enumerate(PREFLOP_LINES)}
POSTFLOP_NUMBERS = {line.text: number for number, line in enumerate(POSTFLOP_LINES)}


class LineTable(NamedTuple):
    """The lines of a street as arrays, by number: bets put in by each seat, and who folded (-1: nobody)."""

    bets: NDArray[np.float64]
    folder: NDArray[np.int64]


def _line_table(lines: list[Line]) -> LineTable:
    return LineTable(np.array([line.bets for line in lines]), np.array([line.folder for line in lines]))


PREFLOP_TABLE, POSTFLOP_TABLE = _line_table(PREFLOP_LINES), _line_table(POSTFLOP_LINES)


def lines_of(street: int) -> list[Line]:
    """The lines of a street, by number."""
    return POSTFLOP_LINES if street else PREFLOP_LINES


def line_number(street: int, text: str) -> int:
    """The number of a line written in f, c and r."""
    numbers = POSTFLOP_NUMBERS if street else PREFLOP_NUMBERS
    if text not in numbers:
        raise InputError(f"{text!r} is not a complete street of betting; allowed is {', '.join(numbers)}")
    return numbers[text]


def first_to_leave(street: int, text: str, other: str) -> int:
    """The seat whose action is the first in which two lines of a street differ, -1 if they are the same."""
    for place, (action, other_action) in enumerate(zip(text, other, strict=False)):
        if action != other_action:
            return (place + (street == 0)) % 2
    return -1


PROBLEMS = (
    "",
    "the actions end in the middle of a street",
    "an action follows the end of the hand",
    "a fifth bet on one street",
    "an action is not a number of the kind -1 (fold), 0 (check or call), above 0 (bet or raise)",
)
"""What can be wrong with the actions of a hand, by number."""
UNFINISHED, AFTER_END, FIFTH_BET, NOT_ACTION = 1, 2, 3, 4


@njit(cache=True, nogil=True)
def _walk_rows(
    actions: NDArray[Any],
    counts: NDArray[Any],
    trees: tuple[Tree, Tree],
    lines: NDArray[np.uint8],
    problems: NDArray[np.uint8],
) -> None:
    for hand in range(len(counts)):
        street, node = 0, np.int64(0)
        for place in range(counts[hand]):
            if street == 4:
                problems[hand] = AFTER_END
                break
            action = actions[hand, place]
            if action < -1:
                problems[hand] = NOT_ACTION
                break
            tree = trees[min(street, 1)]
            node = np.int64(tree.step[node, 1 + min(action, 1)])
            if node < 0:
                problems[hand] = FIFTH_BET
                break
            line = tree.line[node]
            if line >= 0:
                lines[hand, street] = line
                street = 4 if tree.folds[line] else street + 1
                node = np.int64(0)
        if problems[hand] == 0 and street < 4:
            problems[hand] = UNFINISHED


def split_streets(actions: ArrayLike, counts: ArrayLike) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The lines of each hand by street, and what is wrong with its actions.

    Row i of `actions` holds the actions of hand i one after the other without marks between the streets: -1 is a
    fold, 0 a check or call, any number above 0 a bet or raise. `counts[i]` says how many of them are meant. Gives
    line numbers of shape (n, 4), `NO_LINE` for a street that was not played, and for each hand a number to look up
    in `PROBLEMS`, 0 if it is sound.
    """
    rows, lengths = np.atleast_2d(np.asarray(actions)), np.asarray(counts)
    if rows.ndim != 2 or lengths.shape != (len(rows),) or (lengths.size and lengths.max() > rows.shape[1]):
        raise InputError(f"actions of shape {rows.shape} and counts of shape {lengths.shape} do not fit together")
    lines = np.full((len(rows), 4), NO_LINE, np.uint8)
    problems = np.zeros(len(rows), np.uint8)
    _walk_rows(rows, lengths, (PREFLOP_TREE, POSTFLOP_TREE), lines, problems)
    return lines, problems
