"""The facts in tests/data: what is written from them is the original, byte for byte, by its digest."""

import numpy as np
import pytest

from real_hands import ORIGINALS, digest, endgame_reaches, facts_of, original_text

FILES = [(source, name) for source in ("acpc", "pluribus", "handhq", "endgames") for name in sorted(facts_of(source))]


def test_all_sources_are_there() -> None:
    counts = {source: len(facts_of(source)) for source, _ in FILES}
    assert counts == {"acpc": 4, "pluribus": 12, "handhq": 6, "endgames": 4}
    assert sum(facts["hands"] for facts in facts_of("pluribus").values()) == 1389
    assert [facts["hands"] for facts in facts_of("handhq").values()] == [300] * 6
    assert [len(facts["betting"]) for facts in facts_of("acpc").values()] == [1000] * 4


@pytest.mark.parametrize(("source", "name"), FILES)
def test_an_original_comes_back_from_its_facts(source: str, name: str) -> None:
    facts = facts_of(source)[name]
    text = original_text(source, facts)
    assert digest(text) == facts["sha256"]
    original = ORIGINALS / source / name
    assert not original.exists() or original.read_bytes() == text.encode()


def test_a_changed_fact_changes_the_digest() -> None:
    facts = facts_of("acpc")["2p.limit.h1000.r0.log"]
    changed = facts | {"betting": [*facts["betting"][:-1], "crc/cc/cc/cc"]}
    assert digest(original_text("acpc", changed)) != facts["sha256"]


@pytest.mark.parametrize(
    ("number", "board"), [(1, "7s9h9cTc"), (2, "Ts6hAh7c"), (3, "4s8hTc9h2s"), (4, "JsKs5cQs7d")]
)
def test_reaches_of_an_endgame_are_probabilities_that_avoid_the_board(number: int, board: str) -> None:
    """The order of cards: by rank, then s h d c; a pair with a card of the board cannot be held."""
    cards = [rank + suit for rank in "23456789TJQKA" for suit in "shdc"]
    on_board = np.array([card in {board[at : at + 2] for at in range(0, len(board), 2)} for card in cards])
    first, second = np.triu_indices(52, 1)
    reaches = endgame_reaches(number)
    assert ((reaches >= 0) & (reaches <= 1)).all()
    assert (reaches[:, on_board[first] | on_board[second]] == 0).all()
    assert (reaches[:, ~(on_board[first] | on_board[second])] > 0).any(axis=1).all()
