"""Results that take a while to make, kept until the files they were made of change."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

from luckless.web.finding import Found

Value = TypeVar("Value")


class Kept(Generic[Value]):
    """A few values by run and what else they depend on; the one used longest ago goes first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[tuple[object, ...], Value] = OrderedDict()
        self._lock = threading.Lock()
        self._makers: dict[tuple[object, ...], threading.Lock] = {}

    def get(self, found: Found, make: Callable[[], Value], *also: object) -> Value:
        """The value of a run; two who ask at once wait for one making."""
        key = (found.path, found.changed, *also)
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
            maker = self._makers.setdefault(key, threading.Lock())
        with maker:
            with self._lock:
                if key in self._values:
                    return self._values[key]
            value = make()
            with self._lock:
                self._values[key] = value
                self._makers.pop(key, None)
                while len(self._values) > self._most:
                    self._values.popitem(last=False)
        return value
