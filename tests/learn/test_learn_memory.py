"""Replay memory: a ring that holds the last experiences, whatever the lessons' sizes, and grows only as it fills."""

import numpy as np
import pytest

from luckless.learn.memory import Memory

KIND = np.dtype([("number", np.int64), ("result", np.float32)], align=True)


def experiences(first: int, count: int) -> "np.ndarray[tuple[int], np.dtype[np.void]]":
    rows = np.zeros(count, KIND)
    rows["number"] = np.arange(first, first + count)
    return rows


@pytest.mark.parametrize("capacity", [1, 7, 64, 100_000])
def test_it_is_a_ring_of_the_last_experiences(capacity: int) -> None:
    """The twin is an array of all places from the start, filled one by one."""
    random, memory, ring, added = np.random.default_rng(1), Memory(KIND, capacity), [-1] * capacity, 0
    for _ in range(40):
        count = int(random.integers(0, 60))
        memory.add(experiences(added, count))
        for number in range(added, added + count):
            ring[number % capacity] = number
        added += count
        held = memory.arrays()["rows"].view(KIND)["number"].tolist()
        assert held == ring[: min(added, capacity)]
        assert len(memory) == len(held)
    other = Memory(KIND, capacity)
    other.restore(memory.arrays())
    for one in (memory, other):
        one.add(experiences(added, 30))
    draws = [one.draw(500, np.random.default_rng(3))["number"].tolist() for one in (memory, other)]
    assert draws[0] == draws[1]


def test_a_large_memory_takes_room_as_it_fills() -> None:
    memory = Memory(KIND, 10**18)
    for lesson in range(10):
        memory.add(experiences(100 * lesson, 100))
    assert len(memory) == 1000
    assert sorted(set(memory.draw(20_000, np.random.default_rng(1))["number"].tolist())) == list(range(1000))


def test_a_memory_that_lacks_experiences_is_refused() -> None:
    memory = Memory(KIND, 50)
    memory.add(experiences(0, 20))
    stored = memory.arrays()
    with pytest.raises(ValueError, match="its memory holds 20 of the last 50 experiences"):
        Memory(KIND, 50).restore({**stored, "added": np.array([10**9])})
    with pytest.raises(ValueError, match="its memory holds 20 of the last 10 experiences"):
        Memory(KIND, 10).restore(stored)
