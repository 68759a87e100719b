"""Numbers side by side: vectors of `LANES` floats that a kernel loads, computes with and stores as one.

A compiler may do this by itself, but only where it can prove that no two arrays overlap, which it cannot for the
arrays of a kernel. So these vectors are made by hand, out of parts of Numba that it does not promise to keep. Where a
version lacks them, and where kernels run as plain Python, the same functions work on short arrays, only slower.

Arrays are flat here and places are counted in numbers from their start; nothing checks the bounds.

To save memory, numbers that are not negative can be kept in 16 bits (`shorten`, `widen`): 6 bits of exponent and 10
of the fraction, which hold 2^-31 to 2^32 to one part in 1,024. Less is zero, more is the most. Rounding goes up or
down with the chance that is right on average, so that small steps added again and again to a large sum are not lost.
"""

import importlib
from typing import Any

import numba
import numpy as np

from luckless.kernels import INTERPRETED

LANES = 16
_SQUARE = 8

_CUT = 13
"""Bits of the fraction of a 32-bit float that a short number leaves out."""
_LEAST = 2.0**-31
_MOST = 2.0**32 - 2.0**21
_UP, _DOWN = 2.0**95, 2.0**-95
"""A short number's bits, moved up by `_CUT`, are those of a float that is this much smaller."""
_MIX = 0x9E3779B1
"""Odd; the top bits of a product with it look random, though they follow from the number alone."""


def _load(array: Any, place: Any) -> Any:
    return array[place : place + LANES].copy()


def _store(array: Any, place: Any, lanes: Any) -> None:
    array[place : place + LANES] = lanes


def _fill(array: Any, value: Any) -> Any:
    return np.full(LANES, value, array.dtype)


def _add(one: Any, other: Any) -> Any:
    return one + other


def _subtract(one: Any, other: Any) -> Any:
    return one - other


def _multiply(one: Any, other: Any) -> Any:
    return one * other


def _divide(one: Any, other: Any) -> Any:
    return one / other


def _larger(one: Any, other: Any) -> Any:
    return np.maximum(one, other)


def _where_positive(test: Any, one: Any, other: Any) -> Any:
    return np.where(test > 0, one, other)


def _transpose(source: Any, place: Any, stride: Any, target: Any, target_place: Any, target_stride: Any) -> None:
    for row in range(_SQUARE):
        for column in range(_SQUARE):
            target[target_place + column * target_stride + row] = source[place + row * stride + column]


def _widen(array: Any, place: Any, like: Any) -> Any:
    lanes = array[place : place + LANES]
    if lanes.itemsize > 2:
        return lanes.astype(like.dtype)
    bits = lanes.astype(np.uint32) << np.uint32(_CUT)
    return (bits.view(np.float32) * np.float32(_UP)).astype(like.dtype)


def _shorten(array: Any, place: Any, lanes: Any) -> None:
    kept = np.where(lanes < np.float32(_LEAST), np.float32(0), np.minimum(lanes, np.float32(_MOST)))
    bits = (kept * np.float32(_DOWN)).astype(np.float32).view(np.uint32)
    chance = (bits * np.uint32(_MIX)).astype(np.uint32) >> np.uint32(32 - _CUT)
    array[place : place + LANES] = ((bits + chance) >> np.uint32(_CUT)).astype(np.uint16)


def _make_by_hand() -> dict[str, Any]:
    """The functions as intrinsics, by name; ImportError or AttributeError where Numba has changed."""
    from numba.core import types
    from numba.core.datamodel.models import PrimitiveModel
    from numba.extending import intrinsic, register_model

    ir = importlib.import_module("llvmlite.ir")  # it comes with Numba

    class LanesType(types.Type):
        """`LANES` floats in one value."""

        def __init__(self, dtype: Any) -> None:
            self.dtype = dtype
            super().__init__(name=f"Lanes({dtype})")

    def vector_of(dtype: Any, width: int = LANES) -> Any:
        return ir.VectorType(ir.FloatType() if dtype == types.float32 else ir.DoubleType(), width)

    class LanesModel(PrimitiveModel):
        def __init__(self, manager: Any, kind: Any) -> None:
            PrimitiveModel.__init__(self, manager, kind, vector_of(kind.dtype))  # type: ignore[no-untyped-call]

    register_model(LanesType)(LanesModel)

    def pointer(context: Any, builder: Any, kind: Any, array: Any, place: Any, width: int = LANES) -> Any:
        data = context.make_array(kind)(context, builder, array).data
        return builder.bitcast(builder.gep(data, [place]), vector_of(kind.dtype, width).as_pointer())

    def read(builder: Any, kind: Any, where: Any) -> Any:
        loaded = builder.load(where)
        loaded.align = kind.dtype.bitwidth // 8
        return loaded

    def write(builder: Any, kind: Any, lanes: Any, where: Any) -> None:
        builder.store(lanes, where).align = kind.dtype.bitwidth // 8

    @intrinsic
    def load(typing_context: Any, array: Any, place: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            kind = signature.args[0]
            return read(builder, kind, pointer(context, builder, kind, given[0], given[1]))

        return LanesType(array.dtype)(array, types.intp), generate

    @intrinsic
    def store(typing_context: Any, array: Any, place: Any, lanes: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            kind = signature.args[0]
            write(builder, kind, given[2], pointer(context, builder, kind, given[0], given[1]))
            return context.get_dummy_value()

        return types.void(array, types.intp, lanes), generate

    @intrinsic
    def fill(typing_context: Any, array: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            vector = vector_of(signature.args[0].dtype)
            one = builder.insert_element(ir.Constant(vector, ir.Undefined), given[1], ir.Constant(ir.IntType(32), 0))
            places = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
            return builder.shuffle_vector(one, ir.Constant(vector, ir.Undefined), places)

        return LanesType(array.dtype)(array, array.dtype), generate

    def whole(bits: int) -> Any:
        return ir.VectorType(ir.IntType(bits), LANES)

    def every(kind: Any, value: Any) -> Any:
        return ir.Constant(kind, [value] * LANES)

    def of_short(builder: Any, short: Any) -> Any:
        bits = builder.shl(builder.zext(short, whole(32)), every(whole(32), _CUT))
        floats = vector_of(types.float32)
        return builder.fmul(builder.bitcast(bits, floats), every(floats, _UP))

    def to_short(builder: Any, lanes: Any) -> Any:
        floats = lanes.type
        small = builder.fcmp_ordered("<", lanes, every(floats, _LEAST))
        large = builder.fcmp_ordered(">", lanes, every(floats, _MOST))
        kept = builder.select(large, every(floats, _MOST), lanes)
        kept = builder.select(small, every(floats, 0.0), kept)
        bits = builder.bitcast(builder.fmul(kept, every(floats, _DOWN)), whole(32))
        chance = builder.lshr(builder.mul(bits, every(whole(32), _MIX)), every(whole(32), 32 - _CUT))
        return builder.trunc(builder.lshr(builder.add(bits, chance), every(whole(32), _CUT)), whole(16))

    @intrinsic
    def widen(typing_context: Any, array: Any, place: Any, like: Any) -> Any:
        short = array.dtype == types.uint16

        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            kind = signature.args[0]
            data = context.make_array(kind)(context, builder, given[0]).data
            vector = whole(16) if short else vector_of(kind.dtype)
            where = builder.bitcast(builder.gep(data, [given[1]]), vector.as_pointer())
            lanes = read(builder, kind, where)
            lanes = of_short(builder, lanes) if short else lanes
            wanted = vector_of(like.dtype)
            return lanes if lanes.type == wanted else builder.fpext(lanes, wanted)

        return LanesType(like.dtype)(array, types.intp, like), generate

    @intrinsic
    def shorten(typing_context: Any, array: Any, place: Any, lanes: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            kind = signature.args[0]
            data = context.make_array(kind)(context, builder, given[0]).data
            where = builder.bitcast(builder.gep(data, [given[1]]), whole(16).as_pointer())
            write(builder, kind, to_short(builder, given[2]), where)
            return context.get_dummy_value()

        return types.void(array, types.intp, lanes), generate

    def binary(build: Any) -> Any:
        @intrinsic
        def combine(typing_context: Any, one: Any, other: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
                return build(builder, *given)

            return one(one, one), generate

        return combine

    def larger_of(builder: Any, one: Any, other: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", one, other), one, other)

    @intrinsic
    def where_positive(typing_context: Any, test: Any, one: Any, other: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            zero = ir.Constant(given[0].type, [0.0] * LANES)
            return builder.select(builder.fcmp_ordered(">", given[0], zero), given[1], given[2])

        return test(test, test, test), generate

    @intrinsic
    def transpose(
        typing_context: Any, source: Any, place: Any, stride: Any, target: Any, target_place: Any, target_stride: Any
    ) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            kind, target_kind = signature.args[0], signature.args[3]
            rows = []
            for row in range(_SQUARE):
                at = builder.add(given[1], builder.mul(given[2], ir.Constant(given[2].type, row)))
                rows.append(read(builder, kind, pointer(context, builder, kind, given[0], at, _SQUARE)))
            for row, lanes in enumerate(_transposed(builder, ir, rows)):
                at = builder.add(given[4], builder.mul(given[5], ir.Constant(given[5].type, row)))
                write(builder, target_kind, lanes, pointer(context, builder, target_kind, given[3], at, _SQUARE))
            return context.get_dummy_value()

        number = types.intp
        return types.void(source, number, number, target, number, number), generate

    return {
        "load": load,
        "store": store,
        "fill": fill,
        "add": binary(lambda builder, one, other: builder.fadd(one, other)),
        "subtract": binary(lambda builder, one, other: builder.fsub(one, other)),
        "multiply": binary(lambda builder, one, other: builder.fmul(one, other)),
        "divide": binary(lambda builder, one, other: builder.fdiv(one, other)),
        "larger": binary(larger_of),
        "where_positive": where_positive,
        "transpose": transpose,
        "widen": widen,
        "shorten": shorten,
    }


def _transposed(builder: Any, ir: Any, rows: list[Any]) -> list[Any]:
    """Rows to columns: numbers change places with those of the row whose number differs in one bit, bit by bit."""
    whole = ir.VectorType(ir.IntType(32), _SQUARE)
    for bit in (4, 2, 1):
        changed = list(rows)
        for row in range(_SQUARE):
            if row & bit == 0:
                low = [lane if lane & bit == 0 else _SQUARE + (lane ^ bit) for lane in range(_SQUARE)]
                high = [lane ^ bit if lane & bit == 0 else _SQUARE + lane for lane in range(_SQUARE)]
                pair = rows[row], rows[row | bit]
                changed[row] = builder.shuffle_vector(*pair, ir.Constant(whole, low))
                changed[row | bit] = builder.shuffle_vector(*pair, ir.Constant(whole, high))
        rows = changed
    return rows


def _make() -> dict[str, Any]:
    plain = {
        "load": _load,
        "store": _store,
        "fill": _fill,
        "add": _add,
        "subtract": _subtract,
        "multiply": _multiply,
        "divide": _divide,
        "larger": _larger,
        "where_positive": _where_positive,
        "transpose": _transpose,
        "widen": _widen,
        "shorten": _shorten,
    }
    if INTERPRETED:
        return plain
    try:
        return _make_by_hand()
    except (ImportError, AttributeError, TypeError):  # this version of Numba is made in another way
        return {name: numba.njit(nogil=True)(function) for name, function in plain.items()}


_made = _make()
load, store, fill = (_made[name] for name in ("load", "store", "fill"))
add, subtract, multiply, divide = (_made[name] for name in ("add", "subtract", "multiply", "divide"))
larger, where_positive, transpose = (_made[name] for name in ("larger", "where_positive", "transpose"))
"""Lane by lane; `where_positive(test, one, other)` takes `one` where test > 0. `transpose` turns a square of 8 x 8
numbers, whose rows lie `stride` apart."""
widen, shorten = _made["widen"], _made["shorten"]
"""`widen(array, place, like)` loads numbers of any kind, short ones too, as those of the array `like`;
`shorten(array, place, lanes)` stores 32-bit floats as short numbers."""
