"""Fits the numbers of equity values to hands: what each situation was worth in the end, by least squares.

A value is linear in the numbers of its street, so they follow from one regression a street: the money that a seat won
from a situation on, on what each number adds to its value there. All seats of all hands count, with all cards open.
"""

from collections.abc import Iterable
from typing import NamedTuple

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
from luckless.skill.outlooks import NUMBERS
from luckless.skill.seen_hands import SeenHands, card_marks
from luckless.skill.shares import NOBODY, Deal
from luckless.skill.values import ANSWERS, PLAIN, SHAPE, EquityValues
from luckless.skill.walking import Promise, Sight, look_at_board, new_sight, value_after, value_now, worth_in_sight

FEWEST_HANDS = 1000
"""Fewer hands would fit their luck."""

HOLD = 1e-3
"""How strongly numbers are held to those of plain equity, as a share of the mean weight of what they add."""

_BOARD_CARDS = np.array(BOARD_CARDS)


class Sums(NamedTuple):
    """Products of what numbers add with each other and with the money left, by street: of numbers of `prospects`, and
    of those of `outlooks`."""

    squares: NDArray[np.float64]
    with_money: NDArray[np.float64]
    answer_squares: NDArray[np.float64]
    answers_with_money: NDArray[np.float64]


def new_sums() -> Sums:
    """No products."""
    (streets, numbers), (_, answers) = SHAPE, ANSWERS
    return Sums(
        np.zeros((streets, numbers, numbers)),
        np.zeros((streets, numbers)),
        np.zeros((streets, answers, answers)),
        np.zeros((streets, answers)),
    )


@njit(cache=True, nogil=True)
def add_situations(
    rules: NDArray[np.void], hands: HandArrays, models: NDArray[np.float64], promise: Promise, sums: Sums
) -> None:
    """Adds the products of all situations of all seats.

    `models[0]` is the value function that is fitted from, `models[k]` the same with its number k - 1 raised by 1; for
    the numbers of `outlooks`, it is `promise` that is fitted from.
    """
    buffer = np.zeros(1, PUBLIC)
    values, worths = np.zeros(len(models)), np.zeros(NUMBERS + 1)
    for row in range(len(hands.ends)):
        for seat in range(rules[0].seats):
            _follow_seat(rules[0], hands, row, seat, buffer, (models, promise, values, worths), sums)


@njit(cache=True, nogil=True)
def _follow_seat(rules, hands, row, seat, buffer, ask, sums):  # type: ignore[no-untyped-def]
    models, promise, values, worths = ask
    deal = Deal(hands.decks[row], rules.seats, NOBODY, seat, promise.preflop)
    sight, unit = new_sight(1, True), rules.big_blind
    engine.begin(rules, buffer[0], hands.stacks[row])
    street = np.int64(buffer[0].street)
    look_at_board(promise, deal, _BOARD_CARDS[street], sight)
    money = hands.payoffs[row, seat] / unit
    first, last = action_places(hands, row)
    for at in range(first, last + 1):
        if at > first:
            engine.act(rules, buffer[0], hands.actions[at - 1])
        if buffer[0].actor == FINISHED or not buffer[0].live & (1 << seat):
            return
        if at > first:
            value_after(rules, buffer[0], promise, deal, _BOARD_CARDS[street], sight)
            _worths(promise.answers[np.int64(buffer[0].street)], deal, _BOARD_CARDS[street], sight, worths)
            reached = np.int64(buffer[0].street)
            _add_products(worths / unit, money, sums.answer_squares[reached], sums.answers_with_money[reached])
        if buffer[0].street != street:
            street = np.int64(buffer[0].street)
            sight.masks[:] = 0
            look_at_board(promise, deal, _BOARD_CARDS[street], sight)
        for place in range(len(models)):
            asked = Promise(models[place], promise.preflop, promise.answers, promise.strengths)
            values[place] = value_now(rules, buffer[0], asked, deal, _BOARD_CARDS[street], sight) / unit
        _add_products(values, money, sums.squares[street], sums.with_money[street])


@njit(cache=True, nogil=True)
def _worths(numbers: NDArray[np.float64], deal: Deal, board: int, sight: Sight, out: NDArray[np.float64]) -> None:
    """What the outlook is worth by some numbers, and with each of them raised by 1."""
    raised = numbers.copy()
    out[0] = worth_in_sight(numbers, deal, board, sight)
    for place in range(NUMBERS):
        raised[place] += 1.0
        out[place + 1] = worth_in_sight(raised, deal, board, sight)
        raised[place] = numbers[place]


@njit(cache=True, nogil=True)
def _add_products(
    values: NDArray[np.float64], money: float, squares: NDArray[np.float64], with_money: NDArray[np.float64]
) -> None:
    for one in range(len(with_money)):
        adds = values[one + 1] - values[0]
        if adds == 0.0:
            continue
        with_money[one] += adds * (money - values[0])
        for other in range(len(with_money)):
            squares[one, other] += adds * (values[other + 1] - values[0])


def fit_values(batches: Iterable[HandColumns], name: str) -> EquityValues:
    """Equity values fitted to hands with all hole cards; numbers that the hands say nothing of stay as they were."""
    models = np.concatenate([PLAIN.model[None], PLAIN.model + np.eye(SHAPE[1])[:, None, :]])
    promise, sums = PLAIN.promise(by_strength=True), new_sums()
    marks, hands = [np.zeros(0, np.uint64)], 0
    for batch in batches:
        if problem := hidden_hand(batch):
            raise InputError(f"values cannot be fitted to these hands: {problem}")
        records = batch.records
        add_situations(encode(records.game), records.arrays, models, promise, sums)
        marks.append(card_marks(batch)[0])
        hands += len(batch)
    if hands < FEWEST_HANDS:
        raise InputError(f"values are fitted to at least {FEWEST_HANDS:,} hands; there are {hands:,}")
    model = PLAIN.model + _solved_all(sums.squares, sums.with_money)
    answers = PLAIN.answers + _solved_all(sums.answer_squares, sums.answers_with_money)
    seen = SeenHands(np.unique(np.concatenate(marks)))
    return EquityValues(name, tuple(map(tuple, model.tolist())), seen, tuple(map(tuple, answers.tolist())))


def _solved_all(squares: NDArray[np.float64], with_money: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.stack([_solved(*street) for street in zip(squares, with_money, strict=True)])


def _solved(squares: NDArray[np.float64], with_money: NDArray[np.float64]) -> NDArray[np.float64]:
    """Least squares, each number held a little to 0."""
    weight = np.diag(squares)
    used = weight > 0
    solved = np.zeros(len(weight))
    if used.any():
        held = squares[np.ix_(used, used)] + HOLD * np.diag(weight[used])
        solved[used] = np.linalg.solve(held, with_money[used])
    return solved
