"""Who plays whom: the thesis's rules against plain twins on the same dice, and by their frequencies."""

import itertools
from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

from luckless.bots.dice import Dice
from luckless.league.chance import LINE_UP, PAIRS, dice_at, seed_at, shuffled
from luckless.league.divisions import climbing_line_up, direct_line_ups, random_line_up, similar_line_up
from luckless.league.names import WORDS, names_of
from luckless.league.ratings import Ratings

STUDENTS, TEACHERS = [2, 3], [0, 1, 4, 5, 6, 7, 8, 9]
DRAWS = 4_000


def _ratings() -> Ratings:
    ratings = Ratings.start(12)
    ratings.mu[:] = [60, 90, 100, 100, 150, 145, 80, -5, 120, 110, 100, 100]
    return ratings


def _dice(number: int) -> Dice:
    return dice_at(5, LINE_UP, 1, number)


def test_random_line_ups_have_one_student_and_any_teachers() -> None:
    seen: Counter[int] = Counter()
    for number in range(DRAWS):
        line_up = random_line_up(_dice(number), STUDENTS, TEACHERS, 6)
        assert line_up.kind == "lesson"
        assert line_up.agents[0] == line_up.student
        assert len(line_up.agents) == 6
        assert set(line_up.agents[1:]) <= set(TEACHERS)
        seen.update(line_up.agents)
    assert chisquare([seen[student] for student in STUDENTS]).pvalue > 1e-4
    assert chisquare([seen[teacher] for teacher in TEACHERS]).pvalue > 1e-4


def test_a_teacher_may_sit_in_every_other_seat() -> None:
    assert random_line_up(_dice(0), [1], [0], 6).agents == (1, 0, 0, 0, 0, 0)


def test_climbing_draws_teachers_by_squared_rating() -> None:
    ratings, seen, lessons = _ratings(), Counter[int](), 0
    for number in range(DRAWS):
        line_up = climbing_line_up(_dice(number), STUDENTS, TEACHERS, ratings, 0.25, 6)
        if line_up.kind == "lesson":
            lessons += 1
            seen.update(line_up.agents[1:])
        else:
            assert line_up.kind == "six teachers"
            assert line_up.student is None
            assert len(set(line_up.agents)) == 6
            assert set(line_up.agents) <= set(TEACHERS)
    assert abs(lessons / DRAWS - 0.75) < 4 * np.sqrt(0.25 * 0.75 / DRAWS)
    weights = np.maximum(ratings.mu[TEACHERS], 0) ** 2
    drawn = np.array([seen[teacher] for teacher in TEACHERS])
    rated = weights > 0  # a rating below zero is no weight, although its square would be
    assert drawn[~rated].tolist() == [0]
    assert chisquare(drawn[rated], drawn.sum() * weights[rated] / weights.sum()).pvalue > 1e-4


def _plain_climbing(number: int, ratings: Ratings, share: float) -> tuple[int, ...]:
    """The twin: the same dice, the sums written out."""
    dice = _dice(number)
    if dice.random() < share:
        return _plain_similar(dice, TEACHERS, ratings)
    agents = [STUDENTS[dice.integer(0, len(STUDENTS) - 1)]]
    squares = [ratings.mu[teacher] ** 2 if ratings.mu[teacher] > 0 else 0.0 for teacher in TEACHERS]
    for _ in range(5):
        point = dice.random() * sum(squares)
        agents.append(next(t for i, t in enumerate(TEACHERS) if point < sum(squares[: i + 1])))
    return tuple(agents)


def _plain_similar(dice: Dice, agents: list[int], ratings: Ratings) -> tuple[int, ...]:
    """The twin: all rows of six neighbours that hold the drawn agent, and one of them at random."""
    best_first = sorted(agents, key=lambda agent: ratings.mu[agent], reverse=True)
    drawn = best_first[dice.integer(0, len(best_first) - 1)]
    rows = [best_first[first : first + 6] for first in range(len(best_first) - 5)]
    holding = [row for row in rows if drawn in row]
    return tuple(holding[dice.integer(0, len(holding) - 1)])


def test_line_ups_are_those_of_the_plain_twins() -> None:
    ratings = _ratings()
    for number in range(400):
        ours = climbing_line_up(_dice(number), STUDENTS, TEACHERS, ratings, 0.4, 6).agents
        assert ours == _plain_climbing(number, ratings, 0.4)
        assert similar_line_up(_dice(number), TEACHERS, ratings, 6).agents == _plain_similar(
            _dice(number), TEACHERS, ratings
        )


def test_similar_line_ups_reach_every_row_of_neighbours() -> None:
    ratings = _ratings()
    rows = Counter(similar_line_up(_dice(number), TEACHERS, ratings, 6).agents for number in range(600))
    assert len(rows) == len(TEACHERS) - 5
    assert min(rows.values()) > 60


def test_agents_of_equal_rating_are_ordered_by_number() -> None:
    assert similar_line_up(_dice(0), [9, 4, 7, 5, 6, 8], Ratings.start(10), 6).agents == (4, 5, 6, 7, 8, 9)


@pytest.mark.parametrize("agents", [[3], [3, 8], [1, 3, 5, 7, 9]])
def test_with_few_agents_each_plays_and_some_have_several_seats(agents: list[int]) -> None:
    seen: Counter[int] = Counter()
    for number in range(300):
        line_up = similar_line_up(_dice(number), agents, Ratings.start(10), 6).agents
        assert len(line_up) == 6
        assert set(line_up) == set(agents)
        seen.update(line_up)
    assert max(seen.values()) - min(seen.values()) < 200


def test_direct_meetings_are_every_pair_once_with_half_of_the_seats_each() -> None:
    agents = [0, 3, 4, 9, 11]
    passes = [direct_line_ups(dice_at(1, PAIRS, 2, turn), agents, 6) for turn in range(3)]
    for line_ups in passes:
        assert sorted(tuple(sorted(set(one.agents))) for one in line_ups) == list(itertools.combinations(agents, 2))
        assert all(Counter(one.agents).most_common(1)[0][1] == 3 for one in line_ups)
    assert passes[0] != passes[1] != passes[2]


def test_shuffles_are_even() -> None:
    orders = Counter(tuple(shuffled([0, 1, 2], dice_at(9, PAIRS, 0, number))) for number in range(3_000))
    assert len(orders) == 6
    assert chisquare(list(orders.values())).pvalue > 1e-4


def test_randomness_has_an_address_and_no_memory() -> None:
    addresses = itertools.product((1, 2), (256, 257), range(3), range(5))
    seeds = {address: seed_at(*address) for address in addresses}
    assert len(set(seeds.values())) == len(seeds)
    assert all(seed_at(*address) == seed for address, seed in seeds.items())
    assert all(0 <= seed < 2**63 for seed in seeds.values())


def test_names_are_words_that_stand_once() -> None:
    names = names_of(4, len(WORDS) + 3)
    assert len(set(names)) == len(names)
    assert set(names[: len(WORDS)]) == set(WORDS)
    assert names[-3:] == [f"{name}2" for name in names[:3]]
    assert names_of(4, 5) == names[:5]
    assert names_of(5, 5) != names[:5]
