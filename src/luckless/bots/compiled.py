"""Asks the right compiled rule: one branch for each shipped bot, written from the registry.

Without a source of ranks only the rules that do not look at cards are compiled, which makes their loops faster.
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numba import types
from numba.extending import overload
from numpy.typing import NDArray

from luckless.bots.registry import ENTRIES
from luckless.bots.shipped.simple import check_or_fold
from luckless.hands.rank_source import keep_board
from luckless.kernels import njit

ASKED_OFTEN = 8
"""Decisions in a row on one board from which on all hands are counted on it at once."""

LAW_ENTRIES = 6
"""Rows that a law may fill: actions, or ranges of raises, of one decision."""


def _play(bot: Any, rules: Any, hand: Any, cards: Any, random_bits: Any, source: Any) -> Any:
    """The action of a bot, without compilation."""
    return ENTRIES[bot.rule].play(bot, rules, hand, cards, random_bits, source)


def _law(bot: Any, rules: Any, hand: Any, cards: Any, source: Any, out: Any) -> Any:
    """Fills the law of a bot that uses dice, without compilation."""
    return ENTRIES[bot.rule].law(bot, rules, hand, cards, source, out)


def _branches(names: str, functions: Iterable[tuple[int, Any]], otherwise: str) -> Callable[..., Any]:
    """A function that calls one of several by the number of the bot's rule, as Numba can compile it."""
    scope: dict[str, Any] = {"check_or_fold": check_or_fold}
    lines = [f"def chosen({names}):", "    rule = bot.rule"]
    rules: dict[Any, list[int]] = {}
    for number, function in functions:
        rules.setdefault(function, []).append(number)
    for function, numbers in rules.items():
        scope[f"rule_{numbers[0]}"] = function
        test = " or ".join(f"rule == {number}" for number in numbers)
        lines += [f"    if {test}:", f"        return rule_{numbers[0]}({names})"]
    exec("\n".join([*lines, f"    return {otherwise}"]), scope)
    chosen: Callable[..., Any] = scope["chosen"]
    return chosen


def _compilable(source: Any) -> list[int]:
    blind = isinstance(source, types.NoneType)
    return [number for number, entry in enumerate(ENTRIES) if not (blind and entry.uses_cards)]


@overload(_play, strict=False)
def _compile_play(bot: Any, rules: Any, hand: Any, cards: Any, random_bits: Any, source: Any) -> Any:
    plays = [(number, ENTRIES[number].play) for number in _compilable(source)]
    return _branches("bot, rules, hand, cards, random_bits, source", plays, "check_or_fold(hand)")


@overload(_law, strict=False)
def _compile_law(bot: Any, rules: Any, hand: Any, cards: Any, source: Any, out: Any) -> Any:
    laws = [(number, ENTRIES[number].law) for number in _compilable(source) if ENTRIES[number].law is not None]
    return _branches("bot, rules, hand, cards, source, out", laws, "0")


@njit(cache=True, nogil=True, borrows=True)
def decide(bot: Any, rules: Any, hand: Any, cards: NDArray[np.uint8], random_bits: Any, source: Any) -> Any:
    """The action of a compiled bot that sees the public record, its own cards and the board so far."""
    return _play(bot, rules, hand, cards, random_bits, source)


@njit(cache=True, nogil=True)
def _keep_if_asked_often(public: Any, cards: Any, row: int, source: Any) -> None:
    """Counts a board for all hands if so many decisions in a row are on it that this is less work."""
    end = row + ASKED_OFTEN
    street = public[row].street
    if len(source.kept) == 0 or street == 0 or end >= len(public) or public[end].street != street:
        return
    for place in range(2, 4 + street):
        if cards[end, place] != cards[row, place]:
            return
    keep_board(cards[row, 2 : 4 + street], source)


@njit(cache=True, nogil=True)
def decide_rows(
    bot: Any, rules: Any, public: Any, cards: Any, random_bits: Any, source: Any, out: NDArray[np.int64]
) -> None:
    """`decide` for each decision of a batch."""
    for row in range(len(public)):
        if source is not None:
            _keep_if_asked_often(public, cards, row, source)
        four = (random_bits[row, 0], random_bits[row, 1], random_bits[row, 2], random_bits[row, 3])
        out[row] = decide(bot[0], rules[0], public[row], cards[row], four, source)


@njit(cache=True, nogil=True)
def law_rows(bot: Any, rules: Any, public: Any, cards: Any, source: Any, out: NDArray[np.float64]) -> None:
    """The law of a bot that uses dice: `out` [row, entry] is lowest action, highest action, probability."""
    for row in range(len(public)):
        if source is not None:
            _keep_if_asked_often(public, cards, row, source)
        _law(bot[0], rules[0], public[row], cards[row], source, out[row])
