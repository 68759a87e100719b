"""Situations in which bots go wrong: each a game, the actions up to a decision, and what is awkward about it."""

from dataclasses import dataclass

import numpy as np

from luckless.rules.game import Game
from luckless.rules.table import Table


@dataclass(frozen=True)
class Spot:
    """A decision to be made after some actions, of all seats in turn; the bot sits where the next one is due."""

    name: str
    about: str
    game: Game
    actions: tuple[int, ...] = ()

    def table(self, seed: int, deal: int) -> Table:
        """A dealt hand that waits for the decision."""
        table = Table.dealt(self.game, seed, [deal])
        for action in self.actions:
            table.act(np.array([0]), [action])
        return table


def _heads_up(*stacks: int) -> Game:
    return Game(name="heads-up", betting="no-limit", seats=2, blinds=(100, 50), stacks=stacks)


def _ring(*stacks: int, blinds: tuple[int, ...] = (50, 100), antes: tuple[int, ...] = ()) -> Game:
    posted = blinds + (0,) * (len(stacks) - len(blinds))
    return Game(name="ring", betting="no-limit", seats=len(stacks), blinds=posted, stacks=stacks, antes=antes)


def _limit(*stacks: int) -> Game:
    posted = (10, 5) if len(stacks) == 2 else (5, 10) + (0,) * (len(stacks) - 2)
    sizes = (10, 10, 20, 20)
    return Game(
        name="limit",
        betting="limit",
        seats=len(stacks),
        blinds=posted,
        stacks=stacks,
        bet_sizes=sizes,
        max_bets=(4,) * 4,
    )


_POT_LIMIT = Game(name="pot-limit", betting="pot-limit", seats=3, blinds=(1, 2, 0), stacks=(200, 200, 200))
_RIVER = Game(
    name="river", betting="no-limit", seats=2, blinds=(0, 0), stacks=(9_900, 9_900), first_street=3, pot=200, unit=100
)
_WAR = tuple(range(200, 6_200, 100))
"""Sixty raises by the minimum, one after the other."""

SPOTS: tuple[Spot, ...] = (
    Spot(
        "first to act", "The small blind acts first: 50 to call, a raise to 200 or more.", _heads_up(20_000, 20_000)
    ),
    Spot(
        "big-blind option",
        "The small blind has called: checking is free, and raising is still open.",
        _heads_up(20_000, 20_000),
        (0,),
    ),
    Spot(
        "facing an all-in",
        "The opponent is all-in for everything: call or fold, raising is closed.",
        _heads_up(20_000, 20_000),
        (20_000,),
    ),
    Spot(
        "call for less",
        "The raise to 2,000 is more than there is: a call costs the 400 that are left, raising is closed.",
        _heads_up(500, 20_000),
        (2_000,),
    ),
    Spot(
        "nobody to answer a raise",
        "The only opponent is all-in for 700 and we have far more: call or fold, raising is closed.",
        _heads_up(20_000, 700),
        (700,),
    ),
    Spot(
        "one raise only",
        "With 450 in all and 400 to match, all-in to 450 is the one raise allowed: both bounds are 450.",
        _heads_up(450, 20_000),
        (400,),
    ),
    Spot(
        "short all-in does not reopen",
        "We raised to 300, an all-in to 400 is no full raise: call 100 or fold, whatever the stack.",
        _ring(400, 20_000, 20_000),
        (300, 400, -1),
    ),
    Spot(
        "short big blind",
        "The big blind has 60 of its 100 and is all-in: the small blind has 10 to call, not 50.",
        _heads_up(60, 20_000),
    ),
    Spot("one chip", "A single chip: a call costs that chip, raising is closed.", _ring(20_000, 20_000, 1)),
    Spot(
        "huge stacks",
        "A thousand million chips: amounts do not fit 30 bits, and must not become decimal fractions.",
        _heads_up(1_000_000_000, 1_000_000_000),
        (499_999_999,),
    ),
    Spot("ten seats", "The first of ten seats: all lists have ten entries.", _ring(*[10_000] * 10)),
    Spot(
        "ten seats, late",
        "The button of ten, after folds, a raise and a call.",
        _ring(*[10_000] * 10),
        (-1, -1, -1, 300, 0, -1, -1),
    ),
    Spot("river only", "The hand starts on the river: five board cards, an empty history, no blinds.", _RIVER),
    Spot("river bet", "A bet of more than the pot on the river.", _RIVER, (500,)),
    Spot(
        "free check on the flop",
        "Nothing to call after the flop: bets so far are 0 on this street, though the pot is not.",
        _heads_up(20_000, 20_000),
        (300, 0),
    ),
    Spot(
        "raise after a bet on the turn",
        "Amounts are of this street, not of the hand: a bet of 700 stands, the smallest raise is to 1,400.",
        _heads_up(20_000, 20_000),
        (300, 0, 0, 0, 700),
    ),
    Spot(
        "raise in between",
        "After 300 and a raise to 1,100 the smallest raise is by 800, to 1,900.",
        _heads_up(20_000, 20_000),
        (300, 1_100),
    ),
    Spot(
        "long history",
        "Sixty raises by the minimum before the flop: a long line, and one raise left, all-in to 6,150.",
        _heads_up(6_150, 6_150),
        _WAR,
    ),
    Spot(
        "side pots",
        "Two opponents are all-in for different amounts, a third has called: to call is the largest of them.",
        _ring(700, 1_500, 20_000, 20_000),
        (0, 0, 700, 1_500, 0),
    ),
    Spot(
        "three blinds",
        "A straddle of 200: the bet to match is 200, the first raise is to 400.",
        _ring(20_000, 20_000, 20_000, 20_000, blinds=(50, 100, 200)),
    ),
    Spot(
        "antes",
        "Everybody has posted 10: antes are in the pot, not in street_bets.",
        _ring(*[5_000] * 4, antes=(10,) * 4),
    ),
    Spot(
        "big-blind ante",
        "Only the big blind has posted an ante, for the table.",
        _ring(*[5_000] * 4, antes=(0, 100, 0, 0)),
    ),
    Spot("limit", "In limit there is one raise: both bounds are 20.", _limit(480, 480)),
    Spot("limit cap", "Four bets have been made: call or fold, raising is closed.", _limit(480, 480), (20, 30, 40)),
    Spot("limit turn", "After the flop bets double: the one bet allowed is 20.", _limit(480, 480), (0, 0, 0, 0)),
    Spot(
        "limit completion",
        "A bet of 20 and an all-in to 25, which does not count: the raise completes to 40.",
        _limit(480, 45, 480),
        (20, 0, 0, 0, 0, 0, 20, 25),
    ),
    Spot("pot-limit", "The largest raise is the pot after a call, to 7.", _POT_LIMIT),
    Spot(
        "pot-limit reraise",
        "After a raise to 7 and a call, the largest raise is to 7 + (16 + 5).",
        _POT_LIMIT,
        (7, 0),
    ),
)
