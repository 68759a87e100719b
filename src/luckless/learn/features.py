"""The 404 features of a decision (Kaminsky and Liebendörfer 2020, section 3.4.2), for tables of two to six seats.

| slots | what they hold |
|---|---|
| 0-51, 52-103 | one-hot: the own two cards by number (rank x 4 + suit), the lower first |
| 104-156, 157-209, ..., 316-368 | one-hot: the five board cards, sorted; the 53rd slot of each means hidden |
| 369-374 | 1 for each place at the table that has folded or is empty |
| 375-380 | by place, what it has put in during the hand, as a share of its chips at the start |
| 381-386 | by place, what it has put in on this street, as a share of its chips at the start |
| 387-392 | one-hot: the place that made the last bet or raise of the hand; all 0 when there was none |
| 393-398 | one-hot: the own place |
| 399-402 | one-hot: preflop, flop, turn, river |
| 403 | the card rank percentile (`percentiles`) |

Places are those of a full table: small blind, big blind, three between, button (5). A shorter table lacks the places
after the big blind first; heads-up the big blind is place 1 and the button is place 5, as if the others had folded.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError
from luckless.kernels import njit
from luckless.learn.percentiles import Percentiles, percentile_of, percentiles
from luckless.rules.views import UNSEEN, Views

FEATURES = 404
FEATURE_VERSION = 1
"""Stands in every file of weights; a change of the slots or of their meaning needs a new one."""

PLACES = 6
HIDDEN = 52
HOLE, BOARD, FOLDED, INVESTED, STREET_BET, RAISER, OWN, STREET, PERCENTILE = 0, 104, 369, 375, 381, 387, 393, 399, 403
"""The first slot of each group."""

ACTIVE = 29
"""At most so many slots of a decision are not 0."""

SITUATION = np.dtype(
    [
        ("cards", np.uint8, (7,)),  # hole cards, then board, each part sorted, HIDDEN for what is to come
        ("folded", np.uint8),  # places, as bits
        ("raiser", np.int8),  # a place, or -1
        ("own", np.int8),
        ("street", np.int8),
        ("invested", np.float32, (PLACES,)),
        ("street_bet", np.float32, (PLACES,)),
        ("percentile", np.float32),
    ],
    align=True,
)
"""The features of a decision in 64 bytes; `expand` writes them out."""


@njit(cache=True, nogil=True)
def place_of(seat: int, seats: int) -> Any:
    """The place at a full table of a seat of a shorter one."""
    if seats == 2:
        return 1 + 4 * seat
    return seat if seat < 2 else seat + PLACES - seats


@njit(cache=True, nogil=True)
def _insert_card(cards: NDArray[np.uint8], first: int, place: int, card: int) -> None:
    """Puts a card among the sorted ones at first .. place - 1."""
    while place > first and cards[place - 1] > card:
        cards[place] = cards[place - 1]
        place -= 1
    cards[place] = card


@njit(cache=True, nogil=True)
def describe(hand: Any, seats: int, cards: NDArray[np.uint8], raiser: int, table: Percentiles, out: Any) -> None:
    """Writes the situation of the seat to act: its public record, its cards and the board, the last raiser."""
    _insert_card(out.cards, 0, 0, cards[0])
    _insert_card(out.cards, 0, 1, cards[1])
    for place in range(2, 7):
        _insert_card(out.cards, 2, place, HIDDEN if cards[place] == UNSEEN else cards[place])
    out.percentile = percentile_of(cards, hand.street, table)
    out.street = hand.street
    out.own = place_of(hand.actor, seats)
    out.raiser = place_of(raiser, seats) if raiser >= 0 else -1
    folded = (1 << PLACES) - 1
    for place in range(PLACES):
        out.invested[place] = 0
        out.street_bet[place] = 0
    for seat in range(seats):
        place = place_of(seat, seats)
        chips = np.float32(hand.stack[seat] + hand.invested[seat])
        out.invested[place] = np.float32(hand.invested[seat]) / chips
        out.street_bet[place] = np.float32(hand.street_bet[seat]) / chips
        if hand.live >> seat & 1:
            folded &= ~(1 << place)
    out.folded = folded


@njit(cache=True, nogil=True)
def _describe_rows(
    public: Any, seats: int, cards: Any, actions: Any, actors: Any, table: Percentiles, out: Any
) -> None:
    for row in range(len(public)):
        step = public[row].steps - 1
        while step >= 0 and actions[row, step] <= 0:
            step -= 1
        raiser = actors[row, step] if step >= 0 else -1
        describe(public[row], seats, cards[row], raiser, table, out[row])


def check_seats(seats: int) -> None:
    """Refuses tables with more seats than the features describe."""
    if seats > PLACES:
        raise InputError(f"a learning bot knows tables of 2 to {PLACES} seats; this one has {seats}")


def situations(views: Views) -> NDArray[np.void]:
    """The situation of each decision."""
    check_seats(views.seats)
    out = np.zeros(len(views), SITUATION)
    _describe_rows(views.public, views.seats, views.cards, views.actions, views.action_seats, percentiles(), out)
    return out


@njit(cache=True, nogil=True)
def list_active(situation: Any, slots: NDArray[np.int32], values: NDArray[np.float32]) -> int:
    """Writes the slots that are not 0 and their values; returns how many there are (at most `ACTIVE`)."""
    slots[0] = situation.cards[0]
    slots[1] = HOLE + 52 + situation.cards[1]
    for place in range(5):
        slots[2 + place] = BOARD + 53 * place + situation.cards[2 + place]
    slots[7] = OWN + situation.own
    slots[8] = STREET + situation.street
    values[:9] = 1
    slots[9] = PERCENTILE
    values[9] = situation.percentile
    count = 10
    if situation.raiser >= 0:
        slots[count], values[count] = RAISER + situation.raiser, 1
        count += 1
    for place in range(PLACES):
        if situation.folded >> place & 1:
            slots[count], values[count] = FOLDED + place, 1
            count += 1
        if situation.invested[place] > 0:
            slots[count], values[count] = INVESTED + place, situation.invested[place]
            count += 1
        if situation.street_bet[place] > 0:
            slots[count], values[count] = STREET_BET + place, situation.street_bet[place]
            count += 1
    return count


@njit(cache=True, nogil=True)
def _expand_rows(rows: NDArray[np.void], out: NDArray[np.float32]) -> None:
    slots, values = np.empty(ACTIVE, np.int32), np.empty(ACTIVE, np.float32)
    for row in range(len(rows)):
        for place in range(list_active(rows[row], slots, values)):
            out[row, slots[place]] = values[place]


def expand(rows: NDArray[np.void]) -> NDArray[np.float32]:
    """Situations as the 404 numbers of each, shape (n, 404)."""
    out = np.zeros((len(rows), FEATURES), np.float32)
    _expand_rows(rows, out)
    return out


def features(views: Views) -> NDArray[np.float32]:
    """The 404 features of each decision, shape (n, 404)."""
    return expand(situations(views))
