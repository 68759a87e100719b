"""Asks a bot for actions and answers for it when it does not: a fault is counted, then checked or folded."""

import math
import operator
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from types import FrameType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import NO_ANSWER, Actor, ExternalBot, PythonBot, ReportFault, RuleBot, rule_actions
from luckless.bots.clocks import Timing
from luckless.numba_internals import is_compiling
from luckless.rules.actions import CALL, FOLD
from luckless.rules.views import Views


class TooSlow(BaseException):
    """No `Exception`, so that a bot that catches all of those does not catch its clock."""


FAILURES = (Exception, SystemExit)
"""What a bot may raise at the cost of itself alone."""


@contextmanager
def clock(seconds: float) -> Iterator[None]:
    """Interrupts the bot after so many seconds; there is no clock outside the main thread, which alone can be.

    A kernel that is being compiled is finished first: compilers broken off in the middle crash later. On a system
    without such timers (Windows) a bot is not interrupted; an answer that took too long counts as none.
    """
    if math.isinf(seconds) or threading.current_thread() is not threading.main_thread():
        yield
        return
    if not hasattr(signal, "setitimer"):
        started = perf_counter()
        yield
        if perf_counter() - started > seconds:
            raise TooSlow
        return

    def ring(number: int, frame: FrameType | None) -> None:
        if not is_compiling():
            raise TooSlow
        signal.setitimer(signal.ITIMER_REAL, 0.05)

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        try:
            signal.setitimer(signal.ITIMER_REAL, 0)
        finally:  # also when it rings this very moment
            signal.signal(signal.SIGALRM, before)


def ask(
    bot: Actor,
    rules: NDArray[np.void],
    views: Views,
    random_bits: NDArray[np.uint64],
    timing: Timing,
    report_fault: ReportFault,
) -> NDArray[np.int64]:
    """A legal action for every decision of the batch."""
    if isinstance(bot, RuleBot):
        return rule_actions(bot, rules, views, random_bits)
    if isinstance(bot, ExternalBot):
        return _outside(views, bot.answers(views, random_bits, timing, report_fault), report_fault)
    if bot.batch:
        actions = _whole_batch(bot, views, random_bits, timing)
        if actions is not None:
            return actions
    return np.array([_one(bot, views, random_bits, row, timing, report_fault) for row in range(len(views))], np.int64)


def _outside(views: Views, answers: list[Any], report_fault: ReportFault) -> NDArray[np.int64]:
    """The actions of a bot outside: all at once where nothing is wrong, else one by one."""
    if all(type(answer) is int and abs(answer) < 2**31 for answer in answers):
        actions = np.array(answers, np.int64)
        if _legal(views, actions).all():
            return actions
    return np.array([_judged(answer, views, row, report_fault) for row, answer in enumerate(answers)], np.int64)


def _whole_batch(
    bot: PythonBot, views: Views, random_bits: NDArray[np.uint64], timing: Timing
) -> NDArray[np.int64] | None:
    """The actions of a batch bot, or None when anything is wrong: then each decision is asked for alone, so that
    which decisions are faults does not depend on how they were batched."""
    # Without a clock for hands all hands are alike: one stands for the batch.
    hands = timing.hands if timing.watch.clocks.hand else timing.hands[:1]
    if any(map(timing.watch.run_out, hands)):
        return None
    started = perf_counter()
    try:
        with clock(min(map(timing.watch.allowance, hands))):
            answers = np.asarray(bot.decide(views, random_bits))
    except (TooSlow, *FAILURES):
        return None
    if answers.shape != (len(views),) or answers.dtype.kind not in "iu":
        return None
    actions = answers.astype(np.int64)
    if not _legal(views, actions).all():
        return None
    share = (perf_counter() - started) / len(hands)
    for hand in hands:
        timing.watch.charge(hand, share)
    return actions


def _one(
    bot: PythonBot, views: Views, random_bits: NDArray[np.uint64], row: int, timing: Timing, report_fault: ReportFault
) -> int:
    watch, hand = timing.watch, timing.hands[row]
    if over := watch.run_out(hand):
        report_fault(row, "overtime", over)
        return _judged(NO_ANSWER, views, row, report_fault)
    seconds = watch.allowance(hand)
    answer: Any = NO_ANSWER
    started = perf_counter()
    try:
        with clock(seconds):
            answer = bot.decide_one(views, random_bits, row)
    except TooSlow:
        report_fault(row, "slow", f"no answer within {seconds:.3g} s")
    except FAILURES as error:
        report_fault(row, "exception", failure_text(error))
    watch.charge(hand, perf_counter() - started)
    return _judged(answer, views, row, report_fault)


def _judged(answer: Any, views: Views, row: int, report_fault: ReportFault) -> int:
    """The answer if it is a legal action; if not, that is complained of, and the policy answers."""
    if answer is not NO_ANSWER:
        action = _as_action(answer)
        if action is None:
            report_fault(row, "nonsense", f"answered {_shortened(answer)}, which is no whole number")
        elif abs(action) >= 2**31 or not _legal(views.rows(slice(row, row + 1)), np.array([action]))[0]:
            report_fault(row, "illegal", f"answered {_shortened(action)}; {_allowed(views, row)}")
        else:
            return action
    return CALL if views.public["to_call"][row] == 0 else FOLD


def _as_action(answer: Any) -> int | None:
    """The answer as a whole number, or None; a truth value is no action."""
    if isinstance(answer, bool | np.bool_):
        return None
    try:
        return operator.index(answer)
    except Exception:  # a TypeError, or whatever the __index__ of a foreign object raises
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
    try:
        text = repr(answer)
    except Exception:  # a whole number of thousands of digits, or a foreign object
        text = f"a {type(answer).__name__} that cannot be printed"
    return text if len(text) <= 60 else text[:57] + "..."


def failure_text(error: BaseException) -> str:
    """The kind of an error and its message."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:
        return type(error).__name__
