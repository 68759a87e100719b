"""The units of a win rate and the one place where they are converted.

Every unit is a rate per hand (`bb/100` spells the same rate for 100 hands): chips, big blinds, thousandths of a big
blind, or small bets (the unit of limit games). Names carry the unit: `_chips`, `_bb`, `_mbb`, `_bb100`, `_sb`.
"""

import math

from luckless.errors import InputError

CHIPS = "chips/h"
BIG_BLINDS = "bb/h"
MILLI_BIG_BLINDS = "mbb/h"
BIG_BLINDS_PER_100 = "bb/100"
SMALL_BETS = "sb/h"

# What a unit counts, and how many of the unit make one of it a hand.
_UNITS = {
    CHIPS: ("chip", 1),
    BIG_BLINDS: ("big blind", 1),
    MILLI_BIG_BLINDS: ("big blind", 1000),
    BIG_BLINDS_PER_100: ("big blind", 100),
    SMALL_BETS: ("small bet", 1),
}
UNITS = tuple(_UNITS)


def unit_factor(source: str, target: str, *, big_blind: float | None = None, small_bet: float | None = None) -> float:
    """What a rate in `source` is multiplied by to give it in `target`.

    `big_blind` and `small_bet` are in chips, and needed only where the two units count different things.

    >>> unit_factor("mbb/h", "bb/100")
    0.1
    >>> unit_factor("chips/h", "mbb/h", big_blind=100)
    10.0
    """
    counted, per_source = _known(source)
    wanted, per_target = _known(target)
    if counted == wanted:
        return per_target / per_source
    chips = {"chip": 1.0, "big blind": big_blind, "small bet": small_bet}
    worth, price = (_price(chips[thing], thing, source, target) for thing in (counted, wanted))
    return per_target * worth / (per_source * price)


def convert(
    value: float, source: str, target: str, *, big_blind: float | None = None, small_bet: float | None = None
) -> float:
    """A rate given in `source`, in `target`.

    >>> convert(150, "mbb/h", "bb/100")
    15.0
    """
    return value * unit_factor(source, target, big_blind=big_blind, small_bet=small_bet)


def _known(unit: str) -> tuple[str, int]:
    if unit not in _UNITS:
        raise InputError(f"unknown unit {unit!r}; allowed is {', '.join(UNITS)}")
    return _UNITS[unit]


def _price(chips: float | None, thing: str, source: str, target: str) -> float:
    if chips is None:
        raise InputError(f"converting {source} to {target} needs the size of the {thing} in chips")
    if not 0 < chips < math.inf:
        raise InputError(f"the {thing} is {chips} chips; allowed is a finite number above 0")
    return chips
