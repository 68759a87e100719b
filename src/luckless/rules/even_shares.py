"""Even shares of split pots, to a fraction of a chip: as the competition's dealer and many logs pay them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.kernels import njit
from luckless.rules import engine
from luckless.rules.game import MAX_SEATS, Game
from luckless.rules.records import Records
from luckless.rules.replaying import Ends

SHARES = 2520
"""Parts of a chip in which even shares of a pot are whole numbers for up to ten winners: lcm(1..10)."""

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
    rules["blind"][0, : game.seats] = np.array(game.forced_bets, np.int64) * SHARES
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
