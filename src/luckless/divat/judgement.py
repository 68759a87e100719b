"""DIVAT of a whole match or of logs: every hand judged, and one estimate for money, skill, luck and each side line.

Values are in small bets and those of one player, the first that is named in the hands. The sample is the hand, or in
a duplicate match the pair of hands played with one deal.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.cards import STREETS
from luckless.divat.analysis import PlayerView, analyse
from luckless.divat.continuations import Valuation
from luckless.divat.duplicates import Pairs, find_pairs, refuse_copies
from luckless.divat.gathering import Log, NothingToJudge, OnLogReject, PlayedHands, gather
from luckless.divat.position import position_value
from luckless.matches.settings import now
from luckless.rules.columns import HandColumns
from luckless.shown import Shown
from luckless.stats.estimate import Estimate, estimate
from luckless.stats.units import SMALL_BETS

Unknown = Literal["leave", "money"]
"""Hands of which a player's cards are not known: left out of the skill estimate, or judged by their money."""

BATCH = 4_096
MEASURES = (
    "money", "money_judged", "divat", "luck", "lfat", "evat", "dcash", "money_minus_dcash", "redgreen",
    "redgreen_opponent", "round_ev", "fold_equity",
)  # fmt: skip
UNIT = "small bets a hand"
NO_SPREAD = 1e-9
"""In small bets; a smaller spread is only rounding."""


def figures(rate: Estimate) -> dict[str, Any]:
    """An estimate in small bets as plain values for JSON."""
    return {"mean": rate.mean, "sd": rate.sd, "stderr": rate.stderr, "ci95": rate.ci95}


class Saving(NamedTuple):
    """What DIVAT saves: by what factor it divides the variance of money, and how many hands judged by money tell as
    much as those that were judged by it."""

    variance_ratio: float
    hands_worth: float


@dataclass(frozen=True, repr=False)
class Judgement(Shown):
    """Hands judged from the side of one player.

    `values[name]` holds a number a hand of `played` for each measure of `PlayerView`, `streets[name]` a number a hand
    and street where the measure has streets; both are NaN in hands that the measure leaves out. `money` is that of
    all hands, `money_judged` that of the hands in the skill estimate.
    """

    showing: ClassVar[str] = "judgement"

    played: PlayedHands
    valuation: Valuation
    unknown_as: Unknown
    values: dict[str, NDArray[np.float64]]
    streets: dict[str, NDArray[np.float64]]
    pairs: Pairs
    """Rows of the hands that are duplicate sets."""
    judged: str = field(default_factory=now, compare=False)
    """When they were judged; empty where a file does not say."""

    @property
    def player(self) -> str:
        """Whose values these are."""
        return self.played.player

    @property
    def opponent(self) -> str:
        """The other player."""
        return self.played.opponent

    @cached_property
    def hands(self) -> int:
        """Hands of the skill estimate."""
        return int(np.isfinite(self.values["divat"]).sum())

    @cached_property
    def unknown(self) -> int:
        """Hands of which not all cards are known."""
        return int((~self.played.known).sum())

    @cached_property
    def judged_pairs(self) -> int:
        """Duplicate sets of which both hands are in the skill estimate."""
        return len(self._pairs_of(self.values["divat"]))

    @property
    def duplicate(self) -> bool:
        """Whether the sample is the duplicate set: at least half of the judged hands are in whole sets."""
        return 0 < self.hands <= 4 * self.judged_pairs

    @property
    def incomplete(self) -> int:
        """Judged hands of a duplicate match whose partner is missing or not judged."""
        return self.hands - 2 * self.judged_pairs if self.duplicate else 0

    @property
    def set_size(self) -> int:
        """Hands of a sample."""
        return 2 if self.duplicate else 1

    def total(self, measure: str, street: int | None = None) -> float:
        """The sum of a measure over all hands that have it."""
        return float(np.nansum(self._column(measure, street)))

    def estimate(self, measure: str, street: int | None = None, *, duplicate: bool | None = None) -> Estimate:
        """The mean of a measure a hand, with its interval.

        In a duplicate match the sample is the set, unless `duplicate` is False: then it is the hand, which shows what
        the hands alone would have told.
        """
        return self.estimate_of(self._column(measure, street), measure, duplicate=duplicate)

    def estimate_of(self, values: NDArray[np.float64], name: str, *, duplicate: bool | None = None) -> Estimate:
        """The same for any values a hand; hands with NaN are left out, and so are sets with such a hand."""
        pairs = self._pairs_of(values)
        by_set = self.duplicate and duplicate is not False and len(pairs) > 0
        samples = values[pairs].mean(axis=1) if by_set else values[np.isfinite(values)]
        method = f"{name}, {'duplicate sets' if by_set else 'hands'}"
        return estimate(samples, unit=SMALL_BETS, method=method, hands_per_sample=2 if by_set else 1)

    def saving(self, *, fresh: bool = False) -> Saving | None:
        """What DIVAT saves against money by the same samples, or (`fresh`) against the money of single hands; None if
        there is no spread to compare."""
        money, skill = self.estimate("money_judged"), self.estimate("divat")
        if fresh:
            money = self.estimate("money_judged", duplicate=False)
        if not money.sd or not skill.sd or min(money.sd, skill.sd) < NO_SPREAD:
            return None
        ratio = (money.sd**2 * money.hands / money.samples) / (skill.sd**2 * skill.hands / skill.samples)
        return Saving(ratio, skill.hands * ratio)

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON: every measure, its spread and its streets."""
        position = position_value(self.valuation)
        result: dict[str, Any] = {
            "hands": self.hands,
            "unit": UNIT,
            "players": [self.player, self.opponent],
            "equity": self.valuation.equity,
            "settings": self.valuation.settings.name,
            "hands_of_a_sample": self.set_size,
            "incomplete_hands": self.incomplete,
            "all_hands": len(self.played),
            "unknown_hands": self.unknown,
            "unknown_as": self.unknown_as,
            "position": self.estimate("position", duplicate=False).mean,
            "position_of_the_big_blind": {"value": position.value, "stderr": position.stderr},
            "saving": self._saving_dict(self.saving()),
            "saving_against_fresh_decks": self._saving_dict(self.saving(fresh=True)),
            "warnings": list(self.estimate("divat").warnings),
        }
        result |= {measure: self._measure_dict(measure) for measure in MEASURES}
        if self.duplicate:
            result["hand_by_hand"] = {
                name: {**figures(self.estimate(name, duplicate=False)), "total": self.total(name)}
                for name in ("money", "divat")
            }
        return result

    def _measure_dict(self, measure: str) -> dict[str, Any]:
        result = {**figures(self.estimate(measure)), "total": self.total(measure)}
        if measure in self.streets:
            result["by_round"] = [
                {"round": name, **figures(self.estimate(measure, street)), "total": self.total(measure, street)}
                for street, name in enumerate(STREETS)
            ]
        return result

    def _saving_dict(self, saving: Saving | None) -> dict[str, float] | None:
        if saving is None:
            return None
        return {**saving._asdict(), "hands_saved": saving.hands_worth - self.estimate("divat").hands}

    def _column(self, measure: str, street: int | None) -> NDArray[np.float64]:
        return self.values[measure] if street is None else self.streets[measure][:, street]

    def _pairs_of(self, values: NDArray[np.float64]) -> Pairs:
        return self.pairs[np.isfinite(values[self.pairs]).all(axis=1)]


def judge(
    batches: Iterable[HandColumns],
    valuation: Valuation | None = None,
    *,
    unknown: Unknown = "leave",
    on_reject: OnLogReject | None = None,
    on_judged: Callable[[int], None] | None = None,
) -> Judgement:
    """Judges the hands of one match or log; `gathering.gather` and `judge_hands` do the same for several."""
    hands = gather([Log("the log", batches)], on_reject)
    return judge_hands(hands, valuation, unknown=unknown, on_judged=on_judged)


def judge_hands(
    hands: PlayedHands,
    valuation: Valuation | None = None,
    *,
    unknown: Unknown = "leave",
    on_judged: Callable[[int], None] | None = None,
) -> Judgement:
    """Judges hands that `gathering.gather` has read; `on_judged` hears how many, each time some more are done."""
    valuation = valuation or Valuation()
    refuse_copies(hands)
    known = np.flatnonzero(hands.known)
    if not len(known):
        raise NothingToJudge
    values = {name: np.full(len(hands), np.nan) for name in PlayerView._fields}
    streets: dict[str, NDArray[np.float64]] = {}
    for first in range(0, len(known), BATCH):
        rows = known[first : first + BATCH]
        for name, column in view_of(hands, rows, valuation)._asdict().items():
            values[name][rows] = column.sum(axis=1) if column.ndim == 2 else column
            if column.ndim == 2:
                streets.setdefault(name, np.full((len(hands), 4), np.nan))[rows] = column
        if on_judged is not None:
            on_judged(len(rows))
    values["money_judged"] = values["money"]
    values["money"] = hands.money
    if unknown == "money":
        values["divat"] = np.where(hands.known, values["divat"], hands.money)
        values["money_judged"] = hands.money
    return Judgement(hands, valuation, unknown, values, streets, find_pairs(hands))


def view_of(hands: PlayedHands, rows: NDArray[np.int64], valuation: Valuation) -> PlayerView:
    """What DIVAT says of some hands, from the side of the judged player."""
    cards = hands.decks[rows].astype(np.int64)
    analysis = analyse(cards[:, :4].reshape(-1, 2, 2), cards[:, 4:], hands.lines[rows], valuation)
    return analysis.seen_by(hands.seats[rows])
