"""The numbering of situations: as many as Burnside counts, none left out, blind to suits and order."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from luckless.errors import InputError
from luckless.hands.isomorphism import canonical_boards, layout, number_rows, situation_count, situation_numbers
from luckless.hands.tables import SITUATIONS
from plain_ranks import pair_list

# Known counts: hole cards, hole cards and board, boards.
KNOWN = {
    (2, 0): 169,
    (2, 3): 1_286_792,
    (2, 4): 13_960_050,
    (2, 5): 123_156_254,
    (0, 3): 1_755,
    (0, 4): 16_432,
    (0, 5): 134_459,
}


def burnside_count(hole: int, board: int) -> int:
    """Orbits of the 24 renamings of suits: the mean number of situations that a renaming leaves as they are.

    A cycle of suits must, in each rank, lie wholly in the hand, wholly on the board or in neither.
    """
    fixed = 0
    for renaming in itertools.permutations(range(4)):
        ways = {(0, 0): 1}
        for length in 13 * cycle_lengths(renaming):
            grown: dict[tuple[int, int], int] = {}
            for (in_hand, on_board), count in ways.items():
                for now in ((in_hand, on_board), (in_hand + length, on_board), (in_hand, on_board + length)):
                    if now[0] <= hole and now[1] <= board:
                        grown[now] = grown.get(now, 0) + count
            ways = grown
        fixed += ways.get((hole, board), 0)
    return fixed // 24


def cycle_lengths(renaming: tuple[int, ...]) -> list[int]:
    lengths, seen = [], set[int]()
    for start in range(4):
        length, suit = 0, start
        while suit not in seen:
            seen.add(suit)
            suit = renaming[suit]
            length += 1
        lengths += [length] if length else []
    return lengths


@pytest.mark.parametrize(("hole", "board"), KNOWN)
def test_as_many_situations_as_known_and_as_burnside_counts(hole: int, board: int) -> None:
    assert situation_count(hole, board) == KNOWN[hole, board] == burnside_count(hole, board)


def test_the_tables_have_a_place_for_each_situation() -> None:
    assert {size: KNOWN[2, size] for size in (3, 4, 5)} == SITUATIONS


def test_all_hole_cards_fall_into_169_classes() -> None:
    pairs = np.array(pair_list())
    numbers = situation_numbers(pairs, np.empty((len(pairs), 0), int))
    assert sorted(set(numbers.tolist())) == list(range(169))


@pytest.mark.parametrize("size", [3, 4, 5])
def test_every_board_stands_for_its_number(size: int) -> None:
    boards, weights = canonical_boards(size)
    assert weights.min() >= 1
    assert weights.sum() == math.comb(52, size)
    numbers = np.empty(len(boards), np.int64)
    number_rows(boards, 0, layout(0, size), numbers)
    assert (numbers == np.arange(len(boards))).all()


def numbers_on_board(board: NDArray[np.int64], pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    live = pairs[~np.isin(pairs, board).any(axis=1)]
    cards = np.hstack([live, np.tile(board, (len(live), 1))])
    numbers = np.empty(len(cards), np.int64)
    number_rows(cards, 2, layout(2, len(board)), numbers)
    return numbers


@pytest.mark.parametrize("size", [3, 4])
def test_no_number_is_left_out(size: int) -> None:
    """With the right count and blindness to suits this makes the numbering one to one.

    The build of the river table checks the same for its 123,156,254 places.
    """
    pairs = np.array(pair_list())
    seen = np.zeros(situation_count(2, size), bool)
    for board in canonical_boards(size)[0]:
        numbers = numbers_on_board(board, pairs)
        assert numbers.min() >= 0
        seen[numbers] = True
    assert seen.all()


@given(st.permutations(range(52)), st.sampled_from([0, 3, 4, 5]), st.permutations(range(4)))
def test_suits_and_order_do_not_matter(deck: list[int], size: int, suits: list[int]) -> None:
    hole, board = deck[:2], deck[2 : 2 + size]
    renamed = [card // 4 * 4 + suits[card % 4] for card in hole]
    renamed_board = sorted(card // 4 * 4 + suits[card % 4] for card in board)
    first, second = situation_numbers([hole, renamed[::-1]], np.array([board, renamed_board]).reshape(2, size))
    assert first == second


def canonical_form(hole: list[int], board: list[int]) -> tuple[tuple[int, ...], ...]:
    """The twin: the least of all renamings of the sorted cards."""
    return min(
        tuple(tuple(sorted(card // 4 * 4 + suits[card % 4] for card in cards)) for cards in (hole, board))
        for suits in itertools.permutations(range(4))
    )


@pytest.mark.parametrize("size", [3, 4, 5])
def test_situations_share_a_number_exactly_when_a_renaming_joins_them(size: int) -> None:
    """On cards of three ranks, where many situations coincide."""
    random = np.random.default_rng(size)
    deals = random.permuted(np.tile(np.arange(12), (3000, 1)), axis=1)[:, : 2 + size]
    numbers = situation_numbers(deals[:, :2], deals[:, 2:]).tolist()
    forms = [canonical_form(cards[:2], cards[2:]) for cards in deals.tolist()]
    assert len(set(zip(numbers, forms, strict=True))) == len(set(numbers)) == len(set(forms))


@pytest.mark.parametrize(
    ("holes", "boards", "part"),
    [
        ([[0, 1, 2]], [[3, 4, 5]], "shape (n, 2)"),
        ([[0, 1]], [[3, 4]], "shape (n, 0), (n, 3)"),
        ([[0, 1]], [[3, 4, 5], [3, 4, 6]], "1 hands but 2 boards"),
        ([[0, 1]], [[1, 4, 5]], "row 0 is [0, 1, 1, 4, 5]"),
        ([[0, 52]], [[1, 4, 5]], "from 0 to 51"),
        ([[0.0, 1.0]], [[3, 4, 5]], "integers"),
    ],
)
def test_bad_input_is_named(holes: list[list[int]], boards: list[list[int]], part: str) -> None:
    with pytest.raises(InputError) as error:
        situation_numbers(holes, boards)
    assert part in str(error.value)
