"""DIVAT of one hand, round by round, in the words of the papers: the table that explains a hand."""

import dataclasses
from dataclasses import dataclass

import numpy as np

from luckless.hands.effective import ROUNDS
from luckless.hands.rank import hand_rank
from luckless.skill.divat.analysis import Analysis, analyse
from luckless.skill.divat.classes import BOARD_CARDS
from luckless.skill.divat.continuations import Valuation
from luckless.skill.divat.lines import NO_LINE, line_number, lines_of
from luckless.skill.divat.notation import BLINDS, WrittenHand, write_line
from luckless.skill.divat.settings import CLASSES

NOT_DEALT = -1

Both = tuple[float, float]


@dataclass(frozen=True)
class RoundReport:
    """One round of a hand; pairs are (first player, second player), values the first player's in small bets.

    `aie` is the all-in equity, `roe` the value with the baseline played from here on. `invested` is what each player
    has in the pot at the start. `luck` is what the deal before the round changed. `lines` are in the notation's
    letters.
    """

    round: str
    board: tuple[int, ...]
    invested: int
    ihr: Both
    hr7: Both
    ehr: Both
    classes: tuple[str, str]
    aie: float
    roe: float
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


@dataclass(frozen=True)
class HandReport:
    """A whole hand: its rounds, and the sums over them (`Analysis` says what they are); all first player's."""

    valuation: Valuation
    rounds: tuple[RoundReport, ...]
    money: float
    position: float
    dcash: float
    difference: float
    luck: float
    lfat: float
    evat: float
    redgreen: Both


def report_hand(hand: WrittenHand, valuation: Valuation | None = None) -> HandReport:
    """Judges one hand, as `notation.parse_hand` reads it or as made by hand."""
    holes = np.array([hand.holes])
    board = np.array([[*hand.board, *[NOT_DEALT] * (5 - len(hand.board))]])
    lines = np.array([[line_number(number, text) for number, text in enumerate(hand.lines)]], np.uint8)
    lines = np.pad(lines, ((0, 0), (0, 4 - len(hand.lines))), constant_values=NO_LINE)
    found = analyse(holes, board, lines, valuation)
    by_roll_out = dataclasses.replace(found.valuation, equity="roe")
    rolled_out = found if by_roll_out == found.valuation else analyse(holes, board, lines, by_roll_out)
    rounds = tuple(_report_round(number, hand, found, rolled_out) for number in range(len(hand.lines)))
    return HandReport(
        valuation=found.valuation,
        rounds=rounds,
        money=float(found.money[0]),
        position=found.position,
        dcash=float(found.dcash[0]),
        difference=float(found.difference.sum()),
        luck=float(found.luck.sum()),
        lfat=float(found.lfat.sum()),
        evat=float(found.evat.sum()),
        redgreen=_both(found.redgreen[0].sum(axis=0)),
    )


def _report_round(number: int, hand: WrittenHand, found: Analysis, rolled_out: Analysis) -> RoundReport:
    board = hand.board[: BOARD_CARDS[number]]
    first, second = (hand_rank(hole, board, effective=found.valuation.settings.effective_rank) for hole in hand.holes)
    classes = found.classes[0, number]
    here = (0, number)
    return RoundReport(
        round=ROUNDS[number],
        board=tuple(board),
        invested=int(found.invested[here]),
        ihr=(float(first.ihr), float(second.ihr)),
        hr7=(float(first.hr7), float(second.hr7)),
        ehr=(float(first.ehr), float(second.ehr)),
        classes=(CLASSES[classes[0]], CLASSES[classes[1]]),
        aie=float((1 + found.edge[here]) / 2),
        roe=float(rolled_out.baseline[here]),
        baseline=_write(number, int(found.baseline_lines[here])),
        actual=_write(number, int(found.lines[here])),
        baseline_equity=float(found.baseline[here]),
        actual_equity=float(found.actual[here]),
        difference=float(found.difference[here]),
        lfat=float(found.lfat[here]),
        luck=float(found.luck[here]),
        evat=float(found.evat[here]),
        round_ev=float(found.round_ev[here]),
        fold_equity=float(found.fold_equity[here]),
        redgreen=_both(found.redgreen[here]),
    )


def _write(number: int, line: int) -> str:
    return (BLINDS if number == 0 else "") + write_line(number, lines_of(number)[line].text)


def _both(values: "np.typing.NDArray[np.float64]") -> Both:
    return float(values[0]), float(values[1])
