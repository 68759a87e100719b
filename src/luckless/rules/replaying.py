"""Plays recorded hands again, compiled, action by action (`action_places` shows the loop).

`replay` trusts no record: cards are checked to be different, actions to be legal, the hand to be over; every step is
noted and the money settled once more. Kernels that follow hands of our own (lessons, behaviour) need no such checks.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.kernels import njit
from luckless.rules import engine
from luckless.rules.actions import CALL, FOLD
from luckless.rules.game import BOARD_CARDS
from luckless.rules.records import UNKNOWN, HandArrays, Records
from luckless.rules.state import FINISHED, PUBLIC, encode

SOUND, ILLEGAL, UNFINISHED, CARD_TWICE, NO_CARD = range(5)
"""What can be wrong with a hand: nothing, an illegal action (`Replay.at` says which), no end, a card that appears
twice, a number that is not a card."""

_BOARD_CARDS = np.array(BOARD_CARDS)


class Steps(NamedTuple):
    """One entry for each action of the hands, in the order of `Records.actions`."""

    seat: NDArray[np.int8]
    street: NDArray[np.int8]
    to_call: NDArray[np.int32]
    """What a call costs before the action."""
    bet: NDArray[np.int32]
    """The bet to match before the action, as the street's total; 0 where a raise is the first bet."""
    pot: NDArray[np.int32]
    """All chips in the middle before the action."""
    chips: NDArray[np.int32]
    """Chips that the action moved."""
    behind: NDArray[np.int32]
    """The stack of the seat after the action."""


class Ends(NamedTuple):
    """One entry for each hand: what was wrong with it, or how it ended."""

    problem: NDArray[np.int8]
    at: NDArray[np.int32]
    """The place of the action that is wrong, counted from 0 in its hand."""
    street: NDArray[np.int8]
    showdown: NDArray[np.int8]
    settled: NDArray[np.int8]
    """1 where the payoffs follow from the record; 0 where cards of the showdown are unknown."""
    live: NDArray[np.int16]
    pot: NDArray[np.int32]
    invested: NDArray[np.int32]
    payoffs: NDArray[np.int32]


class Replay(NamedTuple):
    """Hands that were played again."""

    steps: Steps
    ends: Ends

    @property
    def board_cards(self) -> NDArray[np.int64]:
        """How many board cards each hand had on the table at its end."""
        return np.where(self.ends.showdown == 1, 5, _BOARD_CARDS[self.ends.street])


@njit(cache=True, nogil=True, inline="always")
def action_places(hands: HandArrays, row: int) -> Any:
    """The place of the first action of a hand, and the place after its last.

    So a kernel looks at every decision before it is made (a generator would be neater, at a fifth of the speed):

        begin(rules, hand, hands.stacks[row])
        first, end = action_places(hands, row)
        for at in range(first, end):
            ...  # hand.actor is about to do hands.actions[at]
            act(rules, hand, hands.actions[at])
    """
    return (hands.ends[row - 1] if row > 0 else np.int64(0)), hands.ends[row]


@njit(cache=True, nogil=True)
def check_cards(deck: NDArray[np.uint8]) -> int:
    """Whether all known cards are valid and different."""
    seen = np.uint64(0)
    for card in deck:
        if card == UNKNOWN:
            continue
        if card >= 52:
            return NO_CARD
        bit = np.uint64(1) << np.uint64(card)
        if seen & bit:
            return CARD_TWICE
        seen |= bit
    return SOUND


@njit(cache=True, nogil=True)
def knows_showdown(rules: Any, hand: Any, deck: NDArray[np.uint8]) -> bool:
    """Whether every card is known that decides who wins; none is needed when all but one have folded."""
    if not hand.showdown:
        return True
    for place in range(2 * rules.seats, len(deck)):
        if deck[place] == UNKNOWN:
            return False
    for seat in range(rules.seats):
        if hand.live >> seat & 1 and (deck[2 * seat] == UNKNOWN or deck[2 * seat + 1] == UNKNOWN):
            return False
    return True


@njit(cache=True, nogil=True, inline="always")
def _note_step(hand: Any, action: int, at: int, steps: Steps) -> None:
    """Writes down a legal action that is about to be made."""
    seat = hand.actor
    chips = 0 if action == FOLD else (hand.to_call if action == CALL else action - hand.street_bet[seat])
    steps.seat[at] = seat
    steps.street[at] = hand.street
    steps.to_call[at] = hand.to_call
    steps.bet[at] = hand.bet
    steps.pot[at] = hand.pot
    steps.chips[at] = chips
    steps.behind[at] = hand.stack[seat] - chips


@njit(cache=True, nogil=True)
def _replay_rows(rules: NDArray[np.void], hands: HandArrays, steps: Steps, out: Ends) -> None:
    buffer = np.zeros(1, PUBLIC)  # a record does not keep its array alive: it is taken anew inside the loop
    for row in range(len(hands.ends)):
        hand = buffer[0]
        out.problem[row] = check_cards(hands.decks[row])
        legal = True
        engine.begin(rules[0], hand, hands.stacks[row])
        first, end = action_places(hands, row)
        for at in range(first, end):
            action = hands.actions[at]
            legal = engine.check(hand, action) == engine.LEGAL
            if not legal:
                out.problem[row] = ILLEGAL
                out.at[row] = hand.steps
                break
            _note_step(hand, action, at, steps)
            engine.act(rules[0], hand, action)
        if legal and hand.actor != FINISHED:
            out.problem[row] = UNFINISHED
        _note_end(rules[0], hand, hands.decks[row], row, out)


@njit(cache=True, nogil=True, inline="always")
def _note_end(rules: Any, hand: Any, deck: NDArray[np.uint8], row: int, out: Ends) -> None:
    """Writes down how a hand ended, and settles it if it is sound and its cards are known."""
    out.street[row] = hand.street
    out.showdown[row] = hand.showdown
    out.live[row] = hand.live
    out.pot[row] = hand.pot
    for seat in range(rules.seats):
        out.invested[row, seat] = hand.invested[seat]
    out.payoffs[row] = 0
    out.settled[row] = out.problem[row] == SOUND and knows_showdown(rules, hand, deck)
    if out.settled[row]:
        engine.settle(rules, hand, deck, out.payoffs[row])


@njit(cache=True, nogil=True)
def _count_decisions(rules: NDArray[np.void], hands: HandArrays, players: Any, counts: NDArray[np.int64]) -> None:
    buffer = np.zeros(1, PUBLIC)
    for row in range(len(hands.ends)):
        hand = buffer[0]
        engine.begin(rules[0], hand, hands.stacks[row])
        first, end = action_places(hands, row)
        for at in range(first, end):
            counts[players[row, hand.actor]] += 1
            engine.act(rules[0], hand, hands.actions[at])


def count_decisions(records: Records, players: NDArray[Any]) -> NDArray[np.int64]:
    """How many decisions each player made in hands of our own; `players` sit in the seats, shape (hands, seats)."""
    counts = np.zeros(records.game.seats, np.int64)
    _count_decisions(encode(records.game), records.arrays, players, counts)
    return counts


def replay(records: Records) -> Replay:
    """Plays hands again from their actions; look at `ends.problem` before trusting the rest of a row."""
    hands, seats = records.stacks.shape
    count = len(records.actions)
    amounts = np.zeros((5, count), np.int32)
    steps = Steps(np.zeros(count, np.int8), np.zeros(count, np.int8), *amounts)
    ends = Ends(
        problem=np.zeros(hands, np.int8),
        at=np.zeros(hands, np.int32),
        street=np.zeros(hands, np.int8),
        showdown=np.zeros(hands, np.int8),
        settled=np.zeros(hands, np.int8),
        live=np.zeros(hands, np.int16),
        pot=np.zeros(hands, np.int32),
        invested=np.zeros((hands, seats), np.int32),
        payoffs=np.zeros((hands, seats), np.int32),
    )
    _replay_rows(encode(records.game), records.arrays, steps, ends)
    return Replay(steps, ends)
