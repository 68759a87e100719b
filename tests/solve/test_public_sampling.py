"""Public chance sampling beside a plain recursion over the tree with all hands."""

import numpy as np
import pytest

from luckless.hands.pairs import PAIR_CARDS
from luckless.solve.blueprint_settings import BlueprintSettings
from luckless.solve.card_buckets import Slices, find_bounds
from luckless.solve.public_sampling import PublicSolver, deal_board

SETTINGS = BlueprintSettings("limit-hu", 1, 1, 1, 2, 500, Slices((3, 2), (3, 2), 40))


def _solver(threads: int = 1) -> PublicSolver:
    bounds = find_bounds(SETTINGS.slices, SETTINGS.samples)
    return PublicSolver(SETTINGS.tree, bounds, SETTINGS.slices.buckets, 1, 1, threads)


def _rows(solver: PublicSolver, name: str) -> list[np.ndarray]:
    """Regrets or averages as rows of buckets, as the tree of the game counts its slots."""
    wanted, first = solver.as_rows(name), 0
    rows = []
    for count, width in zip(solver.counts, solver.tree.width, strict=True):
        rows.append(wanted[first : first + count * width].reshape(count, width).astype(np.float64))
        first += count * width
    return rows


class _Twin:
    """One hand of a seat against all hands of the other, on one board."""

    def __init__(self, solver: PublicSolver, seat: int, regrets: list[np.ndarray]) -> None:
        self.tree, self.seat, self.regrets = solver.tree, seat, regrets
        dealt = solver._dealt
        self.classes, self.cards = dealt.classes.copy(), PAIR_CARDS[dealt.hands]
        self.levels = np.array([int(np.flatnonzero(np.unique(dealt.ends) == end)[0]) for end in dealt.ends])
        self.learned: dict[tuple[int, int], np.ndarray] = {}
        self.played: dict[tuple[int, int], np.ndarray] = {}

    def _chances(self, node: int, rows: np.ndarray) -> np.ndarray:
        place, size = self.tree.place[node], self.tree.size[node]
        positive = np.maximum(self.regrets[self.tree.street[node]][rows, place : place + size], 0)
        total = positive.sum(axis=-1, keepdims=True)
        chances: np.ndarray = np.where(total > 0, positive / np.where(total > 0, total, 1), 1 / size)
        return chances

    def value(self, node: int, hand: int, weights: np.ndarray, own: float) -> float:
        """What the hand wins below a node against weights of the other's hands; notes what is learned."""
        if node < 0:
            loser, stake = self.tree.loser[-1 - node], self.tree.stake[-1 - node]
            if loser == 2:
                return float((np.sign(self.levels[hand] - self.levels) * weights).sum() * stake)
            return float(weights.sum() * (-stake if loser == self.seat else stake))
        first, size, street = self.tree.first[node], self.tree.size[node], self.tree.street[node]
        after = self.tree.after[first : first + size]
        if self.tree.player[node] != self.seat:
            shares = self._chances(node, self.classes[street])
            return sum(
                self.value(int(next_node), hand, weights * shares[:, a], own) for a, next_node in enumerate(after)
            )
        row = int(self.classes[street, hand])
        shares = self._chances(node, np.array(row))
        values = np.array(
            [self.value(int(next_node), hand, weights, own * shares[a]) for a, next_node in enumerate(after)]
        )
        mean = float(values @ shares)
        self.learned[node, row] = self.learned.get((node, row), 0) + values - mean
        self.played[node, row] = self.played.get((node, row), 0) + own * shares
        return mean


@pytest.mark.parametrize("seat", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_an_iteration_is_that_of_a_plain_recursion(seat: int) -> None:
    solver = _solver()
    solver.run(1)  # so that strategies are not uniform
    before, counted = _rows(solver, "regrets"), _rows(solver, "average")
    deal_board(solver._key, 5, solver._buckets, PAIR_CARDS.copy(), solver._dealt)
    solver.learn(seat, np.float32(2))
    twin = _Twin(solver, seat, before)
    sizes = np.bincount(twin.classes[3])
    row = int(np.flatnonzero(sizes == sizes[sizes > 0].min())[0])
    for hand in np.flatnonzero(twin.classes[3] == row):
        apart = (twin.cards[:, :, None] != twin.cards[hand]).all(axis=(1, 2))
        twin.value(0, int(hand), apart.astype(np.float64), 1.0)
    learned, played = _rows(solver, "regrets"), _rows(solver, "average")
    tree, compared = solver.tree, 0
    for (node, other), regrets in twin.learned.items():
        if tree.street[node] == 3 and other == row:
            place = slice(tree.place[node], tree.place[node] + tree.size[node])
            assert learned[3][row, place] - before[3][row, place] == pytest.approx(2 * regrets, rel=2e-3, abs=3)
            assert played[3][row, place] - counted[3][row, place] == pytest.approx(
                2 * twin.played[node, row], rel=1e-3, abs=1e-3
            )
            compared += 1
    assert compared == 567 * 5


@pytest.mark.slow
def test_earlier_streets_learn_the_sum_over_hands() -> None:
    solver = _solver()
    solver.run(1)
    before = _rows(solver, "regrets")
    deal_board(solver._key, 5, solver._buckets, PAIR_CARDS.copy(), solver._dealt)
    solver.learn(1, np.float32(1))
    twin = _Twin(solver, 1, before)
    sizes = np.bincount(twin.classes[0])
    row = int(np.flatnonzero(sizes == sizes[sizes > 0].min())[0])
    for hand in np.flatnonzero(twin.classes[0] == row):
        apart = (twin.cards[:, :, None] != twin.cards[hand]).all(axis=(1, 2))
        twin.value(0, int(hand), apart.astype(np.float64), 1.0)
    learned, tree = _rows(solver, "regrets")[0], solver.tree
    for (node, other), regrets in twin.learned.items():
        if tree.street[node] == 0 and other == row:
            place = slice(tree.place[node], tree.place[node] + tree.size[node])
            assert learned[row, place] - before[0][row, place] == pytest.approx(regrets, rel=2e-3, abs=3)


def test_threads_change_nothing_and_learning_goes_on_to_the_bit() -> None:
    one, two = _solver(1), _solver(2)
    one.run(2)
    two.run(1)
    later = _solver(1)
    later.restore(two.state())
    later.run(1)
    states = one.state(), later.state()
    assert all(np.array_equal(states[0][name], states[1][name]) for name in states[0])
