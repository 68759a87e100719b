"""A short hand for writing poker spots: tables, decks, actions as text, and what the seat to act may do."""

from collections.abc import Sequence
from typing import Any

from engines import Engine, Hand
from luckless.cards import parse_cards
from luckless.rules.actions import CALL, FOLD, Legal
from luckless.rules.game import Betting, Game

PAIRS = ("AcAd", "KcKd", "QcQd", "TcTd", "8c8d", "6c6d", "5c5h", "3c3d", "AhQs", "KhQh")
"""Hole cards that grow weaker from seat to seat on `DRY` (the last two have no pair)."""
DRY = "2h7s9hJs4d"
BROADWAY = "AsKsQhJdTh"
"""A board that plays: every hand ties on it unless it makes a flush, and none of `LOW` does."""
LOW = ("2c3d", "4c5d", "6c7d", "8c9d", "2d3c", "4d5c", "6d7c", "8d9c", "2s4s", "3s5s")


def table(betting: Betting, stacks: Sequence[int], blinds: Sequence[int] = (1, 2), **fields: Any) -> Game:
    """A game for these stacks; blinds are filled up with zeros, and reversed heads-up as our seats are."""
    seats = len(stacks)
    posted = list(blinds) + [0] * (seats - len(blinds))
    if seats == 2:
        posted.reverse()
    return Game(name="spot", betting=betting, seats=seats, blinds=tuple(posted), stacks=tuple(stacks), **fields)


def deck(holes: Sequence[str], board: str = DRY) -> list[int]:
    """The deck that deals these hole cards in seat order, then this board."""
    return parse_cards("".join(holes) + board)


def deal(engine: Engine, game: Game, actions: str = "", holes: Sequence[str] = PAIRS, board: str = DRY) -> Hand:
    """A hand of the game with these cards, played on by the actions given."""
    hand = engine(game, deck(holes[: game.seats], board), None)
    return play(hand, actions)


def play(hand: Hand, actions: str) -> Hand:
    """Plays actions written as words: `f` folds, `c` checks or calls, `r6` bets or raises to 6."""
    for word in actions.split():
        hand.do({"f": FOLD, "c": CALL}[word] if word in "fc" else int(word[1:]))
    return hand


def expect(hand: Hand, seat: int, call: int, raise_to: tuple[int, int] | None) -> Hand:
    """Asserts whose turn it is and what that seat may do; gives the hand back to play on."""
    assert hand.actor == seat
    bounds = raise_to or (0, 0)
    assert hand.legal() == Legal(True, call, *bounds)
    if raise_to is None:
        assert not hand.can(hand.bets[seat] + hand.stacks[seat])
    else:
        least, most = raise_to
        assert hand.can(least)
        assert hand.can(most)
        assert least == 1 or not hand.can(least - 1)
        assert not hand.can(most + 1)
    return hand
