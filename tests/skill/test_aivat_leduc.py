"""AIVAT in Kuhn and Leduc, counted over all ends: it is unbiased term by term, and how much noise is taken out."""

import functools
from typing import Any

import pytest

from luckless.solve.flat import flatten
from luckless.solve.kuhn import Kuhn
from luckless.solve.leduc import Leduc
from luckless.solve.tabular import TabularSolver
from tree_walk import Policy, Profile, Walk, spread, term_means

GAMES: dict[str, Any] = {"kuhn": Kuhn(), "leduc": Leduc()}
LEDUC = GAMES["leduc"]
ALL, NOBODY = {0, 1}, set[int]()


@functools.cache
def equilibrium(name: str) -> Profile:
    flat = flatten(GAMES[name])
    solver = TabularSolver(flat)
    solver.run(1000)
    policy = solver.policy()
    sides: list[Policy] = []
    for player, side in enumerate(flat.sides):
        names = zip(flat.infosets[player], flat.actions[player], side.start.tolist(), strict=False)
        sides.append(
            {
                name: {action: float(policy[player][start + place]) for place, action in enumerate(actions)}
                for name, actions, start in names
            }
        )
    return sides[0], sides[1]


def never_folds(name: str) -> Policy:
    """Calls or raises, each half of the time where both are allowed."""
    flat = flatten(GAMES[name])
    laws = {}
    for infoset, actions in zip(flat.infosets[1], flat.actions[1], strict=True):
        share = 1 / (len(actions) - ("f" in actions))
        laws[infoset] = {action: 0.0 if action == "f" else share for action in actions}
    return laws


def absurd(name: str) -> Profile:
    """Players who nearly always take the first action there is, whatever they hold."""
    flat = flatten(GAMES[name])
    sides = [
        {
            infoset: {
                action: (0.9 if place == 0 else 0.1 / (len(actions) - 1)) for place, action in enumerate(actions)
            }
            for infoset, actions in zip(flat.infosets[player], flat.actions[player], strict=True)
        }
        for player in (0, 1)
    ]
    return sides[0], sides[1]


KNOWN = {
    "chance": (NOBODY, NOBODY),
    "own hands": (NOBODY, {0}),
    "one": ({0}, {0}),
    "the other": ({1}, {1}),
    "both": (ALL, ALL),
    "both, open cards": (ALL, NOBODY),
    "both, one varied": (ALL, {0}),
}


def check_unbiased(game: str, name: str, values: Profile) -> None:
    """The mean of the estimate, and of every single term, against an opponent whom the values do not know."""
    known, vary = KNOWN[name]
    played = (equilibrium(game)[0], never_folds(game))
    ends = list(Walk(GAMES[game], played, values, known, vary).ends())
    mean, _, money = spread(ends)
    assert mean == pytest.approx(money, abs=1e-12)
    means = term_means(ends)
    assert {"deal"} <= set(means)
    assert any(kind.startswith("player") for kind in means) == bool(known)
    for kind, luck in means.items():
        assert luck == pytest.approx(0, abs=1e-12), kind


@pytest.mark.parametrize("name", KNOWN)
def test_every_term_has_the_mean_zero_in_kuhn(name: str) -> None:
    check_unbiased("kuhn", name, absurd("kuhn"))
    check_unbiased("kuhn", name, equilibrium("kuhn"))


@pytest.mark.parametrize("name", ["one", "the other"])
def test_every_term_has_the_mean_zero_in_leduc(name: str) -> None:
    check_unbiased("leduc", name, absurd("leduc"))


@pytest.mark.slow
@pytest.mark.parametrize("name", KNOWN)
def test_no_set_of_known_players_is_biased_in_leduc(name: str) -> None:
    check_unbiased("leduc", name, equilibrium("leduc"))
    check_unbiased("leduc", name, absurd("leduc"))


@pytest.mark.parametrize("game", GAMES)
def test_correcting_the_opponent_by_another_policy_is_biased(game: str) -> None:
    """The same count finds it out: the nodes of player 1 are corrected as if he played the equilibrium."""
    same = equilibrium(game)
    played = (same[0], never_folds(game))
    mean, _, money = spread(list(Walk(GAMES[game], played, same, ALL, {0}, believed=same).ends()))
    assert abs(mean - money) > 0.01


def test_all_ends_are_counted() -> None:
    same = equilibrium("leduc")
    ends = list(Walk(LEDUC, same, same, NOBODY, NOBODY).ends())
    assert len(ends) == 5520
    assert sum(end.chance for end in ends) == pytest.approx(1)


def noise(played: Profile, values: Profile, name: str) -> float:
    known, vary = KNOWN[name]
    return float(spread(list(Walk(LEDUC, played, values, known, vary).ends()))[1])


def test_noise_in_self_play_of_an_equilibrium() -> None:
    """Published (Burch et al. 2018): money 3.513, own hands 1.928, one known .00643, both .00377. Equilibria differ,
    and so do spreads by a few percent; with exact values of all cards and both policies known nothing is left."""
    same = equilibrium("leduc")
    money = spread([end._replace(estimate=end.money) for end in Walk(LEDUC, same, same, NOBODY, NOBODY).ends()])[1]
    own, one = noise(same, same, "own hands"), noise(same, same, "one")
    assert money == pytest.approx(3.513, rel=0.01)
    assert own == pytest.approx(1.928, rel=0.06)
    assert one < 0.01
    assert noise(same, same, "both, open cards") < 1e-9
    assert one < own < money
    assert noise(same, same, "chance") < money


def test_noise_against_one_who_never_folds() -> None:
    """Published: money 5.761, one known 1.437; the equilibrium there is another one, so its digits are not ours."""
    same = equilibrium("leduc")
    played = (same[0], never_folds("leduc"))
    ends = list(Walk(LEDUC, played, same, NOBODY, NOBODY).ends())
    money = spread([end._replace(estimate=end.money) for end in ends])[1]
    one, both = noise(played, same, "one"), noise(played, same, "both")
    assert money == pytest.approx(5.761, rel=0.1)
    assert one < money / 3
    assert both < money / 2
