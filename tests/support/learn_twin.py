"""Slow, plain twins of the learning kernels, written from the thesis's list of inputs and from the docs."""

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from luckless.hands.preflop import class_numbers, preflop_counts
from luckless.hands.strength import strengths
from luckless.rules.views import View

PLACES = {2: (1, 5), 3: (0, 1, 5), 4: (0, 1, 4, 5), 5: (0, 1, 3, 4, 5), 6: (0, 1, 2, 3, 4, 5)}
"""The place at a full table of each seat, by the number of seats."""


def one_hot(size: int, place: int | None) -> list[float]:
    """`size` numbers of which the one at `place` is 1."""
    return [float(number == place) for number in range(size)]


def plain_features(view: View, percentile: float) -> NDArray[np.float64]:
    """The 404 numbers of a decision, group after group."""
    places = PLACES[view.seats]
    seat_at = {place: seat for seat, place in enumerate(places)}
    chips = [stack + put_in for stack, put_in in zip(view.stacks, view.invested, strict=True)]
    slots: list[float] = []
    for card in sorted(view.hole):
        slots += one_hot(52, card)
    board: list[int] = [*sorted(view.board), *[52] * (5 - len(view.board))]
    for card in board:
        slots += one_hot(53, card)
    slots += [float(place not in seat_at or not view.live[seat_at[place]]) for place in range(6)]
    for put_in in (view.invested, view.street_bets):
        slots += [put_in[seat_at[place]] / chips[seat_at[place]] if place in seat_at else 0.0 for place in range(6)]
    raisers = [places[past.seat] for past in view.history if past.action > 0]
    slots += one_hot(6, raisers[-1] if raisers else None)
    slots += one_hot(6, places[view.seat])
    slots += one_hot(4, view.street)
    return np.array([*slots, percentile])


def plain_hole_percentile(hole: Sequence[int]) -> float:
    """The share of all pairs of hole cards whose chance against a random hand is not higher."""
    pairs = np.array(list(itertools.combinations(range(52), 2)))
    counts = preflop_counts()
    chances = (2 * counts.ahead + counts.tied)[class_numbers(pairs)]
    own = chances[[set(pair) == set(hole) for pair in pairs.tolist()].index(True)]
    return float((chances <= own).mean())


def sampled_percentile(cards: Sequence[int], samples: int, random: np.random.Generator) -> float:
    """The share of random hands of as many cards that are not stronger."""
    others = random.random((samples, 52)).argpartition(len(cards), axis=1)[:, : len(cards)]
    own = strengths(np.array([cards], np.uint8))[0]
    return float((strengths(others.astype(np.uint8)) <= own).mean())
