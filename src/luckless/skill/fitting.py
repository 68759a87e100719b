"""Fits the numbers of equity values to hands: what each situation was worth in the end, by least squares.

A value is linear in the numbers of its street, so they follow from one regression a street: the money that a seat won
from a situation on, on what each number adds to its value there. All seats of all hands count, with all cards open.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError
from luckless.kernels import njit
from luckless.rules import engine
from luckless.rules.columns import HandColumns
from luckless.rules.game import BOARD_CARDS
from luckless.rules.records import HandArrays
from luckless.rules.replaying import action_places
from luckless.rules.state import FINISHED, PUBLIC, encode
from luckless.skill.hands_told_apart import hidden_hand
from luckless.skill.seen_hands import SeenHands, card_marks
from luckless.skill.shares import NOBODY, Deal
from luckless.skill.values import PLAIN, SHAPE, EquityValues
from luckless.skill.walking import Promise, new_sight, value_now

FEWEST_HANDS = 1000
"""Fewer hands would fit their luck."""

HOLD = 1e-3
"""How strongly numbers are held to those of plain equity, as a share of the mean weight of what they add."""

_BOARD_CARDS = np.array(BOARD_CARDS)


@njit(cache=True, nogil=True)
def add_situations(
    rules: NDArray[np.void], hands: HandArrays, models: NDArray[np.float64], preflop: NDArray[np.float32], sums: Any
) -> None:
    """Adds the products of all situations of all seats: of what numbers add with each other, and with the money left.

    `models[0]` is the value function that is fitted from, `models[k]` the same with its number k - 1 raised by 1.
    """
    buffer = np.zeros(1, PUBLIC)
    values = np.zeros(len(models))
    for row in range(len(hands.ends)):
        for seat in range(rules[0].seats):
            _follow_seat(rules[0], hands, row, seat, buffer, (models, preflop, values), sums)


@njit(cache=True, nogil=True)
def _follow_seat(rules, hands, row, seat, buffer, ask, sums):  # type: ignore[no-untyped-def]
    models, preflop, values = ask
    deal = Deal(hands.decks[row], rules.seats, NOBODY, seat, preflop)
    sight = new_sight(1)
    engine.begin(rules, buffer[0], hands.stacks[row])
    street = np.int64(buffer[0].street)
    first, last = action_places(hands, row)
    for at in range(first, last + 1):
        if at > first:
            engine.act(rules, buffer[0], hands.actions[at - 1])
        if buffer[0].actor == FINISHED or not buffer[0].live & (1 << seat):
            return
        if buffer[0].street != street:
            street = np.int64(buffer[0].street)
            sight.masks[:] = 0
        for place in range(len(models)):
            promise = Promise(models[place], preflop)
            values[place] = value_now(rules, buffer[0], promise, deal, _BOARD_CARDS[street], sight) / rules.big_blind
        _add_products(values, hands.payoffs[row, seat] / rules.big_blind, sums[0][street], sums[1][street])


@njit(cache=True, nogil=True)
def _add_products(
    values: NDArray[np.float64], money: float, squares: NDArray[np.float64], with_money: NDArray[np.float64]
) -> None:
    for one in range(len(with_money)):
        adds = values[one + 1] - values[0]
        with_money[one] += adds * (money - values[0])
        for other in range(len(with_money)):
            squares[one, other] += adds * (values[other + 1] - values[0])


def fit_values(batches: Iterable[HandColumns], name: str) -> EquityValues:
    """Equity values fitted to hands with all hole cards; numbers that the hands say nothing of stay as they were."""
    streets, numbers = SHAPE
    models = np.concatenate([PLAIN.model[None], PLAIN.model + np.eye(numbers)[:, None, :]])
    sums = np.zeros((streets, numbers, numbers)), np.zeros((streets, numbers))
    marks, hands = [np.zeros(0, np.uint64)], 0
    for batch in batches:
        if problem := hidden_hand(batch):
            raise InputError(f"values cannot be fitted to these hands: {problem}")
        records = batch.records
        add_situations(encode(records.game), records.arrays, models, PLAIN.promise().preflop, sums)
        marks.append(card_marks(batch)[0])
        hands += len(batch)
    if hands < FEWEST_HANDS:
        raise InputError(f"values are fitted to at least {FEWEST_HANDS:,} hands; there are {hands:,}")
    model = PLAIN.model + np.stack([_solved(*street) for street in zip(*sums, strict=True)])
    return EquityValues(name, tuple(map(tuple, model.tolist())), SeenHands(np.unique(np.concatenate(marks))))


def _solved(squares: NDArray[np.float64], with_money: NDArray[np.float64]) -> NDArray[np.float64]:
    """Least squares, each number held a little to 0."""
    weight = np.diag(squares)
    used = weight > 0
    solved = np.zeros(len(weight))
    if used.any():
        held = squares[np.ix_(used, used)] + HOLD * np.diag(weight[used])
        solved[used] = np.linalg.solve(held, with_money[used])
    return solved
