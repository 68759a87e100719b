"""Bets outside of the menu: the mapping itself, and the law of a player who keeps the outcome of its coin."""

import numpy as np
import pytest

from luckless.solve.betting import Stakes
from luckless.solve.menus import Menu, parse_sizes
from luckless.solve.play_tree import CALL, END, FOLD, PlayTree, river_tree
from luckless.solve.translation import Real, chips, harmonic, law, readings

STAKES = Stakes(200, 9900, 100)


def tree(bets: str = "50%,200%,all-in", raises: str = "100%,all-in") -> PlayTree:
    return river_tree(STAKES, Menu(parse_sizes(bets, "bets"), parse_sizes(raises, "raises", raises=True)))


def start() -> Real:
    return Real(200, (0, 0), 100, (9900, 9900))


def test_the_tree_leads_where_the_betting_goes() -> None:
    points = tree().points
    assert points[0].actions == (CALL, 100, 400, 9900)
    checked = points[points[0].after[0]]
    assert (checked.player, checked.faced, checked.actions, checked.after[0]) == (1, 0, (CALL, 100, 400, 9900), END)
    raised = points[points[0].after[1]]
    assert (raised.player, raised.faced, raised.pot, raised.actions) == (1, 100, 400, (FOLD, CALL, 500, 9900))
    assert raised.after[:2] == (END, END)
    shoved = points[points[0].after[3]]
    assert shoved.actions == (FOLD, CALL)
    assert shoved.after == (END, END)


def test_every_action_has_a_place_of_its_own() -> None:
    built = tree()
    for player in (0, 1):
        own = [point for point in built.points if point.player == player]
        places = [place for point in own for place in range(point.first, point.first + len(point.actions))]
        assert sorted(places) == list(range(built.slots[player]))


def test_harmonic_by_hand() -> None:
    assert harmonic(0.5, [0.5, 2.0]) == [(0, 1.0)]
    assert harmonic(0.1, [0.5, 2.0]) == [(0, 1.0)]
    assert harmonic(7.0, [0.5, 2.0]) == [(1, 1.0)]
    # (2 - 1)(1 + 0.5) / ((2 - 0.5)(1 + 1)) = 1.5 / 3
    (first, low), (second, high) = harmonic(1.0, [0.5, 2.0])
    assert (first, second) == (0, 1)
    assert (low, high) == pytest.approx((0.5, 0.5))


def test_a_bet_is_known_with_rising_probability() -> None:
    chances = [dict(harmonic(share, [0.5, 2.0])).get(1, 0.0) for share in np.linspace(0.5, 2.0, 40)]
    assert all(np.diff(chances) > 0)
    assert chances[0] == 0
    assert chances[-1] == 1


def test_all_in_is_read_as_all_in() -> None:
    built = tree()
    point = built.points[0]
    assert readings(point, built, 9900, start()) == [(3, 1.0)]
    short = Real(200, (0, 0), 100, (700, 9900))  # the other has 700 chips: more cannot be lost
    assert readings(point, built, 800, short) == [(3, 1.0)]


def test_an_action_of_the_tree_is_itself_where_the_table_is_that_of_the_tree() -> None:
    built = tree()
    for number, point in enumerate(built.points):
        real = start()
        for player, action in _way(built, number):
            real = real.after(player, action)
        bounds = real.bounds(point.player)
        assert [chips(point, built, action, real, bounds) for action in point.actions] == list(point.actions)


def _way(built: PlayTree, number: int) -> list[tuple[int, int]]:
    """Who did what on the way to a decision."""
    for before, point in enumerate(built.points):
        if number in point.after:
            return [*_way(built, before), (point.player, point.actions[point.after.index(number)])]
    return []


def test_on_the_tree_the_law_is_the_strategy() -> None:
    built = tree()
    shares = _random_shares(built, 1, 5)
    found = law(built, 1, shares, [100], start())
    point = built.points[built.points[0].after[1]]
    for place, action in enumerate(point.actions):
        assert found[action] == pytest.approx(shares[:, point.first + place])


def _random_shares(built: PlayTree, player: int, hands: int) -> np.ndarray:
    rng = np.random.default_rng(1)
    shares = np.zeros((hands, built.slots[player]))
    for point in built.points:
        if point.player == player:
            shares[:, point.first : point.first + len(point.actions)] = rng.dirichlet(
                np.ones(len(point.actions)), hands
            )
    return shares


def test_the_law_is_that_of_a_player_who_tosses_the_coin_once() -> None:
    """Plays many hands with a coin that is kept, and compares how often each second action follows the first."""
    built = tree("50%,200%,all-in", "100%,all-in")
    shares = _random_shares(built, 1, 1)
    bet, again = 250, 3000
    root = built.points[0]
    rng = np.random.default_rng(2)
    first_law = law(built, 1, shares, [bet], start())
    counts: dict[int, dict[int, int]] = {}
    plays = 8_000
    for _ in range(plays):
        read = readings(root, built, bet, start())
        place = read[0][0] if rng.random() < read[0][1] else read[1][0]
        first, real = _played(built, root.after[place], shares, start().after(0, bet), rng)
        action, number = first
        counts.setdefault(action, {})
        if number == END or action >= again:
            continue
        now = real.after(1, action)
        point = built.points[number]
        known = readings(point, built, again, now)
        chosen = known[0][0] if rng.random() < known[0][1] else known[-1][0]
        (second, _), _ = _played(built, point.after[chosen], shares, now.after(0, again), rng)
        counts[action][second] = counts[action].get(second, 0) + 1
    for action, chance in first_law.items():
        if action > CALL and action < again and (total := sum(counts[action].values())):
            second_law = law(built, 1, shares, [bet, action, again], start())
            assert sum(float(one[0]) for one in second_law.values()) == pytest.approx(1)
            for second, probability in second_law.items():
                seen = counts[action].get(second, 0) / total
                assert seen == pytest.approx(float(probability[0]), abs=5 * np.sqrt(0.25 / total))
            assert total / plays == pytest.approx(float(chance[0]), abs=5 * np.sqrt(0.25 / plays))


def _played(
    built: PlayTree, number: int, shares: np.ndarray, real: Real, rng: np.random.Generator
) -> tuple[tuple[int, int], Real]:
    """An action drawn at a decision: what it is at the table, and where it leads."""
    point = built.points[number]
    place = rng.choice(len(point.actions), p=shares[0, point.first : point.first + len(point.actions)])
    action = chips(point, built, point.actions[place], real, real.bounds(point.player))
    return (action, point.after[place]), real


def test_a_history_that_it_would_not_have_made_has_a_law_too() -> None:
    built = tree()
    shares = np.zeros((1, built.slots[0]))
    for point in built.points:  # always checks, calls
        if point.player == 0:
            shares[0, point.first + point.actions.index(CALL)] = 1
    found = law(built, 0, shares, [333, 1500], start())
    assert sum(float(one[0]) for one in found.values()) == pytest.approx(1)
    lost = law(built, 0, shares, [9900], Real(200, (0, 0), 100, (20_000, 20_000)))
    assert float(lost[CALL][0]) == 1
