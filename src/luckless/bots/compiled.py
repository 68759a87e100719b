"""The bots that run inside the compiled loop: one number for each rule, one function that asks the right one."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from luckless.bots import rules as simple
from luckless.rules.actions import CALL

RANDOM, UNIFORM, CALLER, FOLDER, RAISER, ALL_IN = range(6)

BOT = np.dtype(
    [("rule", np.int16), ("uses_cards", np.int8), ("uses_dice", np.int8), ("parameters", np.float64, (8,))],
    align=True,
)
"""One compiled bot: which rule, what the rule looks at, and its parameters in the order that the rule documents."""


@njit(cache=True, nogil=True)
def decide(bot: Any, rules: Any, hand: Any, cards: NDArray[np.uint8], words: Any) -> Any:
    """The action of a compiled bot that sees the public record, its own cards and the board so far."""
    rule = bot.rule
    if rule == CALLER:
        return CALL
    if rule == RAISER:
        return hand.min_raise_to
    if rule == RANDOM:
        return simple.play_random(hand, words)
    if rule == UNIFORM:
        return simple.play_uniform(hand, words)
    if rule == ALL_IN:
        return hand.max_raise_to
    return simple.check_or_fold(hand)
