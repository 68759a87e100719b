"""The 404 features: against a plain twin, slot by slot, and percentiles against counts that are known."""

import numpy as np
import pytest

from learn_twin import PLACES, plain_features, plain_hole_percentile, sampled_percentile
from luckless.cards import parse_cards
from luckless.errors import InputError
from luckless.hands.census import strength_census
from luckless.learn import features as layout
from luckless.learn.features import FEATURES, check_seats, expand, features, place_of, situations
from luckless.learn.percentiles import percentile_of, percentiles
from luckless.rules.game import Game
from luckless.rules.table import Table

HANDS_5 = 2_598_960


def percentile(text: str) -> float:
    cards = np.full(7, 255, np.uint8)
    known = parse_cards(text)
    cards[: len(known)] = known
    return float(percentile_of(cards, max(0, len(known) - 4), percentiles()))


def random_play(seats: int, hands: int, seed: int) -> Table:
    """Hands some way into the play, with uneven stacks."""
    random = np.random.default_rng(seed)
    stacks = random.integers(3, 400, (hands, seats))
    table = Table.dealt(Game.load("nolimit-6max").with_seats(seats), seed, np.arange(hands), stacks)
    for _ in range(random.integers(0, 14)):
        rows = table.waiting()
        public = table.public[rows]
        kinds = random.choice([-1, 0, 0, 0, 0, 1, 1], len(rows))
        amounts = random.integers(public["min_raise_to"], public["max_raise_to"] + 1)
        small = random.random(len(rows)) < 0.7
        raises = np.where(small, public["min_raise_to"], amounts)
        table.act(rows, np.where(kinds == 1, raises, kinds))
    return table


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("seed", range(12))
def test_features_equal_the_plain_twin(seats: int, seed: int) -> None:
    table = random_play(seats, 60, seed)
    rows = table.waiting()
    if len(rows) == 0:
        return
    views = table.views(rows)
    ours = features(views)
    for row in range(len(views)):
        view = views.one(row)
        known = np.full(7, 255, np.uint8)
        known[: 2 + len(view.board)] = [*view.hole, *view.board]
        rank = float(percentile_of(known, view.street, percentiles()))
        np.testing.assert_allclose(ours[row], plain_features(view, rank), rtol=1e-6, atol=0)


def test_the_layout_has_no_gap() -> None:
    starts = [layout.HOLE, layout.BOARD, layout.FOLDED, layout.INVESTED, layout.STREET_BET]
    starts += [layout.RAISER, layout.OWN, layout.STREET, layout.PERCENTILE, FEATURES]
    assert list(np.diff(starts)) == [2 * 52, 5 * 53, 6, 6, 6, 6, 6, 4, 1]
    assert FEATURES == 404


def test_at_most_29_slots_are_used() -> None:
    table = random_play(6, 2000, 3)
    used = (expand(situations(table.views(table.waiting()))) != 0).sum(axis=1)
    assert used.max() <= layout.ACTIVE
    assert used.min() >= 10


def test_places_of_short_tables() -> None:
    for seats, places in PLACES.items():
        assert tuple(place_of(seat, seats) for seat in range(seats)) == places


def test_more_than_six_seats_are_refused() -> None:
    with pytest.raises(InputError, match="2 to 6 seats; this one has 9"):
        check_seats(9)


def test_hole_percentiles_rank_all_pairs_by_their_chance() -> None:
    assert percentile("AcAd") == 1
    assert percentile("2c3d") == pytest.approx(12 / 1326)  # nobody is worse, and all twelve 32o are not better
    assert percentile("KcKd") == pytest.approx(1 - 6 / 1326)
    for text in ("AcKc", "7h2d", "5s5h", "Jd9d", "QhTc"):
        assert percentile(text) == pytest.approx(plain_hole_percentile(parse_cards(text)), abs=1e-6)


def test_percentiles_of_five_cards_are_the_known_counts() -> None:
    assert percentile("AcKcQcJcTc") == 1
    assert percentile("KcQcJcTc9c") == pytest.approx(1 - 4 / HANDS_5)
    assert percentile("AcKdQhJs9c") == pytest.approx(1_302_540 / HANDS_5)  # the best of all high cards
    pairs_up_to_twos = 1_302_540 + 1_098_240 / 13
    assert percentile("2c2dAcKdQh") == pytest.approx(pairs_up_to_twos / HANDS_5)


@pytest.mark.parametrize("text", ["AcKd7h7s2c3d", "9c8c7d6hTs2c2d", "AcKcQcJc2d3h", "2c4d6h8sTc"])
def test_later_percentiles_equal_samples(text: str) -> None:
    """Standard error of 200,000 samples: at most 0.0011; five of them are allowed."""
    sampled = sampled_percentile(parse_cards(text), 200_000, np.random.default_rng(7))
    assert percentile(text) == pytest.approx(sampled, abs=0.0056)


@pytest.mark.parametrize("size", [5, 6, pytest.param(7, marks=pytest.mark.slow)])
def test_shipped_counts_are_those_of_all_hands(size: int) -> None:
    counts = strength_census(size)
    shares = (np.cumsum(counts) / counts.sum()).astype(np.float32)
    np.testing.assert_array_equal(percentiles().later[size - 5], shares)
