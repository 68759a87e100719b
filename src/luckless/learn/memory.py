"""Replay memory: the last so many experiences of a learner, as records of one kind in a ring."""

import numpy as np
from numpy.typing import NDArray


class Memory:
    """A ring of records; the oldest make room for new ones. It takes room as it fills, not for all its capacity."""

    def __init__(self, kind: np.dtype[np.void], capacity: int) -> None:
        self._capacity = capacity
        self._rows = np.zeros(0, kind)
        self._added = 0

    def __len__(self) -> int:
        return min(self._added, self._capacity)

    def add(self, rows: NDArray[np.void]) -> None:
        """Takes new experiences in; of more than fit only the last remain."""
        kept = rows[-self._capacity :]
        self._added += len(rows) - len(kept)
        self._make_room(self._added + len(kept))
        places = (self._added + np.arange(len(kept))) % self._capacity
        self._rows[places] = kept
        self._added += len(kept)

    def _make_room(self, rows: int) -> None:
        """Doubles the room when so many rows do not fit, up to the capacity."""
        if len(self._rows) < min(rows, self._capacity):
            larger = np.zeros(min(max(rows, 2 * len(self._rows)), self._capacity), self._rows.dtype)
            larger[: len(self._rows)] = self._rows
            self._rows = larger

    def draw(self, count: int, random: np.random.Generator) -> NDArray[np.void]:
        """So many experiences, each drawn from all of them alike."""
        return self._rows.take(random.integers(0, len(self), count))  # much faster than indexing records

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """All that has to be stored."""
        return {"rows": self._rows[: len(self)].view(np.uint8), "added": np.array([self._added])}

    def restore(self, arrays: dict[str, NDArray[np.generic]]) -> None:
        """Continues where `arrays` were stored."""
        rows, added = arrays["rows"].view(self._rows.dtype), int(arrays["added"].item())
        if len(rows) != min(added, self._capacity):
            raise ValueError(f"its memory holds {len(rows)} of the last {min(added, self._capacity)} experiences")
        self._rows, self._added = np.zeros(len(rows), self._rows.dtype), added
        # Field by field: what lies between fields stays 0, so that files are the same to the bit.
        self._rows[:] = rows
