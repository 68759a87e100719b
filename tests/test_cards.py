"""Cards: text and numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from luckless.cards import DECK_SIZE, format_card, format_cards, parse_card, parse_cards, rank_of, suit_of
from luckless.errors import InputError


def test_every_card_round_trips() -> None:
    texts = [format_card(card) for card in range(DECK_SIZE)]
    assert len(set(texts)) == 52
    assert [parse_card(text) for text in texts] == list(range(52))


def test_numbering_is_rank_times_four_plus_suit() -> None:
    assert parse_card("2c") == 0
    assert parse_card("As") == 51
    assert (rank_of(parse_card("Td")), suit_of(parse_card("Td"))) == (8, 1)


@pytest.mark.parametrize("text", ["AcKc", "Ac Kc", "ac,kc", "AC KC"])
def test_spellings(text: str) -> None:
    assert parse_cards(text) == [48, 44]


def test_ten_may_be_written_with_two_digits() -> None:
    assert parse_cards("10c10d") == parse_cards("TcTd")


@given(st.lists(st.integers(0, 51), unique=True, max_size=52))
def test_lists_round_trip(cards: list[int]) -> None:
    assert parse_cards(format_cards(cards)) == cards


@pytest.mark.parametrize("text", ["Ax", "1c", "A", "", "Acc", "11c", "é♠"])
def test_what_is_no_card_is_named(text: str) -> None:
    with pytest.raises(InputError, match="is not a card: a card is a rank"):
        parse_card(text)


def test_a_card_twice_is_named() -> None:
    with pytest.raises(InputError, match="card Ac appears twice in 'AcKdAc'"):
        parse_cards("AcKdAc")
