"""The bounds of a raise by PokerKit's rules, predicted from the actions alone.

With these and the bounds by our own rules (`random_hands.StreetWatch`) both sides of an accepted difference are known
to the chip: a difference of any other amount fails.
"""

from dataclasses import dataclass, field

from engines import Hand
from luckless.rules.game import Game

LIMIT_RAISES = 4
"""Raises of a street in PokerKit's limit hold'em, the blind not counted."""


@dataclass
class PokerKitStreet:
    """PokerKit's account of a street: blinds are no bets, every raise counts, and all-ins are added up in a row."""

    game: Game
    street: int = 0
    largest: int = 0
    """The largest bet or raise of the street, full or not."""
    raises: int = 0
    unpaired: list[int] = field(default_factory=list)
    """What all-in raises in a row have added, as long as they are together less than the largest raise."""
    acted: set[int] = field(default_factory=set)
    """Seats that have acted since a raise that was no smaller than all before it."""

    def see_street(self, street: int) -> None:
        """Forgets the last street."""
        if street != self.street:
            self.street, self.largest, self.raises = street, 0, 0
            self.unpaired.clear()
            self.acted.clear()

    def see_action(self, seat: int, action: int, hand: Hand) -> None:
        """Notes what a seat is about to do."""
        if action > 0:
            self._see_raise(action - max(hand.bets), all_in=action == hand.bets[seat] + hand.stacks[seat])
        self.acted.add(seat)

    def _see_raise(self, added: int, *, all_in: bool) -> None:
        if added >= self.largest:
            self.acted.clear()
        self.largest = max(self.largest, added)
        self.raises += 1
        self.unpaired = [*self.unpaired, added] if all_in else []
        if sum(self.unpaired) >= self.largest:
            self.unpaired = []

    @property
    def is_capped(self) -> bool:
        """Whether limit allows no more raises."""
        return self.game.betting == "limit" and self.raises == LIMIT_RAISES

    def bounds(self, seat: int, hand: Hand, others: list[int]) -> tuple[int, int]:
        """What PokerKit lets a seat raise to; 0, 0 is no raise. `others` are the other live seats."""
        bet, own, stack = max(hand.bets), hand.bets[seat], hand.stacks[seat]
        answered = min(bet - own, stack) < self.largest or (bool(self.unpaired) and seat in self.acted)
        if answered or self.is_capped or stack <= bet - own:
            return 0, 0
        if all(hand.bets[other] + hand.stacks[other] <= bet for other in others):
            return 0, 0
        least = bet + max(self.largest, self.game.bet_sizes[self.street] or self.game.big_blind)
        most = {"limit": least, "no-limit": own + stack}.get(self.game.betting, max(least, 2 * bet - own + hand.pot))
        return min(least, own + stack), min(most, own + stack)
