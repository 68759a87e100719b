"""Parts of Numba's compiler that do the same with less Python.

None of them changes what is compiled. Where a version of Numba lacks a part, or has it otherwise, it stays as it is.
"""

import functools
import importlib
from collections.abc import Callable
from typing import Any


def take_shortcuts() -> list[str]:
    """Takes all that this version of Numba allows; gives their names."""
    shortcuts: list[Callable[[], None]] = [_list_variables_by_kind, _leave_llvm_calls_untold]
    taken: list[str] = []
    for shortcut in shortcuts:
        try:
            shortcut()
        except (ImportError, AttributeError, TypeError, ValueError):
            continue
        taken.append(shortcut.__name__.strip("_"))
    return taken


def _list_variables_by_kind() -> None:
    """The variables of an instruction are asked for over a million times. Most of what it holds are texts and places.

    Numba looks at each of those in four ways and makes a list for it.
    """
    ir: Any = importlib.import_module("numba.core.ir")
    variable, instruction, replaced = ir.Var, ir.Inst, ir.Inst._rec_list_vars
    plain = {str, int, float, bool, type(None), ir.Loc}

    def listed(self: Any, value: Any) -> list[Any]:
        found: list[Any] = []
        ahead = [value]
        while ahead:
            one = ahead.pop()
            kind = type(one)
            if kind in plain:
                continue
            if kind is variable:
                found.append(one)
            elif kind is dict:
                ahead.extend(reversed(one.values()))
            elif kind is list or kind is tuple:
                ahead.extend(reversed(one))
            elif isinstance(one, variable):
                found.append(one)
            elif isinstance(one, instruction):
                found.extend(one.list_vars())
            elif isinstance(one, list | tuple):
                ahead.extend(reversed(one))
            elif isinstance(one, dict):
                ahead.extend(reversed(one.values()))
        return found

    ir.Inst._rec_list_vars = functools.wraps(replaced)(listed)


def _leave_llvm_calls_untold() -> None:
    """Calls of LLVM, of which a kernel makes thousands, are told to a timer of each kernel that is being compiled."""
    ffi: Any = importlib.import_module("llvmlite.binding.ffi")
    told = [both for both in ffi.lib._lock._cblist if {one.__module__ for one in both} == {"numba.core.base"}]
    for acquired, released in told:
        ffi.unregister_lock_callback(acquired, released)
