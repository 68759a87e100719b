"""Ranges with weights: each token of the usual notation may end in how often its hands are held, as in `A5s:0.5`."""

import numpy as np
from numpy.typing import NDArray

from luckless.cards import format_cards
from luckless.errors import InputError
from luckless.hands.pairs import PAIR_CARDS, PAIRS, pair_numbers
from luckless.hands.ranges import ALLOWED, parse_range


def parse_weights(text: str) -> NDArray[np.float64]:
    """A weight from 0 to 1 for each of the 1,326 pairs, by number (`pairs.pair_number`); 1 where none is written.

    A hand that is named twice must have the same weight both times.
    """
    tokens = text.replace(",", " ").split()
    if not tokens:
        raise InputError(f"the range {text!r} is empty: {ALLOWED}; a weight follows a colon (AKs:0.5)")
    weights = np.full(PAIRS, -1.0)
    for token in tokens:
        name, colon, written = token.partition(":")
        weight = _weight_of(written, token) if colon else 1.0
        pairs = pair_numbers(parse_range(name).combos)
        other = pairs[(weights[pairs] >= 0) & (weights[pairs] != weight)]
        if len(other):
            hand = format_cards(PAIR_CARDS[other[0]][::-1])
            raise InputError(f"range {text!r}: {token!r} gives {hand} another weight than before; name a hand once")
        weights[pairs] = weight
    weights[weights < 0] = 0.0
    return weights


def _weight_of(written: str, token: str) -> float:
    try:
        weight = float(written)
    except ValueError:
        weight = -1.0
    if not 0 <= weight <= 1:
        raise InputError(f"{token!r}: the weight after the colon must be a number from 0 to 1")
    return weight
