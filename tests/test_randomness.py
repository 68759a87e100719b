"""Random numbers by address: NumPy's own Philox as the twin, fairness of the shuffle, and a bad shuffle caught."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from luckless.errors import InputError
from luckless.matches.seating import fresh_seating, orders
from luckless.randomness import SPLITMIX_STEP, key_of, random_bits_at, splitmix
from luckless.rules.dealing import deal
from luckless.rules.game import Game

WORD = st.integers(0, 2**63 - 1)


def plain_splitmix(counter: int) -> int:
    """SplitMix64 as its authors write it, in whole numbers of any size."""
    word = (counter ^ counter >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    word = (word ^ word >> 27) * 0x94D049BB133111EB % 2**64
    return word ^ word >> 31


@given(st.integers(0, 2**64 - 1))
def test_splitmix_is_that_of_its_authors(counter: int) -> None:
    assert splitmix(np.uint64(counter)) == plain_splitmix(counter)


def test_splitmix_gives_the_well_known_words_of_a_seed() -> None:
    words = [plain_splitmix((1234567 + place * int(SPLITMIX_STEP)) % 2**64) for place in range(1, 4)]
    assert words == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@pytest.mark.interpreted
@given(st.integers(0, 2**128 - 1), st.integers(0, 2**40), WORD, WORD, WORD)
def test_words_are_those_of_numpys_philox(seed: int, block: int, number: int, purpose: int, step: int) -> None:
    """NumPy counts its counter up before the first word."""
    key = key_of(seed)
    theirs = np.random.Philox(key=key, counter=[block, number, purpose, step]).random_raw(4)
    assert tuple(random_bits_at(key, block + 1, number, purpose, step)) == tuple(theirs.tolist())


@pytest.mark.parametrize("seed", [-1, 2**128])
def test_a_seed_has_128_bits(seed: int) -> None:
    with pytest.raises(InputError, match=r"0 to 2\*\*128 - 1"):
        key_of(seed)


TEN_SEATS = Game(name="ten", betting="no-limit", seats=10, blinds=(1, 2) + (0,) * 8, stacks=(200,) * 10)


def position_p_value(decks: NDArray[np.uint8]) -> float:
    """Chi-square of the count of each card at each place against even chances.

    Within a place the counts are multinomial, so a place adds 51 degrees of freedom; the places of a deck are not
    quite independent (a card lies in one place only), which makes the sum's spread slightly smaller, never larger.
    """
    hands, places = decks.shape
    expected = hands / 52
    total = sum(
        ((np.bincount(decks[:, place], minlength=52) - expected) ** 2 / expected).sum() for place in range(places)
    )
    return float(stats.chi2.sf(total, 51 * places))


def test_every_card_comes_to_every_place_alike() -> None:
    """A million decks; at the 0.001 level a true shuffle fails once in a thousand seeds (the seed is fixed)."""
    decks = deal(TEN_SEATS, 2024, np.arange(1_000_000))
    assert (np.sort(decks[:10_000], axis=1)[:, 1:] != np.sort(decks[:10_000], axis=1)[:, :-1]).all()
    assert position_p_value(decks) > 0.001


def _swap_with_any(random: np.random.Generator, hands: int) -> NDArray[np.uint8]:
    """The classic mistake: each place is swapped with any place of the pack, not with one that is still to come."""
    decks = np.tile(np.arange(52, dtype=np.uint8), (hands, 1))
    rows = np.arange(hands)
    for place in range(52):
        other = random.integers(0, 52, hands)
        decks[rows, place], decks[rows, other] = decks[rows, other], decks[rows, place].copy()
    return decks[:, :25]


def _never_stays(random: np.random.Generator, hands: int) -> NDArray[np.uint8]:
    """Another: a place is never swapped with itself (Sattolo's cycle)."""
    decks = np.tile(np.arange(52, dtype=np.uint8), (hands, 1))
    rows = np.arange(hands)
    for place in range(51):
        other = random.integers(place + 1, 52, hands)
        decks[rows, place], decks[rows, other] = decks[rows, other], decks[rows, place].copy()
    return decks[:, :25]


@pytest.mark.parametrize("bad_shuffle", [_swap_with_any, _never_stays])
def test_a_bad_shuffle_is_caught(bad_shuffle: Callable[[np.random.Generator, int], NDArray[np.uint8]]) -> None:
    """The same statistic on a tenth of the decks is enough."""
    assert position_p_value(bad_shuffle(np.random.default_rng(1), 100_000)) < 1e-6


def test_neighbouring_cards_are_independent() -> None:
    """Pairs of the first two cards of a million decks: 52 x 51 equally likely outcomes."""
    decks = deal(TEN_SEATS, 7, np.arange(1_000_000)).astype(np.int64)
    counts = np.bincount(decks[:, 0] * 52 + decks[:, 1], minlength=52 * 52)
    possible = counts[np.arange(52 * 52) // 52 != np.arange(52 * 52) % 52]
    assert counts.sum() == possible.sum()
    assert stats.chisquare(possible).pvalue > 0.001


@pytest.mark.interpreted
@given(st.integers(0, 2**64), st.lists(st.integers(0, 2**40), min_size=1, max_size=20))
def test_a_deal_does_not_depend_on_its_neighbours(seed: int, numbers: list[int]) -> None:
    together = deal(TEN_SEATS, seed, numbers)
    alone = [deal(TEN_SEATS, seed, [number])[0] for number in numbers]
    assert (together == alone).all()


def test_a_fixed_board_lies_there_and_is_not_dealt() -> None:
    game = Game.load("river-hu")
    fixed = Game.from_dict({**game.to_dict(), "board": "2c3d4h5sAc"})
    decks = deal(fixed, 1, np.arange(10_000))
    assert (decks[:, 4:] == fixed.board).all()
    assert not np.isin(decks[:, :4], fixed.board).any()
    assert len(np.unique(decks[:, :4])) == 47


def test_fresh_seating_seats_everyone_everywhere_alike() -> None:
    players = fresh_seating(4, 11, 0, 48_000)
    assert (np.sort(players, axis=1) == np.arange(4)).all()
    _, counts = np.unique(players, axis=0, return_counts=True)
    assert len(counts) == 24
    assert stats.chisquare(counts).pvalue > 0.001
    assert (fresh_seating(4, 11, 1000, 10) == players[1000:1010]).all()


@pytest.mark.parametrize(("seats", "sets"), [(2, 2), (3, 6), (4, 4), (6, 6), (10, 10)])
def test_a_duplicate_set_gives_every_player_every_seat_equally_often(seats: int, sets: int) -> None:
    turns = orders(seats)
    assert turns.shape == (sets, seats)
    for player in range(seats):
        assert (np.bincount(np.argwhere(turns == player)[:, 1], minlength=seats) == sets // seats).all()
