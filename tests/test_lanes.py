"""Vectors of numbers side by side: what they compute is what plain NumPy does, compiled or not."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from luckless import lanes
from luckless.kernels import njit
from luckless.lanes import LANES


@njit(nogil=True)
def all_of_it(one: NDArray[Any], other: NDArray[Any], out: NDArray[Any]) -> None:
    a, b = lanes.load(one, 3), lanes.load(other, 1)
    lanes.store(out, 0, lanes.add(a, b))
    lanes.store(out, LANES, lanes.subtract(a, b))
    lanes.store(out, 2 * LANES, lanes.multiply(a, b))
    lanes.store(out, 3 * LANES, lanes.divide(a, b))
    lanes.store(out, 4 * LANES, lanes.larger(a, b))
    lanes.store(out, 5 * LANES, lanes.where_positive(a, b, lanes.fill(one, out.dtype.type(7))))


@njit(nogil=True)
def turned(source: NDArray[Any], target: NDArray[Any]) -> None:
    lanes.transpose(source, 2, 11, target, 5, 9)


@pytest.mark.interpreted
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_vectors_compute_lane_by_lane(kind: Any) -> None:
    random = np.random.default_rng(1)
    one, other = (random.standard_normal(3 + LANES).astype(kind) for _ in range(2))
    out = np.zeros(6 * LANES, kind)
    all_of_it(one, other, out)
    a, b = one[3:], other[1 : 1 + LANES]
    wanted = [a + b, a - b, a * b, a / b, np.maximum(a, b), np.where(a > 0, b, kind(7))]
    assert (out.reshape(6, LANES) == np.array(wanted)).all()


@pytest.mark.interpreted
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_a_square_is_transposed(kind: Any) -> None:
    source, target = np.arange(100, dtype=kind), np.full(100, -1, kind)
    turned(source, target)
    for row in range(8):
        for column in range(8):
            assert target[5 + 9 * column + row] == source[2 + 11 * row + column]
    assert (target == -1).sum() == 100 - 64
