"""Amounts of money in logs as whole chips: dollars and cents become cents, and are written back as they were."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

from luckless.histories.rejects import BadHand

LARGEST = 2**31
FINEST = 6
"""Decimal places that an amount may have."""


def places_of(value: Any) -> int:
    """How many decimal places a number of a log has (0 for whole numbers); refuses anything else."""
    if type(value) is int:
        return 0
    if not isinstance(value, Decimal) or not value.is_finite():
        raise BadHand(f"{value!r} is not an amount")
    exponent = value.as_tuple().exponent
    if not isinstance(exponent, int) or not -FINEST <= exponent <= FINEST:
        raise BadHand(f"{value} has too many digits for an amount")
    return max(-exponent, 0)


def scale_for(places: int) -> int:
    """Chips in a unit for so many decimal places: 1, 100 for cents, and a million beyond."""
    return 1 if places == 0 else 100 if places <= 2 else 10**FINEST


def kept_scale(so_far: int, used: int) -> int:
    """The scale to go on with after a hand: cents stay cents, but one odd hand with finer parts changes nothing."""
    return max(so_far, used) if used <= 100 else so_far


def chips_of(value: Any, scale: int) -> int:
    """An amount in whole chips."""
    if type(value) is int and scale == 1 and -LARGEST < value < LARGEST:
        return value
    places_of(value)
    chips = value * scale
    if chips != int(chips) or not -LARGEST < chips < LARGEST:
        raise BadHand(f"{value} is not an amount of whole chips below 2**31")
    return int(chips)


def fraction_of(value: Any, scale: int) -> Fraction | int:
    """A result in chips, which may be a fraction of one."""
    if type(value) is int:
        return value * scale
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise BadHand(f"{value!r} is not an amount")
    if isinstance(value, Decimal) and (not value.is_finite() or not -30 < value.adjusted() < 12):
        raise BadHand(f"{value} is not an amount")
    return Fraction(value) * scale


def unit_text(chips: int, scale: int) -> str:
    """Chips in units of the source, without needless zeros."""
    if chips % scale == 0:
        return str(chips // scale)
    return f"{Decimal(chips) / scale:f}"
