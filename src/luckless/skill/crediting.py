"""Compiled: a hand as luck of the cards and as what each action gave to each seat, measured by sound play.

The value of a situation to a seat is what it would win on average if all played soundly from there on, with all cards
known (`roll_outs`). It starts before the cards are dealt and ends at the money:

    money = position + luck of the deal, flop, turn and river + what all actions changed

Who gets which of the hands that were dealt is luck: the value less its mean over all ways to pass the hands around
the table. That mean is the position. A street's cards are luck: the value after them less the value before. An action
changes the value of every seat; done as sound play would, it changes nothing. Each part of luck has the mean 0
whatever players do, because values before cards are means over the cards that can come.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.kernels import njit
from luckless.rules import engine
from luckless.rules.game import MAX_SEATS, STREETS
from luckless.rules.records import HandArrays
from luckless.rules.replaying import action_places
from luckless.rules.state import FINISHED, PUBLIC
from luckless.skill.roll_outs import Ground, baseline_action, new_boards, roll_out

LUCKS = ("deal", "flop", "turn", "river")


class Credits(NamedTuple):
    """What happened in hands, a row a hand, in chips; the last axis is always the seat that gained."""

    position: NDArray[np.float64]
    luck: NDArray[np.float64]
    """By kind (see `LUCKS`)."""
    moved: NDArray[np.float64]
    """What actions changed, by street and by the seat that acted."""
    end: NDArray[np.float64]
    """The value at the end: the money by the rules of the game."""


def new_credits(hands: int) -> Credits:
    """Empty credits for so many hands."""
    return Credits(
        np.zeros((hands, MAX_SEATS)),
        np.zeros((hands, len(LUCKS), MAX_SEATS)),
        np.zeros((hands, len(STREETS), MAX_SEATS, MAX_SEATS)),
        np.zeros((hands, MAX_SEATS)),
    )


@njit(cache=True, nogil=True)
def credit(rules: NDArray[np.void], hands: HandArrays, ground: Ground, begin: int, end: int, out: Credits) -> None:
    """The credits of the hands from `begin` to `end`, written from row 0 on; all their cards must be known."""
    buffer = np.zeros(2, PUBLIC)
    for row in range(begin, end):
        _credit_hand(rules[0], hands, ground, row, row - begin, buffer, out)


@njit(cache=True, nogil=True)
def _credit_hand(
    rules: Any, hands: HandArrays, ground: Ground, row: int, place: int, buffer: NDArray[np.void], out: Credits
) -> None:
    deck, seats = hands.decks[row], np.int64(rules.seats)
    hand = buffer[1]
    engine.begin(rules, hand, hands.stacks[row])
    street = np.int64(hand.street)
    boards = new_boards(deck, seats, street, ground)
    value, next_value = np.zeros(seats), np.zeros(seats)
    for turned in range(seats):
        roll_out(rules, hand, deck, boards, turned, ground, buffer, next_value)
        out.position[place, :seats] += next_value / seats
        if turned == 0:
            value[:] = next_value
    out.luck[place, 0, :seats] = value - out.position[place, :seats]
    first, last = action_places(hands, row)
    for at in range(first, last):
        actor, action = np.int64(hand.actor), np.int64(hands.actions[at])
        as_sound = action == baseline_action(rules, hand, deck, boards, 0, 0, ground)
        engine.act(rules, hand, action)
        if not as_sound:
            roll_out(rules, hand, deck, boards, 0, ground, buffer, next_value)
            out.moved[place, street, actor, :seats] += next_value - value
            value[:] = next_value
        reached = 3 if hand.actor == FINISHED and hand.showdown else np.int64(hand.street)
        while street < reached:
            street += 1
            boards = new_boards(deck, seats, street, ground)
            roll_out(rules, hand, deck, boards, 0, ground, buffer, next_value)
            out.luck[place, street, :seats] += next_value - value
            value[:] = next_value
    out.end[place, :seats] = value
