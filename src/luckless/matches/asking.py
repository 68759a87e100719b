"""Asks a bot for actions and answers for it when it does not: a fault is counted, then checked or folded.

What is legal is read from the table, never from what a bot was given and may have written to.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.bots.answers import NotAnAction, as_action, shown
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
    answers = bot.answers(Decisions(views, random_bits, timing, report_fault, legal.allows_all))
    if isinstance(answers, np.ndarray) or all(type(answer) is int and abs(answer) < 2**31 for answer in answers):
        actions = np.asarray(answers, np.int64)
        if legal.allows_all(actions):
            return actions
    return np.array([_judged(answer, legal, row, report_fault) for row, answer in enumerate(answers)], np.int64)


def _judged(answer: Any, legal: LegalBatch, row: int, report_fault: ReportFault) -> int:
    """The answer if it is a legal action; if not, the fault is reported, and it is a check or a fold."""
    if answer is not NO_ANSWER:
        action = as_action(answer)
        if isinstance(action, NotAnAction):
            report_fault(row, "nonsense", f"answered {action.shown}, which is not a whole number")
        elif not legal.allows_one(row, action):
            report_fault(row, "illegal", f"answered {shown(action)}; {legal.text(row)}")
        else:
            return action
    return legal.check_or_fold(row)
