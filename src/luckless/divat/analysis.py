"""DIVAT of many hands of heads-up limit hold'em at once: skill by street, luck at each deal, and the side lines.

All values are in small bets and seat 0's: seat 0 is the big blind and acts first after the flop, seat 1 is the
button and small blind. The other seat's are the same with the sign turned.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from luckless.cards import STREETS
from luckless.divat.baseline import BASELINE_LINES
from luckless.divat.betting import Stakes, best_values, deviators, line_values, pots_after
from luckless.divat.classes import BOARD_CARDS, BothRanks, both_ranks, classes_at, states_of
from luckless.divat.continuations import Valuation
from luckless.divat.lines import NO_LINE, POSTFLOP_TABLE, PREFLOP_TABLE
from luckless.divat.position import position_value
from luckless.divat.postflop import Continuation
from luckless.divat.settings import BET_SIZES, MOST_INVESTED, PREFLOP, RIVER, DivatSettings
from luckless.errors import InputError
from luckless.hands.evaluator import first_bad_row

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Analysis:
    """Every street of every hand, judged. Arrays are [hand, street]; streets that were not played hold 0.

    `edge` is 2 x all-in equity - 1. `unbet` is the value if nothing were bet on the street, `actual` that after the
    betting as it was, `baseline` as the baseline has it, `best` with both players seeing all cards. `dcash` is what
    the baseline would have won with the cards as they lay, `money` what was won.
    """

    valuation: Valuation
    lines: NDArray[np.uint8]
    baseline_lines: NDArray[np.uint8]
    classes: NDArray[np.uint8]
    invested: NDArray[np.int64]
    edge: Values
    unbet: Values
    actual: Values
    baseline: Values
    best: Values
    money: Values
    dcash: Values

    @property
    def played(self) -> NDArray[np.bool_]:
        """Which streets were played."""
        return np.not_equal(self.lines, NO_LINE)

    @property
    def position(self) -> float:
        """The value of the empty hand to seat 0."""
        return position_value(self.valuation).value

    @property
    def difference(self) -> Values:
        """The DIVAT difference: value after the actual betting minus value after the baseline's."""
        return self.actual - self.baseline

    @property
    def luck(self) -> Values:
        """What each deal changed: the value once the baseline is played on, minus the value before the deal.

        `luck`, `difference` and `position` add up to `money`, hand by hand.
        """
        before = np.hstack([np.full((len(self.money), 1), self.position), self.actual[:, :-1]])
        return np.where(self.played, self.baseline - before, 0.0)

    @property
    def lfat(self) -> Values:
        """Luck by LFAT: for ROE the same as `luck`, for AIE the pot times the change of all-in equity."""
        if self.valuation.equity == "roe":
            return self.luck
        before = np.hstack([np.zeros((len(self.money), 1)), self.edge[:, :-1]])
        return np.where(self.played, self.invested * (self.edge - before), 0.0)

    @property
    def evat(self) -> Values:
        """Value after the actual betting minus its value at best with all cards known, both players playing so.

        It is what seat 1 gave away by its mistakes in hindsight minus what seat 0 gave away.
        """
        return self.actual - self.best

    @property
    def round_ev(self) -> Values:
        """What the baseline's betting adds to the value; 0 where it ends in a fold."""
        return np.where(self._baseline_folds, 0.0, self.baseline - self.unbet)

    @property
    def fold_equity(self) -> Values:
        """What the baseline's fold adds to the value: what the player who folds gives up of the pot."""
        return np.where(self._baseline_folds, self.baseline - self.unbet, 0.0)

    @cached_property
    def _baseline_folds(self) -> NDArray[np.bool_]:
        folds = np.zeros(self.lines.shape, bool)
        for number in range(4):
            table = POSTFLOP_TABLE if number else PREFLOP_TABLE
            played = self.played[:, number]
            folds[played, number] = table.folder[self.baseline_lines[played, number]] >= 0
        return folds

    @property
    def redgreen(self) -> Values:
        """Credit (green, above 0) or blame (red) for leaving the baseline, as [hand, street, seat].

        The difference of a street goes, from his own view, to the first player who left the baseline line.
        """
        points = np.zeros((*self.lines.shape, 2))
        difference = self.difference
        for number in range(4):
            rows = np.flatnonzero(self.played[:, number])
            who = deviators(number, self.lines[rows, number], self.baseline_lines[rows, number])
            points[rows[who == 0], number, 0] = difference[rows[who == 0], number]
            points[rows[who == 1], number, 1] = -difference[rows[who == 1], number]
        return points

    def seen_by(self, seats: ArrayLike) -> "PlayerView":
        """The same from the side of a player who sat in `seats[i]` (0 or 1) in hand i."""
        seat = np.asarray(seats, np.int64)
        if seat.shape != self.money.shape or not np.isin(seat, (0, 1)).all():
            raise InputError(f"seats must be {len(self.money)} numbers, each 0 or 1")
        sign = np.where(seat == 0, 1.0, -1.0)
        return PlayerView(
            money=sign * self.money,
            divat=sign[:, None] * self.difference,
            lfat=sign[:, None] * self.lfat,
            luck=sign[:, None] * self.luck,
            evat=sign[:, None] * self.evat,
            dcash=sign * self.dcash,
            money_minus_dcash=sign * (self.money - self.dcash),
            redgreen=self.redgreen[np.arange(len(seat)), :, seat],
            redgreen_opponent=self.redgreen[np.arange(len(seat)), :, 1 - seat],
            round_ev=sign[:, None] * self.round_ev,
            fold_equity=sign[:, None] * self.fold_equity,
            position=sign * self.position,
        )


class PlayerView(NamedTuple):
    """What one player won, and how, in small bets: by [hand, street], but `money`, `dcash`, `money_minus_dcash` and
    `position` by [hand].

    Sums over streets are what an estimate is made of; `money` = `luck` + `divat` + `position` in each hand. Points of
    `redgreen_opponent` are the opponent's own, from his view: `divat` = `redgreen` - `redgreen_opponent`.
    """

    money: Values
    divat: Values
    lfat: Values
    luck: Values
    evat: Values
    dcash: Values
    money_minus_dcash: Values
    redgreen: Values
    redgreen_opponent: Values
    round_ev: Values
    fold_equity: Values
    position: Values


class RankedHands(NamedTuple):
    """Checked hands (see `analyse`), and by street what no setting changes: the rows that played it, their ranks."""

    holes: NDArray[np.int64]
    boards: NDArray[np.int64]
    lines: NDArray[np.uint8]
    rows: tuple[NDArray[np.int64], ...]
    ranks: tuple[BothRanks, ...]


After = Callable[[int, NDArray[np.int64], NDArray[np.int64]], Continuation]
"""Values the hands of some rows after the betting of a street at some pots (n, k): street number, rows, pots."""


class _Hands(NamedTuple):
    """Checked input, and what follows from it under some settings: by street the states of both hands and the
    investments at the start; and the baseline's own way through the hand, its pot after the last street or (not NaN)
    its result."""

    lines: NDArray[np.uint8]
    states: NDArray[np.int64]
    invested: NDArray[np.int64]
    dcash_pots: NDArray[np.int64]
    dcash: Values


class _Street(NamedTuple):
    """The hands (`rows`) that played a street, and what it was worth to them; see `Analysis`."""

    rows: NDArray[np.int64]
    classes: NDArray[np.int64]
    baseline_lines: NDArray[np.uint8]
    edge: Values
    unbet: Values
    actual: Values
    baseline: Values
    best: Values
    dcash: Values


def analyse(
    holes: ArrayLike,
    boards: ArrayLike,
    lines: ArrayLike,
    valuation: Valuation | None = None,
) -> Analysis:
    """Judges hands of heads-up limit hold'em of which both players' cards are known.

    `holes` has shape (n, 2, 2): hand, seat, card. `boards` has shape (n, 5); of a hand that ended early only the
    cards dealt are looked at. `lines` (n, 4) are the line numbers that `lines.split_streets` makes of the actions.
    Without a `valuation` hands are valued by roll-out under the standard settings.
    """
    valuation = valuation or Valuation()
    ranked = rank_hands(holes, boards, lines)
    hands = _prepare(ranked, valuation.settings)

    def after(number: int, rows: NDArray[np.int64], pots: NDArray[np.int64]) -> Continuation:
        return valuation.after(number, ranked.holes[rows], ranked.boards[rows], pots)

    shape = hands.lines.shape
    baseline_lines, classes = np.full(shape, NO_LINE, np.uint8), np.zeros((*shape, 2), np.uint8)
    by_street = {name: np.zeros(shape) for name in ("edge", "unbet", "actual", "baseline", "best")}
    dcash, money = hands.dcash.copy(), np.zeros(shape[0])
    for number in range(4):
        judged = _judge(number, ranked.rows[number], hands, after)
        rows = judged.rows
        classes[rows, number], baseline_lines[rows, number] = judged.classes, judged.baseline_lines
        for name, values in by_street.items():
            values[rows, number] = getattr(judged, name)
        money[rows] = judged.actual
        dcash[rows] = np.where(np.isnan(hands.dcash[rows]), judged.dcash, hands.dcash[rows])
    return Analysis(
        valuation=valuation,
        lines=hands.lines,
        baseline_lines=baseline_lines,
        classes=classes,
        invested=hands.invested,
        money=money,
        dcash=dcash,
        **by_street,
    )


def rank_hands(holes: ArrayLike, boards: ArrayLike, lines: ArrayLike) -> RankedHands:
    """Checks hands, as `analyse` takes them, and ranks both players on every street."""
    hole_cards, board_cards, numbers = _check(holes, boards, lines)
    rows = tuple(np.flatnonzero(numbers[:, number] != NO_LINE) for number in range(4))
    ranks = tuple(both_ranks(number, hole_cards[some], board_cards[some]) for number, some in enumerate(rows))
    return RankedHands(hole_cards, board_cards, numbers, rows, ranks)


def differences(ranked: RankedHands, settings: DivatSettings, after: After) -> Values:
    """The DIVAT difference alone, by [hand, street], under some settings with values of one's own."""
    hands = _prepare(ranked, settings)
    values = np.zeros(hands.lines.shape)
    for number, rows in enumerate(ranked.rows):
        judged = _judge(number, rows, hands, after)
        values[rows, number] = judged.actual - judged.baseline
    return values


def _judge(number: int, rows: NDArray[np.int64], hands: _Hands, after_betting: After) -> _Street:
    invested = hands.invested[rows, number]
    pots = pots_after(number, invested)
    # The baseline's own pot counts only on the last street; elsewhere any pot will do.
    own = np.clip(hands.dcash_pots[rows], 1, MOST_INVESTED[number + 1] if number < RIVER else None)
    after = after_betting(number, rows, np.hstack([pots, own[:, None]]))
    stakes = Stakes(invested, after.values[:, :-1])
    classes = classes_at(hands.states[rows, number], invested)
    baseline_lines = BASELINE_LINES[min(number, 1)][classes[:, 0], classes[:, 1]]
    return _Street(
        rows,
        classes,
        baseline_lines,
        after.edges,
        stakes.after[:, 0],
        line_values(number, hands.lines[rows, number], stakes),
        line_values(number, baseline_lines, stakes),
        best_values(number, stakes),
        after.values[:, -1],
    )


def _check(holes: ArrayLike, boards: ArrayLike, lines: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.int64], Any]:
    hole_cards, board_cards = np.asarray(holes, np.int64), np.asarray(boards, np.int64)
    numbers = np.asarray(lines, np.uint8)
    count = len(numbers)
    for name, array, shape in (
        ("holes", hole_cards, (2, 2)),
        ("boards", board_cards, (5,)),
        ("lines", numbers, (4,)),
    ):
        if array.shape != (count, *shape):
            wanted = ", ".join(map(str, shape))
            raise InputError(f"{name} must have the shape ({count}, {wanted}), not {array.shape}")
    if count and (numbers[:, PREFLOP] == NO_LINE).any():
        hand = int(np.argmax(numbers[:, PREFLOP] == NO_LINE))
        raise InputError(f"hand {hand} has no betting before the flop")
    for number, dealt in enumerate(BOARD_CARDS):
        rows = np.flatnonzero(numbers[:, number] != NO_LINE)
        cards = np.hstack([hole_cards[rows].reshape(-1, 4), board_cards[rows, :dealt]])
        bad = first_bad_row(cards)
        if bad >= 0:
            raise InputError(
                f"hand {rows[bad]} has the cards {cards[bad].tolist()} on the {STREETS[number]}: "
                "they must be different numbers from 0 to 51"
            )
    return hole_cards, board_cards, numbers


def _prepare(ranked: RankedHands, settings: DivatSettings) -> _Hands:
    """Follows the pot as it was and as the baseline would have had it, through the streets that were played."""
    lines = ranked.lines
    cutoffs = settings.cutoffs()
    states, invested = np.zeros((*lines.shape, 2), np.int64), np.zeros(lines.shape, np.int64)
    pot, own_pot = np.ones(len(lines), np.int64), np.ones(len(lines), np.int64)
    dcash = np.full(len(lines), np.nan)
    for number, rows in enumerate(ranked.rows):
        states[rows, number] = states_of(number, ranked.ranks[number], cutoffs)
        invested[rows, number] = pot[rows]
        pot[rows] = _pot_after(number, lines[rows, number], pot[rows])
        left = rows[np.isnan(dcash[rows])]  # where the baseline has not folded yet
        classes = classes_at(states[left, number], own_pot[left])
        baseline = BASELINE_LINES[min(number, 1)][classes[:, 0], classes[:, 1]]
        nothing = np.full((len(left), 5), np.nan)  # only folds have a value yet
        dcash[left] = line_values(number, baseline, Stakes(own_pot[left], nothing))
        own_pot[left] = _pot_after(number, baseline, own_pot[left])
    return _Hands(lines, states, invested, own_pot, dcash)


def _pot_after(number: int, lines: NDArray[np.uint8], invested: NDArray[np.int64]) -> NDArray[np.int64]:
    """Small bets a player in the pot after a line that nobody folds in (and something of no meaning after a fold)."""
    bets = (POSTFLOP_TABLE if number else PREFLOP_TABLE).bets[lines].min(axis=1)
    pots: NDArray[np.int64] = (invested * (number > 0) + BET_SIZES[number] * bets).astype(np.int64)
    return pots
