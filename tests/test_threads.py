"""Work in chunks: each item once, whatever the chunks; errors come through and stop the rest."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from luckless.progress import Progress
from luckless.threads import core_count, run_chunks


@given(st.integers(0, 40), st.integers(1, 50))
def test_each_item_is_worked_on_once_and_progress_ends_at_the_total(total: int, size: int) -> None:
    visits = [0] * total

    def work(first: int, last: int) -> int:
        assert 0 < last - first <= size
        for item in range(first, last):
            visits[item] += 1
        return last - first

    with Progress(total, "items", show=False) as progress:
        run_chunks(total, size, work, progress)
    assert visits == [1] * total
    assert progress.done == total


def test_an_error_comes_through_and_no_further_chunk_begins() -> None:
    begun = []

    def work(first: int, last: int) -> int:
        begun.append(first)
        time.sleep(0.01)
        raise RuntimeError("chunk failed")

    with pytest.raises(RuntimeError, match="chunk failed"), Progress(1000, "items", show=False) as progress:
        run_chunks(1000, 1, work, progress)
    assert len(begun) < 1000


def test_there_is_a_core() -> None:
    assert core_count() >= 1
