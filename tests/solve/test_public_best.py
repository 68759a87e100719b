"""CFR-BR beside dense sums over all pairs of hands: best responses on the river, and what is learned from them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from luckless.hands.pairs import PAIR_CARDS
from luckless.solve.blueprint_making import make_blueprint, new_solver, resumed_solver
from luckless.solve.blueprint_settings import BlueprintSettings
from luckless.solve.card_buckets import Slices, find_bounds
from luckless.solve.limit_streets import ACTS, FOLDED
from luckless.solve.public_best import BestResponseSolver, CfrBrSolver
from luckless.solve.public_sampling import deal_board

SETTINGS = BlueprintSettings("limit-hu", 1, 1, 1, 2, 500, Slices((3, 2), (3, 2), 40), algorithm="cfr-br")
Matrix = np.ndarray


def _solver(seat: int, simple: dict[str, float] | None = None) -> BestResponseSolver:
    bounds = find_bounds(SETTINGS.slices, SETTINGS.samples)
    return BestResponseSolver(SETTINGS.tree, bounds, SETTINGS.slices.buckets, 1, 1, 1, seat, simple)


class _River:
    """The betting of one line of the river with all hands of both players, by products with all pairs."""

    def __init__(self, solver: BestResponseSolver, line: int, regrets: Matrix) -> None:
        dealt = solver._dealt
        self.hero, self.street = solver.seat, solver._streets[3]
        self.beginning = solver._orders[3][line]
        self.classes, cards = dealt.classes[3], PAIR_CARDS[dealt.hands]
        self.apart = (cards[:, None, :, None] != cards[None, :, None, :]).all(axis=(2, 3)).astype(np.float64)
        self.wins = np.sign(dealt.ends[:, None] - dealt.ends[None]) * self.apart
        self.regrets = regrets
        self.choices: dict[int, Matrix] = {}
        self.learned: dict[int, Matrix] = {}

    def places(self, number: int) -> slice:
        first = int(self.street.nodes[number].places[self.beginning])
        return slice(first, first + len(self.street.nodes[number].branches))

    def hero_chances(self, number: int) -> Matrix:
        positive = np.maximum(self.regrets[self.classes, self.places(number)], 0)
        total = positive.sum(axis=1, keepdims=True)
        return np.asarray(np.where(total > 0, positive / np.where(total > 0, total, 1), 1 / positive.shape[1]))

    def value(self, player: int, number: int, weights: Matrix) -> Matrix:
        """What each hand of a player wins from a decision on, against the weights of the other's."""
        node, parts = self.street.nodes[number], []
        own = node.player == player
        chances = self.hero_chances(number) if node.player == self.hero else self.choices.get(number)
        for action, branch in enumerate(node.branches):
            left = weights if own else weights * chances[:, action]  # type: ignore[index]
            if branch.kind == ACTS:
                parts.append(self.value(player, branch.number, left))
            elif branch.kind == FOLDED:
                stake = branch.stakes[self.beginning]
                parts.append(self.apart @ left * (-stake if branch.number == player else stake))
            else:
                parts.append(self.wins @ left * branch.stakes[self.beginning])
        values = np.stack(parts, axis=1)
        if not own:
            return np.asarray(values.sum(axis=1))
        if player != self.hero:
            self.choices[number] = np.eye(values.shape[1])[values.argmax(axis=1)]
            return np.asarray(values.max(axis=1))
        assert chances is not None
        mean = (values * chances).sum(axis=1)
        self.learned[number] = values - mean[:, None]
        return np.asarray(mean)


@pytest.mark.parametrize("seat", [0, 1])
def test_the_river_is_that_of_dense_sums(seat: int) -> None:
    solver = _solver(seat)
    solver.run(2)  # so that strategies are not uniform
    before = solver.as_rows("regrets")
    deal_board(solver._key, 5, solver._buckets, PAIR_CARDS.copy(), solver._dealt)
    solver._iterate(np.float32(2))
    first = sum(count * int(width) for count, width in zip(solver.counts[:3], solver.tree.width, strict=False))
    shape = (solver.counts[3], int(solver.tree.width[3]))
    rows = [part[first:].reshape(shape).astype(np.float64) for part in (before, solver.as_rows("regrets"))]
    own, other, values = solver._reach
    for line in (0, 300, 566):
        twin = _River(solver, line, rows[0])
        best = twin.value(1 - seat, 0, own[:, line].astype(np.float64))
        np.testing.assert_allclose(solver._best[:, line], best, rtol=1e-3, atol=0.02)
        played = twin.value(seat, 0, other[:, line].astype(np.float64))
        np.testing.assert_allclose(values[:, line], played, rtol=5e-3, atol=0.5)
        for number, regrets in twin.learned.items():
            summed = np.zeros((solver.counts[3], regrets.shape[1]))
            np.add.at(summed, twin.classes, 2 * regrets)
            places = twin.places(number)
            found = rows[1][:, places] - rows[0][:, places]
            np.testing.assert_allclose(found, summed, rtol=2e-2, atol=0.002 * np.abs(summed).max() + 1)


class _AgainstSimple:
    """A player who takes every action equally often meets one who always calls or always raises, on one board: by a
    walk through the whole tree."""

    def __init__(self, solver: BestResponseSolver, name: str) -> None:
        cards, ends = solver._dealt.cards, solver._dealt.ends
        apart = (cards[:, None, :, None] != cards[None, :, None, :]).all(axis=(2, 3))
        self.won = (np.sign(ends[:, None] - ends[None]) * apart).sum(axis=1)
        self.met = apart.sum(axis=1)
        self.tree, self.hero, self.raises = solver.tree, solver.seat, name == "raise"
        self.regrets: dict[int, Matrix] = {}

    def value(self, number: int) -> Matrix:
        tree = self.tree
        if number < 0:
            loser, stake = tree.loser[-1 - number], tree.stake[-1 - number]
            return np.asarray(stake * (self.won if loser == 2 else -self.met))
        slots = range(tree.first[number], tree.first[number] + tree.size[number])
        if tree.player[number] != self.hero:
            calls = next(slot for slot in slots if tree.action[slot] == 0)
            return self.value(int(tree.after[max(slots) if self.raises else calls]))
        values = np.stack([self.value(int(tree.after[slot])) for slot in slots], axis=1)
        self.regrets[number] = values - values.mean(axis=1, keepdims=True)
        return np.asarray(values.mean(axis=1))


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("name", ["call", "raise"])
def test_simple_players_are_met_in_their_share_of_the_hands(seat: int, name: str) -> None:
    plain, solver = _solver(seat), _solver(seat, {name: 0.2})
    plain.run(1)
    solver.run(1)
    learned = solver.as_rows("regrets").astype(np.float64) - plain.as_rows("regrets")
    twin = _AgainstSimple(solver, name)
    twin.value(0)
    first, tree = 0, solver.tree
    for street, count in enumerate(solver.counts):
        size = count * int(tree.width[street])
        expected, classes = np.zeros((count, int(tree.width[street]))), solver._dealt.classes[street]
        for node, regrets in twin.regrets.items():
            if tree.street[node] == street:
                places = slice(tree.place[node], tree.place[node] + tree.size[node])
                np.add.at(expected[:, places], classes, 0.2 / 0.8 * regrets)
        found = learned[first : first + size].reshape(expected.shape)
        largest = np.abs(plain.as_rows("regrets")[first : first + size]).max()
        np.testing.assert_allclose(found, expected, rtol=1e-3, atol=2e-5 * largest)
        assert np.abs(expected).max() > 1e-3 * largest
        first += size


def test_each_seat_has_what_it_learned_in_its_own_game() -> None:
    solver = new_solver(SETTINGS, 1)
    assert isinstance(solver, CfrBrSolver)
    solver.run(1)
    whole, games = solver.average(), [game.average() for game in solver._games]
    tree, first = solver.tree, 0
    for street, count in enumerate(solver.counts):
        size = count * int(tree.width[street])
        rows = [part[first : first + size].reshape(count, -1) for part in (whole, *games)]
        for node in np.flatnonzero(tree.street == street)[:60]:
            places = slice(tree.place[node], tree.place[node] + tree.size[node])
            assert np.array_equal(rows[0][:, places], rows[1 + tree.player[node]][:, places])
        first += size
    assert not np.array_equal(games[0], games[1])


def test_training_goes_on_to_the_bit(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("whole.st", "half.st")]
    make_blueprint(SETTINGS, new_solver(SETTINGS, 1), files[0])
    half = replace(SETTINGS, pieces=1)
    make_blueprint(half, new_solver(half, 2), files[1])
    make_blueprint(SETTINGS, resumed_solver(files[1], SETTINGS, 1), files[1])
    assert files[0].read_bytes() == files[1].read_bytes()
