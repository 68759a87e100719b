"""Checksums of what decides how a bot plays: code without its comments, parameters, weights, files.

Two bots with the same fingerprint play alike. An edited comment or docstring changes nothing; a changed constant,
weight or imported file does.
"""

import ast
import functools
import hashlib
import importlib.util
import inspect
import re
import textwrap
import types
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

_OURS = "luckless"


def checksum(parts: Iterable[str | bytes]) -> str:
    """One checksum of several texts or bytes, in their order."""
    digests = (hashlib.sha256(part.encode() if isinstance(part, str) else part).digest() for part in parts)
    return hashlib.sha256(b"".join(digests)).hexdigest()


def source_digest(text: str) -> str:
    """A checksum of Python source that ignores comments, layout and docstrings; of any other text, of all of it."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return checksum([text])
    return checksum([_canonical(tree)])


def _canonical(node: Any) -> str:
    """A syntax tree as text that is the same in every version of Python."""
    if isinstance(node, ast.AST):
        fields = [(name, value) for name, value in ast.iter_fields(node) if value not in (None, [])]
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            fields = [(name, _without_docstring(value) if name == "body" else value) for name, value in fields]
        inside = ",".join(f"{name}={_canonical(value)}" for name, value in fields)
        return f"{type(node).__name__}({inside})"
    if isinstance(node, list):
        return f"[{','.join(map(_canonical, node))}]"
    return repr(node)


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    return [
        statement
        for statement in body
        if not (
            isinstance(statement, ast.Expr)
            and isinstance(statement.value, ast.Constant)
            and isinstance(statement.value.value, str)
        )
    ]


# The code that a compiled rule really calls


@functools.cache
def code_digest(function: Any) -> str:
    """A checksum of a function of ours, of every function of ours that it calls, and of the constants they use."""
    parts: dict[str, str] = {}
    _collect(function, parts)
    return checksum(f"{name} {parts[name]}" for name in sorted(parts))


def _collect(function: Any, parts: dict[str, str]) -> None:
    plain = inspect.unwrap(getattr(function, "py_func", function))
    name = f"{plain.__module__}.{plain.__qualname__}"
    if name in parts:
        return
    source = textwrap.dedent(inspect.getsource(plain))
    parts[name] = source_digest(source)
    for label, value in _globals_of(plain, ast.parse(source)):
        if _is_our_function(value):
            _collect(value, parts)
        elif isinstance(value, np.ndarray):
            parts.setdefault(f"{name}:{label}", checksum([str(value.dtype), str(value.shape), value.tobytes()]))
        elif isinstance(value, bool | int | float | str | tuple | np.generic | np.dtype):
            parts.setdefault(f"{name}:{label}", repr(value))


def _globals_of(function: Any, tree: ast.AST) -> Iterator[tuple[str, Any]]:
    """The global names that a function mentions, `module.name` of our own modules included, with their values."""
    scope = function.__globals__
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            owner = scope.get(node.value.id)
            if isinstance(owner, types.ModuleType) and owner.__name__.partition(".")[0] == _OURS:
                yield f"{node.value.id}.{node.attr}", getattr(owner, node.attr, None)
        elif isinstance(node, ast.Name) and node.id in scope:
            yield node.id, scope[node.id]


def _is_our_function(value: Any) -> bool:
    plain = getattr(value, "py_func", value)
    return isinstance(plain, types.FunctionType) and plain.__module__.partition(".")[0] == _OURS


# Bots of the user's own


def files_digest(path: Path) -> str:
    """A checksum of a Python file and of all files of its folder that it imports, directly or not."""
    return checksum(f"{name} {digest}" for name, digest in sorted(_files(path.resolve()).items()))


def python_files(path: Path) -> list[Path]:
    """A Python file and all files of its folder that it imports, directly or not."""
    folder = path.resolve().parent
    return [folder / name for name in _files(path.resolve())]


def _files(first: Path) -> dict[str, str]:
    digests: dict[str, str] = {}
    waiting = [first]
    while waiting:
        path = waiting.pop()
        name = str(path.relative_to(first.parent))
        if name in digests:
            continue
        text = path.read_bytes().decode("utf-8", "replace")
        digests[name] = source_digest(text)
        waiting += _imported_here(text, path, first.parent)
    return digests


def _imported_here(text: str, path: Path, folder: Path) -> list[Path]:
    """The files below a folder that a Python text imports."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return []
    modules: list[tuple[Path, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules += [(folder, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            start = path.parents[node.level - 1] if node.level else folder
            inside = f"{node.module}." if node.module else ""
            modules += [(start, node.module or ""), *((start, inside + alias.name) for alias in node.names)]
    return [file for start, module in modules for file in _files_of_module(start, module, folder)]


def _files_of_module(start: Path, module: str, folder: Path) -> list[Path]:
    way = start.joinpath(*module.split(".")) if module else start
    candidates = [way.with_suffix(".py"), way / "__init__.py"]
    return [file for file in candidates if file.is_file() and file.is_relative_to(folder)]


def named_files(text: str) -> list[Path]:
    """The files that a command or a parameter mentions: `exec:python3 my_bot.py --fast`, `weights=a.pt`."""
    paths = (Path(word) for word in re.split(r"[\s:=,]", text) if word)
    return [path for path in paths if path.is_file()]


def file_digest(path: Path) -> str:
    """A checksum of the contents of a file; Python files without their comments."""
    data = path.read_bytes()
    return source_digest(data.decode("utf-8", "replace")) if path.suffix == ".py" else checksum([data])


def object_digest(player: Any) -> str:
    """A checksum of a Python bot: its class with the files it is made of, and what it holds.

    A method `fingerprint()` of its own says what it holds; else its numbers, texts, arrays and networks do.
    """
    own = getattr(player, "fingerprint", None)
    held = str(own()) if callable(own) else _state_digest(vars(player) if hasattr(player, "__dict__") else {})
    return checksum([_class_digest(type(player)), held])


def _class_digest(kind: type) -> str:
    try:
        file = Path(inspect.getsourcefile(kind) or "")
        source = files_digest(file) if not _is_ours(kind) else source_digest(file.read_text())
    except (OSError, TypeError):  # a class made on the fly has no file
        source = ""
    return checksum([kind.__qualname__, source])


def _is_ours(kind: type) -> bool:
    return kind.__module__.partition(".")[0] == _OURS and importlib.util.find_spec(_OURS) is not None


def _state_digest(value: Any) -> str:
    """A checksum of plain values, arrays and networks, however nested; other objects count by their class."""
    if isinstance(value, dict):
        return checksum(f"{key!r} {_state_digest(inner)}" for key, inner in sorted(value.items(), key=repr))
    if isinstance(value, list | tuple):
        return checksum(map(_state_digest, value))
    if isinstance(value, np.ndarray):
        return checksum([str(value.dtype), str(value.shape), np.ascontiguousarray(value).tobytes()])
    if callable(state := getattr(value, "state_dict", None)):  # a network of PyTorch
        return _state_digest({key: _array_of(tensor) for key, tensor in state().items()})
    if isinstance(value, bool | int | float | str | bytes | type(None) | np.generic):
        return repr(value)
    return type(value).__qualname__


def _array_of(tensor: Any) -> Any:
    return tensor.detach().cpu().numpy() if hasattr(tensor, "detach") else tensor
