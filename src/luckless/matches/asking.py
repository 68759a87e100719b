"""Asks a bot for actions and answers for it when it does not: a fault is counted, then checked or folded."""

import operator
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import PythonBot, RuleBot, rule_actions
from luckless.rules.actions import CALL, FOLD
from luckless.rules.views import Views

Complain = Callable[[int, str, str], None]
"""Called with the row of the decision, the kind of the fault and the detail."""


class _TooSlow(Exception):
    pass


@contextmanager
def _clock(seconds: float) -> Iterator[None]:
    """Interrupts the bot after so many seconds; there is no clock outside the main thread, which alone can be."""
    if seconds <= 0 or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise _TooSlow

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def ask(
    bot: RuleBot | PythonBot,
    rules: NDArray[np.void],
    views: Views,
    words: NDArray[np.uint64],
    seconds: float,
    complain: Complain,
) -> NDArray[np.int64]:
    """A legal action for every decision of the batch."""
    if isinstance(bot, RuleBot):
        return rule_actions(bot, rules, views, words)
    if bot.batch:
        actions = _whole_batch(bot, views, words, seconds)
        if actions is not None:
            return actions
    return np.array([_one(bot, views, words, row, seconds, complain) for row in range(len(views))], np.int64)


def _whole_batch(bot: PythonBot, views: Views, words: NDArray[np.uint64], seconds: float) -> NDArray[np.int64] | None:
    """The actions of a batch bot, or None when anything is wrong: then each decision is asked for alone, so that
    which decisions are faults does not depend on how they were batched."""
    try:
        with _clock(seconds):
            answers = np.asarray(bot.decide(views, words))
    except Exception:
        return None
    if answers.shape != (len(views),) or answers.dtype.kind not in "iu":
        return None
    actions = answers.astype(np.int64)
    return actions if _legal(views, actions).all() else None


def _one(
    bot: PythonBot, views: Views, words: NDArray[np.uint64], row: int, seconds: float, complain: Complain
) -> int:
    try:
        with _clock(seconds):
            answer = bot.decide_one(views, words, row)
    except _TooSlow:
        complain(row, "slow", f"no answer within {seconds:g} s")
    except Exception as error:
        complain(row, "exception", f"{type(error).__name__}: {error}")
    else:
        action = _as_action(answer)
        if action is None:
            complain(row, "nonsense", f"answered {_shortened(answer)}, which is no whole number")
        elif not _legal(views.rows(slice(row, row + 1)), np.array([action]))[0]:
            complain(row, "illegal", f"answered {action}; {_allowed(views, row)}")
        else:
            return action
    return CALL if views.public["to_call"][row] == 0 else FOLD


def _as_action(answer: Any) -> int | None:
    """The answer as a whole number, or None; a truth value is no action."""
    if isinstance(answer, bool | np.bool_):
        return None
    try:
        return operator.index(answer)
    except TypeError:
        return None


def _legal(views: Views, actions: NDArray[np.int64]) -> NDArray[np.bool_]:
    least, most = views.min_raise_to, views.max_raise_to
    legal: NDArray[np.bool_] = (
        (actions == FOLD) | (actions == CALL) | ((most > 0) & (actions >= least) & (actions <= most))
    )
    return legal


def _allowed(views: Views, row: int) -> str:
    call, least, most = (int(views.public[name][row]) for name in ("to_call", "min_raise_to", "max_raise_to"))
    answer = f"allowed is -1 (fold), 0 ({f'call {call}' if call else 'check'})"
    return f"{answer} or {least} to {most} (raise to)" if most else f"{answer}; raising is closed"


def _shortened(answer: Any) -> str:
    text = repr(answer)
    return text if len(text) <= 60 else text[:57] + "..."
