"""Plays recorded hands again, compiled: every action checked, every step noted, the money settled once more.

Nothing here trusts a record: cards are checked to be different, actions to be legal, the hand to be over.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.kernels import njit
from luckless.rules import engine
from luckless.rules.columns import UNKNOWN
from luckless.rules.game import BOARD_CARDS, MAX_SEATS, Game
from luckless.rules.plain_settlement import uncalled
from luckless.rules.records import Records
from luckless.rules.state import FINISHED, PUBLIC, encode

SOUND, ILLEGAL, UNFINISHED, CARD_TWICE, NO_CARD = range(5)
"""What can be wrong with a hand: nothing, an action (`Replay.at` says which), it does not end, a card stands twice, a
number is no card."""

SHARES = 2520
"""Parts of a chip in which even shares of a pot are whole numbers for up to ten winners: lcm(1..10)."""

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


class _Recorded(NamedTuple):
    decks: NDArray[np.uint8]
    stacks: NDArray[np.int32]
    ends: NDArray[np.int64]
    actions: NDArray[np.int32]


@njit(cache=True, nogil=True)
def check_cards(deck: NDArray[np.uint8]) -> int:
    """Whether known cards are cards and stand once."""
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


@njit(cache=True, nogil=True)
def _play_row(rules: Any, hand: Any, actions: NDArray[np.int32], first: int, steps: Steps) -> int:
    """Plays one hand; returns the place of its first illegal action, or -1."""
    for place in range(len(actions)):
        action = actions[place]
        if engine.check(hand, action) != engine.LEGAL:
            return place
        at, seat = first + place, hand.actor
        steps.seat[at] = seat
        steps.street[at] = hand.street
        steps.to_call[at] = hand.to_call
        steps.bet[at] = hand.bet
        steps.pot[at] = hand.pot
        before = hand.pot
        engine.act(rules, hand, action)
        steps.chips[at] = hand.pot - before
        steps.behind[at] = hand.stack[seat]
    return -1


@njit(cache=True, nogil=True)
def _replay_rows(rules: NDArray[np.void], recorded: _Recorded, steps: Steps, out: Ends) -> None:
    buffer = np.zeros(1, PUBLIC)  # a record does not keep its array alive: it is taken anew inside the loop
    seats = rules[0].seats
    for row in range(len(recorded.ends)):
        hand = buffer[0]
        first = recorded.ends[row - 1] if row > 0 else 0
        out.payoffs[row] = 0
        engine.begin(rules[0], hand, recorded.stacks[row])
        bad = _play_row(rules[0], hand, recorded.actions[first : recorded.ends[row]], first, steps)
        out.problem[row] = check_cards(recorded.decks[row])
        if bad >= 0:
            out.problem[row] = ILLEGAL
            out.at[row] = bad
        elif hand.actor != FINISHED:
            out.problem[row] = UNFINISHED
        out.street[row] = hand.street
        out.showdown[row] = hand.showdown
        out.live[row] = hand.live
        out.pot[row] = hand.pot
        for seat in range(seats):
            out.invested[row, seat] = hand.invested[seat]
        out.settled[row] = out.problem[row] == SOUND and knows_showdown(rules[0], hand, recorded.decks[row])
        if out.settled[row]:
            engine.settle(rules[0], hand, recorded.decks[row], out.payoffs[row])


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
    recorded = _Recorded(records.decks, records.stacks, records.ends, records.actions)
    _replay_rows(encode(records.game), recorded, steps, ends)
    return Replay(steps, ends)


def dead_antes(game: Game, stacks: Sequence[int]) -> list[int]:
    """What each seat has posted for the whole table (see `Game.antes_are_dead`)."""
    if not game.antes_are_dead:
        return [0] * game.seats
    left = (max(stack - blind, 0) for stack, blind in zip(stacks, game.blinds, strict=True))
    return [min(ante, chips) for ante, chips in zip(game.antes, left, strict=True)]


def returned_bet(game: Game, stacks: Sequence[int], invested: Sequence[int], live: Sequence[int]) -> tuple[int, int]:
    """The seat that gets the uncalled part of its bet back, and the chips (0 if it was called)."""
    dead = dead_antes(game, stacks)
    return uncalled([chips - ante for chips, ante in zip(invested, dead, strict=True)], live)


# Even shares of split pots, to a fraction of a chip

WIDE_HAND = np.dtype(
    [
        ("street", np.int8),
        ("showdown", np.int8),
        ("live", np.int16),
        ("pot", np.int64),
        ("invested", np.int64, (MAX_SEATS,)),
    ],
    align=True,
)
"""What `engine.settle` looks at, wide enough for amounts in parts of a chip."""

WIDE_RULES = np.dtype(
    [
        ("seats", np.int8),
        ("dead_antes", np.int8),
        ("no_flop_no_drop", np.int8),
        ("rake_permille", np.int32),
        ("rake_cap", np.int64),
        ("ante", np.int64, (MAX_SEATS,)),
        ("blind", np.int64, (MAX_SEATS,)),
    ],
    align=True,
)


def encode_shares(game: Game) -> NDArray[np.void]:
    """What settling needs of a game, with amounts in parts of a chip; even shares know no rake."""
    rules = np.zeros(1, WIDE_RULES)
    rules["seats"] = game.seats
    rules["dead_antes"] = game.antes_are_dead
    rules["ante"][0, : game.seats] = np.array(game.antes, np.int64) * SHARES
    rules["blind"][0, : game.seats] = np.array(game.blinds, np.int64) * SHARES
    return rules


@njit(cache=True, nogil=True)
def settle_shares(rules: Any, hand: Any, wide: Any, deck: NDArray[np.uint8], values: Any) -> None:
    """What each seat wins in parts of a chip when every pot is shared evenly. `wide` is room for a record."""
    wide.street = hand.street
    wide.showdown = hand.showdown
    wide.live = hand.live
    wide.pot = np.int64(hand.pot) * SHARES
    for seat in range(rules.seats):
        wide.invested[seat] = np.int64(hand.invested[seat]) * SHARES
    engine.settle(rules, wide, deck, values)


@njit(cache=True, nogil=True)
def _share_rows(rules: NDArray[np.void], decks: NDArray[np.uint8], ends: Ends, values: NDArray[np.int64]) -> None:
    buffer = np.zeros(2, WIDE_HAND)  # a record does not keep its array alive: it is taken anew inside the loop
    for row in range(len(decks)):
        hand, wide = buffer[0], buffer[1]
        hand.street = ends.street[row]
        hand.showdown = ends.showdown[row]
        hand.live = ends.live[row]
        hand.pot = ends.pot[row]
        for seat in range(rules[0].seats):
            hand.invested[seat] = ends.invested[row, seat]
        if ends.settled[row]:
            settle_shares(rules[0], hand, wide, decks[row], values[row])


def even_shares(records: Records, ends: Ends) -> NDArray[np.int64]:
    """What each seat wins in parts of a chip (`SHARES` to the chip) when split pots are shared evenly."""
    values = np.zeros((len(records), records.game.seats), np.int64)
    _share_rows(encode_shares(records.game), records.decks, ends, values)
    return values
