"""A person at the table: a bot whose answers somebody gives who is asked. It is never timed."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import Bot, Decisions
from luckless.rules.views import View

Ask = Callable[[View], int]


class Person(Bot):
    """A player who is asked decision by decision; `ask` must give a legal action. A match with one is sealed."""

    outside = True

    def __init__(self, name: str, ask: Ask) -> None:
        self.name = name
        self.spec = "person"
        self._ask = ask

    def answers(self, decisions: Decisions) -> NDArray[np.int64]:
        """What the person answers, one decision after the other."""
        return np.array([self._ask(decisions.views.one(row)) for row in range(len(decisions))], np.int64)

    def fingerprint(self) -> str:
        """Empty: nobody can look into a person."""
        return ""
