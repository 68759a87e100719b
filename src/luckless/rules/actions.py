"""What a seat may answer when it is its turn: one integer, and the bounds it must keep."""

from dataclasses import dataclass

from luckless.errors import InputError

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
