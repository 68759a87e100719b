"""What a bot answers to a decision, as a whole number or as words that say why it is none."""

import operator
from typing import Any, NamedTuple

import numpy as np

LONGEST_SHOWN = 60


class NotAnAction(NamedTuple):
    """An answer that is not a whole number."""

    shown: str
    """The answer as text, shortened."""


def as_action(answer: Any) -> int | NotAnAction:
    """The answer as a whole number; a truth value is not an action.

    Of a foreign object this runs foreign code (`__index__`, `__repr__`), so it belongs inside `call_bot`.
    """
    if isinstance(answer, NotAnAction):
        return answer
    if not isinstance(answer, bool | np.bool_):
        try:
            return int(operator.index(answer))
        except Exception:  # a TypeError, or whatever the __index__ of a foreign object raises
            pass
    return NotAnAction(shown(answer))


def shown(answer: Any) -> str:
    """An answer as text, shortened."""
    try:
        text = repr(answer)
    except Exception:  # a whole number of thousands of digits, or a foreign object
        text = f"a {type(answer).__name__} that cannot be printed"
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 3]}..."
