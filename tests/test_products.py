"""Products of matrices for kernels: what NumPy's are, and each row the same whatever lies beside it."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from luckless import products
from luckless.kernels import njit
from luckless.products import add_picked_rows, add_product, transpose

SHAPES = [(1, 1, 1), (3, 5, 7), (8, 16, 32), (9, 1, 48), (17, 33, 35), (7, 0, 20), (0, 4, 16), (24, 12, 208)]


def numbers(*shape: int) -> NDArray[np.float32]:
    return np.random.default_rng(1).standard_normal(shape).astype(np.float32)


@pytest.mark.interpreted
@pytest.mark.parametrize(("rows", "inner", "columns"), SHAPES)
def test_a_product_is_added(rows: int, inner: int, columns: int) -> None:
    x, weights, y = numbers(rows, inner), numbers(inner, columns), numbers(rows, columns)
    wanted = y + x.astype(np.float64) @ weights
    add_product(x, weights, y)
    np.testing.assert_allclose(y, wanted, atol=1e-5)


@pytest.mark.interpreted
def test_factors_may_be_turned_and_lie_in_larger_arrays() -> None:
    room, weights, y = numbers(20, 50), numbers(11, 40), np.zeros((30, 64), np.float32)
    add_product(room[2:13, 5:23].T, weights[:, :33], y[4:22, :33])
    np.testing.assert_allclose(y[4:22, :33], room[2:13, 5:23].T.astype(np.float64) @ weights[:, :33], atol=1e-5)
    y[4:22, :33] = 0
    assert not y.any()


def test_sums_do_not_depend_on_the_rows_beside_them() -> None:
    x, weights = numbers(100, 256), numbers(256, 208)
    whole = np.zeros((100, 208), np.float32)
    add_product(x, weights, whole)
    for first, end in ((0, 1), (3, 10), (50, 100)):
        part = np.zeros((end - first, 208), np.float32)
        add_product(x[first:end], weights, part)
        assert (part == whole[first:end]).all()
    for columns in (slice(0, 16), slice(16, 40), slice(100, 208)):
        side = np.zeros((100, columns.stop - columns.start), np.float32)
        add_product(x, np.ascontiguousarray(weights[:, columns]), side)
        np.testing.assert_array_equal(
            side[:, : len(side[0]) // 16 * 16], whole[:, columns][:, : len(side[0]) // 16 * 16]
        )


@pytest.mark.interpreted
@pytest.mark.parametrize("columns", [1, 16, 40, 256])
@pytest.mark.parametrize("count", [0, 1, 5])
def test_picked_rows_are_added(columns: int, count: int) -> None:
    values, slots, weights, y = (
        numbers(5),
        np.array([3, 0, 9, 3, 7], np.int32),
        numbers(10, columns),
        numbers(columns),
    )
    wanted = y + values[:count].astype(np.float64) @ weights[slots[:count]]
    add_picked_rows(values, slots, count, weights, y)
    np.testing.assert_allclose(y, wanted, atol=1e-5)


@pytest.mark.interpreted
@pytest.mark.parametrize(("rows", "columns"), [(8, 8), (1, 20), (19, 30), (24, 9), (0, 8)])
def test_a_matrix_is_transposed(rows: int, columns: int) -> None:
    source, target = numbers(rows, columns), np.full((columns, rows), -1, np.float32)
    transpose(source, target)
    assert (target == source.T).all()


@pytest.mark.parametrize(("rows", "vectors"), [(8, 2), (6, 1), (1, 4)])
def test_tiles_by_hand_and_plain_ones_agree(rows: int, vectors: int) -> None:
    tile: Any = products._ByHand().tile(rows, vectors)
    plain = njit(nogil=True)(products._plain_tile(rows, vectors))

    @njit(nogil=True)
    def by_hand(x: Any, weights: Any, y: Any) -> None:
        tile(x, 2, weights, 3, y)

    x, weights = numbers(12, 30), numbers(30, 80)
    one, other = (np.zeros((12, 80), np.float32) for _ in range(2))
    by_hand(x, weights, one)
    plain(x, 2, weights, 3, other)
    np.testing.assert_allclose(one, other, atol=1e-5)
    assert not one[:2].any()
    assert not one[:, :3].any()
    assert one[2 : 2 + rows, 3 : 3 + 16 * vectors].all()


def test_without_parts_of_numba_plain_tiles_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> None:
        raise AttributeError

    monkeypatch.setattr(products, "_ByHand", gone)
    tile, *_ = products._make()
    y = np.zeros((8, 32), np.float32)
    tile(numbers(8, 4), 0, numbers(4, 32), 0, y)
    np.testing.assert_allclose(y, numbers(8, 4) @ numbers(4, 32), atol=1e-5)


def test_processors_of_which_nothing_is_known_have_narrow_registers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("llvmlite.binding.get_host_cpu_features", lambda: {"avx512f": True})
    assert products._has_wide_registers()

    def unknown() -> None:
        raise RuntimeError

    monkeypatch.setattr("llvmlite.binding.get_host_cpu_features", unknown)
    assert not products._has_wide_registers()
