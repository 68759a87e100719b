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


@njit(nogil=True)
def shortened(source: NDArray[Any], short: NDArray[Any], back: NDArray[Any]) -> None:
    lanes.shorten(short, 2, lanes.load(source, 0))
    lanes.store(back, 0, lanes.widen(short, 2, back))


def around(value: float) -> tuple[float, ...]:
    """The short numbers below and above a number: ten bits of its fraction, within bounds."""
    if value < 2.0**-31:
        return 0.0, 0.0
    fraction, exponent = np.frexp(min(value, 2.0**32 - 2.0**21))
    return tuple(float(np.ldexp(cut(fraction * 2048), exponent - 11)) for cut in (np.floor, np.ceil))


@pytest.mark.interpreted
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_short_numbers_keep_one_part_in_1024(kind: Any) -> None:
    random = np.random.default_rng(2)
    edges = [
        0,
        1,
        0.1,
        2.0**-31,
        2.0**-31 * 0.999,
        1e-20,
        2.0**32,
        1e30,
        1 + 2.0**-11,
        1 + 3 * 2.0**-11,
        3,
        1 / 3,
        2047.4,
    ]
    for _ in range(20):
        values = np.concatenate([edges, np.exp(random.uniform(-20, 20, LANES))])[:LANES].astype(np.float32)
        short, back = np.full(LANES + 4, 9, np.uint16), np.zeros(LANES, kind)
        shortened(values, short, back)
        assert all(mine in around(float(value)) for mine, value in zip(back, values, strict=True))
        assert (short[:2] == 9).all()
        assert (short[-2:] == 9).all()
        random.shuffle(edges)


def test_rounding_is_right_on_average() -> None:
    """Numbers rounded one by one, and one sum to which a step far below its rounding is added ten thousand times."""
    random = np.random.default_rng(3)
    errors: list[float] = []
    short, back = np.zeros(LANES + 4, np.uint16), np.zeros(LANES, np.float32)
    for _ in range(2000):
        values = random.uniform(1, 2, LANES).astype(np.float32)
        shortened(values, short, back)
        errors.extend((back - values) * 1024)
    assert abs(np.mean(errors)) < 4 * np.std(errors) / len(errors) ** 0.5
    back[:] = 1
    for _ in range(10_000):
        shortened(back + random.uniform(0, 1e-4, LANES).astype(np.float32), short, back)
    spread = (10_000 * 5e-5 * 2**-10) ** 0.5
    assert abs(back.mean() - 1.5) < 4 * spread / LANES**0.5


@njit(nogil=True)
def widened(source: NDArray[Any], target: NDArray[Any]) -> None:
    lanes.store(target, 0, lanes.widen(source, 1, target))


@pytest.mark.interpreted
def test_numbers_of_other_kinds_are_widened() -> None:
    source = np.linspace(0, 1, LANES + 1, dtype=np.float32)
    for kind in (np.float32, np.float64):
        target = np.zeros(LANES, kind)
        widened(source, target)
        assert (target == source[1:]).all()


def test_without_vectors_the_plain_way_compiles_too() -> None:
    """What is used where a version of Numba cannot make vectors."""
    import numba

    shorten, widen = numba.njit(lanes._shorten), numba.njit(lanes._widen)
    values, short = np.linspace(0, 9, LANES, dtype=np.float32), np.zeros(LANES, np.uint16)
    shorten(short, 0, values)
    for kind in (np.float32, np.float64):
        back = widen(short, 0, np.zeros(1, kind))
        assert all(mine in around(float(value)) for mine, value in zip(back, values, strict=True))
        assert (widen(values, 0, np.zeros(1, kind)) == values).all()
