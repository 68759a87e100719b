"""The boards of the streets to come, with boards that differ in the names of suits alone taken together."""

import itertools

import numpy as np
from numpy.typing import NDArray

from luckless.hands.pairs import PAIRS
from luckless.solve.street import Boards, renamed

Suits = tuple[int, ...]
"""A renaming: suit s becomes the s-th."""

_SAME: Suits = (0, 1, 2, 3)


def _card(card: int, suits: Suits) -> int:
    return card // 4 * 4 + suits[card % 4]


def symmetries(board: tuple[int, ...], weights: tuple[NDArray[np.float64], NDArray[np.float64]]) -> list[Suits]:
    """Renamings of suits that change neither the board (as a set) nor a player's range; the first changes nothing."""
    everything = np.arange(PAIRS)
    return [
        suits
        for suits in itertools.permutations(range(4))
        if {_card(card, suits) for card in board} == set(board)
        and all((weight[renamed(everything, suits)] == weight).all() for weight in weights)
    ]


def streets_of(board: tuple[int, ...], weights: tuple[NDArray[np.float64], NDArray[np.float64]]) -> list[Boards]:
    """The boards of each street from the given one to the river."""
    streets = [Boards((board,), (0,), ((_SAME,),))]
    groups = [symmetries(board, weights)] if len(board) < 5 else []
    while len(streets[-1].cards[0]) < 5:
        cards: list[tuple[int, ...]] = []
        parents: list[int] = []
        images: list[tuple[Suits, ...]] = []
        below: list[list[Suits]] = []
        for parent, (before, group) in enumerate(zip(streets[-1].cards, groups, strict=True)):
            taken = set(before)
            for card in range(52):
                if card in taken:
                    continue
                orbit = {_card(card, suits): suits for suits in reversed(group)}
                taken |= set(orbit)
                cards.append((*before, card))
                parents.append(parent)
                images.append((_SAME, *(suits for other, suits in sorted(orbit.items()) if other != card)))
                below.append([suits for suits in group if _card(card, suits) == card])
        streets.append(Boards(tuple(cards), tuple(parents), tuple(images)))
        groups = below
    return streets
