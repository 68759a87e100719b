"""The situations of a strategy vector: betting so far, without cards, each reached by playing it out at a table.

They run over street, seat, players still in, and money (Kaminsky and Liebendörfer 2020, section 3.3.2, who do not say
which values they took; these are ours and give as many, 432 at six seats). Before the flop the money is the bet to
match; the first of the six is the big blind. Later it is what each player still in has paid before the street, with
and without a bet of half the pot to call.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from luckless.rules.actions import CALL, FOLD
from luckless.rules.game import STREETS, Game
from luckless.rules.table import Table

BETS_BB = (1, 3, 6, 15, 40, 100)
"""Before the flop: the bet to match, in big blinds; at most all chips."""

PAID_BB = (1, 5, 20)
"""Later: what each player still in has paid before the street, in big blinds."""

MONEY = len(BETS_BB)


@dataclass(frozen=True)
class Situation:
    """`money` is 0 to 5: the place in `BETS_BB`; after the flop, twice the place in `PAID_BB`, plus 1 with a bet."""

    street: int
    seat: int
    players: int
    money: int


def player_counts(seats: int) -> tuple[int, ...]:
    """The numbers of players still in that are looked at: two, all, and the middle between them."""
    return tuple(dict.fromkeys((2, (2 + seats) // 2, seats)))


def all_situations(seats: int) -> list[Situation]:
    """Every situation at a table, in the order of the strategy vector."""
    return [
        Situation(street, seat, players, money)
        for street in range(len(STREETS))
        for seat in range(seats)
        for players in player_counts(seats)
        for money in range(MONEY)
    ]


def reach(game: Game, situation: Situation) -> Table:
    """A table of one hand, played until the seat of the situation decides in it.

    Those still in are the seat and the next ones after it. Before the flop in a pot that nobody has raised, those
    behind the seat have still to act, so more may be in.
    """
    table = Table.dealt(game, 0, np.zeros(1, np.int64))
    inside = {(situation.seat + step) % game.seats for step in range(situation.players)}
    if situation.street == 0:
        _before_the_flop(table, situation, inside)
    else:
        _later(table, situation, inside)
    return table


def _act(table: Table, action: int) -> None:
    table.act(np.zeros(1, np.int64), [action])


def _raise_to(table: Table, chips: int) -> None:
    """A raise to so many chips, or what comes nearest; a call where raising is closed."""
    least, most = int(table.public["min_raise_to"][0]), int(table.public["max_raise_to"][0])
    _act(table, max(least, min(chips, most)) if most else CALL)


def _actor(table: Table) -> int:
    return int(table.public["actor"][0])


def _acting_order(game: Game) -> list[int]:
    """The seats in the order in which they act before the flop."""
    return [(game.first_seat + step) % game.seats for step in range(game.seats)]


def _before_the_flop(table: Table, situation: Situation, inside: set[int]) -> None:
    """Those inside call the blind until one of them raises to the bet; the seat then faces it.

    The raiser is the last of those inside to act. If that is the seat itself, it opens small and the first of the
    others raises: only so have all who are not inside folded when it decides.
    """
    game, seat = table.game, situation.seat
    bet = BETS_BB[situation.money] * game.big_blind
    order = [other for other in _acting_order(game) if other in inside]
    opens = order[-1] == seat
    raiser = order[0] if opens else order[-1]
    raised, acted = False, set[int]()
    while True:
        actor = _actor(table)
        if actor == seat and (raised or situation.money == 0):
            return
        if actor not in inside:
            _act(table, FOLD)
        elif situation.money and actor == raiser and (not opens or seat in acted):
            _raise_to(table, bet)
            raised = True
        elif situation.money and actor == seat and opens:
            _raise_to(table, 0)
        else:
            _act(table, CALL)
        acted.add(actor)


def _later(table: Table, situation: Situation, inside: set[int]) -> None:
    paid = PAID_BB[situation.money // 2] * table.game.big_blind
    opened = paid == table.game.big_blind
    while table.public["street"][0] == 0:
        if _actor(table) not in inside:
            _act(table, FOLD)
        elif not opened:
            _raise_to(table, paid)
            opened = True
        else:
            _act(table, CALL)
    while table.public["street"][0] < situation.street:
        _act(table, CALL)
    for action in _on_the_street(table, situation, sorted(inside)):
        _raise_to(table, action) if action else _act(table, CALL)


def _on_the_street(table: Table, situation: Situation, inside: Sequence[int]) -> Iterator[int]:
    """Checks up to the seat; with a bet, the one before it bets half the pot, or the last after it has checked."""
    before = inside.index(situation.seat)
    yield from (0,) * max(before - 1, 0)
    half_pot = int(table.public["pot"][0]) // 2
    if situation.money % 2 == 0:
        yield from (0,) * min(before, 1)
    elif before:
        yield half_pot
    else:
        yield from (0,) * (len(inside) - 1)
        yield half_pot
