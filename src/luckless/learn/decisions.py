"""What an agent learns from: the hands of a lesson, replayed, and each decision of the agent in them.

So nothing has to be collected while hands are played, and what is learned cannot depend on how they were batched.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.bots.dice import BatchDice, fill_random_bits
from luckless.kernels import njit
from luckless.learn.features import SITUATION, check_seats, describe
from luckless.learn.percentiles import Percentiles, percentiles
from luckless.matches.playing import Chunk
from luckless.randomness import key_of
from luckless.rules.engine import act, begin
from luckless.rules.records import HandArrays, Records
from luckless.rules.replaying import action_places
from luckless.rules.state import PUBLIC, encode
from luckless.rules.views import see_cards


@dataclass(frozen=True)
class Lesson:
    """Hands that one agent has played, in one seat of each or in several."""

    records: Records
    seed: int
    """The seed that the hands were played with, and the number of the deal of each: the agent's dice lie there."""
    deals: NDArray[np.int64]
    own: NDArray[np.bool_]
    """Which seats the agent had, shape (hands, seats)."""

    @classmethod
    def of(cls, chunks: Sequence[Chunk], players: Sequence[int], seed: int) -> "Lesson":
        """The lesson of the agent that played as `players` (places in the line-up) in these chunks."""
        own = np.concatenate([np.isin(chunk.hands.players, list(players)) for chunk in chunks])
        deals = np.concatenate([chunk.hands.deals for chunk in chunks])
        return cls(Records.joined([chunk.records for chunk in chunks]), seed, deals, own)


DECISION = np.dtype(
    [
        ("situation", SITUATION),
        ("hand", np.int32),  # row of the hand in the lesson
        ("seat", np.int8),
        ("step", np.int32),  # actions before this one
        ("action", np.int32),
        ("bet", np.int32),  # the bet to call, and the bounds of a raise
        ("least", np.int32),
        ("most", np.int32),
        ("next", np.int32),  # the agent's next decision in the hand (its row here), -1 after the last one
        ("result", np.float32),  # what the seat won or lost in the hand, as a share of its chips at the start
    ],
    align=True,
)
"""One decision of the agent."""


@njit(cache=True, nogil=True)
def _note(hand: Any, deck: Any, action: int, raiser: int, table: Percentiles, out: Any) -> None:
    """Writes the decision of the seat to act."""
    cards = np.empty(7, np.uint8)
    see_cards(hand, deck, hand.actor, cards)
    describe(hand, (len(deck) - 5) // 2, cards, raiser, table, out.situation)
    out.seat = hand.actor
    out.step = hand.steps
    out.action = action
    out.bet = hand.bet
    out.least = hand.min_raise_to
    out.most = hand.max_raise_to
    out.next = -1


@njit(cache=True, nogil=True)
def _take_apart(rules: Any, hands: HandArrays, own: Any, table: Percentiles, out: NDArray[np.void]) -> int:
    """Replays the hands; writes the decisions of the own seats, hand by hand, and returns their number."""
    buffer = np.zeros(1, PUBLIC)  # a record does not keep its array alive: it is taken anew inside the loop
    last = np.empty(own.shape[1], np.int64)  # the last decision so far of each seat
    count = 0
    for row in range(len(own)):
        hand, raiser = buffer[0], -1
        last[:] = -1
        begin(rules[0], hand, hands.stacks[row])
        first, end = action_places(hands, row)
        for at in range(first, end):
            seat, action = hand.actor, hands.actions[at]
            if own[row, seat]:
                _note(hand, hands.decks[row], action, raiser, table, out[count])
                out[count].hand = row
                chips = hand.stack[seat] + hand.invested[seat]
                out[count].result = np.float32(hands.payoffs[row, seat]) / np.float32(chips)
                if last[seat] >= 0:
                    out[last[seat]].next = count
                last[seat] = count
                count += 1
            if action > 0:
                raiser = seat
            act(rules[0], hand, action)
    return count


def decisions_of(lesson: Lesson) -> NDArray[np.void]:
    """The agent's decisions in a lesson, in the order of the hands and of the play."""
    records = lesson.records
    check_seats(records.game.seats)
    out = np.zeros(len(records.actions), DECISION)
    return out[: _take_apart(encode(records.game), records.arrays, lesson.own, percentiles(), out)]


def dice_of(lesson: Lesson, decisions: NDArray[np.void]) -> BatchDice:
    """The dice that the agent had at these decisions."""
    random_bits = np.empty((len(decisions), 4), np.uint64)
    deals = lesson.deals[decisions["hand"]]
    fill_random_bits(key_of(lesson.seed), deals, decisions["seat"].copy(), decisions["step"].copy(), random_bits)
    return BatchDice(random_bits)
