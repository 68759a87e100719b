"""Random tables, decks and actions on which engines are compared, and what is needed to explain a difference."""

import math
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

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
    """What has been bet on a street, noted apart from any engine: the conditions that explain a difference."""

    game: Game
    street: int = 0
    bet: int = 0
    full_raise: int = 0
    """The last full bet or raise of the street; 0 if there was none."""
    full_level: int = 0
    """What the last full bet or raise was made to, or what stood at the start."""
    short_all_in: bool = False
    """A raise on this street was all-in for less than a full raise."""
    short_first: bool = False
    """Such a one came before any full bet or raise."""
    competition_minimum: int = 0
    """The smallest raise in the competition's rules: the largest raise so far added to what it was made to, or the
    big blind to where the street began. A short all-in in between does not move it."""

    def __post_init__(self) -> None:
        self._start(self.street, self.game.big_blind)

    def _start(self, street: int, bet: int) -> None:
        self.street, self.bet, self.full_level, self.full_raise = street, bet, bet, 0
        self.short_all_in = self.short_first = False
        self.competition_minimum = bet + self.game.big_blind

    def see_street(self, street: int) -> None:
        """Forgets the last street."""
        if street != self.street:
            self._start(street, 0)

    def see_action(self, action: int) -> None:
        """Notes a bet or raise."""
        if action <= 0:
            return
        size = action - self.bet
        if size >= max(self.full_raise, self.game.bet_sizes[self.street] or self.game.big_blind):
            self.full_raise, self.full_level = size, action
        else:
            self.short_all_in = True
            self.short_first |= not self.full_raise
        self.bet = action
        self.competition_minimum = max(self.competition_minimum, action + size)
