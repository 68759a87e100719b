"""Kernels in kernels: they are parts of the kernel that Python calls, and give what they give when called alone."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core.compiler import Flags
from numba.core.errors import NumbaError

from luckless import numba_linking
from luckless.kernels import INTERPRETED, njit
from luckless.numba_linking import _Inner

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")


@njit(nogil=True)
def _root(value: int) -> float:
    if value < 0:
        raise ValueError("no root of a number below zero")
    return np.sqrt(value)  # type: ignore[no-any-return]


@njit(nogil=True)
def _roots(values: Any) -> float:
    total = 0.0
    for value in values:
        total += _root(value)
    return total


@njit(nogil=True)
def _copy(values: Any, size: int) -> Any:
    copied = np.zeros(size, values.dtype)
    copied[:] = values
    return copied


def entry_points(kernel: Any) -> list[bool]:
    """Of each version of a kernel whether it has machine code of its own."""
    return [not isinstance(result.entry_point, _Inner) for result in kernel.overloads.values()]


def test_a_kernel_is_first_a_part_of_its_caller_then_one_of_its_own() -> None:
    assert _roots(np.array([4, 9])) == 5.0
    assert entry_points(_roots) == [True]
    assert entry_points(_root) == [False]
    assert _root(16) == 4.0
    assert entry_points(_root) == [True]
    assert _roots(np.array([16, 25], np.int32)) == 9.0  # a second version, after the part has code of its own
    assert entry_points(_roots) == [True, True]


def test_an_error_in_a_part_is_that_of_the_kernel() -> None:
    with pytest.raises(ValueError, match="no root of a number below zero"):
        _roots(np.array([4, -1]))


def test_a_slice_of_another_length_is_an_error() -> None:
    assert _copy(np.arange(3), 3).tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match="cannot assign a slice from an array of another shape"):
        _copy(np.arange(3), 4)


PROGRAM = """
import sys
sys.path.insert(0, {folder!r})
import two_kernels
print(two_kernels.outer(3), two_kernels.outer.stats.cache_hits)
try:
    two_kernels.outer(-1)
except ValueError as error:
    print(error)
"""

MODULE = """
from luckless.kernels import njit

@njit(cache=True, nogil=True)
def inner(value):
    if value < 0:
        raise ValueError("below zero")
    return value + 1

@njit(cache=True, nogil=True)
def outer(value):
    return 2 * inner(value)
"""


def test_the_cache_holds_what_python_has_called(tmp_path: Path) -> None:
    """Two processes: the second loads the kernel with its part, and errors of the part still come through."""
    (tmp_path / "two_kernels.py").write_text(MODULE)

    def run() -> list[str]:
        environment = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PATH": ""}
        program = PROGRAM.format(folder=str(tmp_path))
        done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    first = run()
    kept = sorted(path.name.split("-")[0] for path in (tmp_path / "cache").rglob("*.nbc"))
    second = run()
    assert first[0].startswith("8 ")
    assert second[0].startswith("8 ")
    assert "1" in second[0].partition(" ")[2]  # a hit
    assert first[1] == second[1] == "below zero"
    assert kept == ["two_kernels.outer"]


def test_flags_that_only_python_sees_make_no_difference() -> None:
    made: Any = Flags
    plain, called, checked = made(), made(), made()
    called.no_cpython_wrapper = called.release_gil = True
    plain.boundscheck = False  # what it is anyhow
    checked.boundscheck = True
    assert plain == called
    assert hash(plain) == hash(called)
    assert plain != checked
    assert plain != "flags"


def test_a_numba_that_lacks_a_part_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = dict(numba_linking._CHANGED)
    changed["numba.core.codegen", "JITCodeLibrary"] = ("no_such_method",)
    monkeypatch.setattr(numba_linking, "_CHANGED", changed)
    assert numba_linking._parts() is None
    assert numba_linking.compile_inner_kernels_once.__wrapped__() is False
    monkeypatch.setattr(numba_linking, "_CHANGED", {("numba.no_such_module", "anything"): ()})
    assert numba_linking._parts() is None


@njit(nogil=True, borrows=True)
def _double(values: Any) -> None:
    for place in range(len(values)):
        values[place : place + 1][0] *= 2


@njit(nogil=True)
def _doubled(size: int) -> Any:
    values = np.arange(size)
    _double(values[1:])
    return values


@njit(nogil=True, borrows=True)
def _gives_an_array(values: Any) -> Any:
    return 1, values[1:]


@njit(nogil=True, borrows=True)
def _is_given_an_array(size: int) -> int:
    return _doubled(size)[0]  # type: ignore[no-any-return]


@njit(nogil=True, borrows=True)
def _makes_an_array(size: int) -> int:
    return np.zeros(size)[0]  # type: ignore[no-any-return]


def references(kernel: Any) -> int:
    """How often the code of a kernel counts who holds an array."""
    (code,) = kernel.inspect_asm().values()
    return int(code.count("NRT_incref"))


def test_a_kernel_that_borrows_counts_nothing_and_does_the_same() -> None:
    values = np.arange(4)
    _double(values)
    assert values.tolist() == [0, 2, 4, 6]
    assert references(_double) == 0
    assert _doubled(4).tolist() == [0, 2, 4, 6]


@pytest.mark.parametrize(("kernel", "given"), [(_gives_an_array, np.arange(3)), (_is_given_an_array, 3)])
def test_a_kernel_that_borrows_must_not_have_arrays_of_its_own(kernel: Any, given: Any) -> None:
    with pytest.raises(TypeError, match="borrows arrays and has one of its own"):
        kernel(given)


def test_a_kernel_that_borrows_cannot_make_arrays() -> None:
    with pytest.raises(NumbaError, match="Only accept returning of array passed into the function as argument"):
        _makes_an_array(3)
