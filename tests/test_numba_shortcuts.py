"""Shortcuts in Numba's compiler: the same answers as Numba's own, and none where a part is missing."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from numba.core import compiler, ir

from luckless.numba_shortcuts import take_shortcuts

FRONTEND: Any = compiler.run_frontend


def plain_list(value: Any) -> list[Any]:
    """The variables in a value, as Numba's own way finds them."""
    if isinstance(value, ir.Var):
        return [value]
    if isinstance(value, ir.Inst):
        return plain_list(value._kws) if isinstance(value, ir.Expr) else plain_list(value.__dict__)
    if isinstance(value, list | tuple):
        return [found for one in value for found in plain_list(one)]
    return [found for one in value.values() for found in plain_list(one)] if isinstance(value, dict) else []


def example(rows: Any, start: Any = 3, *rest: Any) -> Any:
    total = np.zeros(3)
    for row in range(len(rows)):
        if rows[row, 0] > start and rest:
            total[row % 3] += rows[row, 1:2].sum() - max(rest[0], start)
    return total, {"a": [start, total]}


def test_an_instruction_has_the_same_variables_in_the_same_order() -> None:
    take_shortcuts()
    statements = [one for block in FRONTEND(example).blocks.values() for one in block.body]
    assert sum(len(one.list_vars()) for one in statements) > 60
    for one in statements:
        assert one.list_vars() == plain_list(one)


def test_all_are_taken_here() -> None:
    assert take_shortcuts() == ["list_variables_by_kind", "leave_llvm_calls_untold"]


def test_none_is_taken_of_parts_that_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr("luckless.numba_shortcuts.importlib.import_module", absent)
    assert take_shortcuts() == []


def test_llvm_calls_are_told_to_nobody() -> None:
    program = """
import luckless.kernels, numba, llvmlite.binding.ffi as ffi
numba.njit(lambda: 1)()
print(len(ffi.lib._lock._cblist))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "0\n"
