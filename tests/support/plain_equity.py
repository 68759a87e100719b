"""The slow twins of equity: every choice of hands and every board one after the other, and deals drawn in plain
whole numbers.
"""

import itertools
import math
from collections.abc import Sequence

import numpy as np

from luckless.hands.equity_spot import EquitySpot
from luckless.hands.strength import strengths

Combo = Sequence[int]


def plain_counts(
    ranges: Sequence[Sequence[Combo]], board: Sequence[int] = (), dead: Sequence[int] = ()
) -> list[list[int]]:
    """`counts[player][n - 1]`: deals in which a player has the best hand together with n - 1 others."""
    counts = [[0] * len(ranges) for _ in ranges]
    for hands in itertools.product(*ranges):
        held = [card for hand in hands for card in hand]
        if len({*held, *board, *dead}) < len(held) + len(board) + len(dead):
            continue
        deck = [card for card in range(52) if card not in {*held, *board, *dead}]
        to_come = 5 - len(board)
        size = math.comb(len(deck), to_come)
        dealt = np.array(list(itertools.combinations(deck, to_come)), np.int64).reshape(size, to_come)
        boards = np.hstack([np.tile(np.array(board, np.int64), (size, 1)), dealt])
        made = np.array([strengths(np.hstack([np.tile(hand, (size, 1)), boards])) for hand in hands])
        best = made == made.max(axis=0)
        for player, sharers in itertools.product(range(len(ranges)), range(1, len(ranges) + 1)):
            counts[player][sharers - 1] += int((best[player] & (best.sum(axis=0) == sharers)).sum())
    return counts


class PlainWords:
    """SplitMix64 in whole numbers, and draws from its words."""

    def __init__(self, start: int) -> None:
        self.counter = start

    def word(self) -> int:
        """The next word."""
        self.counter = (self.counter + 0x9E3779B97F4A7C15) % 2**64
        word = (self.counter ^ self.counter >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        word = (word ^ word >> 27) * 0x94D049BB133111EB % 2**64
        return word ^ word >> 31

    def draws(self, bounds: Sequence[int]) -> list[int]:
        """A number below each bound from one word, which must not lie in the rest of 2**64 that favours some."""
        while True:
            rest, numbers = self.word(), []
            for bound in bounds:
                numbers.append(rest * bound >> 64)
                rest = rest * bound % 2**64
            if rest >= 2**64 % math.prod(bounds):
                return numbers


def plain_samples(spot: EquitySpot, samples: int, start: int) -> list[list[int]]:
    """The counts of so many deals from a start of the generator, dealt as the kernel says it deals."""
    words, counts = PlainWords(start), [[0] * len(spot.hands) for _ in spot.hands]
    held: list[Combo | None] = [None] * len(spot.hands)
    for sample in range(samples):
        if sample == 0 or any(
            not hand.is_random and len(left) > 1 for hand, left in zip(spot.hands, spot.ranges, strict=True)
        ):
            held = _drawn_hands(spot, words)
        taken = {*spot.board, *spot.dead, *(card for hand in held if hand for card in hand)}
        deck = sorted(set(range(52)) - taken, key=lambda card: (card & 3, card >> 2))

        def deal(count: int, deck: list[int] = deck) -> list[int]:
            return [deck.pop(place) for place in words.draws(range(len(deck), len(deck) - count, -1))]

        front = deal(spot.to_come + 2 * (None in held))  # the board and the first random hand are of one word
        board, holes = [*spot.board, *front[: spot.to_come]], [front[spot.to_come :]]
        hands = [hand if hand is not None else (holes.pop() if holes else deal(2)) for hand in held]
        made = strengths(np.array([[*hand, *board] for hand in hands])).tolist()
        for player, strength in enumerate(made):
            counts[player][made.count(max(made)) - 1] += strength == max(made)
    return counts


def _drawn_hands(spot: EquitySpot, words: PlainWords) -> list[Combo | None]:
    """A hand for each player who has a range, no card twice; None for who has any two cards."""
    while True:
        held: list[Combo | None] = []
        seen: set[int] = set()
        for hand, left in zip(spot.hands, spot.ranges, strict=True):
            if hand.is_random:
                held.append(None)
                continue
            rows = left.combos.tolist()
            own = rows[words.draws([len(rows)])[0]] if len(rows) > 1 else rows[0]
            if seen & {*own}:
                break
            seen |= {*own}
            held.append(own)
        else:
            return held
