"""Ranges of starting hands in the usual notation: "TT+, AQs+, KJo, 76s-54s, AcKd, 50%" or "??" for any two cards."""

import functools
import itertools
import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from luckless.cards import RANKS, parse_cards
from luckless.errors import InputError
from luckless.hands.pairs import PAIR_CARDS
from luckless.hands.preflop import class_label, class_numbers, preflop_counts

Combo = tuple[int, int]
"""Two cards, the lower number first."""

COMBOS: tuple[Combo, ...] = tuple((low, high) for low, high in PAIR_CARDS.tolist())
"""All 1,326 pairs of cards, by number (`pairs.pair_number`)."""

ALLOWED = (
    "a range is a list of pairs (QQ, TT+, QQ-99), suited, offsuit or either (AKs, KJo, KJ, AQs+, 76s-54s, A5s-A2s), "
    "cards (AcKd), the best hands (50%) or any two cards (?? or random)"
)

_CLASS = f"([{RANKS}])([{RANKS}])([SO]?)"
_CLASS_TOKEN = re.compile(f"{_CLASS}([+]?)")
_SPAN_TOKEN = re.compile(f"{_CLASS}-{_CLASS}")
_CARDS_TOKEN = re.compile("(?:[^-+%]{2}){2}")
_PERCENT_TOKEN = re.compile(r"(\d+(?:\.\d*)?|\.\d+)%")

_Class = tuple[int, int, str]
"""Ranks, higher first, and "S" (suited), "O" (offsuit) or "" (a pair, or both)."""


@dataclass(frozen=True, eq=False)
class Range:
    """A set of starting hands: `combos` has one row of two cards, lower number first, a hand, sorted, read-only."""

    text: str
    combos: NDArray[np.int64]

    def __post_init__(self) -> None:
        self.combos.flags.writeable = False

    def __len__(self) -> int:
        return len(self.combos)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Range) and np.array_equal(self.combos, other.combos)

    def __hash__(self) -> int:
        return hash(self.combos.tobytes())

    @property
    def is_one_hand(self) -> bool:
        """Whether it names both cards exactly."""
        return len(self) == 1

    @property
    def is_random(self) -> bool:
        """Whether it holds any two cards."""
        return len(self) == len(COMBOS)

    def without(self, cards: set[int]) -> "Range":
        """The hands of the range that use none of the cards."""
        free = ~np.isin(self.combos, list(cards)).any(axis=1)
        return Range(self.text, self.combos[free])


def parse_range(text: str) -> Range:
    """The hands that a range names; tokens stand between commas or spaces, and a hand named twice counts once.

    `TT+` is that pair and the higher ones; `AQs+` raises the second card (AQs, AKs); `QQ-99`, `A5s-A2s` and
    `76s-54s` run between two ends that share the higher card or the gap; `KJ` is suited and offsuit; `50%` is the
    smallest set of the best classes, by equity against a random hand, that makes up half of the 1,326 hands.
    """
    tokens = text.replace(",", " ").split()
    if not tokens:
        raise InputError(f"the range {text!r} is empty: {ALLOWED}")
    different = list(dict.fromkeys(tokens))
    if len(different) > len(COMBOS):
        raise InputError(f"the range has {len(different):,} different entries; there are only {len(COMBOS):,} hands")
    combos = set[Combo]().union(*(_token_combos(token) for token in different))
    return Range(",".join(tokens), np.array(sorted(combos), np.int64))


def class_name(combo: Combo) -> str:
    """The class of two cards, such as "TT", "AKs" or "AKo"."""
    return class_label(int(class_numbers(np.array([combo]))[0]))


def _token_combos(token: str) -> set[Combo]:
    spelled = token.upper()
    if spelled in ("??", "RANDOM"):
        return set(COMBOS)
    if match := _PERCENT_TOKEN.fullmatch(spelled):
        return _best_combos(float(match[1]), token)
    spelled = spelled.replace("10", "T")
    if match := _CLASS_TOKEN.fullmatch(spelled):
        return _class_token(_read_class(match[1], match[2], match[3], token), bool(match[4]))
    if match := _SPAN_TOKEN.fullmatch(spelled):
        ends = _read_class(match[1], match[2], match[3], token), _read_class(match[4], match[5], match[6], token)
        return set[Combo]().union(*(_combos(between) for between in _span(ends, token)))
    if _CARDS_TOKEN.fullmatch(spelled):
        low, high = sorted(parse_cards(token))
        return {(low, high)}
    raise InputError(f"{token!r} is not a hand or range: {ALLOWED}")


def _read_class(first: str, second: str, kind: str, token: str) -> _Class:
    high, low = sorted((RANKS.index(first), RANKS.index(second)), reverse=True)
    if high == low and kind:
        raise InputError(f"{token!r}: a pair is neither suited nor offsuit; write {first}{second}")
    return high, low, kind


def _combos(hands: _Class) -> set[Combo]:
    high, low, kind = hands
    return {
        (low * 4 + second, high * 4 + first)
        for first, second in itertools.product(range(4), repeat=2)
        if (second < first if high == low else not kind or (first == second) == (kind == "S"))
    }


def _class_token(hands: _Class, and_better: bool) -> set[Combo]:
    high, low, kind = hands
    if not and_better:
        return _combos(hands)
    if high == low:
        return set[Combo]().union(*(_combos((rank, rank, "")) for rank in range(low, 13)))
    return set[Combo]().union(*(_combos((high, rank, kind)) for rank in range(low, high)))


def _span(ends: tuple[_Class, _Class], token: str) -> list[_Class]:
    """The classes between two ends that are both pairs, share the higher card, or share the gap."""
    (high, low, kind), (other_high, other_low, other_kind) = ends
    steps = range(abs(low - other_low) + 1)
    lowest, lowest_high = min(low, other_low), min(high, other_high)
    if kind == other_kind and (high == low) == (other_high == other_low):
        if high == other_high and high != low:
            return [(high, lowest + step, kind) for step in steps]
        if high - low == other_high - other_low:
            return [(lowest_high + step, lowest + step, kind) for step in steps]
    raise InputError(
        f"{token!r}: the two ends of a range must be pairs (QQ-99), share the higher card (A5s-A2s) "
        "or share the gap (76s-54s), and both be suited, both offsuit or neither"
    )


def _best_combos(percent: float, token: str) -> set[Combo]:
    if not 0 < percent <= 100:
        raise InputError(f"{token!r} must be more than 0% and at most 100%")
    wanted = percent * len(COMBOS) / 100
    best = set[Combo]()
    for hands in _classes_by_equity():
        if len(best) >= wanted:
            break
        best |= hands
    return best


@functools.cache
def _classes_by_equity() -> tuple[frozenset[Combo], ...]:
    """The hands of each class, the best class against a random hand first."""
    counts = preflop_counts()
    classes = class_numbers(PAIR_CARDS)
    order = np.argsort(-(2 * counts.ahead + counts.tied), kind="stable")
    return tuple(frozenset(COMBOS[combo] for combo in np.flatnonzero(classes == number)) for number in order)
