"""Who sits with whom: all pairs, all tables of so many bots, or a balanced choice of tables."""

import itertools
import math
import random
from collections.abc import Sequence

from luckless.errors import InputError
from luckless.tournaments.settings import MOST_TABLES

Table = tuple[int, ...]


def tables_of(bots: int, seats: int, wanted: int = 0, heroes: Sequence[int] = ()) -> list[Table]:
    """The tables of a tournament, each the places of its bots in ascending order.

    `wanted` 0 is every set of bots; any other number is a balanced design. With heroes, only tables at which one of
    them sits.
    """
    every = math.comb(bots, seats)
    if wanted > every:
        raise InputError(f"tables is {wanted}; {bots} bots form only {every:,} tables of {seats}")
    if not wanted and every > MOST_TABLES:
        raise InputError(f"{bots} bots form {every:,} tables of {seats}; allowed are {MOST_TABLES:,}: set tables")
    chosen = balanced(bots, seats, wanted) if wanted else list(itertools.combinations(range(bots), seats))
    return [table for table in chosen if not heroes or set(heroes) & set(table)]


def balanced(bots: int, seats: int, wanted: int) -> list[Table]:
    """So many different tables at which bots sit about equally often, and every two of them meet about equally often.

    Each table begins with the bot that sat least often, and takes in turn whoever has met those at the table least,
    then whoever sat least. Tables that are there already are skipped. Then bots are swapped as long as that helps.
    """
    sat, met = [0] * bots, [[0] * bots for _ in range(bots)]
    chosen: dict[Table, None] = {}
    while len(chosen) < wanted:
        table = _next(sat, met, seats, chosen)
        chosen[table] = None
        for bot in table:
            sat[bot] += 1
        for one, other in itertools.permutations(table, 2):
            met[one][other] += 1
    return _evened(list(chosen), sat, met)


STEPS, HOT, COLD = 30_000, 1.0, 0.15
"""Exchanges of bots that are tried at most, and how freely at the beginning and at the end."""

MOST_EVENED = 2_000
"""Of more tables, those that were chosen one by one are even enough."""


def _evened(tables: list[Table], sat: list[int], met: list[list[int]]) -> list[Table]:
    """The tables with single bots exchanged, so that meetings become more even; the best of all that were seen.

    By simulated annealing (S. Kirkpatrick and others 1983). The same tables always give the same.
    """
    if len(tables) > MOST_EVENED:
        return tables
    rng, taken = random.Random(1), set(tables)
    best, excess, lowest = list(tables), 0, 0
    for step in range(STEPS):
        if _is_even(sat) and _is_even([count for one, row in enumerate(met) for count in row[:one]]):
            return tables
        place, new = rng.randrange(len(tables)), rng.randrange(len(sat))
        table = tables[place]
        old = rng.choice(table)
        rest = [bot for bot in table if bot != old]
        other = tuple(sorted([*rest, new]))
        # By how much the squares of all meetings and seats grow, halved.
        more = sum(met[new][bot] - met[old][bot] + 1 for bot in rest) + sat[new] - sat[old] + 1
        heat = HOT * (COLD / HOT) ** (step / STEPS)
        if new in table or other in taken or rng.random() >= math.exp(min(0.0, -more / heat)):
            continue
        for bot in rest:
            for one, change in ((old, -1), (new, 1)):
                met[one][bot] += change
                met[bot][one] += change
        sat[old], sat[new] = sat[old] - 1, sat[new] + 1
        taken.remove(table)
        taken.add(other)
        tables[place] = other
        excess += more
        if excess < lowest:
            best, lowest = list(tables), excess
    return best


def _is_even(counts: Sequence[int]) -> bool:
    return max(counts) - min(counts) <= 1


def _next(sat: list[int], met: list[list[int]], seats: int, chosen: dict[Table, None]) -> Table:
    """The best new table; if the greedy one is taken, the unused one of the fewest meetings."""
    members: list[int] = []
    while len(members) < seats:
        free = [bot for bot in range(len(sat)) if bot not in members]
        members.append(min(free, key=lambda bot: (sum(met[bot][one] for one in members), sat[bot], bot)))
    table = tuple(sorted(members))
    if table not in chosen:
        return table

    def cost(one: Table) -> tuple[int, int]:
        return sum(met[a][b] for a, b in itertools.combinations(one, 2)), sum(sat[bot] for bot in one)

    unused = (one for one in itertools.combinations(range(len(sat)), seats) if one not in chosen)
    return min(unused, key=cost)
