"""DIVAT of one hand, street by street, in the words of the papers: the table that explains a hand."""

import dataclasses
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from luckless.cards import STREETS
from luckless.divat.analysis import Analysis, analyse
from luckless.divat.classes import BOARD_CARDS
from luckless.divat.continuations import Valuation
from luckless.divat.judgement import UNIT
from luckless.divat.lines import NO_LINE, line_number, lines_of
from luckless.divat.settings import CLASSES
from luckless.hands.rank import hand_rank
from luckless.histories.notation import BLINDS, WrittenHand, write_line

NOT_DEALT = -1

Both = tuple[float, float]


class Afterwards(NamedTuple):
    """The first player's value after a street: if it is bet by the baseline, and as it was bet."""

    baseline: float
    actual: float


@dataclass(frozen=True)
class StreetReport:
    """One street of a hand; pairs are (first player, second player), values the first player's in small bets.

    `aie` is the first player's all-in equity; `by_all_in` and `by_roll_out` are the values after the street either
    way, and `baseline_equity` and `actual_equity` those that the hand is judged by. `invested` is what each player
    has in the pot at the start. `luck` is what the deal before the street changed. `baseline` and `actual` are the
    betting in the notation's letters.
    """

    street: str
    board: tuple[int, ...]
    invested: int
    ihr: Both
    hr7: Both
    ehr: Both
    classes: tuple[str, str]
    aie: float
    by_all_in: Afterwards
    by_roll_out: Afterwards
    baseline: str
    actual: str
    baseline_equity: float
    actual_equity: float
    difference: float
    lfat: float
    luck: float
    evat: float
    round_ev: float
    fold_equity: float
    redgreen: Both

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON."""
        return {
            "round": self.street,
            "ihr": self.ihr,
            "hr7": self.hr7,
            "ehr": self.ehr,
            "aie": self.aie,
            "roe": self.by_roll_out.baseline,
            "by_aie": self.by_all_in._asdict(),
            "by_roe": self.by_roll_out._asdict(),
            "class": self.classes,
            "baseline": self.baseline,
            "actual": self.actual,
            "actual_equity": self.actual_equity,
            "baseline_equity": self.baseline_equity,
            "difference": self.difference,
            "luck": self.luck,
            "lfat": self.lfat,
            "evat": self.evat,
            "round_ev": self.round_ev,
            "fold_equity": self.fold_equity,
            "redgreen": self.redgreen,
        }


@dataclass(frozen=True)
class HandReport:
    """A whole hand: its streets, and the sums over them (`Analysis` says what they are); all first player's."""

    valuation: Valuation
    streets: tuple[StreetReport, ...]
    money: float
    position: float
    dcash: float
    difference: float
    luck: float
    lfat: float
    evat: float
    redgreen: Both

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON, with the keys that a judgement of many hands has."""
        return {
            "hands": 1,
            "unit": UNIT,
            "players": ["first", "second"],
            "equity": self.valuation.equity,
            "settings": self.valuation.settings.name,
            "position": self.position,
            "money": self._figures(self.money),
            "divat": self._figures(self.difference, "difference"),
            "luck": self._figures(self.luck, "luck"),
            "lfat": self._figures(self.lfat, "lfat"),
            "evat": self._figures(self.evat, "evat"),
            "dcash": self._figures(self.dcash),
            "money_minus_dcash": self._figures(self.money - self.dcash),
            "redgreen": self._figures(self.redgreen[0]),
            "redgreen_opponent": self._figures(self.redgreen[1]),
            "rounds": [street.to_dict() for street in self.streets],
        }

    def _figures(self, value: float, by_street: str = "") -> dict[str, Any]:
        figures: dict[str, Any] = {"mean": value, "sd": None, "stderr": None, "ci95": None, "total": value}
        if by_street:
            figures["by_round"] = [{"round": part.street, "mean": getattr(part, by_street)} for part in self.streets]
        return figures


class _Judged(NamedTuple):
    """A hand as it is judged, by roll-out and by all-in equity; and the sign of the first player's values."""

    analysis: Analysis
    rolled_out: Analysis
    all_in: Analysis
    sign: int

    def own(self, value: float) -> float:
        """A value of seat 0 as the first player sees it (without a minus before a zero)."""
        return self.sign * value + 0.0


def report_hand(hand: WrittenHand, valuation: Valuation | None = None) -> HandReport:
    """Judges one hand, as `histories.notation.parse_hand` reads it or as made by hand; the first player is the one in
    small letters, in whichever seat."""
    holes = np.array([hand.holes])
    board = np.array([[*hand.board, *[NOT_DEALT] * (5 - len(hand.board))]])
    lines = np.array([[line_number(number, text) for number, text in enumerate(hand.lines)]], np.uint8)
    lines = np.pad(lines, ((0, 0), (0, 4 - len(hand.lines))), constant_values=NO_LINE)
    asked = valuation or Valuation()
    by_kind = {kind: analyse(holes, board, lines, dataclasses.replace(asked, equity=kind)) for kind in ("roe", "aie")}
    analysis = by_kind[asked.equity]
    sign = 1 if hand.first_seat == 0 else -1
    judged = _Judged(analysis, by_kind["roe"], by_kind["aie"], sign)
    return HandReport(
        valuation=asked,
        streets=tuple(_report_street(number, hand, judged) for number in range(len(hand.lines))),
        money=judged.own(float(analysis.money[0])),
        position=judged.own(analysis.position),
        dcash=judged.own(float(analysis.dcash[0])),
        difference=judged.own(float(analysis.difference.sum())),
        luck=judged.own(float(analysis.luck.sum())),
        lfat=judged.own(float(analysis.lfat.sum())),
        evat=judged.own(float(analysis.evat.sum())),
        redgreen=_both(analysis.redgreen[0].sum(axis=0)[::sign]),
    )


def _report_street(number: int, hand: WrittenHand, judged: _Judged) -> StreetReport:
    analysis, sign = judged.analysis, judged.sign
    board = hand.board[: BOARD_CARDS[number]]
    ranking = analysis.valuation.settings.effective_rank
    first, second = (hand_rank(hole, board, effective=ranking) for hole in hand.holes[::sign])
    first_class, second_class = (CLASSES[place] for place in analysis.classes[0, number][::sign])
    here = (0, number)
    return StreetReport(
        street=STREETS[number],
        board=tuple(board),
        invested=int(analysis.invested[here]),
        ihr=(float(first.ihr), float(second.ihr)),
        hr7=(float(first.hr7), float(second.hr7)),
        ehr=(float(first.ehr), float(second.ehr)),
        classes=(first_class, second_class),
        aie=float((1 + sign * analysis.edge[here]) / 2),
        by_all_in=_afterwards(judged, judged.all_in, number),
        by_roll_out=_afterwards(judged, judged.rolled_out, number),
        baseline=_write(number, int(analysis.baseline_lines[here]), hand.first_seat),
        actual=_write(number, int(analysis.lines[here]), hand.first_seat),
        baseline_equity=judged.own(float(analysis.baseline[here])),
        actual_equity=judged.own(float(analysis.actual[here])),
        difference=judged.own(float(analysis.difference[here])),
        lfat=judged.own(float(analysis.lfat[here])),
        luck=judged.own(float(analysis.luck[here])),
        evat=judged.own(float(analysis.evat[here])),
        round_ev=judged.own(float(analysis.round_ev[here])),
        fold_equity=judged.own(float(analysis.fold_equity[here])),
        redgreen=_both(analysis.redgreen[here][::sign]),
    )


def _afterwards(judged: _Judged, analysis: Analysis, number: int) -> Afterwards:
    return Afterwards(judged.own(float(analysis.baseline[0, number])), judged.own(float(analysis.actual[0, number])))


def _write(number: int, line: int, first_seat: int) -> str:
    return (BLINDS[first_seat] if number == 0 else "") + write_line(number, lines_of(number)[line].text, first_seat)


def _both(values: "np.typing.NDArray[np.float64]") -> Both:
    return float(values[0]), float(values[1])
