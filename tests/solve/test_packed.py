"""Spots kept in 16 bits: as good as in 32 within a stated bound, judged exactly, saved and gone on with."""

import numpy as np
import pytest

from dense_spot import DenseSpot
from golden_spots import golden_s3, golden_s4, small_flop, small_river, small_turn
from luckless.errors import InputError
from luckless.hands.pairs import PAIRS
from luckless.lanes import LANES
from luckless.solve.holdem import HoldemSolver, bits_of
from luckless.solve.memory import memory_of
from luckless.solve.packed import shorten_regrets
from luckless.solve.schedules import ALGORITHMS, schedule_of
from luckless.solve.spot import Spot

BOUND = 5e-4
"""As a share of the pot: by how much 16 bits may leave a strategy more exploitable than 32 bits."""


@pytest.mark.parametrize(
    "spot", [pytest.param(small_river(), marks=pytest.mark.slow, id="river"), pytest.param(small_turn(), id="turn")]
)
def test_sixteen_bits_solve_as_well_as_thirty_two(spot: Spot) -> None:
    short, long = HoldemSolver(spot, "dcfr+", bits=16), HoldemSolver(spot, "dcfr+", bits=32)
    for solver in (short, long):
        solver.run(3)
    for player in (0, 1):
        mine, theirs = (solver.strategy(0, 0, player) for solver in (short, long))
        assert mine == pytest.approx(theirs, abs=4e-3)
        assert not (mine == theirs).all()
    for solver in (short, long):
        solver.run(397)
    assert short.judge().share <= long.judge().share + BOUND
    assert short.judge().first_ev == pytest.approx(long.judge().first_ev, abs=2 * BOUND * spot.stakes.pot)


def test_what_is_judged_is_what_would_be_played() -> None:
    """The exploitability of 16-bit averages, computed from the strategy itself by the dense twin."""
    spot = small_river()
    solver = HoldemSolver(spot, "dcfr+", bits=16)
    solver.run(20)
    held = [np.flatnonzero(weights) for weights in spot.weights]

    def played(_: object, player: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        shares = np.zeros((solver.layers[0].forest.slots(player), PAIRS))
        shares[:, solver.hands[0][player][0]] = solver.strategy(0, 0, player)
        for decision in solver.layers[0].forest.decisions:
            if decision.player == player:
                rows = shares[decision.first_row - 1 : decision.first_row - 1 + len(decision.actions)]
                assert rows[:, held[player]].sum(axis=0) == pytest.approx(1, abs=1e-12)
        return shares[:, held[player]]

    values, best = DenseSpot(spot).judge(played)
    assert solver.judge().values == pytest.approx(values, abs=1e-6)
    assert solver.judge().best == pytest.approx(best, abs=1e-6)


def test_flops_are_kept_in_sixteen_bits_where_the_variant_allows_it() -> None:
    assert {name for name in ALGORITHMS if bits_of(small_flop(), schedule_of(name)) == 16} == {"cfr+", "dcfr+"}
    assert bits_of(small_turn(), schedule_of("dcfr+")) == 32
    for algorithm in ("pdcfr+", "dcfr", "cfr"):
        with pytest.raises(InputError, match="cannot be kept in 16 bits"):
            HoldemSolver(small_river(), algorithm, bits=16)


def test_a_flop_in_sixteen_bits() -> None:
    spot = small_flop()
    short = HoldemSolver(spot)
    assert short.bits == 16
    short.run(60)
    judged = short.judge()
    assert 0 <= judged.share < 0.005
    assert memory_of(spot, 16) < 0.5 * memory_of(spot, 32)


def test_going_on_changes_no_bit() -> None:
    whole, half, rest = (HoldemSolver(small_turn(), bits=16) for _ in range(3))
    whole.run(9)
    half.run(4)
    rest.restore(half.state())
    rest.run(5)
    for street in (0, 1):
        for player in (0, 1):
            for mine, theirs in zip(
                whole.layers[street].learned[player], rest.layers[street].learned[player], strict=True
            ):
                assert mine.dtype == np.uint16
                assert mine.tobytes() == theirs.tobytes()


def test_solutions_saved_in_thirty_two_bits_are_still_read() -> None:
    old, new = HoldemSolver(small_turn(), bits=32), HoldemSolver(small_turn(), bits=16)
    old.run(30)
    new.restore(old.state())
    assert new.iterations == 30
    assert new.judge().share == pytest.approx(old.judge().share, abs=BOUND)
    old.run(30)
    new.run(30)
    assert new.judge().share == pytest.approx(old.judge().share, abs=2 * BOUND)


def test_a_hand_whose_regrets_vanish_keeps_its_old_ones() -> None:
    side = HoldemSolver(small_river(), bits=16).layers[0].sides[0]
    size = int(side.start[-1] - side.start[0]) * side.cards.shape[1]
    packed, regrets = np.full(size, 20_000, np.uint16), np.zeros(size, np.float32)
    first = int(side.start[1] - side.start[0])  # the actions of the first decision
    regrets[3] = 1.0
    shorten_regrets(side, regrets, packed, 0)
    by_lane = packed[: first * LANES].reshape(first, LANES)
    assert (by_lane[1:, 3] == 0).all()
    assert by_lane[0, 3] > 0
    assert (np.delete(by_lane, 3, axis=1) == 20_000).all()


@pytest.mark.slow
def test_sixteen_bits_on_a_whole_turn() -> None:
    """Against 64 bits, which rise and fall in the same way: the variant does that, not the rounding."""
    shares = {}
    for bits in (16, 64):
        solver = HoldemSolver(golden_s3(), "dcfr+", bits=bits)
        solver.run(600)
        shares[bits] = solver.judge().share
        assert solver.judge().first_ev == pytest.approx(91.961, abs=0.04)
    assert shares[16] < shares[64] + BOUND


@pytest.mark.slow
def test_the_golden_flop() -> None:
    solver = HoldemSolver(golden_s4(), "dcfr+")
    solver.run(90)
    while solver.judge().share > 0.005:
        solver.run(10)
        assert solver.iterations <= 150
    assert solver.judge().first_ev == pytest.approx(105.11, abs=0.2)
    assert memory_of(golden_s4(), 16) < 1.4e9
