"""The evaluator against published counts, a plain evaluator and its own symmetries."""

import itertools
from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from luckless.cards import parse_cards
from luckless.errors import InputError
from luckless.hands.census import strength_census
from luckless.hands.strength import CATEGORIES, STRENGTHS, categories, describe, strengths
from luckless.hands.strength_build import TABLES_FILE, build

# Known combinatorics of poker hands, worst category first.
FIVE_CARD_COUNTS = [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40]
SEVEN_CARD_COUNTS = [23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 41584]


def plain_strength(cards: tuple[int, ...]) -> tuple[int, ...]:
    """The slow twin: the best five of the cards, each five judged by counting ranks and suits."""
    return max(plain_five(five) for five in itertools.combinations(cards, 5))


def plain_five(five: tuple[int, ...]) -> tuple[int, ...]:
    ranks = sorted((card // 4 for card in five), reverse=True)
    flush = len({card % 4 for card in five}) == 1
    if ranks == [12, 3, 2, 1, 0]:
        ranks = [3, 2, 1, 0, -1]
    straight = all(ranks[i] - ranks[i + 1] == 1 for i in range(4))
    counted = sorted(Counter(ranks).items(), key=lambda item: (item[1], item[0]), reverse=True)
    shape = tuple(count for _, count in counted)
    order = tuple(rank for rank, _ in counted)
    if straight and flush:
        return (8, *order)
    shapes = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}
    if flush:
        return (5, *order)
    if straight:
        return (4, *order)
    return (shapes[shape], *order)


def random_hands(count: int, size: int, seed: int) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    deals = np.random.default_rng(seed).random((count, 52)).argpartition(size, axis=1)[:, :size]
    return np.ascontiguousarray(deals)


def categories_counted(size: int) -> tuple[list[int], int]:
    counts = strength_census(size)
    by_category = np.bincount(categories(np.arange(1, STRENGTHS + 1)), counts[1:], minlength=9)
    return by_category.astype(int).tolist(), int(np.count_nonzero(counts))


def test_all_five_card_hands() -> None:
    assert categories_counted(5) == (FIVE_CARD_COUNTS, 7462)


def test_all_seven_card_hands() -> None:
    assert categories_counted(7) == (SEVEN_CARD_COUNTS, 4824)


@pytest.mark.parametrize(("size", "count"), [(5, 30_000), (6, 10_000), (7, 8_000)])
def test_order_equals_the_plain_evaluator(size: int, count: int) -> None:
    assert_same_order(random_hands(count, size, seed=size))


@pytest.mark.slow
def test_order_equals_the_plain_evaluator_on_a_million_hands() -> None:
    assert_same_order(np.concatenate([random_hands(250_000, 7, seed=100 + part) for part in range(4)]))


def assert_same_order(hands: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> None:
    """Sorting by our strength sorts by the plain one, and ties coincide."""
    ours = strengths(hands)
    plain = [plain_strength(tuple(hand)) for hand in hands.tolist()]
    order = np.argsort(ours, kind="stable")
    for before, after in itertools.pairwise(order.tolist()):
        assert (plain[before] < plain[after]) == (ours[before] < ours[after])
        assert (plain[before] == plain[after]) == (ours[before] == ours[after])
    assert [p[0] for p in plain] == categories(ours).tolist()


def test_hands_of_five_six_and_seven_cards_share_one_scale() -> None:
    sevens = random_hands(2_000, 7, seed=9)
    best_of_six = np.max([strengths(np.delete(sevens, i, axis=1)) for i in range(7)], axis=0)
    best_of_five = np.max([strengths(sevens[:, list(five)]) for five in itertools.combinations(range(7), 5)], axis=0)
    assert (strengths(sevens) == best_of_six).all()
    assert (strengths(sevens) == best_of_five).all()


@pytest.mark.interpreted
@given(st.lists(st.integers(0, 51), unique=True, min_size=5, max_size=7), st.permutations(range(4)), st.randoms())
def test_suits_and_order_do_not_matter(hand: list[int], suits: list[int], random: Random) -> None:
    renamed = [card // 4 * 4 + suits[card % 4] for card in hand]
    random.shuffle(renamed)
    assert strengths([hand]) == strengths([renamed])


@pytest.mark.interpreted
@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int32, np.int64])
def test_any_integer_type_will_do(dtype: type[np.integer]) -> None:
    hands = random_hands(100, 7, seed=3)
    assert (strengths(hands.astype(dtype)) == strengths(hands)).all()
    assert (strengths(np.asfortranarray(hands.astype(dtype))) == strengths(hands)).all()


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("AcKcQcJcTc", "royal flush"),
        ("5c4c3c2cAc", "straight flush, ace to five"),
        ("9d8d7d6d5d4d2c", "straight flush, five to nine"),
        ("2c2d2h2s6c", "four of a kind, twos, six kicker"),
        ("6c6d6hKcKd", "full house, sixes over kings"),
        ("AhJh9h5h2h", "flush, ace, jack, nine, five, two"),
        ("Ac2d3h4s5c", "straight, ace to five"),
        ("QcQdQh7s2c", "three of a kind, queens, seven, two kickers"),
        ("KcKd5h5sAc3d3h", "two pair, kings and fives, ace kicker"),
        ("TcTdAh9s4c", "pair, tens, ace, nine, four kickers"),
        ("7c5d4h3s2c", "high card, seven, five, four, three, two"),
    ],
)
def test_names(cards: str, name: str) -> None:
    assert describe(int(strengths([parse_cards(cards)])[0])) == name


def test_every_strength_has_its_own_name() -> None:
    names = [describe(strength) for strength in range(1, STRENGTHS + 1)]
    assert len(set(names)) == STRENGTHS
    assert len(CATEGORIES) == 9


@pytest.mark.slow
def test_the_shipped_tables_are_what_the_builder_builds() -> None:
    fresh = build()
    with np.load(TABLES_FILE) as shipped:
        assert set(shipped) == set(fresh)
        for name, table in fresh.items():
            assert (shipped[name] == table).all()


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("cards", "complaint"),
    [
        ([[0, 1, 2, 3]], "shape"),
        ([0, 1, 2, 3, 4], "shape"),
        ([[0, 1, 2, 3, 52]], r"row 0 is \[0, 1, 2, 3, 52\]"),
        ([[0, 1, 2, 3, 4], [0, 1, 2, 3, -1]], "row 1"),
        ([[0, 1, 2, 3, 3]], "different numbers"),
        ([[0.0, 1, 2, 3, 4]], "integers"),
    ],
)
def test_what_is_no_hand_is_refused(cards: list[list[int]], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        strengths(cards)


@pytest.mark.parametrize("strength", [0, 7463])
def test_no_strength_outside_the_scale(strength: int) -> None:
    with pytest.raises(InputError, match="outside 1 to 7462"):
        describe(strength)
