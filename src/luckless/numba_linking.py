"""Kernels that are called by kernels become machine code once, in the kernel that Python calls.

Numba optimises each kernel and makes machine code of it, links all of that into its caller, and does the same again
for the caller: what lies ten calls deep is compiled ten times. Here a kernel that another one needs is only typed and
lowered. Its code is linked, optimised and made machine code as part of the kernel that Python calls, which alone goes
to the cache. A kernel that Python calls later too is compiled for itself then.

The parts of Numba that this changes are not promised to stay. Where one is missing, everything is compiled as Numba
does it: with the same results, only later.
"""

import contextlib
import functools
import gc
import importlib
from collections.abc import Callable, Iterator
from typing import Any

_ENVIRONMENT = "_ZN08NumbaEnv"  # what the names of the globals that hold a kernel's Python objects begin with

_CHANGED = {
    ("numba.core.dispatcher", "Dispatcher"): ("compile", "get_compile_result", "_compile_for_args", "add_overload"),
    ("numba.core.dispatcher", "_FunctionCompiler"): ("_customize_flags",),
    ("numba.core.caching", "CompileResultCacheImpl"): ("check_cachable",),
    ("numba.core.codegen", "JITCPUCodegen"): ("_library_class", "set_env", "_function_pass_manager"),
    ("numba.core.codegen", "JITCodeLibrary"): (
        "finalize", "add_linking_library", "_optimize_functions", "_optimize_final_module", "_finalize_final_module",
        "_get_module_for_linking", "_raise_if_finalized",
    ),
    ("numba.core.environment", "lookup_environment"): (),
    ("numba.core.compiler_lock", "global_compiler_lock"): ("__enter__", "__exit__"),
    ("numba.core.sigutils", "normalize_signature"): (),
    ("numba.core.targetconfig", "TargetConfig"): ("__eq__", "__hash__", "options"),
}  # fmt: skip


_ABOUT_WRAPPERS = frozenset({"no_compile", "no_cpython_wrapper", "no_cfunc_wrapper", "release_gil"})
"""Flags of how Python calls a kernel. What the kernel itself calls is the same with and without them."""


class _Inner:
    """Stands where the machine code of a kernel would stand that is only a part of others."""


class _Depth:
    """How many kernels are being compiled, one for the other. Only who holds Numba's compiler lock counts."""

    kernels = 0


def _parts() -> dict[str, Any] | None:
    """What is changed or used of Numba, by name; None where this version lacks any of it."""
    parts: dict[str, Any] = {}
    for (module, name), attributes in _CHANGED.items():
        try:
            part = getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError):
            return None
        if not all(hasattr(part, attribute) for attribute in attributes):
            return None
        parts[name] = part
    return parts


@functools.cache
def compile_inner_kernels_once() -> bool:
    """Changes how Numba compiles kernels for kernels; False, and nothing is changed, where that is not possible."""
    parts = _parts()
    if parts is None or not isinstance(parts["Dispatcher"], type):
        return False
    parts["JITCPUCodegen"]._library_class = _make_library(parts)
    _change_dispatchers(parts)
    _compare_flags_by_meaning(parts["TargetConfig"])
    return True


def _drop_inner(dispatcher: Any, signature: Any, normalize: Callable[[Any], Any]) -> None:
    """Forgets a part of others, so that it is compiled for itself; what it is a part of keeps it."""
    arguments = tuple(normalize(signature)[0])
    known = dispatcher.overloads.get(arguments)
    if known is not None and isinstance(known.entry_point, _Inner):
        del dispatcher.overloads[arguments]


def _refuse_arrays_of_its_own(result: Any) -> None:
    """A kernel that does not count who holds arrays must not be given any by what it calls, nor give one away."""

    def is_counted(kind: Any) -> bool:
        return bool(result.target_context.data_model_manager[kind].contains_nrt_meminfo())

    known = result.type_annotation  # None if it comes from the cache, where it was looked at before it was kept
    signatures = {
        call: one for call, one in getattr(known, "calltypes", {}).items() if getattr(call, "op", "") == "call"
    }
    given = [call for call, signature in signatures.items() if is_counted(signature.return_type)]
    if given or is_counted(result.signature.return_type):
        where = str(given[0].loc) if given else "what it returns"
        raise TypeError(f"kernel {result.fndesc.qualname} borrows arrays and has one of its own: {where}")


def _change_dispatchers(parts: dict[str, Any]) -> None:
    kind, compiler, cache = parts["Dispatcher"], parts["_FunctionCompiler"], parts["CompileResultCacheImpl"]
    lock, normalize = parts["global_compiler_lock"], parts["normalize_signature"]
    compile_, add, flags_of, is_cachable = (
        kind.compile, kind.add_overload, compiler._customize_flags, cache.check_cachable
    )  # fmt: skip

    def compile_one(self: Any, signature: Any) -> Any:
        with lock:
            if _Depth.kernels == 0:
                _drop_inner(self, signature, normalize)
                with _without_collecting():
                    return compile_at(self, signature)
            return compile_at(self, signature)

    def compile_at(self: Any, signature: Any) -> Any:
        _Depth.kernels += 1
        try:
            return compile_(self, signature)
        finally:
            _Depth.kernels -= 1

    def whole(method: Any) -> Any:
        """A method that needs machine code, whatever is being compiled."""

        def called(self: Any, *arguments: Any, **named: Any) -> Any:
            with lock:
                depth, _Depth.kernels = _Depth.kernels, 0
                try:
                    return method(self, *arguments, **named)
                finally:
                    _Depth.kernels = depth

        return functools.wraps(method)(called)

    def flags_for(self: Any, flags: Any) -> Any:
        _raise_plainly()
        flags = flags_of(self, flags)
        if _Depth.kernels > 1:
            flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        return flags

    def add_overload(self: Any, result: Any) -> None:
        if self.targetoptions.get("_nrt") is False:
            _refuse_arrays_of_its_own(result)
        if result.entry_point is not None:
            add(self, result)
            return
        inner = result._replace(entry_point=_Inner())
        self.targetctx.insert_user_function(inner.entry_point, inner.fndesc, [inner.library])
        self.overloads[tuple(inner.signature.args)] = inner

    def check_cachable(self: Any, result: Any) -> Any:
        return result.entry_point is not None and is_cachable(self, result)

    def get_compile_result(self: Any, signature: Any) -> Any:
        _drop_inner(self, signature, normalize)
        return result_of(self, signature)

    result_of = kind.get_compile_result
    kind.compile, kind.add_overload = functools.wraps(compile_)(compile_one), add_overload
    kind.get_compile_result = whole(functools.wraps(result_of)(get_compile_result))
    kind._compile_for_args = whole(kind._compile_for_args)
    compiler._customize_flags, cache.check_cachable = flags_for, check_cachable


@contextlib.contextmanager
def _without_collecting() -> Iterator[None]:
    """Compiling makes millions of objects, of which most live until it ends: looking for cycles finds few."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _compare_flags_by_meaning(kind: Any) -> None:
    """Lets kernels share parts of Numba that are compiled by the flags of who calls them, and finds them faster.

    Numba's own comparison asks for all of some thirty flags each time, after a hash that is the same for all.
    """

    def meaning(flags: Any) -> dict[str, Any]:
        options = flags.options
        return {
            name: value
            for name, value in flags._values.items()
            if name not in _ABOUT_WRAPPERS and value != options[name].default
        }

    def equal(one: Any, other: Any) -> Any:
        if not isinstance(other, kind):
            return NotImplemented
        return one is other or one._values == other._values or meaning(one) == meaning(other)

    kind.__eq__, kind.__hash__ = equal, lambda flags: hash(frozenset(meaning(flags)))


@functools.cache
def _raise_plainly() -> None:
    """Slices of different lengths raise a plain sentence: Numba's, with both shapes, compiles thirty functions."""
    try:
        arrays: Any = importlib.import_module("numba.np.arrayobj")
        overload: Any = importlib.import_module("numba.extending").overload
    except (ImportError, AttributeError):
        return

    def raise_with_shape_context(source: Any, target: Any) -> None:
        raise NotImplementedError

    def plain(source: Any, target: Any) -> Any:
        def raise_error(source: Any, target: Any) -> None:
            raise ValueError("cannot assign a slice from an array of another shape")

        return raise_error

    overload(raise_with_shape_context, strict=False)(plain)
    if hasattr(arrays, "raise_with_shape_context"):
        arrays.raise_with_shape_context = raise_with_shape_context


def _in_order(library: Any) -> list[Any]:
    """What a library links, and what that links: each once, and after all that need it."""
    order: list[Any] = []
    seen: set[int] = {id(library)}

    def visit(part: Any) -> None:
        if not part._finalized:  # else it holds what it links
            for below in reversed(part._linking_libraries):
                if id(below) not in seen:
                    seen.add(id(below))
                    visit(below)
                    order.append(below)

    visit(library)
    return order[::-1]


def _make_library(parts: dict[str, Any]) -> type:
    kind: Any = parts["JITCodeLibrary"]
    environment_of = parts["lookup_environment"]

    class InnerLibrary(kind):  # type: ignore[misc]
        """Code that may wait: it is optimised and made machine code when a pointer to it is asked for."""

        def add_linking_library(self, library: Any) -> None:
            """Notes what will be linked, and leaves it as it is."""
            self._linking_libraries.append(library)

        def _optimize_functions(self, module: Any) -> None:
            module.data_layout = self._codegen._data_layout
            for function in module.functions:
                if not function.is_declaration:
                    manager, builder = self._codegen._function_pass_manager()
                    manager.run(function, builder)

        def _part_for_linking(self) -> Any:
            """This library's own code, to be dropped by whoever does not need it."""
            module = self._final_module.clone()
            for function in module.functions:
                if not function.is_declaration and function.linkage == function.linkage.external:
                    function.linkage = "linkonce_odr"
            return module

        def finalize(self) -> None:
            """Links all that is needed, then optimises it and makes machine code, once."""
            self._raise_if_finalized()
            for library in _in_order(self):
                self._reload_init.update(library._reload_init)
                if library._finalized:
                    self._final_module.link_in(library._get_module_for_linking(), preserve=True)
                else:
                    self._final_module.link_in(library._part_for_linking())
            self._optimize_final_module()
            self._final_module.verify()
            self._finalize_final_module()
            self._set_environments()

        def _set_environments(self) -> None:
            for variable in self._final_module.global_variables:
                if variable.name.startswith(_ENVIRONMENT):
                    environment = environment_of(variable.name)
                    if environment is not None:
                        self._codegen.set_env(variable.name, environment)

    return InnerLibrary
