"""Replay memory: the last so many experiences of a learner, as records of one kind in a ring."""

import numpy as np
from numpy.typing import NDArray


class Memory:
    """A ring of records; the oldest make room for new ones."""

    def __init__(self, kind: np.dtype[np.void], capacity: int) -> None:
        self._rows = np.zeros(capacity, kind)
        self._added = 0

    def __len__(self) -> int:
        return min(self._added, len(self._rows))

    def add(self, rows: NDArray[np.void]) -> None:
        """Takes new experiences in; of more than fit only the last remain."""
        kept = rows[-len(self._rows) :]
        self._added += len(rows) - len(kept)
        places = (self._added + np.arange(len(kept))) % len(self._rows)
        self._rows[places] = kept
        self._added += len(kept)

    def draw(self, count: int, random: np.random.Generator) -> NDArray[np.void]:
        """So many experiences, each drawn from all of them alike."""
        return self._rows[random.integers(0, len(self), count)]

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """All that has to be stored."""
        return {"rows": self._rows[: len(self)].view(np.uint8), "added": np.array([self._added])}

    def restore(self, arrays: dict[str, NDArray[np.generic]]) -> None:
        """Continues where `arrays` were stored."""
        rows = arrays["rows"].view(self._rows.dtype)
        self._rows[: len(rows)] = rows
        self._added = int(arrays["added"][0])
