"""The shape of a hand in play, as the compiled engine keeps it: what everyone at the table can see, and nothing else.

Hidden cards live in a separate array of decks (`dealing`), so that a public record cannot leak them. Sets of seats
are bit masks (bit s = seat s). Amounts are chips.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.rules.game import BETTING, MAX_SEATS, Game

NO_LIMIT, POT_LIMIT, LIMIT = (BETTING.index(betting) for betting in ("no-limit", "pot-limit", "limit"))

FINISHED = -1
"""The actor of a hand that is over."""

PUBLIC = np.dtype(
    [
        ("street", np.int8),  # 0 preflop, 1 flop, 2 turn, 3 river: the street of the last betting
        ("actor", np.int8),  # seat to act, or FINISHED
        ("showdown", np.int16),  # 1 when the hand ended with hands compared: then the whole board is out
        ("live", np.int16),  # seats that have not folded
        ("able", np.int16),  # live seats that are not all-in
        ("pending", np.int16),  # seats that have still to act on this street
        ("acted", np.int16),  # seats that have acted on this street
        ("steps", np.int32),  # actions so far
        ("bets", np.int32),  # bets and raises that count on this street, the big blind included
        ("bet", np.int32),  # what a seat must have on the street to stay in
        ("level", np.int32),  # limit: the last bet that counts, which the next raise is built on
        ("raise_size", np.int32),  # the last full bet or raise of the street, or the big blind; limit: the bet size
        ("short_blinds", np.int32),  # what seats could not post of their blinds
        ("pot", np.int32),  # all that has been put in
        ("to_call", np.int32),  # for the actor: chips to call (0 = may check)
        ("min_raise_to", np.int32),  # for the actor: bounds of a raise, both 0 when none is allowed
        ("max_raise_to", np.int32),
        ("rounds_left", np.int32),  # in a session: hands to come after this one; -1 outside of sessions
        ("session_stack", np.int32),  # in a session: the chips that each player began it with; 0 outside of sessions
        ("stack", np.int32, (MAX_SEATS,)),  # chips behind
        ("street_bet", np.int32, (MAX_SEATS,)),  # chips put in on this street, antes apart
        ("invested", np.int32, (MAX_SEATS,)),  # chips put in during the hand
    ],
    align=True,
)


class SessionRound(NamedTuple):
    """The place of hands in their session: how many hands follow, and the chips that each player began with."""

    rounds_left: int = -1
    stack: int = 0


NO_SESSION = SessionRound()
"""Hands outside of sessions."""

RULES = np.dtype(
    [
        ("betting", np.int8),
        ("seats", np.int8),
        ("first_street", np.int8),
        ("first_actor", np.int8),  # on the first street of the game
        ("dead_antes", np.int8),  # 1: antes belong to the main pot and to no level (a big-blind ante)
        ("no_flop_no_drop", np.int8),
        ("big_blind", np.int32),
        ("pot_share", np.int32),  # what each seat has put in before the game starts
        ("rake_permille", np.int32),
        ("rake_cap", np.int32),
        ("blind", np.int32, (MAX_SEATS,)),
        ("ante", np.int32, (MAX_SEATS,)),
        ("bet_size", np.int32, (4,)),
        ("max_bets", np.int32, (4,)),
    ],
    align=True,
)


def encode(game: Game) -> NDArray[np.void]:
    """The game as the one-element record array that kernels take."""
    rules = np.zeros(1, RULES)
    rules["betting"] = BETTING.index(game.betting)
    rules["seats"] = game.seats
    rules["first_street"] = game.first_street
    rules["first_actor"] = game.first_seat
    rules["dead_antes"] = game.antes_are_dead
    rules["big_blind"] = game.big_blind
    rules["pot_share"] = game.pot_share
    rules["blind"][0, : game.seats] = game.forced_bets
    rules["ante"][0, : game.seats] = game.antes
    rules["bet_size"] = game.bet_sizes
    rules["max_bets"] = game.max_bets
    if game.rake is not None:
        rules["rake_permille"] = game.rake.per_mille
        rules["rake_cap"] = game.rake.cap
        rules["no_flop_no_drop"] = game.rake.no_flop_no_drop
    return rules
