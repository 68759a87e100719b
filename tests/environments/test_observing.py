"""What learners see and may choose: the kernels beside their slow twins, over random play."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from luckless.cards import DECK_SIZE
from luckless.environments.observing import (
    POT_SHARES,
    action_names,
    choices,
    observation_size,
    observe,
    observe_table,
)
from luckless.rules.game import BOARD_CARDS, STREETS, Game
from luckless.rules.state import FINISHED
from luckless.rules.table import Table


def amounts_twin(table: Table, row: int) -> list[int | None]:
    """The action of each number, None where it is masked out; as the page says it."""
    legal, public = table.legal(row), table.public[row]
    least, most = legal.min_raise_to, legal.max_raise_to
    fold = -1 if legal.call else None
    if table.game.betting == "limit":
        return [fold, 0, least or None]
    after_call = int(public["pot"]) + legal.call
    bet = int(public["street_bet"][public["actor"]]) + legal.call
    shares = [bet + int(share * after_call) for share in POT_SHARES]
    between = [raise_to if least < raise_to < most else None for raise_to in shares]
    return [fold, 0, least or None, *between, most if most > least else None]


def observation_twin(table: Table, row: int, seat: int) -> NDArray[np.float32]:
    """One observation, put together part by part."""
    game, public, deck = table.game, table.public[row], table.decks[row]
    seats = game.seats
    total = float(table.stacks[row].sum() + game.pot)
    over = public["actor"] == FINISHED and public["showdown"]
    cards = np.zeros((2, DECK_SIZE), np.float32)
    cards[0, deck[2 * seat : 2 * seat + 2]] = 1
    cards[1, deck[2 * seats : 2 * seats + BOARD_CARDS[-1 if over else public["street"]]]] = 1
    street, place = np.zeros(len(STREETS), np.float32), np.zeros(seats, np.float32)
    street[public["street"]] = 1
    place[seat] = 1
    turn = public["actor"] == seat
    bounds = [public[name] if turn else 0 for name in ("to_call", "min_raise_to", "max_raise_to")]
    order = (seat + np.arange(seats)) % seats
    live = public["live"] >> order & 1
    chips = [public[name][order] / total for name in ("stack", "street_bet", "invested")]
    amounts = np.array([public["pot"], *bounds]) / total
    parts: list[NDArray[Any]] = [cards.ravel(), street, place, amounts, np.column_stack([live, *chips]).ravel()]
    return np.concatenate(parts, dtype=np.float32)


@pytest.mark.parametrize("name", ["limit-hu", "nolimit-6max", "potlimit-6max", "river-hu"])
def test_kernels_and_their_twins(name: str) -> None:
    game = Game.load(name)
    table, dice = Table.dealt(game, 5, range(40)), np.random.default_rng(2)
    every = np.arange(len(table))
    while len(rows := table.waiting()):
        offered = choices(game, table.public)
        for row in rows:
            twin = amounts_twin(table, row)
            assert offered.mask[row].tolist() == [amount is not None for amount in twin]
            assert all(own in (None, mine) for own, mine in zip(twin, offered.amounts[row].tolist(), strict=True))
        for seat in range(game.seats):
            seen = observe_table(table, every, np.full(len(table), seat))
            np.testing.assert_array_equal(seen, [observation_twin(table, row, seat) for row in range(len(table))])
        views = table.views(rows)
        np.testing.assert_array_equal(
            observe(game, views.public, views.cards, views.seat),
            observe_table(table, rows, views.seat),
        )
        numbers = dice.integers(0, len(action_names(game)), len(table))  # masked ones too: the nearest legal action
        table.act(rows, offered.actions(numbers)[rows])
    assert (choices(game, table.public).mask.sum(axis=1) == 1).all()
    seen = observe_table(table, every, np.zeros(len(table), np.int64))
    np.testing.assert_array_equal(seen, [observation_twin(table, row, 0) for row in range(len(table))])
    assert seen.shape == (40, observation_size(game))


def test_a_masked_number_is_the_nearest_legal_action() -> None:
    """Heads-up, 20,000 each, after a limp: no fold where a check is free, and half the pot is the smallest raise."""
    table = Table.dealt("nolimit-hu", 1, [0])
    table.act(np.array([0]), [0])
    offered = choices(table.game, table.public)
    assert offered.mask[0].tolist() == [0, 1, 1, 0, 1, 1, 1]
    assert offered.amounts[0].tolist() == [0, 0, 200, 200, 300, 500, 20_000]
    table.act(np.array([0]), [20_000])
    closed = choices(table.game, table.public)
    assert closed.mask[0].tolist() == [1, 1, 0, 0, 0, 0, 0]
    assert closed.amounts[0].tolist() == [-1, 0, 0, 0, 0, 0, 0]
