"""Every betting sequence of the named games, counted by both engines: the counts stand in perft.txt."""

import pytest

from luckless.rules.game import Game
from luckless.rules.game_files import game_names
from perft import PERFT, Counts, compiled_counts, kept_counts, plain_counts, text_of

KEPT = kept_counts()


def depth_within(counts: list[Counts], most: int) -> int:
    """The last depth up to which there are at most so many sequences in all."""
    total = 0
    for depth, row in enumerate(counts):
        total += row.sequences
        if total > most:
            return depth - 1
    return len(counts) - 1


def test_every_named_game_is_counted() -> None:
    assert sorted(KEPT) == game_names(), "python tests/support/perft.py counts what is missing"
    assert all(depth_within(KEPT[name], 1_000) >= 3 for name in game_names())


def test_the_file_is_written_as_it_stands() -> None:
    assert text_of(KEPT.items()) == PERFT.read_text(encoding="utf-8")


def test_heads_up_limit_has_the_published_numbers() -> None:
    """Decision points by street and ends of the whole tree, as the literature of solving this game gives them."""
    counts = KEPT["limit-hu"]
    assert counts[-1].sequences == counts[-1].finished
    assert [sum(street) for street in zip(*(row.waiting for row in counts), strict=True)] == [8, 70, 630, 5_670]
    assert sum(row.finished for row in counts) == 10_206


@pytest.mark.parametrize("name", game_names())
def test_sequences_add_up(name: str) -> None:
    """Each sequence is over or waits, and there are deeper ones exactly while one waits."""
    for row in KEPT[name]:
        assert row.sequences == row.finished + sum(row.waiting)
    assert all(sum(row.waiting) > 0 for row in KEPT[name][:-1])


@pytest.mark.parametrize("name", game_names())
def test_the_compiled_engine_counts_alike(name: str) -> None:
    depth = depth_within(KEPT[name], 1_000_000)
    assert compiled_counts(Game.load(name), depth) == KEPT[name][: depth + 1]


@pytest.mark.parametrize("name", game_names())
def test_the_plain_engine_counts_alike(name: str) -> None:
    depth = depth_within(KEPT[name], 2_500)
    assert plain_counts(Game.load(name), depth) == KEPT[name][: depth + 1]


@pytest.mark.interpreted
@pytest.mark.parametrize("name", game_names())
def test_the_compiled_engine_counts_the_first_actions_alike(name: str) -> None:
    """So few that they are also counted without compilation."""
    depth = depth_within(KEPT[name], 1_000)
    assert compiled_counts(Game.load(name), depth) == KEPT[name][: depth + 1]


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names())
def test_the_compiled_engine_counts_alike_at_every_depth(name: str) -> None:
    assert compiled_counts(Game.load(name), len(KEPT[name]) - 1) == KEPT[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names())
def test_the_plain_engine_counts_alike_deeper(name: str) -> None:
    depth = depth_within(KEPT[name], 100_000)
    assert plain_counts(Game.load(name), depth) == KEPT[name][: depth + 1]
