"""Who sits with whom."""

import itertools
from collections import Counter

import pytest

from luckless.errors import InputError
from luckless.tournaments.tables import balanced, tables_of


def test_all_sets_and_heroes() -> None:
    assert tables_of(4, 2) == list(itertools.combinations(range(4), 2))
    assert tables_of(5, 3) == list(itertools.combinations(range(5), 3))
    assert tables_of(4, 2, heroes=[2]) == [(0, 2), (1, 2), (2, 3)]


@pytest.mark.parametrize(("bots", "seats", "tables"), [(7, 3, 7), (9, 3, 12), (10, 6, 20), (13, 4, 26), (12, 6, 30)])
def test_a_balanced_design_is_balanced(bots: int, seats: int, tables: int) -> None:
    chosen = balanced(bots, seats, tables)
    assert len(set(chosen)) == tables
    assert {len(set(table)) for table in chosen} == {seats}
    sat = Counter(itertools.chain.from_iterable(chosen))
    met = Counter(pair for table in chosen for pair in itertools.combinations(table, 2))
    mean = tables * seats / bots
    assert max(sat.values()) - min(sat.values()) <= 2
    assert all(abs(count - mean) <= 2 for count in sat.values())
    counts = [met[pair] for pair in itertools.combinations(range(bots), 2)]
    assert max(counts) - min(counts) <= 3


@pytest.mark.parametrize(("bots", "seats", "tables", "meetings"), [(7, 3, 7, 1), (13, 4, 13, 1), (6, 3, 10, 2)])
def test_designs_in_which_all_pairs_meet_equally_often_are_found(
    bots: int, seats: int, tables: int, meetings: int
) -> None:
    """Two projective planes, and a design of 6 bots whose tables cannot be chosen one by one."""
    chosen = balanced(bots, seats, tables)
    met = Counter(pair for table in chosen for pair in itertools.combinations(table, 2))
    assert {met[pair] for pair in itertools.combinations(range(bots), 2)} == {meetings}
    assert len(set(chosen)) == tables
    assert balanced(bots, seats, tables) == chosen


def test_every_table_is_found_when_all_are_asked_for() -> None:
    assert sorted(balanced(6, 3, 20)) == list(itertools.combinations(range(6), 3))


def test_too_many_tables_are_refused() -> None:
    with pytest.raises(InputError, match="5 bots form only 10 tables of 3"):
        tables_of(5, 3, 11)
    with pytest.raises(InputError, match="set tables"):
        tables_of(60, 6)
