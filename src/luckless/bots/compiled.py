"""The bots that run inside the compiled loop: one number for each rule, one function that asks the right one."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.bots import odds, simple, sklansky
from luckless.bots.value_bet import play_value_bet
from luckless.bots.win_rate import LOCK, win_rate
from luckless.hands.rank_source import RankSource
from luckless.kernels import njit
from luckless.rules.actions import CALL, FOLD

RANDOM, UNIFORM, CALLER, FOLDER, RAISER, ALL_IN = range(6)
VALUE_BET, THRESHOLD, POT_ODDS_CALL, POT_ODDS_RAISE, POT_ODDS, POT_ODDS_MIXED, SKLANSKY = range(6, 13)
"""The rules; those from `VALUE_BET` on look at the cards, those after it share the parameters of `win_rate`."""

BOT = np.dtype(
    [("rule", np.int16), ("uses_cards", np.int8), ("uses_dice", np.int8), ("parameters", np.float64, (8,))],
    align=True,
)
"""One compiled bot: which rule, what the rule looks at, and its parameters in the order that the rule documents."""


@njit(cache=True, nogil=True)
def decide(
    bot: Any, rules: Any, hand: Any, cards: NDArray[np.uint8], random_bits: Any, source: RankSource | None
) -> Any:
    """The action of a compiled bot that sees the public record, its own cards and the board so far.

    Without a source of ranks only the rules that do not look at cards are compiled, which makes their loop faster.
    """
    rule = bot.rule
    if rule == CALLER:
        return CALL
    if rule == RAISER:
        return hand.min_raise_to
    if rule == RANDOM:
        return simple.play_random(hand, random_bits)
    if rule == UNIFORM:
        return simple.play_uniform(hand, random_bits)
    if rule == ALL_IN:
        return hand.max_raise_to
    if source is not None:
        if rule == VALUE_BET:
            return play_value_bet(rules, hand, cards, source)
        if rule > VALUE_BET:
            return _decide_by_win_rate(bot, rules, hand, cards, random_bits, source)
    return simple.check_or_fold(hand)


@njit(cache=True, nogil=True)
def _decide_by_win_rate(
    bot: Any, rules: Any, hand: Any, cards: NDArray[np.uint8], random_bits: Any, source: RankSource
) -> Any:
    """The action of a bot that knows its win rate. The first word of its dice is for that, the second for a raise."""
    rule, parameters = bot.rule, bot.parameters
    if parameters[LOCK] > 0 and odds.locked_in(rules, hand):
        return simple.check_or_fold(hand)
    if rule == SKLANSKY and hand.street == 0:
        return sklansky.play_starting_hand(bot, rules, hand, cards)
    if hand.to_call == 0 and rule in (THRESHOLD, POT_ODDS_CALL):
        return CALL
    win = win_rate(bot, hand, cards, random_bits, source)
    if rule == THRESHOLD:
        return FOLD if win < parameters[odds.AT] else CALL
    if rule == SKLANSKY:
        return odds.raise_by_odds(hand, win, 0.0, 0.5)
    risk = parameters[odds.RISK]
    if rule == POT_ODDS_CALL:
        return odds.call_by_odds(hand, win, risk)
    if rule == POT_ODDS_MIXED:
        return odds.raise_mixed(hand, win, risk, parameters[odds.CONSERVE + hand.street], random_bits[1])
    return odds.raise_by_odds(hand, win, risk, 0.5 if rule == POT_ODDS else 0.0)
