"""Values of finished pieces of a long run, kept in a file so that the run can go on."""

import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError
from luckless.tensors import as_safetensors, read_safetensors
from luckless.whole_files import write_bytes

_WRITE_SECONDS = 5.0
"""How often the file is written at most; at the end it always is."""


class KeptValues:
    """An array for each number of a piece. Without a path they are in memory only."""

    def __init__(self, path: Path | None, what: str, facts: dict[str, str]) -> None:
        """`what` names the kind of pieces; facts say which run they belong to."""
        self._path, self._lock = path, threading.Lock()
        self._facts = {"luckless": what, **facts}
        self._written = time.monotonic()
        self.values: dict[int, NDArray[np.float64]] = {}
        if path is not None and path.exists():
            arrays, found = read_safetensors(path, f"file of {what}")
            if found != self._facts:
                raise InputError(f"{path} was made with another bot, game or settings; name another file")
            self.values = dict(zip(arrays["numbers"].tolist(), arrays["values"], strict=True))

    def add(self, number: int, values: NDArray[np.float64]) -> None:
        """Keeps the values of one piece."""
        with self._lock:
            self.values[number] = values
            if time.monotonic() - self._written >= _WRITE_SECONDS:
                self.write()

    def write(self) -> None:
        """Writes the file."""
        if self._path is not None and self.values:
            numbers = np.array(sorted(self.values), np.int64)
            arrays: dict[str, NDArray[Any]] = {"numbers": numbers}
            arrays["values"] = np.stack([self.values[number] for number in numbers.tolist()])
            write_bytes(self._path, as_safetensors(arrays, self._facts))
        self._written = time.monotonic()
