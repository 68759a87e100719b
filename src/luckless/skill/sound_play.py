"""The baseline of DIVAT beyond heads-up limit: what a sound player does with a hand, at any table, at any limit.

A hand is of class F, C or M1 to M4, as in DIVAT (`divat.settings`), by its effective rank and the pot. It bets if it
is worth a bet, raises as long as it is worth one bet more than were made, else calls, or folds if it is of class F.
For two players in limit this is the very line of the thesis's tables (see `divat.baseline`). Beyond that:

- Against n opponents a rank r counts as what it means against one: the odds of beating all, r^n : 1 - r^n, times n.
- In no-limit and pot-limit a bet is a share of the pot after a call. A hand folds if its rank is below the share of
  the pot that it must pay, and more so for each raise before. Before the flop its rank is its place among all hands
  by all-in chances, and where nobody has raised and more than one opponent is left, it raises or folds.
"""

import functools
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.bots.fingerprints import checksum
from luckless.divat.settings import STANDARD, DivatSettings
from luckless.hands.effective import EHR_UNITS, effective_count
from luckless.hands.preflop import preflop_counts
from luckless.hands.rank_source import RankSource, class_number, hr7_half_count, ihr_half_count
from luckless.kernels import njit
from luckless.rules.actions import CALL, FOLD
from luckless.rules.state import LIMIT

CLOSE = 1e-12
"""Ranks closer than this to a threshold are equal to it; two ranks that differ do so by far more."""

_UNITS = np.array(EHR_UNITS, np.float64)


class Numbers(NamedTuple):
    """A baseline as compiled code takes it: thresholds by street, and what `Baseline` says of sizes and raises."""

    bars: NDArray[np.int64]
    makes: NDArray[np.float64]
    offsets: NDArray[np.float64]
    sizes: NDArray[np.float64]
    per_raise: float
    places: NDArray[np.float64]
    """The place of each class of hole cards among all hands before the flop, from 0 to 1."""


@dataclass(frozen=True)
class Baseline:
    """Sound play as numbers. Skill is unbiased under any, as long as it is fixed before the hands are seen."""

    name: str = "sound play"
    settings: DivatSettings = STANDARD
    """Effective rank, fold offsets and make thresholds, by street."""
    sizes: tuple[Fraction, Fraction, Fraction, Fraction] = (Fraction(1, 3),) * 4
    """No-limit and pot-limit: a bet or raise, as a share of the pot after a call, by street."""
    per_raise: Fraction = Fraction(12, 100)
    """No-limit and pot-limit: what each raise after the first bet of a street adds to the rank that a call takes."""

    @property
    def digest(self) -> str:
        """Sixteen characters that are equal exactly for equal play."""
        return checksum(["sound play 1", self.settings.digest(), *map(str, self.sizes), str(self.per_raise)])[:16]

    def numbers(self) -> Numbers:
        """The same for compiled code."""
        return Numbers(
            self.settings.effective_rank.bars(),
            np.array([[float(make) for make in row] for row in self.settings.makes]),
            np.array([float(offset) for offset in self.settings.fold_offsets]),
            np.array([float(size) for size in self.sizes]),
            float(self.per_raise),
            _preflop_places(),
        )


SOUND = Baseline()


@functools.cache
def _preflop_places() -> NDArray[np.float64]:
    """The share of all 1,326 hands that wins less often all-in against a random hand; ties count half."""
    counts = preflop_counts()
    chances = 2 * counts.ahead + counts.tied
    high, low = np.divmod(np.arange(169), 13)
    hands = np.where(high == low, 6, np.where(high > low, 4, 12))
    below = np.array([hands[chances < own].sum() + hands[chances == own].sum() / 2 for own in chances])
    return np.asarray(below / hands.sum())


@njit(cache=True, nogil=True)
def rank_of(rules: Any, cards: NDArray[np.int64], street: int, source: RankSource, numbers: Numbers) -> Any:
    """The effective rank, 0 to 1, of two hole cards followed by the board, against one opponent."""
    if street == 0 and rules.betting != LIMIT:
        return numbers.places[class_number(cards)]
    now = ihr_half_count(cards, street, source)
    later = now if street == 3 else hr7_half_count(cards, street, source)
    return effective_count(street, now, later, numbers.bars) / _UNITS[street]


@njit(cache=True, nogil=True)
def against(rank: float, opponents: int) -> float:
    """What a rank means against several opponents, as a rank against one."""
    if opponents <= 1 or rank <= 0.0 or rank >= 1.0:
        return rank
    all_beaten = rank**opponents
    odds = opponents * all_beaten / (1.0 - all_beaten)
    return odds / (1.0 + odds)


@njit(cache=True, nogil=True)
def _raises(rules: Any, hand: Any) -> Any:
    """Bets and raises on this street; blinds are none."""
    blinds = 0
    if hand.street == rules.first_street:
        for seat in range(rules.seats):
            blinds = max(blinds, rules.blind[seat])
    return hand.bets - (1 if blinds > 0 else 0)


@njit(cache=True, nogil=True)
def _pot_before(rules: Any, hand: Any) -> Any:
    """The pot when the street began; on a street of blinds, as if two seats had matched the big one."""
    before = np.int64(hand.pot)
    blinds = 0
    for seat in range(rules.seats):
        before -= hand.street_bet[seat]
        blinds = max(blinds, rules.blind[seat])
    if hand.street == rules.first_street:
        before += 2 * blinds
    return before


@njit(cache=True, nogil=True)
def _fold_below(rules: Any, hand: Any, opponents: int, raises: int, numbers: Numbers) -> Any:
    """The rank below which the seat to act folds to what it has to call."""
    offset = numbers.offsets[hand.street]
    if rules.betting == LIMIT:
        bet = rules.bet_size[hand.street]
        return bet / (_pot_before(rules, hand) + bet) + offset
    if raises <= 0:
        if opponents > 1:
            return numbers.makes[hand.street, 0]
        return rules.big_blind / (_pot_before(rules, hand) + rules.big_blind) + offset
    return hand.to_call / hand.pot + offset + numbers.per_raise * (raises - 1)


@njit(cache=True, nogil=True)
def sound_action(rules: Any, hand: Any, rank: float, numbers: Numbers) -> Any:
    """What sound play does with a hand of this rank (against one) in the seat that is to act."""
    opponents = -1
    for seat in range(rules.seats):
        opponents += hand.live >> seat & 1
    own = against(rank, opponents)
    raises = _raises(rules, hand)
    folds = own < _fold_below(rules, hand, opponents, raises, numbers) - CLOSE
    if folds and (rules.betting == LIMIT or hand.to_call > 0):
        return np.int64(FOLD if hand.to_call > 0 else CALL)
    makes = 0
    for bar in numbers.makes[hand.street]:
        makes += own > bar + CLOSE
    if makes > raises and hand.max_raise_to > 0:
        if rules.betting == LIMIT:
            return np.int64(hand.max_raise_to)
        wanted = np.int64(np.floor(hand.bet + numbers.sizes[hand.street] * (hand.pot + hand.to_call)))
        return min(max(wanted, np.int64(hand.min_raise_to)), np.int64(hand.max_raise_to))
    return np.int64(CALL)
