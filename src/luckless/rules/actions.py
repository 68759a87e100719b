"""What a seat may answer when it is its turn: one integer, and the bounds it must keep."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError
from luckless.kernels import njit

FOLD, CALL = -1, 0
"""Actions; any number above 0 is a bet or raise to that many chips on the street. A check is a call of nothing."""


class IllegalAction(InputError):
    """An action that the rules do not allow here; the message says why, and what is allowed."""


@dataclass(frozen=True, slots=True)
class Legal:
    """The legal actions of the seat to act; both bounds of a raise are 0 when it may not raise."""

    fold: bool
    call: int
    """Chips that a call costs; 0 is a check."""
    min_raise_to: int
    max_raise_to: int

    @property
    def can_raise(self) -> bool:
        """Whether any bet or raise is allowed."""
        return self.max_raise_to > 0

    def __str__(self) -> str:
        words = [*(["fold"] if self.fold else []), f"call {self.call}" if self.call else "check"]
        if self.can_raise:
            words.append(f"raise to {self.min_raise_to}..{self.max_raise_to}")
        return ", ".join(words)


@njit(cache=True, nogil=True, borrows=True)
def _all_legal(actions: NDArray[np.int64], least: NDArray[np.int32], most: NDArray[np.int32]) -> bool:
    for row in range(len(actions)):
        action = actions[row]
        raises = most[row] > 0 and least[row] <= action <= most[row]
        if not (raises or action in (FOLD, CALL)):
            return False
    return True


@dataclass(frozen=True, slots=True)
class LegalBatch:
    """The legal actions at many decisions, as copies that nobody else can write to."""

    to_call: NDArray[np.int32]
    min_raise_to: NDArray[np.int32]
    max_raise_to: NDArray[np.int32]

    @classmethod
    def of(cls, public: NDArray[np.void]) -> "LegalBatch":
        """Those of public records (`state.PUBLIC`)."""
        return cls(*(public[name].copy() for name in ("to_call", "min_raise_to", "max_raise_to")))

    def allows(self, actions: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which of the actions, one for each decision, are legal."""
        raises = (self.max_raise_to > 0) & (actions >= self.min_raise_to) & (actions <= self.max_raise_to)
        legal: NDArray[np.bool_] = (actions == FOLD) | (actions == CALL) | raises
        return legal

    def allows_all(self, actions: NDArray[np.int64]) -> bool:
        """Whether every one of the actions is legal, which is asked for every batch."""
        if actions.shape != self.to_call.shape:
            return False
        return bool(_all_legal(actions, self.min_raise_to, self.max_raise_to))

    def allows_one(self, row: int, action: int) -> bool:
        """Whether one action is legal at one decision."""
        most = int(self.max_raise_to[row])
        return action in (FOLD, CALL) or (most > 0 and int(self.min_raise_to[row]) <= action <= most)

    def check_or_fold(self, row: int) -> int:
        """The answer for a bot that gives none: check if that is free, else fold."""
        return CALL if self.to_call[row] == 0 else FOLD

    def text(self, row: int) -> str:
        """What is legal at one decision, in words."""
        call, least, most = (int(part[row]) for part in (self.to_call, self.min_raise_to, self.max_raise_to))
        answer = f"allowed is -1 (fold), 0 ({f'call {call}' if call else 'check'})"
        return f"{answer} or {least} to {most} (raise to)" if most else f"{answer}; raising is closed"
