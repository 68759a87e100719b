"""Products of matrices of 32-bit floats for kernels, near the speed that a core has.

A tile of the result stays in the processor's registers while its sums are added up. A compiler does not find that by
itself, so tiles are made by hand, out of parts of Numba that it does not promise to keep. Where a version lacks them,
and where kernels run as plain Python, plain loops do the same, only slower.

Every number of a result is added up in the order of the factors, one product after the other, whatever the tile: so
it does not depend on the rows beside it, nor on how many registers the processor has.
"""

import importlib
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from luckless import lanes
from luckless.kernels import INTERPRETED, njit

_LANES = 16  # numbers of a vector
_SQUARE = 8  # rows and columns that `lanes.transpose` turns


def _plain_tile(rows: int, vectors: int) -> Any:
    def tile(x: Any, row: Any, weights: Any, column: Any, y: Any) -> None:
        for place in range(row, row + rows):
            for k in range(len(weights)):
                for at in range(column, column + vectors * _LANES):
                    y[place, at] += x[place, k] * weights[k, at]

    return tile


def _plain_picked(vectors: int) -> Any:
    def picked(values: Any, slots: Any, count: Any, weights: Any, column: Any, y: Any) -> None:
        for place in range(count):
            for at in range(column, column + vectors * _LANES):
                y[at] += values[place] * weights[slots[place], at]

    return picked


class _ByHand:
    """Makes the tiles as intrinsics; ImportError or AttributeError where Numba has changed."""

    def __init__(self) -> None:
        self.types = importlib.import_module("numba.core.types")
        self.intrinsic = importlib.import_module("numba.extending").intrinsic
        self.ir = importlib.import_module("llvmlite.ir")  # it comes with Numba
        self.whole = self.ir.IntType(64)
        self.vector = self.ir.VectorType(self.ir.FloatType(), _LANES)

    def place(self, context: Any, builder: Any, kind: Any, array: Any, *places: Any) -> Any:
        """The address of an element; the steps between elements are those of the array, in bytes."""
        parts = context.make_array(kind)(context, builder, array)
        strides = self.ir.Constant(self.whole, kind.dtype.bitwidth // 8)
        at = self.whole(0)
        for axis, number in enumerate(places):
            last = axis == kind.ndim - 1 and kind.layout == "C"
            stride = strides if last else builder.extract_value(parts.strides, axis)
            at = builder.add(at, builder.mul(number, stride))
        start = builder.bitcast(parts.data, self.ir.IntType(8).as_pointer())
        return builder.bitcast(builder.gep(start, [at]), parts.data.type)

    def vectors_at(self, builder: Any, address: Any, count: int) -> list[Any]:
        """The addresses of so many vectors side by side."""
        first = builder.bitcast(address, self.vector.as_pointer())
        return [builder.gep(first, [self.whole(number)]) for number in range(count)]

    def load(self, builder: Any, address: Any) -> Any:
        """A vector, which lies anywhere."""
        loaded = builder.load(address)
        loaded.align = 4
        return loaded

    def filled(self, builder: Any, value: Any) -> Any:
        """A vector of one number."""
        unknown, number = self.ir.Constant(self.vector, self.ir.Undefined), self.ir.IntType(32)
        one = builder.insert_element(unknown, value, number(0))
        return builder.shuffle_vector(
            one, unknown, self.ir.Constant(self.ir.VectorType(number, _LANES), [0] * _LANES)
        )

    def add_up(self, builder: Any, targets: list[Any], count: Any, products_at: Any) -> None:
        """A loop that adds products to vectors, which stay in registers from the first to the last."""
        before = builder.block
        sums = [self.load(builder, target) for target in targets]
        loop, end = (builder.append_basic_block(name) for name in ("products", "sums"))
        builder.cbranch(builder.icmp_signed(">", count, self.whole(0)), loop, end)
        builder.position_at_end(loop)
        k = builder.phi(self.whole)
        k.add_incoming(self.whole(0), before)
        running = [builder.phi(self.vector) for _ in sums]
        fused = ("contract",)
        pairs = products_at(k)
        added = [
            builder.fadd(total, builder.fmul(one, other, flags=fused), flags=fused)
            for total, (one, other) in zip(running, pairs, strict=True)
        ]
        following = builder.add(k, self.whole(1))
        k.add_incoming(following, builder.block)
        for total, old, new in zip(running, sums, added, strict=True):
            total.add_incoming(old, before)
            total.add_incoming(new, builder.block)
        last = builder.block
        builder.cbranch(builder.icmp_signed("<", following, count), loop, end)
        builder.position_at_end(end)
        totals = [builder.phi(self.vector) for _ in sums]
        for total, old, new, target in zip(totals, sums, added, targets, strict=True):
            total.add_incoming(old, before)
            total.add_incoming(new, last)
            builder.store(total, target).align = 4

    def tile(self, rows: int, vectors: int) -> Any:
        """Adds to so many rows and vectors of y what `_plain_tile` does."""
        types = self.types

        @self.intrinsic
        def tile(typing_context: Any, x: Any, row: Any, weights: Any, column: Any, y: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
                x_kind, _, weights_kind, _, y_kind = signature.args
                places = [builder.add(given[1], self.whole(number)) for number in range(rows)]
                targets = [
                    target
                    for place in places
                    for target in self.vectors_at(
                        builder, self.place(context, builder, y_kind, given[4], place, given[3]), vectors
                    )
                ]

                def products_at(k: Any) -> list[Any]:
                    first = self.place(context, builder, weights_kind, given[2], k, given[3])
                    columns = [self.load(builder, at) for at in self.vectors_at(builder, first, vectors)]
                    factors = [
                        self.filled(builder, builder.load(self.place(context, builder, x_kind, given[0], place, k)))
                        for place in places
                    ]
                    return [(factor, vector) for factor in factors for vector in columns]

                count = builder.extract_value(context.make_array(weights_kind)(context, builder, given[2]).shape, 0)
                self.add_up(builder, targets, count, products_at)
                return context.get_dummy_value()

            return types.void(x, types.intp, weights, types.intp, y), generate

        return tile

    def picked(self, vectors: int) -> Any:
        """Adds to so many vectors of y what `_plain_picked` does."""
        types = self.types

        @self.intrinsic
        def picked(
            typing_context: Any, values: Any, slots: Any, count: Any, weights: Any, column: Any, y: Any
        ) -> Any:
            def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
                values_kind, slots_kind, _, weights_kind, _, y_kind = signature.args
                targets = self.vectors_at(builder, self.place(context, builder, y_kind, given[5], given[4]), vectors)

                def products_at(k: Any) -> list[Any]:
                    slot = builder.load(self.place(context, builder, slots_kind, given[1], k))
                    row = builder.sext(slot, self.whole)
                    first = self.place(context, builder, weights_kind, given[3], row, given[4])
                    value = builder.load(self.place(context, builder, values_kind, given[0], k))
                    factor = self.filled(builder, value)
                    return [(factor, self.load(builder, at)) for at in self.vectors_at(builder, first, vectors)]

                self.add_up(builder, targets, given[2], products_at)
                return context.get_dummy_value()

            return types.void(values, slots, types.intp, weights, types.intp, y), generate

        return picked


def _has_wide_registers() -> bool:
    """Whether the processor has 32 registers of a whole vector each; else the tiles are for 16 of half a vector."""
    try:
        features = importlib.import_module("llvmlite.binding").get_host_cpu_features()
    except (ImportError, AttributeError, RuntimeError):
        return False
    return bool(features.get("avx512f"))


_WIDE = _has_wide_registers()
_ROWS, _VECTORS, _ALONE = (8, 2, 8) if _WIDE else (6, 1, 4)
"""Rows and vectors of a tile, and vectors of a tile of one row."""


def _make() -> tuple[Any, ...]:
    tiles, picks = ((_ROWS, _VECTORS), (_ROWS, 1), (1, _ALONE), (1, 1)), (_ALONE, 1)
    if not INTERPRETED:
        try:
            made = _ByHand()
            return (*(made.tile(*size) for size in tiles), *(made.picked(size) for size in picks))
        except (ImportError, AttributeError, TypeError):  # this version of Numba is made in another way
            pass
    compiled = (lambda function: function) if INTERPRETED else numba.njit(nogil=True)
    return (*(compiled(_plain_tile(*size)) for size in tiles), *(compiled(_plain_picked(size)) for size in picks))


_tile, _narrow_tile, _row_tile, _narrow_row_tile, _picked, _narrow_picked = _make()


@njit(cache=True, nogil=True)
def _add_column(x: NDArray[np.float32], weights: NDArray[np.float32], column: int, y: NDArray[np.float32]) -> None:
    """Whole tiles from a column on, as wide as they fit."""
    wide = column + _VECTORS * _LANES <= weights.shape[1]
    row = 0
    while row + _ROWS <= len(x):
        if wide:
            _tile(x, row, weights, column, y)
        else:
            _narrow_tile(x, row, weights, column, y)
        row += _ROWS


@njit(cache=True, nogil=True)
def _add_row(x: NDArray[np.float32], row: int, weights: NDArray[np.float32], y: NDArray[np.float32]) -> None:
    """One row of a product, but for columns that do not fill a vector."""
    column = 0
    while column + _ALONE * _LANES <= weights.shape[1]:
        _row_tile(x, row, weights, column, y)
        column += _ALONE * _LANES
    while column + _LANES <= weights.shape[1]:
        _narrow_row_tile(x, row, weights, column, y)
        column += _LANES


@njit(cache=True, nogil=True, fastmath={"contract"})
def add_product(x: NDArray[np.float32], weights: NDArray[np.float32], y: NDArray[np.float32]) -> None:
    """Adds x @ weights to y. Rows of weights and of y lie side by side; x may be transposed."""
    vectors = weights.shape[1] // _LANES
    column = 0
    while column < vectors * _LANES:
        _add_column(x, weights, column, y)
        column += _VECTORS * _LANES if column + _VECTORS * _LANES <= weights.shape[1] else _LANES
    for row in range(len(x) // _ROWS * _ROWS, len(x)):
        _add_row(x, row, weights, y)
    for row in range(len(x)):
        for at in range(vectors * _LANES, weights.shape[1]):
            for k in range(len(weights)):
                y[row, at] += x[row, k] * weights[k, at]


@njit(cache=True, nogil=True, fastmath={"contract"})
def add_picked_rows(
    values: NDArray[np.float32], slots: NDArray[np.int32], count: int, weights: NDArray[np.float32],
    y: NDArray[np.float32],
) -> None:  # fmt: skip
    """Adds to y the first so many values, each times the row of the weights that its slot names."""
    column = 0
    while column + _ALONE * _LANES <= len(y):
        _picked(values, slots, count, weights, column, y)
        column += _ALONE * _LANES
    while column + _LANES <= len(y):
        _narrow_picked(values, slots, count, weights, column, y)
        column += _LANES
    for at in range(column, len(y)):
        for place in range(count):
            y[at] += values[place] * weights[slots[place], at]


@njit(cache=True, nogil=True)
def transpose(source: NDArray[np.float32], target: NDArray[np.float32]) -> None:
    """Writes the columns of a matrix as the rows of another; both lie in memory row after row."""
    rows, columns = source.shape
    whole_rows, whole_columns = rows // _SQUARE * _SQUARE, columns // _SQUARE * _SQUARE
    flat, flat_target = source.reshape(-1), target.reshape(-1)
    for row in range(0, whole_rows, _SQUARE):
        for column in range(0, whole_columns, _SQUARE):
            lanes.transpose(flat, row * columns + column, columns, flat_target, column * rows + row, rows)
    for row in range(rows):
        for column in range(whole_columns if row < whole_rows else 0, columns):
            target[column, row] = source[row, column]
