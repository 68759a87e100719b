"""All pairs on a board against a matrix of comparisons, and identities that hold whatever the board."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from luckless.cards import parse_cards
from luckless.hands.board import add_half_counts, pool_completions, rank_board, rank_rows
from luckless.hands.isomorphism import canonical_boards
from luckless.hands.pairs import PAIR_CARDS, PAIRS, pair_number, pair_numbers
from plain_ranks import pair_list, plain_board

AWKWARD_BOARDS = [
    "AcKcQcJcTc",  # everybody plays the board
    "2h3h4h5h7h",
    "9s8s7s6s2d",
    "AdAhAsAc2c",
    "KdKhKs2c2d",
    "KdKhKs2s3s",
    "2c3d4h5s6c",
    "Td5hTh2d2h",
    "JhTh9h2c",
    "8c8d8h8s",
    "AhKhQhJh",
    "QsJsTs",
    "5c5d5h",
    "Ks5h3d",
]


def rank_arrays(board: list[int]) -> tuple[list[int], list[int], list[int]]:
    strengths, ahead, tied = (np.full(PAIRS, -1, np.int32) for _ in range(3))
    rank_board(np.array(board), strengths, ahead, tied)
    return strengths.tolist(), ahead.tolist(), tied.tolist()


def assert_as_plain(board: list[int]) -> None:
    for ours, plain in zip(rank_arrays(board), plain_board(board), strict=True):
        assert ours == plain.tolist()


@pytest.mark.interpreted
@pytest.mark.parametrize("text", AWKWARD_BOARDS)
def test_awkward_boards_equal_the_matrix_of_comparisons(text: str) -> None:
    assert_as_plain(parse_cards(text))


@settings(max_examples=25, deadline=None)
@given(st.permutations(range(52)), st.integers(3, 5))
def test_any_board_equals_the_matrix_of_comparisons(deck: list[int], size: int) -> None:
    assert_as_plain(deck[:size])


def test_pairs_are_numbered_in_order() -> None:
    assert [pair_number(low, high) for low, high in pair_list()] == list(range(PAIRS))
    assert [pair_number(np.uint8(high), np.uint8(low)) for low, high in pair_list()] == list(range(PAIRS))
    assert PAIR_CARDS.tolist() == [list(pair) for pair in pair_list()]
    assert pair_numbers(PAIR_CARDS[:, ::-1].astype(np.uint8)).tolist() == list(range(PAIRS))


@pytest.mark.parametrize(("size", "opponents"), [(3, 1081), (4, 1035), (5, 990)])
def test_mean_rank_on_a_board_is_one_half(size: int, opponents: int) -> None:
    boards, _ = canonical_boards(size)
    for board in boards[:: max(1, len(boards) // 1755)]:
        totals = np.zeros(PAIRS, np.int64)
        add_half_counts(board, totals)
        pairs = (52 - size) * (51 - size) // 2
        assert totals.sum() == pairs * opponents


def completed(board: list[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    totals = np.zeros(PAIRS, np.int64)
    pool_completions(np.array(board), totals)
    return totals


@pytest.mark.parametrize("text", ["Ks5h3d", "QsJsTs", "5c5d5h"])
def test_completions_of_the_flop_are_those_of_its_turns(text: str) -> None:
    flop = parse_cards(text)
    turns = [completed([*flop, turn]) for turn in range(52) if turn not in flop]
    assert (np.sum(turns, axis=0) == 2 * completed(flop)).all()  # either of the two cards to come may be the turn


@pytest.mark.parametrize("text", ["Ks5h3dTc", "JhTh9h2c"])
def test_completions_of_the_turn_are_its_rivers(text: str) -> None:
    turn = parse_cards(text)
    total = np.zeros(PAIRS, np.int64)
    for river in range(52):
        if river not in turn:
            add_half_counts(np.array([*turn, river]), total)
    assert (total == completed(turn)).all()


@pytest.mark.parametrize("size", [3, 4, 5])
def test_rows_are_ranked_each_on_its_own_board(size: int) -> None:
    decks = np.random.default_rng(size).permuted(np.tile(np.arange(52), (6, 1)), axis=1)
    cards = np.ascontiguousarray(decks[[0, 0, 1, 2, 3, 4, 5], : 2 + size])
    cards[1, :2] = decks[0, 10:12]  # the same board twice in a row
    ihr, hr7 = np.zeros(len(cards), np.int64), np.zeros(len(cards), np.int64)
    rank_rows(cards, ihr, hr7)
    for row, (first, second, *board) in enumerate(cards.tolist()):
        pair = pair_number(min(first, second), max(first, second))
        _, ahead, tied = rank_arrays(board)
        assert ihr[row] == 2 * ahead[pair] + tied[pair]
        assert hr7[row] == completed(board)[pair]
