"""Shares that are added up by ranks are those that are counted board by board, hand by hand."""

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

from luckless.cards import parse_cards
from luckless.skill.run_outs import SAMPLES, _draw_board, mean_shares, sampled_shares
from luckless.skill.shares import Deal, add_board, early_shares, gone_cards
from luckless.skill.values import preflop_equities

DEALS = [
    (2, "AhKd2c2d", "Ts9s2h3c7h"),  # no suit twice
    (2, "AhKd7c7d", "Ts9s2h3c7h"),  # a flush may come
    (2, "AsKs7c7d", "Ts9s2h3s7h"),  # the other seat may make one
    (2, "AsKs7c7d", "Ts9s2s3s7h"),  # has one
    (2, "AhKd7c7d", "Ts9s2s5sQs"),  # a flush on the board may come
    (2, "8hKd8c8d", "9s8s2s5sQs"),  # ranks that run out
    (4, "AsKs7c7dJhJd4s3s", "Ts9s2h3c7h"),
    (4, "AhKh7c7dJdTd4h3s", "Qh9h2h2c2d"),
]


def by_boards(deal: Deal, contenders: int, boards: NDArray[np.int64]) -> NDArray[np.float64]:
    """The mean over some boards, each evaluated with every hand."""
    out, counts = np.zeros(1326), np.zeros(1326)
    for board in boards:
        add_board(deal, board, contenders, out, counts)
    return np.divide(out, counts, out=out, where=counts > 0)


@pytest.mark.parametrize(("seats", "holes", "board"), DEALS)
@pytest.mark.parametrize("dealt", [3, 4])
def test_shares_by_ranks_are_those_of_every_board(seats: int, holes: str, board: str, dealt: int) -> None:
    deck = np.array(parse_cards(holes + board), np.uint8)
    for varied, judged in ((0, 0), (0, 1), (1, 1)):
        deal = Deal(deck, seats, varied, judged, preflop_equities())
        gone = int(gone_cards(deal, dealt))
        live = [card for card in range(52) if not gone >> card & 1]
        lying = deck[2 * seats : 2 * seats + dealt].tolist()
        boards = np.array([[*lying, *rest] for rest in itertools.combinations(live, 5 - dealt)])
        for contenders in {0b11, (1 << seats) - 1}:
            found = np.empty(1326)
            mean_shares(deal, dealt, contenders, found)
            assert found == pytest.approx(by_boards(deal, contenders, boards), abs=1e-12)


@pytest.mark.parametrize(("seats", "holes", "board"), DEALS[2::4])
def test_sampled_shares_are_those_of_the_boards_that_were_drawn(seats: int, holes: str, board: str) -> None:
    deal = Deal(np.array(parse_cards(holes + board), np.uint8), seats, 0, 1, preflop_equities())
    state, boards = np.array([7], np.uint64), np.empty((SAMPLES, 5), np.int64)
    for drawn in boards:
        _draw_board(gone_cards(deal, 0), state, drawn)
    found = np.empty(1326)
    sampled_shares(deal, 0b11, np.array([7], np.uint64), found)
    assert found == pytest.approx(by_boards(deal, 0b11, boards), abs=1e-12)


def test_early_shares_are_products_of_chances_in_pairs() -> None:
    holes = parse_cards("AsKs7c7dJhJd4s3s")
    deal = Deal(np.array([*holes, *parse_cards("Ts9s2h3c8h")], np.uint8), 4, 2, 1, preflop_equities())
    pairs = [max(two) * (max(two) - 1) // 2 + min(two) for two in zip(holes[::2], holes[1::2], strict=True)]
    for contenders in (0b1111, 0b0111, 0b1011, 0b0110):
        found = np.empty(1326)
        early_shares(deal, contenders, found)
        seats = [seat for seat in range(4) if contenders >> seat & 1]
        for hand in (0, 555, 1325):
            held = [*pairs[:2], hand, pairs[3]]
            chances = [
                np.prod([deal.preflop[held[seat], held[other]] for other in seats if other != seat], dtype=np.float64)
                for seat in seats
            ]
            assert found[hand] == pytest.approx(chances[seats.index(1)] / sum(chances), abs=1e-6)
