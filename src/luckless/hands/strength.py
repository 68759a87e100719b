"""How strong 5, 6 or 7 cards are: numbers to compare, categories to count, names to read."""

import functools

import numpy as np
from numpy.typing import ArrayLike, NDArray

from luckless.cards import RANK_NAMES, RANK_PLURALS
from luckless.errors import InputError
from luckless.hands import strength_build as classes

CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
STRENGTHS = 7462
"""The number of distinct strengths; they run from 1 (7-5-4-3-2) to this (the royal flush)."""


def strengths(cards: ArrayLike) -> NDArray[np.uint16]:
    """Strength of each hand in an array of shape (n, 5), (n, 6) or (n, 7) of card numbers.

    Higher is better, and two strengths are equal exactly when the hands tie; hands of different sizes compare.
    Cards must be 0..51 and different within a row.
    """
    rows = np.asarray(cards)
    if rows.ndim != 2 or rows.shape[1] not in (5, 6, 7):
        raise InputError(f"hands must be an array of shape (n, 5), (n, 6) or (n, 7), not {rows.shape}")
    if rows.dtype.kind not in "iu":
        raise InputError(f"cards must be integers 0 to 51, not {rows.dtype}")
    from luckless.hands.evaluator import first_bad_row, strength_rows

    bad = first_bad_row(rows)
    if bad >= 0:
        raise InputError(f"row {bad} is {rows[bad].tolist()}: cards must be different numbers from 0 to 51")
    out = np.empty(len(rows), np.uint16)
    strength_rows(rows, out)
    return out


@functools.cache
def _hand_classes() -> list[classes.HandClass]:
    return classes.hand_classes()


@functools.cache
def _category_starts() -> NDArray[np.uint16]:
    categories = np.array([hand.category for hand in _hand_classes()])
    return (np.searchsorted(categories, np.arange(1, len(CATEGORIES))) + 1).astype(np.uint16)


def categories(strengths: ArrayLike) -> NDArray[np.uint8]:
    """Category (index into `CATEGORIES`) of each strength."""
    return np.searchsorted(_category_starts(), np.asarray(strengths), side="right").astype(np.uint8)


def describe(strength: int) -> str:
    """A strength in words, such as "two pair, kings and fives, ace kicker"."""
    if not 1 <= strength <= STRENGTHS:
        raise InputError(f"strength {strength} is outside 1 to {STRENGTHS}")
    category, ranks = _hand_classes()[strength - 1]
    name, top = CATEGORIES[category], ranks[0]
    if category == classes.STRAIGHT_FLUSH and top == 12:
        return "royal flush"
    if category in (classes.STRAIGHT, classes.STRAIGHT_FLUSH):
        low = "ace" if top == 3 else RANK_NAMES[top - 4]
        return f"{name}, {low} to {RANK_NAMES[top]}"
    if category == classes.FULL_HOUSE:
        return f"{name}, {RANK_PLURALS[top]} over {RANK_PLURALS[ranks[1]]}"
    if category == classes.TWO_PAIR:
        pairs = f"{RANK_PLURALS[top]} and {RANK_PLURALS[ranks[1]]}"
        return f"{name}, {pairs}, {RANK_NAMES[ranks[2]]} kicker"
    if category in (classes.HIGH_CARD, classes.FLUSH):
        return f"{name}, {', '.join(RANK_NAMES[rank] for rank in ranks)}"
    kickers = [RANK_NAMES[rank] for rank in ranks[1:]]
    return f"{name}, {RANK_PLURALS[top]}, {', '.join(kickers)} kicker{'s' if len(kickers) > 1 else ''}"
