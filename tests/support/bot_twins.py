"""The shipped bots once more, slow and plain: written from the formulas, for one decision at a time."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from luckless.bots.dice import Dice
from luckless.cards import RANKS
from luckless.hands.rank import hand_rank
from luckless.hands.strength import strengths
from luckless.rules.views import View

FOLD, CALL = -1, 0
_WORD = 1 << 64

# Suited hands stand above the diagonal, offsuit ones below it; ranks run from the ace down, a dot is no group.
SKLANSKY_GRID = """
    1 1 2 2 3 5 5 5 5 5 5 5 5
    2 1 2 3 4 6 7 7 7 7 7 7 7
    3 4 1 3 4 5 7 . . . . . .
    4 5 5 1 3 4 6 8 . . . . .
    6 6 6 5 2 4 5 7 . . . . .
    8 8 8 7 7 3 4 5 8 . . . .
    . . . 8 8 7 4 5 6 8 . . .
    . . . . . . 8 5 5 6 8 . .
    . . . . . . . 8 6 5 7 . .
    . . . . . . . . 8 6 6 7 .
    . . . . . . . . . 8 7 7 8
    . . . . . . . . . . . 7 8
    . . . . . . . . . . . . 7
"""


def random_action(view: View, dice: Dice) -> int:
    """`random`."""
    kind = dice.integer(0, 2)
    if kind < 2:
        return kind - 1
    return dice.integer(view.min_raise_to, view.max_raise_to) if view.can_raise else CALL


@functools.cache
def exact_win(hole: tuple[int, int], board: tuple[int, ...]) -> float:
    """7cHR by comparing with every opponent on every completion of the board."""
    return float(hand_rank(hole, board).hr7)


@functools.cache
def exact_rank(hole: tuple[int, int], board: tuple[int, ...]) -> Fraction:
    """EHR by comparing with every opponent on every completion of the board."""
    return hand_rank(hole, board).ehr


def _shuffled(pack: list[int], count: int, state: int) -> int:
    """Brings `count` random cards to the top of the pack; gives the state of the generator (SplitMix64)."""
    for place in range(count):
        state = (state + 0x9E3779B97F4A7C15) % _WORD
        word = _mixed(state)
        other = place + (word * (len(pack) - place) >> 64)
        pack[place], pack[other] = pack[other], pack[place]
    return state


def simulated_win(view: View, samples: int, state: int) -> float:
    """The share of the pot won over sampled deals."""
    opponents = sum(view.live) - 1
    known = [*view.hole, *view.board]
    pack = [card for card in range(52) if card not in known]
    missing = 5 - len(view.board)
    won = Fraction(0)
    for _ in range(samples):
        state = _shuffled(pack, missing + 2 * opponents, state)
        board = [*view.board, *pack[:missing]]
        hands = [list(view.hole)] + [pack[missing + 2 * i : missing + 2 * i + 2] for i in range(opponents)]
        values = strengths([hand + board for hand in hands]).tolist()
        if values[0] == max(values):
            won += Fraction(1, values.count(values[0]))
    return float(won / samples)


def _mixed(word: int) -> int:
    """The last step of SplitMix64."""
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % _WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB % _WORD
    return word ^ word >> 31


def win_of(view: View, dice: Dice, simulate: bool, samples: int) -> float:
    """The win rate as the bots are told to find it; sampling starts from a hash of the cards and the opponents."""
    dice.random()  # the first number is left unused
    if sum(view.live) == 2 and not simulate:
        return exact_win(view.hole, view.board)
    numbers = [card + 1 for card in view.hole] + [card + 65 for card in view.board]
    state = sum(view.live) - 1 + sum(_mixed(0x9E3779B97F4A7C15 * number % _WORD) for number in numbers)
    return simulated_win(view, samples, _mixed(state % _WORD))


def is_locked(view: View, dearest: int) -> bool:
    """The lock-in trick; `dearest` is what the dearest seat posts."""
    own = view.stacks[view.seat]
    return view.rounds_left >= 0 and view.rounds_left * dearest < own - view.session_stack


def check_or_fold(view: View) -> int:
    """What costs nothing."""
    return FOLD if view.to_call else CALL


def within(view: View, raise_to: int) -> int:
    """A raise brought within what is legal."""
    return max(view.min_raise_to, min(view.max_raise_to, raise_to))


@dataclass(frozen=True)
class OddsTwin:
    """The course report's family: `kind` is threshold, call, raise, above (pot-odds) or mixed."""

    kind: str
    simulate: bool = False
    samples: int = 1000
    lock: int = 0
    risk: float = 0.0
    at: float = 0.5
    folds_free: bool = False
    conserve: tuple[float, float, float, float] = (1.0, 0.8, 0.4, 0.1)

    def decide(self, view: View, dice: Dice) -> int:
        """One decision. `lock` is what the dearest seat posts, 0 for no lock-in."""
        if self.lock and is_locked(view, self.lock):
            return check_or_fold(view)
        win = win_of(view, dice, self.simulate, self.samples)
        if self.kind == "threshold":
            return FOLD if win < self.at and (view.to_call or self.folds_free) else CALL
        amount = view.pot * win / (1 - win) if win < 1 else float("inf")
        most = amount * (1 + self.risk)
        if view.to_call > most:
            return FOLD
        paid = view.street_bets[view.seat]
        above = {"call": 2.0, "raise": -1.0, "above": 0.5, "mixed": 0.5}[self.kind]
        if not (view.can_raise and win > above and view.min_raise_to - paid < most):
            return CALL
        if win == 1:
            return view.max_raise_to
        if self.kind == "mixed":
            least = amount * (1 - self.conserve[view.street])
            cost = int(least + dice.random() * (most - least))
        else:
            cost = int(most) if int(most) < most else int(most) - 1
        return within(view, paid + cost)


class SklanskyTwin:
    """Starting-hand groups, then pot odds."""

    def __init__(self, group: int = 8, raised: int = 4, *, samples: int = 1000) -> None:
        rows = [line.split() for line in SKLANSKY_GRID.strip().splitlines()]
        self.grid = [[9 if cell == "." else int(cell) for cell in row] for row in rows]
        self.group, self.raised = group, raised
        self.later = OddsTwin("above", samples=samples)

    def group_of(self, hole: tuple[int, int]) -> int:
        """The group of two hole cards."""
        high, low = sorted(12 - (card >> 2) for card in hole)
        suited = hole[0] % 4 == hole[1] % 4
        return self.grid[high][low] if suited else self.grid[low][high]

    def decide(self, view: View, dice: Dice) -> int:
        """One decision."""
        if view.street > 0:
            return self.later.decide(view, dice)
        group, level = self.group_of(view.hole), max(view.street_bets)
        raised = level > view.big_blind
        if group > (self.raised if raised else self.group):
            return check_or_fold(view)
        if group > (1 if raised else 2) or not view.can_raise:
            return CALL
        return within(view, level + view.pot + view.to_call)


class ValueBetTwin:
    """The baseline of DIVAT as a player; `bet_sizes` for limit, none where sizes are free."""

    offsets = (Fraction(0), Fraction(75, 1000), Fraction(1, 10), Fraction(0))
    makes = (("0.58", "0.825", "0.93", "0.965"),) * 3 + (("0.64", "0.85", "0.94", "0.97"),)

    def __init__(self, bet_sizes: tuple[int, ...] = ()) -> None:
        self.bet_sizes = bet_sizes

    def decide(self, view: View, dice: Dice) -> int:
        """One decision."""
        rank = exact_rank(view.hole, view.board)
        if view.street > 0:
            rank **= sum(view.live) - 1
        if view.to_call and rank < self._fold_below(view):
            return FOLD
        worth = sum(rank > Fraction(make) for make in self.makes[view.street])
        if self._made(view) >= worth or not view.can_raise:
            return CALL
        pot = view.pot + view.to_call
        level = view.street_bets[view.seat] + view.to_call
        return within(view, level + (pot // 2 if worth == 1 else pot))

    def _fold_below(self, view: View) -> Fraction:
        pot = view.pot - sum(view.street_bets)
        bet = view.street_bets[view.seat] + view.to_call
        if view.street == 0:
            pot += 2 * view.big_blind
            bet = max(bet - view.big_blind, view.big_blind)
        if self.bet_sizes:
            bet = self.bet_sizes[view.street]
        return Fraction(bet, pot + bet) + self.offsets[view.street]

    def _made(self, view: View) -> int:
        """Full bets and raises of the street; what is less than the last raise (a short all-in) is none."""
        level, size = (view.big_blind, view.big_blind) if view.street == 0 else (0, view.big_blind)
        if self.bet_sizes:
            return sum(past.street == view.street and past.action > 0 for past in view.history)
        made = 0
        for past in view.history:
            if past.street == view.street and past.action > 0:
                if past.action - level >= size:
                    made += 1
                    size = past.action - level
                level = past.action
        return made


class Deciding:
    """A bot of one function."""

    def __init__(self, function: Callable[[View, Dice], int]) -> None:
        self.decide = function


def label_of(hole: tuple[int, int]) -> str:
    """AA, AKs or AKo."""
    low, high = sorted(card >> 2 for card in hole)
    kind = "" if low == high else "s" if hole[0] % 4 == hole[1] % 4 else "o"
    return RANKS[high] + RANKS[low] + kind
