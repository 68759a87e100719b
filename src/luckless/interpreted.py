"""Kernels as plain Python, for debugging: `NUMBA_DISABLE_JIT=1` turns compilation off.

NumPy's elements are not what compiled code sees: those of structured arrays have no attributes, and small integers
wrap. Here every array that a kernel is given, makes or finds in its module is a `KernelArray`: its records have
attributes that alias the array, and integers read from it are wide.
"""

import functools
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

import numpy as np
from numpy.typing import NDArray


class KernelArray(np.ndarray[Any, Any]):
    """An array as a kernel sees it. It is a view: writing to it writes to the array that the caller gave."""

    def __getitem__(self, key: Any) -> Any:
        if self.dtype.names and isinstance(key, int | np.integer):
            place = int(key) % len(self)
            return Record(np.ndarray.view(super().__getitem__(slice(place, place + 1)), np.ndarray))
        return _widened(super().__getitem__(key))

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, object.__getattribute__(value, "row")[0] if isinstance(value, Record) else value)

    def __iter__(self) -> Iterator[Any]:
        return (self[place] for place in range(len(self)))


class Record:
    """One element of a structured array, its fields as attributes that can be set."""

    __slots__ = ("row",)

    def __init__(self, row: NDArray[np.void]) -> None:
        object.__setattr__(self, "row", row)

    def __getattr__(self, name: str) -> Any:
        return as_kernels_see(self.row[name][0])

    def __setattr__(self, name: str, value: Any) -> None:
        self.row[name] = value


def _widened(value: Any) -> Any:
    """Integers without their size, since compiled code computes in 64 bits; 64-bit words stay, since they wrap."""
    if isinstance(value, np.integer) and not isinstance(value, np.uint64):
        return int(value)
    return value


def as_kernels_see(value: Any) -> Any:
    """What compiled code would see in place of a value: arrays, records, and tuples of them."""
    if isinstance(value, np.ndarray):
        return value if type(value) is KernelArray else value.view(KernelArray)
    if isinstance(value, np.void):
        return Record(value.reshape(1))  # of a scalar that is part of an array this is a view
    if isinstance(value, tuple):
        parts = map(as_kernels_see, value)
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return _widened(value)


class _KernelNumpy:
    """NumPy with functions that make `KernelArray`."""

    def __getattr__(self, name: str) -> Any:
        member = getattr(np, name)
        if name not in ("array", "arange", "empty", "empty_like", "full", "ones", "zeros", "zeros_like"):
            return member
        return lambda *arguments, **options: member(*arguments, **options).view(KernelArray)


class _KernelGlobals(dict[str, Any]):
    """The names of a kernel's module, looked up when they are needed and given as compiled code would see them."""

    def __init__(self, module: dict[str, Any]) -> None:
        super().__init__(__builtins__=module["__builtins__"], __name__=module["__name__"])
        self._module = module

    def __getitem__(self, name: str) -> Any:
        value = self._module[name]
        return _NUMPY if value is np else as_kernels_see(value)


_NUMPY = _KernelNumpy()


def njit(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Stands in for Numba's `njit`: the function stays Python, and its 64-bit words wrap without a warning."""
    if function is None:
        return functools.partial(njit, **options)
    assert isinstance(function, FunctionType)
    names = _KernelGlobals(function.__globals__)
    kernel = FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)

    @functools.wraps(function)
    def run(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):
            return as_kernels_see(kernel(*map(as_kernels_see, arguments)))

    return run
