"""Random tables, decks and actions on which engines are compared, and what is needed to explain a difference."""

import math
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from engines import Hand
from luckless.cards import format_cards
from luckless.rules.actions import CALL, FOLD, Legal
from luckless.rules.game import Betting, Game

BLINDS = ((1, 2), (5, 10), (50, 100), (2, 5), (1, 3))


def random_game(rng: random.Random, betting: Betting, *, antes: bool = False) -> Game:
    """Two to ten seats; stacks of 1 chip to 300 big blinds, short and deep ones alike (uniform in the logarithm)."""
    seats = rng.randint(2, 10)
    small, big = rng.choice(BLINDS)
    posted = (big, small) if seats == 2 else (small, big, *[0] * (seats - 2))
    longest = rng.choice((3, 30, 300)) * big
    stacks = [max(1, round(math.exp(rng.uniform(0, math.log(longest))))) for _ in range(seats)]
    stacks[rng.randrange(seats)] = longest
    kind = rng.choice(("none", "equal", "big blind")) if antes else "none"
    ante = {"none": (0,) * seats, "equal": (small,) * seats}.get(
        kind, tuple(big * (chips == big) for chips in posted)
    )
    return Game(
        name="random",
        betting=betting,
        seats=seats,
        blinds=posted,
        antes=ante,
        stacks=tuple(stacks),
        bet_sizes=(big, big, 2 * big, 2 * big) if betting == "limit" else (0, 0, 0, 0),
        max_bets=(4, 4, 4, 4) if betting == "limit" else (0, 0, 0, 0),
    )


def random_deck(rng: random.Random, game: Game) -> list[int]:
    """Cards for one hand."""
    return rng.sample(range(52), game.cards_in_deck)


def random_action(rng: random.Random, legal: Legal) -> int:
    """Mostly calls, so that hands go far; a raise is the smallest, the largest, or any between (small ones oftener).

    Never folds for free: other engines refuse that.
    """
    luck = rng.random()
    if luck < 0.12 and legal.call:
        return FOLD
    if luck < 0.6 or not legal.can_raise:
        return CALL
    if luck < 0.7:
        return legal.min_raise_to
    if luck < 0.76:
        return legal.max_raise_to
    spread = legal.max_raise_to - legal.min_raise_to
    return legal.min_raise_to + int(spread * rng.random() ** 3)


@contextmanager
def reported(game: Game, deck: list[int], actions: list[int]) -> Iterator[None]:
    """Says of a failed comparison which hand it was, so that it can be played again."""
    try:
        yield
    except AssertionError as error:
        raise AssertionError(f"{error}\n{game}\ndeck {format_cards(deck)}, actions {actions}") from error


@dataclass
class StreetWatch:
    """What has been bet on a street, noted apart from any engine, and the bounds that rules 11 to 17 make of it."""

    game: Game
    street: int = 0
    bet: int = 0
    full_raise: int = 0
    """The last full bet or raise of the street; 0 if there was none."""
    full_level: int = 0
    """What the last full bet or raise was made to, or what stood at the start."""
    level: int = 0
    """Limit: the last bet that counts (rule 15)."""
    counted: int = 0
    """Bets and raises that count towards the cap (rule 17)."""
    short_all_in: bool = False
    """A raise on this street was all-in for less than a full raise."""
    short_first: bool = False
    """Such a one came before any full bet or raise."""
    competition_minimum: int = 0
    """The smallest raise in the competition's rules: the largest raise so far added to what it was made to, or the
    big blind to where the street began. A short all-in in between does not move it."""
    answered: dict[int, int] = field(default_factory=dict)
    """The bet as it stood when a seat last acted on this street."""
    folded: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._start(self.street, self.game.big_blind)

    def _start(self, street: int, bet: int) -> None:
        self.street, self.bet, self.full_level, self.level, self.full_raise = street, bet, bet, bet, 0
        self.counted = 1 if bet else 0
        self.short_all_in = self.short_first = False
        self.competition_minimum = bet + self.game.big_blind
        self.answered.clear()

    @property
    def size(self) -> int:
        """The least that a full bet or raise adds: the bet of the street in limit, else the last full raise."""
        return self.game.bet_sizes[self.street] or max(self.full_raise, self.game.big_blind)

    def see_street(self, street: int) -> None:
        """Forgets the last street."""
        if street != self.street:
            self._start(street, 0)

    def see_action(self, seat: int, action: int) -> None:
        """Notes what a seat does."""
        if action == FOLD:
            self.folded.add(seat)
        elif action > 0:
            self._see_raise(action)
        self.answered[seat] = self.bet

    def _see_raise(self, action: int) -> None:
        added, full = action - self.bet, action - self.bet >= self.size
        counts = 2 * (action - self.level) >= self.size if self.game.betting == "limit" else full
        if counts:
            self.level = action
            self.counted += 1
        if full:
            self.full_raise, self.full_level = added, action
        else:
            self.short_all_in = True
            self.short_first |= not self.full_raise
        self.bet = action
        self.competition_minimum = max(self.competition_minimum, action + added)

    def others(self, seat: int) -> list[int]:
        """The other live seats."""
        return [other for other in range(self.game.seats) if other != seat and other not in self.folded]

    def bounds(self, seat: int, hand: Hand) -> tuple[int, int]:
        """What docs/rules.md lets a seat raise to, given the chips on the table; 0, 0 is no raise."""
        own, stack = hand.bets[seat], hand.stacks[seat]
        cap = self.game.max_bets[self.street]
        if not any(hand.stacks[other] for other in self.others(seat)) or stack <= self.bet - own:
            return 0, 0
        if (cap and self.counted >= cap) or not self._is_open_to(seat):
            return 0, 0
        least = (self.level if self.game.betting == "limit" else self.bet) + self.size
        most = {"limit": least, "no-limit": own + stack}.get(self.game.betting, 0)
        if self.game.betting == "pot-limit":
            most = max(least, 2 * self.bet - own + hand.pot + (self.short_blinds if self.street == 0 else 0))
        return min(least, own + stack), min(most, own + stack)

    def _is_open_to(self, seat: int) -> bool:
        grown = self.bet - self.answered.get(seat, -self.size)
        return (2 if self.game.betting == "limit" else 1) * grown >= self.size

    @property
    def short_blinds(self) -> int:
        """Chips that seats lacked to post their blinds (where the big blind was posted in full)."""
        paid = zip(self.game.blinds, self.game.stacks, self.game.antes, strict=True)
        return sum(max(blind - max(stack - ante, 0), 0) for blind, stack, ante in paid)
