"""The settings of DIVAT as data: how EHR is made, when the baseline folds, and how many bets a hand is worth.

Every threshold is an exact fraction, so that the class of a hand never hangs on a rounding. Sources: Kan, Postgame
Analysis of Poker Decisions (MSc thesis, University of Alberta, 2007), tables 3.2 (standard), 4.1 (bets) and 4.2
(folds).
"""

import dataclasses
import hashlib
import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.cards import STREETS
from luckless.errors import InputError
from luckless.hands.effective import (
    EHR_UNITS,
    THESIS_FOLD_OFFSETS,
    THESIS_MAKES,
    EffectiveRank,
    Row,
    exact_row,
)

PREFLOP, FLOP, TURN, RIVER = range(4)

CLASSES = ("F", "C", "M1", "M2", "M3", "M4")
"""What the baseline does with a hand: fold, call, or make so many bets."""

BET_SIZES = (1, 1, 2, 2)
"""Small bets that one bet is worth, by street."""

MOST_INVESTED = (1, 4, 8, 16)
"""The most small bets that a player can have in the pot at the start of a street (the blinds count as matched)."""


class Cutoffs(NamedTuple):
    """The thresholds as whole counts, for compiled code; counts are in parts of `EHR_UNITS` of their street.

    `bars` goes to `hands.effective.effective_count`. A count below `fold_below[street, invested]` folds, where
    `invested` is what each player has in the pot at the start of the street, in small bets (0 for what cannot be);
    any other count is worth so many bets as there are entries of `make_above[street]` that it is above.
    """

    bars: NDArray[np.int64]
    fold_below: NDArray[np.int64]
    make_above: NDArray[np.int64]


@dataclass(frozen=True)
class DivatSettings:
    """One reading of what sensible play is; DIVAT is unbiased under any of them.

    `ehr` names how the effective rank is made: "thesis" or "max". `fold_offsets` (a number a street) are added to the
    equilibrium fold rate bet / (pot + bet); `makes` holds Make1 to Make4 of each street.
    """

    name: str = "standard"
    ehr: str = "thesis"
    fold_offsets: Row = THESIS_FOLD_OFFSETS
    makes: tuple[Row, Row, Row, Row] = THESIS_MAKES

    def __post_init__(self) -> None:
        if self.ehr not in ("thesis", "max"):
            raise InputError(f"the EHR setting is {self.ehr!r}; allowed is thesis or max")
        for name, row in zip(STREETS, self.makes, strict=True):
            if list(row) != sorted(row):
                raise InputError(f"the make thresholds of the {name} must not decrease: {', '.join(map(str, row))}")

    @property
    def effective_rank(self) -> EffectiveRank:
        """How EHR is made of IHR and 7cHR under these settings."""
        if self.ehr == "max":
            return EffectiveRank(make1=None)
        preflop, flop, turn, river = (row[0] for row in self.makes)
        return EffectiveRank(make1=(preflop, flop, turn, river))

    def fold_threshold(self, street: int, invested: int) -> Fraction:
        """The EHR below which the baseline folds to a bet, with so many small bets a player in the pot.

        Before the flop the pot counts as both blinds matched, so `invested` is 1 there.
        """
        bet = BET_SIZES[street]
        return Fraction(bet, 2 * invested + bet) + self.fold_offsets[street]

    def class_of(self, street: int, invested: int, ehr: Fraction) -> int:
        """The class (place in `CLASSES`) of a hand with this EHR; folding is decided first."""
        if ehr < self.fold_threshold(street, invested):
            return 0
        return 1 + sum(ehr > make for make in self.makes[street])

    def cutoffs(self) -> Cutoffs:
        """The same thresholds as whole counts."""
        fold_below = np.zeros((4, MOST_INVESTED[RIVER] + 1), np.int64)
        make_above = np.zeros((4, 4), np.int64)
        for number, unit in enumerate(EHR_UNITS):
            for invested in range(1, MOST_INVESTED[number] + 1):
                fold_below[number, invested] = math.ceil(self.fold_threshold(number, invested) * unit)
            make_above[number] = [math.floor(make * unit) for make in self.makes[number]]
        return Cutoffs(self.effective_rank.bars(), fold_below, make_above)

    def with_bets(self, style: str, streets: Iterable[int] = (FLOP, TURN)) -> "DivatSettings":
        """These settings with the make thresholds of a style of table 4.1 on some streets."""
        row = _style(BET_STYLES, style, "bet")
        chosen = tuple(streets)
        first, second, third, fourth = (row if number in chosen else own for number, own in enumerate(self.makes))
        return dataclasses.replace(
            self, name=f"{self.name}, bets {style} on {_names(chosen)}", makes=(first, second, third, fourth)
        )

    def with_folds(self, style: str, streets: Iterable[int] = (FLOP, TURN)) -> "DivatSettings":
        """These settings with the fold offsets of a style of table 4.2 on the flop, the turn or both."""
        flop, turn = _style(FOLD_STYLES, style, "fold")
        chosen = tuple(streets)
        offsets = list(self.fold_offsets)
        for number in chosen:
            if number not in (FLOP, TURN):
                raise InputError(f"fold styles are for the flop and the turn, not the {STREETS[number]}")
            offsets[number] = flop if number == FLOP else turn
        first, second, third, fourth = offsets
        return dataclasses.replace(
            self, name=f"{self.name}, folds {style} on {_names(chosen)}", fold_offsets=(first, second, third, fourth)
        )

    def digest(self) -> str:
        """Sixteen characters that are equal exactly for settings that judge alike, whatever their names."""
        contents = [self.ehr, *map(str, self.fold_offsets), *(str(make) for row in self.makes for make in row)]
        return hashlib.sha256(json.dumps(contents).encode()).hexdigest()[:16]


def _style(styles: "dict[str, Row] | dict[str, tuple[Fraction, Fraction]]", name: str, kind: str) -> Any:
    if name not in styles:
        raise InputError(f"{kind} style {name!r} is not known: {', '.join(styles)}")
    return styles[name]


def _names(streets: tuple[int, ...]) -> str:
    return " and ".join(STREETS[number] for number in streets)


STANDARD = DivatSettings()
"""The thesis's settings (table 3.2)."""

SLIDES = DivatSettings(name="slides", ehr="max")
"""The same thresholds with EHR = max(IHR, 7cHR) everywhere."""


def sweep(base: DivatSettings = STANDARD) -> list[DivatSettings]:
    """Some settings, then the same with every other style of tables 4.1 and 4.2 on the flop, and on the turn."""
    varied = [base.with_bets(style, (number,)) for number in (FLOP, TURN) for style in BET_STYLES]
    varied += [base.with_folds(style, (number,)) for number in (FLOP, TURN) for style in FOLD_STYLES]
    own = base.digest()
    return [base, *(settings for settings in varied if settings.digest() != own)]


BET_STYLES: dict[str, Row] = {
    "aggressive-high": exact_row("0.46", "0.775", "0.91", "0.955"),
    "aggressive-medium": exact_row("0.49", "0.7875", "0.915", "0.9575"),
    "aggressive-low": exact_row("0.52", "0.8", "0.92", "0.96"),
    "moderate-aggressive": exact_row("0.55", "0.8125", "0.925", "0.9625"),
    "moderate": exact_row("0.58", "0.825", "0.93", "0.965"),
    "moderate-conservative": exact_row("0.61", "0.8375", "0.935", "0.965"),
    "conservative-low": exact_row("0.64", "0.85", "0.94", "0.97"),
    "conservative-medium": exact_row("0.67", "0.8625", "0.945", "0.9725"),
    "conservative-high": exact_row("0.7", "0.875", "0.945", "0.975"),
}
"""Make1 to Make4 of table 4.1 as printed, its two breaks in the steps (0.9650 and 0.9450 twice) included."""

FOLD_STYLES: dict[str, tuple[Fraction, Fraction]] = {
    name: (Fraction(flop, 1000), Fraction(flop + 25, 1000))
    for name, flop in {
        "loose-high": -25,
        "loose-medium": 0,
        "loose-low": 25,
        "moderate-loose": 50,
        "normal": 75,
        "moderate-tight": 100,
        "tight-low": 125,
        "tight-medium": 150,
        "tight-high": 175,
    }.items()
}
"""Fold offsets of the flop and the turn of table 4.2: the turn's is always 0.025 above the flop's."""
