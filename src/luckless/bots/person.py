"""A person at the table, as far as a match knows one: a place in the line-up whose answers come from outside."""

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import Bot, Decisions


class Person(Bot):
    """Holds a person's place; `luckless.sitting` asks for the answers. A match with one is sealed."""

    outside = True

    def __init__(self, name: str) -> None:
        self.name = name
        self.spec = "person"

    def answers(self, decisions: Decisions) -> NDArray[np.int64]:
        """Never called: a person acts at the table."""
        raise NotImplementedError

    def fingerprint(self) -> str:
        """Empty: nobody can look into a person."""
        return ""
