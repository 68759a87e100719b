"""Whole hands inside one compiled loop, for matches in which every player is a compiled bot."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.bots.compiled import decide
from luckless.hands.rank_source import RankSource
from luckless.kernels import njit
from luckless.randomness import BOT, random_bits_at
from luckless.rules.dealing import deal_deck
from luckless.rules.engine import act, begin, settle
from luckless.rules.records import HandArrays
from luckless.rules.state import PUBLIC, SessionRound
from luckless.rules.views import see_cards


class Setup(NamedTuple):
    """What does not change from hand to hand."""

    rules: NDArray[np.void]
    fixed_board: NDArray[np.uint8]
    key: NDArray[np.uint64]
    bots: NDArray[np.void]
    source: RankSource | None
    session: SessionRound


class Room(NamedTuple):
    """Where a hand is played: its public record, the pack it is dealt from, what a bot sees."""

    hand: NDArray[np.void]
    pack: NDArray[np.uint8]
    cards: NDArray[np.uint8]


@njit(cache=True, nogil=True, borrows=True)
def end_hand(rules: Any, hand: Any, row: int, end: int, out: HandArrays, streets: Any) -> int:
    """Pays a hand that is over and notes where its actions end, and on which street it did; returns the end."""
    settle(rules, hand, out.decks[row], out.payoffs[row])
    end += hand.steps
    out.ends[row] = end
    streets[row] = 4 if hand.showdown else hand.street
    return end


@njit(cache=True, nogil=True)
def play_hands(setup: Setup, deals: Any, players: Any, first: int, out: HandArrays, streets: Any) -> int:
    """Plays hands from row `first` on, with the stacks of `out`, into its other arrays and `streets`.

    Returns the row it stopped at because there was no more space for actions.
    """
    room = Room(np.zeros(1, PUBLIC), np.empty(52, np.uint8), np.empty(7, np.uint8))
    stopped: int = _play_hands(setup, room, deals, players, first, out, streets)
    return stopped


@njit(cache=True, nogil=True, borrows=True)
def _play_hands(setup: Setup, room: Room, deals: Any, players: Any, first: int, out: HandArrays, streets: Any) -> int:
    """`play_hands` in a given room. A record does not keep its array alive: it is taken anew for each hand."""
    rules, source, session = setup.rules[0], setup.source, setup.session
    pack, cards = room.pack, room.cards
    random_bits = (np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0))
    end = out.ends[first - 1] if first > 0 else 0
    for row in range(first, len(deals)):
        hand, deck = room.hand[0], out.decks[row]
        if row > first and deals[row] == deals[row - 1]:  # a duplicate set plays one deal several times
            for place in range(len(deck)):  # a slice would be copied first, in case the two overlap
                deck[place] = out.decks[row - 1, place]
        else:
            deal_deck(pack, setup.fixed_board, setup.key, deals[row], deck)
        begin(rules, hand, out.stacks[row])
        hand.rounds_left, hand.session_stack = session.rounds_left, session.stack
        while hand.actor >= 0:
            if end + hand.steps == len(out.actions):
                return row
            seat = hand.actor
            bot = setup.bots[players[row, seat]]
            if bot.uses_cards:
                see_cards(hand, deck, seat, cards)
            if bot.uses_dice:
                random_bits = random_bits_at(setup.key, 0, deals[row], BOT + seat, hand.steps)
            action = decide(bot, rules, hand, cards, random_bits, source)
            out.actions[end + hand.steps] = action
            act(rules, hand, action)
        end = end_hand(rules, hand, row, end, out, streets)
    return len(deals)
