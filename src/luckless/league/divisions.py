"""Who plays whom: the rules of the thesis's divisions (section 3.1.3), as functions of dice, agents and ratings.

A line-up names the agent of each seat; one agent may have several. Seats are shuffled anew for every hand.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from luckless.bots.dice import Dice
from luckless.league.chance import shuffled
from luckless.league.ratings import Ratings

Kind = Literal["lesson", "six teachers", "similar", "direct"]


@dataclass(frozen=True)
class LineUp:
    """The agents of the seats (numbers, in no meaningful order), and who of them learns."""

    kind: Kind
    agents: tuple[int, ...]
    student: int | None = None


def random_line_up(dice: Dice, students: Sequence[int], teachers: Sequence[int], seats: int) -> LineUp:
    """One student, and a teacher for each other seat; any teacher is as likely as another, as often as it comes."""
    student = dice.choice(students)
    return LineUp("lesson", (student, *(dice.choice(teachers) for _ in range(seats - 1))), student)


def climbing_line_up(
    dice: Dice, students: Sequence[int], teachers: Sequence[int], ratings: Ratings, six_teachers: float, seats: int
) -> LineUp:
    """As `random_line_up`, but a teacher is drawn with a probability by its squared rating (formula 3.1).

    In a share `six_teachers` of the rounds teachers of like rank play among themselves, so that new and rare ones get
    honest ratings too.
    """
    if dice.random() < six_teachers:
        return LineUp("six teachers", similar_line_up(dice, teachers, ratings, seats).agents)
    student = dice.choice(students)
    weights = [max(float(ratings.mu[teacher]), 0.0) ** 2 for teacher in teachers]
    drawn = (_weighted(dice, teachers, weights) for _ in range(seats - 1))
    return LineUp("lesson", (student, *drawn), student)


def _weighted(dice: Dice, items: Sequence[int], weights: Sequence[float]) -> int:
    """One of the items, each as likely as its share of all weights."""
    drawn = dice.random() * sum(weights)
    for item, passed in zip(items, itertools.accumulate(weights), strict=True):
        if drawn < passed:
            return item
    return items[-1]


def similar_line_up(dice: Dice, teachers: Sequence[int], ratings: Ratings, seats: int) -> LineUp:
    """One agent drawn at random among neighbours of its rank: as many as there are seats, in a row on the board.

    Which places of the row are above it and which below is drawn too. With fewer agents than seats all of them play,
    and the seats left over are given at random.
    """
    ranked = sorted(teachers, key=lambda agent: (-ratings.mu[agent], agent))
    place = dice.integer(0, len(ranked) - 1)
    if len(ranked) < seats:
        return LineUp("similar", (*ranked, *(dice.choice(ranked) for _ in range(seats - len(ranked)))))
    first = dice.integer(max(place - seats + 1, 0), min(place, len(ranked) - seats))
    return LineUp("similar", tuple(ranked[first : first + seats]))


def direct_line_ups(dice: Dice, agents: Sequence[int], seats: int) -> list[LineUp]:
    """Every pair of agents once, in random order, each agent with half of the seats.

    Played again and again in such passes, pairs that have not met always come first.
    """
    pairs = list(itertools.combinations(agents, 2))
    order = shuffled(list(range(len(pairs))), dice)
    return [LineUp("direct", pairs[number] * (seats // 2)) for number in order]
