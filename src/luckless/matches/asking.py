"""Asks a bot for actions and answers for it when it does not: a fault is counted, then checked or folded.

What is legal is read from the table, never from what a bot was given and may have written to.
"""

import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import NO_ANSWER, Bot, Decisions, ReportFault
from luckless.bots.clocks import Timing
from luckless.rules.actions import LegalBatch
from luckless.rules.views import Views


def ask(
    bot: Bot,
    views: Views,
    legal: LegalBatch,
    random_bits: NDArray[np.uint64],
    timing: Timing,
    report_fault: ReportFault,
) -> NDArray[np.int64]:
    """A legal action for every decision of the batch."""
    answers = bot.answers(Decisions(views, random_bits, timing, report_fault, legal.allows))
    if isinstance(answers, np.ndarray) or all(type(answer) is int and abs(answer) < 2**31 for answer in answers):
        actions = np.asarray(answers, np.int64)
        if legal.allows(actions).all():
            return actions
    return np.array([_judged(answer, legal, row, report_fault) for row, answer in enumerate(answers)], np.int64)


def _judged(answer: Any, legal: LegalBatch, row: int, report_fault: ReportFault) -> int:
    """The answer if it is a legal action; if not, the fault is reported, and it is a check or a fold."""
    if answer is not NO_ANSWER:
        action = _as_action(answer)
        if action is None:
            report_fault(row, "nonsense", f"answered {_shortened(answer)}, which is not a whole number")
        elif not legal.allows_one(row, action):
            report_fault(row, "illegal", f"answered {_shortened(action)}; {legal.text(row)}")
        else:
            return action
    return legal.check_or_fold(row)


def _as_action(answer: Any) -> int | None:
    """The answer as a whole number, or None; a truth value is not an action."""
    if isinstance(answer, bool | np.bool_):
        return None
    try:
        return operator.index(answer)
    except Exception:  # a TypeError, or whatever the __index__ of a foreign object raises
        return None


def _shortened(answer: Any) -> str:
    try:
        text = repr(answer)
    except Exception:  # a whole number of thousands of digits, or a foreign object
        text = f"a {type(answer).__name__} that cannot be printed"
    return text if len(text) <= 60 else text[:57] + "..."
