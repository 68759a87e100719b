"""The skill estimate under many settings: how little it moves, pair by pair of results, and its average.

The values after the betting of a street are computed for all settings together. Before the flop a setting's value is
that of the base, exact where there is a table, plus the mean change on a few sampled flops: that is unbiased, and its
noise is part of the spread from hand to hand.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.divat.analysis import After, RankedHands, differences, rank_hands
from luckless.divat.continuations import Valuation
from luckless.divat.judgement import Judgement, figures
from luckless.divat.postflop import Continuation, roll_out
from luckless.divat.sampled import sampled_changes
from luckless.divat.settings import FLOP, MOST_INVESTED, PREFLOP, RIVER, TURN, DivatSettings, sweep
from luckless.divat.style_rollouts import roll_out_styles
from luckless.errors import InputError
from luckless.stats.estimate import Estimate

FLOPS = 4
"""Flops that are sampled for each hand to value it before the flop under settings without a table."""

HANDS_AT_ONCE = 256


class Swept(NamedTuple):
    """One setting: the skill under it, and that minus the skill under the base, hand by hand."""

    settings: DivatSettings
    skill: Estimate
    difference: Estimate


@dataclass(frozen=True)
class Sweep:
    """The skill of a player under many settings, the base first; `hands` of those that were judged were taken."""

    swept: tuple[Swept, ...]
    average: Estimate
    hands: int
    drawn: bool
    """Whether the hands were drawn at random from more."""

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON."""
        return {
            "hands": self.hands,
            "drawn_at_random": self.drawn,
            "average": figures(self.average),
            "settings": [
                {"settings": line.settings.name, **figures(line.skill), "difference": figures(line.difference)}
                for line in self.swept
            ],
        }


def sweep_judgement(
    judgement: Judgement, *, most_hands: int = 0, on_judged: Callable[[int], None] | None = None
) -> Sweep:
    """Judges the hands of a judgement again under every style of the thesis.

    With `most_hands` above 0 at most so many hands are taken, drawn at random (in a duplicate match by whole sets).
    """
    rows = _draw(judgement, most_hands)
    styles = sweep(judgement.valuation.settings)
    skill = np.tile(judgement.values["divat"], (len(styles), 1))
    known = rows[judgement.played.known[rows]]
    for first in range(0, len(known), HANDS_AT_ONCE):
        some = known[first : first + HANDS_AT_ONCE]
        skill[1:, some] = _skill_under(judgement, some, styles[1:])
        if on_judged is not None:
            on_judged(len(some))
    left_out = np.ones(len(judgement.played), bool)
    left_out[rows] = False
    skill[:, left_out] = np.nan
    swept = tuple(
        Swept(
            settings,
            judgement.estimate_of(values, "divat"),
            judgement.estimate_of(values - skill[0], "change of divat"),
        )
        for settings, values in zip(styles, skill, strict=True)
    )
    average = judgement.estimate_of(skill.mean(axis=0), "divat, average over settings")
    return Sweep(swept, average, len(rows), len(rows) < judgement.hands)


def check_size(most_hands: int) -> None:
    """Refuses a number of hands that no sweep can be made over."""
    if most_hands < 0 or most_hands == 1:
        raise InputError(f"a sweep cannot use {most_hands} hands; allowed is 0 (all of them), 2 or more")


def sweep_size(judgement: Judgement, most_hands: int) -> int:
    """Hands that a sweep works through."""
    return int(judgement.played.known[_draw(judgement, most_hands)].sum())


def _draw(judgement: Judgement, most_hands: int) -> NDArray[np.int64]:
    """The rows of the hands to take, in order."""
    check_size(most_hands)
    judged = np.flatnonzero(np.isfinite(judgement.values["divat"]))
    if not 0 < most_hands < len(judged):
        return judged
    rng = np.random.default_rng(0)
    if not judgement.duplicate:
        return np.sort(rng.choice(judged, most_hands, replace=False))
    whole = judgement.pairs[np.isfinite(judgement.values["divat"][judgement.pairs]).all(axis=1)]
    return np.sort(rng.choice(whole, min(len(whole), most_hands // 2), replace=False).ravel())


def _skill_under(judgement: Judgement, rows: NDArray[np.int64], styles: list[DivatSettings]) -> NDArray[np.float64]:
    """The skill of the player in some hands under other settings: [setting, hand]."""
    cards = judgement.played.decks[rows].astype(np.int64)
    ranked = rank_hands(cards[:, :4].reshape(-1, 2, 2), cards[:, 4:], judgement.played.lines[rows])
    values_of = _rolled_out_values if judgement.valuation.equity == "roe" else _all_in_values
    values = values_of(ranked, judgement.valuation, styles)
    sign = np.where(judgement.played.seats[rows] == 0, 1.0, -1.0)
    under = [differences(ranked, some, after).sum(axis=1) for some, after in zip(styles, values, strict=True)]
    skill: NDArray[np.float64] = sign * np.array(under)
    return skill


def _all_in_values(ranked: RankedHands, valuation: Valuation, styles: list[DivatSettings]) -> list[After]:
    def after(number: int, rows: NDArray[np.int64], pots: NDArray[np.int64]) -> Continuation:
        return valuation.after(number, ranked.holes[rows], ranked.boards[rows], pots)

    return [after] * len(styles)


def _rolled_out_values(ranked: RankedHands, base: Valuation, styles: list[DivatSettings]) -> list[After]:
    """Values of the hands under each setting, from tables of every pot that a street can end with.

    All settings of a sweep play the river alike, so that the turn's values are the same for all of them.
    """
    holes, boards = ranked.holes, ranked.boards
    changes = sampled_changes(holes, base.settings, styles, FLOPS, base.seed)
    before = base.after(PREFLOP, holes, boards, _every_pot(PREFLOP, len(holes))).values
    on_flop, on_turn = ranked.rows[FLOP], ranked.rows[TURN]
    flops = roll_out_styles(holes[on_flop], boards[on_flop], styles)
    turns = roll_out(TURN, holes[on_turn], boards[on_turn], _every_pot(TURN, len(on_turn)), base.settings).values

    def values_of(style: int) -> After:
        by_street = (before + changes[style], flops[style], turns)

        def after(number: int, rows: NDArray[np.int64], pots: NDArray[np.int64]) -> Continuation:
            if number == RIVER:
                return roll_out(RIVER, holes[rows], boards[rows], pots, base.settings)
            return Continuation(np.take_along_axis(by_street[number], pots - 1, axis=1), np.zeros(len(rows)))

        return after

    return [values_of(style) for style in range(len(styles))]


def _every_pot(number: int, count: int) -> NDArray[np.int64]:
    """All pots that the betting of a street can end with, for each of so many hands."""
    return np.tile(np.arange(1, MOST_INVESTED[number + 1] + 1), (count, 1))
