"""The parts of Numba that it does not promise to keep: the locators of its disk cache, its compile events, its
compiler lock and code made by hand. Nothing else in this package touches them.

Each has a substitute. Where a version of Numba lacks one, kernels do the same as before, only with less comfort.
"""

import functools
import importlib
from collections.abc import Callable
from typing import Any, Protocol

import numba
import numpy as np

LOCATORS, _GUARD = "_locator_classes", "_guard_against_spurious_io_errors"


class CompileListener(Protocol):
    """Hears when the compilation of a kernel begins and ends."""

    def on_start(self, event: Any) -> None:
        """A kernel begins."""

    def on_end(self, event: Any) -> None:
        """A kernel is done."""


def _attribute(module: str, *names: str) -> Any:
    """What a dotted name in one of Numba's modules stands for, or None where this version has no such thing."""
    try:
        value: Any = importlib.import_module(module)
        for name in names:
            value = getattr(value, name)
    except (ImportError, AttributeError):
        return None
    return value


def put_locator_first(locator: Any) -> tuple[Any, ...]:
    """Asks `locator` before Numba's own where a kernel's cache lies; returns Numba's own, or () if there are none.

    Without them a cached kernel could not be told from an older version of itself: it must not be cached at all.
    """
    cache: Any = _attribute("numba.core.caching", "CacheImpl")
    own = getattr(cache, LOCATORS, None)
    if not isinstance(own, list | tuple) or not all(hasattr(one, "from_function") for one in own):
        return ()
    setattr(cache, LOCATORS, [locator, *own])
    return tuple(own)


def load_without_setting_up() -> bool:
    """Lets kernels be loaded from the cache before Numba has set up its compiler; False where that is not possible.

    Numba imports and registers all that it can compile, half a second, before it looks into its cache. Machine code
    needs none of it but what kernels call while they run: memory, and the hashes of Python. Whatever is compiled
    later sets the compiler up first, as Numba does it.
    """
    cache: Any = _attribute("numba.core.caching", "Cache")
    start_runtime = _attribute("numba.core.runtime", "rtsys", "initialize")
    if start_runtime is None or not all(hasattr(cache, name) for name in ("load_overload", "_load_overload", _GUARD)):
        return False

    def load_overload(self: Any, signature: Any, target_context: Any) -> Any:
        start_runtime(target_context)
        importlib.import_module("numba.cpython.hashing")
        with getattr(self, _GUARD)():
            return self._load_overload(signature, target_context)

    cache.load_overload = functools.wraps(cache.load_overload)(load_overload)
    return True


def listen_to_compiling(listener: CompileListener, event: str = "numba:compile") -> bool:
    """Tells `listener` of each kernel that is compiled; False where Numba has no such events.

    The event "numba:compiler_lock" tells of more: of loading from the cache and of waiting for another thread too.
    """
    kind, register = _attribute("numba.core.event", "Listener"), _attribute("numba.core.event", "register")
    if kind is None or register is None:
        return False
    told = type("_Told", (kind,), {"on_start": lambda _, one: listener.on_start(one),
                                   "on_end": lambda _, one: listener.on_end(one)})  # fmt: skip
    register(event, told())
    return True


def counting_options(counts: bool) -> dict[str, bool]:
    """The option that says whether a kernel counts who holds its arrays; none where Numba has no such option: there
    every kernel counts. What a kernel calls does as it says itself, and what Numba brings as its caller does."""
    options: Any = _attribute("numba.core.cpu", "CPUTargetOptions")
    return {"_nrt": counts} if hasattr(options, "_nrt") else {}


def is_compiling() -> bool:
    """Whether this thread is compiling a kernel now; False where Numba does not say."""
    is_locked = _attribute("numba.core.compiler_lock", "global_compiler_lock", "is_locked")
    return is_locked is not None and bool(is_locked())


def multiply_high_plainly(a: Any, b: Any) -> Any:
    """The upper 64 bits of the product of two unsigned 64-bit numbers, from four products of their halves."""
    half, low = np.uint64(32), np.uint64(0xFFFFFFFF)
    a_high, a_low, b_high, b_low = a >> half, a & low, b >> half, b & low
    middle = a_high * b_low + (a_low * b_low >> half)  # at most 2**64 - 2**32: nothing is carried out
    return a_high * b_high + (middle >> half) + ((middle & low) + a_low * b_high >> half)


def make_multiply_high() -> Any:
    """`multiply_high_plainly` for kernels: one machine instruction where Numba lets us write it, else compiled."""
    ir, types = _attribute("llvmlite.ir"), _attribute("numba.core.types")
    intrinsic = _attribute("numba.extending", "intrinsic")
    if ir is None or types is None or intrinsic is None or not hasattr(ir, "IntType"):
        return numba.njit(nogil=True, inline="always")(multiply_high_plainly)

    def multiply_high(typing_context: Any, a: Any, b: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            wide = ir.IntType(128)
            product = builder.mul(builder.zext(arguments[0], wide), builder.zext(arguments[1], wide))
            return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

        return types.uint64(types.uint64, types.uint64), generate

    return intrinsic(multiply_high)


_SLOW_DEPOSIT = ("znver1", "znver2", "bdver4")
"""Processors that have the instruction PDEP and need hundreds of cycles for it."""


def _deposits_fast() -> bool:
    """Whether this processor has a fast PDEP, which puts bits where a mask has them."""
    name, features = (_attribute("llvmlite.binding", f"get_host_cpu_{what}") for what in ("name", "features"))
    return name is not None and features is not None and features().get("bmi2", False) and name() not in _SLOW_DEPOSIT


def make_nth_bit() -> Any:
    """The set bit of a word that has n set bits below it, alone, for kernels; None where no instruction does it."""
    ir, types = _attribute("llvmlite.ir"), _attribute("numba.core.types")
    intrinsic = _attribute("numba.extending", "intrinsic")
    if ir is None or types is None or intrinsic is None or not hasattr(ir, "IntType") or not _deposits_fast():
        return None

    def nth_bit(typing_context: Any, word: Any, n: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            wide = ir.IntType(64)
            kind = ir.FunctionType(wide, [wide, wide])
            deposit = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), kind)
            return builder.call(deposit, [builder.shl(ir.Constant(wide, 1), arguments[1]), arguments[0]])

        return types.uint64(types.uint64, types.uint64), generate

    return intrinsic(nth_bit)


def make_place_of_bit() -> Any:
    """How many places a single bit stands above the lowest, for kernels; None where Numba lacks it."""
    return _make_of_word(lambda builder, word, no: builder.cttz(word, no))


def make_bit_count() -> Any:
    """How many bits of a word are set, for kernels; None where Numba lacks it."""
    return _make_of_word(lambda builder, word, no: builder.ctpop(word))


def _make_of_word(write: Callable[[Any, Any, Any], Any]) -> Any:
    """A function of a 64-bit word for kernels that one instruction of LLVM is."""
    ir, types = _attribute("llvmlite.ir"), _attribute("numba.core.types")
    intrinsic = _attribute("numba.extending", "intrinsic")
    if ir is None or types is None or intrinsic is None or not hasattr(ir, "IntType"):
        return None

    def of_word(typing_context: Any, word: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return write(builder, arguments[0], ir.Constant(ir.IntType(1), 1))

        return types.uint64(types.uint64), generate

    return intrinsic(of_word)
