"""Jobs for tests of crews: squares, some of which fail or take their worker with them the first time."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from luckless.errors import InputError
from luckless.pieces import Doer


@dataclass(frozen=True)
class Squares:
    """Squares of numbers; what goes wrong the first time is noted in a folder that all workers see."""

    folder: str
    fails: int = -1
    dies: int = -1
    refuses: int = -1
    seconds: float = 0.0

    @contextmanager
    def opened(self) -> Iterator[Doer]:
        def square(number: int) -> int:
            time.sleep(self.seconds)
            if number == self.refuses:
                raise InputError(f"{number} is refused")
            if number in (self.fails, self.dies) and self._is_first(number):
                if number == self.dies:
                    os._exit(1)
                raise ArithmeticError(f"{number} failed")
            return number * number

        yield square

    def _is_first(self, number: int) -> bool:
        path = Path(self.folder) / str(number)
        first = not path.exists()
        path.touch()
        return first
