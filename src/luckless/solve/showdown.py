"""All hands against all hands on a board, for many betting lines at once.

Without card removal, hands beaten minus hands that win follow from running sums over hands sorted by strength. A sum
for each card takes the hands out that share it. A running sum begins at minus all; hands up to the own strength are
added once and those below it once more, which leaves hands beaten minus hands that win; the own hand cancels out.
"""

from typing import Any

from luckless.kernels import njit
from luckless.lanes import LANES, add, fill, load, store, subtract
from luckless.solve.street import Side

_TOTAL = 52
SUMS = 53 * LANES
"""The size of the scratch array: a vector of lines a card, and one for the total."""


@njit(cache=True, nogil=True, inline="always")
def _count(sums: Any, reach: Any, low: Any, high: Any) -> None:
    """Adds a hand's reach to the total and to its two cards."""
    store(sums, _TOTAL * LANES, add(load(sums, _TOTAL * LANES), reach))
    store(sums, low * LANES, add(load(sums, low * LANES), reach))
    store(sums, high * LANES, add(load(sums, high * LANES), reach))


@njit(cache=True, nogil=True, inline="always")
def _without(sums: Any, low: Any, high: Any) -> Any:
    """The total without the hands that hold one of two cards; a hand that holds both is taken out twice."""
    return subtract(subtract(load(sums, _TOTAL * LANES), load(sums, low * LANES)), load(sums, high * LANES))


@njit(cache=True, nogil=True)
def meet(own: Side, other: Side, board: int, reach: Any, wins: Any, everything: Any, sums: Any) -> None:
    """For each of the own hands and each line that the other player sends: the reach of his hands that it beats minus
    those that beat it (`wins`), and of all that share no card with it (`everything`).

    `reach`, `wins` and `everything` are flat, (panel of lines, hand, line); `sums` is scratch.
    """
    zero = fill(sums, reach.dtype.type(0))
    own_size, other_size = own.cards.shape[1] * LANES, other.cards.shape[1] * LANES
    cards = other.cards[board]
    for panel in range(-(-len(other.sent) // LANES)):
        for row in range(_TOTAL + 1):
            store(sums, row * LANES, zero)
        first = panel * other_size
        for hand in range(other.hands[board]):
            _count(sums, load(reach, first + hand * LANES), cards[hand, 0], cards[hand, 1])
        if (panel + 1) * LANES > own.first_fold:
            _sum_all(own, board, reach[first : first + other_size], everything[panel * own_size :], sums)
        if panel * LANES < own.showdowns:
            for row in range(_TOTAL + 1):
                store(sums, row * LANES, subtract(zero, load(sums, row * LANES)))
            _sum_wins(own, other, board, reach[first : first + other_size], wins[panel * own_size :], sums)


@njit(cache=True, nogil=True)
def _sum_all(own: Side, board: int, theirs: Any, out: Any, sums: Any) -> None:
    cards, same = own.cards[board], own.same[board]
    for hand in range(own.hands[board]):
        total = _without(sums, cards[hand, 0], cards[hand, 1])
        if same[hand] >= 0:
            total = add(total, load(theirs, same[hand] * LANES))
        store(out, hand * LANES, total)
    _clear_rest(own, board, out)


@njit(cache=True, nogil=True)
def _sum_wins(own: Side, other: Side, board: int, theirs: Any, out: Any, sums: Any) -> None:
    cards, other_cards = own.cards[board], other.cards[board]
    strength, other_strength = own.strength[board], other.strength[board]
    other_count = other.hands[board]
    upto, below = 0, 0
    for hand in range(own.hands[board]):
        while upto < other_count and other_strength[upto] <= strength[hand]:
            _count(sums, load(theirs, upto * LANES), other_cards[upto, 0], other_cards[upto, 1])
            upto += 1
        while below < other_count and other_strength[below] < strength[hand]:
            _count(sums, load(theirs, below * LANES), other_cards[below, 0], other_cards[below, 1])
            below += 1
        store(out, hand * LANES, _without(sums, cards[hand, 0], cards[hand, 1]))
    _clear_rest(own, board, out)


@njit(cache=True, nogil=True)
def _clear_rest(own: Side, board: int, out: Any) -> None:
    """Nothing for the places after the last hand: what was left there by other boards must not be learned from."""
    zero = fill(out, out.dtype.type(0))
    for hand in range(own.hands[board], own.cards.shape[1]):
        store(out, hand * LANES, zero)
