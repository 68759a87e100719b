"""Arrays with a few facts beside them in one file: safetensors, written and read without its library."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError

Arrays = dict[str, NDArray[Any]]

_KINDS = {"<f4": "F32", "<f8": "F64", "<i8": "I64", "<u2": "U16", "|u1": "U8"}
_TYPES = {name: np.dtype(code) for code, name in _KINDS.items()}


def as_safetensors(arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, str]) -> bytes:
    """The bytes of a file: the same for the same content, as the library's writer does not grant."""
    header: dict[str, Any] = {"__metadata__": dict(facts)}
    parts, end = [], 0
    for name in sorted(arrays, key=lambda name: (-arrays[name].itemsize, name)):  # so that each array is aligned
        data = np.ascontiguousarray(arrays[name]).tobytes()
        kind, shape = _KINDS[arrays[name].dtype.str], list(arrays[name].shape)
        header[name] = {"dtype": kind, "shape": shape, "data_offsets": [end, end + len(data)]}
        parts.append(data)
        end += len(data)
    text = json.dumps(header, separators=(",", ":")).encode()
    text = text.ljust(-(-len(text) // 8) * 8)
    return b"".join([len(text).to_bytes(8, "little"), text, *parts])


def content_digest(arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, str]) -> str:
    """A checksum of arrays and facts with their names, which does not depend on how a file lays them out."""
    digest = hashlib.sha256(repr(sorted(facts.items())).encode("utf-8", "surrogatepass"))
    for name in sorted(arrays):
        digest.update(repr((name, arrays[name].dtype.str, arrays[name].shape)).encode("utf-8", "surrogatepass"))
        digest.update(np.ascontiguousarray(arrays[name]).tobytes())
    return digest.hexdigest()


def read_safetensors(path: Path, what: str) -> tuple[Arrays, dict[str, str]]:
    """The arrays and facts of a file; `what` names its kind in errors."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read the {what} {path}: {error.strerror}") from None
    try:
        size = int.from_bytes(data[:8], "little")
        header = json.loads(data[8 : 8 + size])
        facts = {str(key): str(value) for key, value in header.pop("__metadata__", {}).items()}
        arrays = {name: _array(entry, data[8 + size :]) for name, entry in header.items()}
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise InputError(f"{path} is not a complete safetensors file, so it cannot be a {what}") from None
    return arrays, facts


MOST_HEADER = 1 << 20
"""Bytes of a header that are read for its facts alone."""


def read_facts(path: Path) -> dict[str, str]:
    """The facts of a file, without its arrays; none if it is not such a file."""
    try:
        with path.open("rb") as file:
            size = int.from_bytes(file.read(8), "little")
            header = json.loads(file.read(size)) if size <= MOST_HEADER else {}
        return {str(key): str(value) for key, value in header.get("__metadata__", {}).items()}
    except (OSError, ValueError, AttributeError, RecursionError):
        return {}


def _array(entry: Mapping[str, Any], data: bytes) -> NDArray[Any]:
    first, end = entry["data_offsets"]
    if not 0 <= first <= end <= len(data):
        raise ValueError("an array lies outside the file")
    return np.frombuffer(data[first:end], _TYPES[entry["dtype"]]).reshape(entry["shape"]).copy()
