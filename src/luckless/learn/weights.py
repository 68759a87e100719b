"""Files of weights: safetensors with the settings and the feature version beside the arrays; never pickles.

A file appears whole or not at all, and every way in which one cannot be used is refused with its reason.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError
from luckless.layers import Layers
from luckless.learn.features import FEATURE_VERSION, FEATURES
from luckless.learn.registry import settings_of
from luckless.learn.settings import Settings, as_values
from luckless.tensors import as_safetensors, content_digest
from luckless.whole_files import write_bytes

Arrays = dict[str, NDArray[Any]]
Content = Literal["agent", "learner"]

FORMAT_VERSION, UNSEALED = "2", "1"
"""Files of the earlier version carry no checksum."""
_DIGEST = "sha256"
"""The fact that is the checksum of all the rest."""
_PICKLE_STARTS = (b"\x80", b"PK\x03\x04")  # a plain pickle, and the archive in which torch.save puts one


def write_file(path: Path, content: Content, settings: Settings, arrays: Arrays, facts: Mapping[str, str]) -> str:
    """Writes arrays with what they are; returns the SHA-256 of the file."""
    header = {
        "luckless": content,
        "format": FORMAT_VERSION,
        "features": str(FEATURE_VERSION),
        "kind": settings.kind,
        "settings": json.dumps(as_values(settings)),
        **facts,
    }
    data = as_safetensors(arrays, {**header, _DIGEST: content_digest(arrays, header)})
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(path, data)
    return hashlib.sha256(data).hexdigest()


def read_file(path: Path, content: Content) -> tuple[Settings, Arrays, dict[str, str]]:
    """Settings, arrays and facts of a file; `InputError` says why it cannot be used."""
    try:
        from safetensors import SafetensorError, safe_open
    except ImportError:
        raise InputError("agents need the extra 'learn': pip install 'luckless[learn]'") from None
    try:
        start = path.open("rb").read(4)
    except OSError as error:
        raise InputError(f"cannot read the weights {path}: {error.strerror}") from None
    try:
        with safe_open(path, framework="np") as file:
            facts = dict(file.metadata() or {})
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - it is no dict
    except (SafetensorError, ValueError, TypeError, KeyError, AttributeError) as error:
        if start.startswith(_PICKLE_STARTS):
            reason = "is a pickle, which can run any program; weights are read from safetensors only"
            raise InputError(f"{path} {reason}") from None
        raise InputError(f"{path} is not a complete safetensors file: {error}") from None
    settings = _settings_in(path, content, facts)
    digest = facts.pop(_DIGEST, None)
    if facts["format"] != UNSEALED and digest != content_digest(arrays, facts):
        raise InputError(f"{path} is damaged: it does not have the checksum that is written in it")
    return settings, arrays, facts


def _settings_in(path: Path, content: Content, facts: Mapping[str, str]) -> Settings:
    stored = facts.get("luckless")
    if stored is None:
        raise InputError(f"{path} holds other tensors, not an agent of Luckless")
    if stored != content:
        raise InputError(f"{path} holds one {stored}; a file of one {content} is required")
    for key, ours, what in (
        ("format", (UNSEALED, FORMAT_VERSION), "a file format"),
        ("features", (str(FEATURE_VERSION),), "features"),
    ):
        if facts.get(key) not in ours:
            read = " and ".join(ours)
            raise InputError(f"{path} has {what} of version {facts.get(key)}; this program reads version {read}")
    try:
        values = json.loads(facts.get("settings", ""))
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        raise InputError(f"{path} has no settings that can be read")
    try:
        return settings_of(facts.get("kind", ""), values)
    except InputError as error:
        raise InputError(f"{path} has settings that do not fit: {error}") from None


def layer_arrays(name: str, layers: Layers) -> Arrays:
    """The layers of a network as named arrays."""
    parts = ((f"{name}.{place}", layer) for place, layer in enumerate(layers))
    return {f"{key}.{part}": layer[side] for key, layer in parts for side, part in enumerate(("weights", "biases"))}


def layers_in(path: Path, arrays: Arrays, name: str, hidden: tuple[int, ...], outputs: int, extra: int = 0) -> Layers:
    """The layers of a network of that shape from named arrays; `InputError` if they have another."""
    layers: Layers = []
    inputs = FEATURES + extra
    for place, width in enumerate((*hidden, outputs)):
        pair = []
        for part, shape in (("weights", (inputs, width)), ("biases", (width,))):
            key = f"{name}.{place}.{part}"
            array = arrays.get(key)
            if array is None:
                raise InputError(f"{path} lacks {key}, an array of shape {shape}")
            if array.shape != shape or array.dtype != np.float32:
                raise InputError(
                    f"{path}: {key} is {array.dtype} of shape {array.shape}; allowed is float32 of {shape}"
                )
            if not np.isfinite(array).all():
                raise InputError(f"{path}: {key} holds numbers that are not finite")
            pair.append(array)
        layers.append((pair[0], pair[1]))
        inputs = width
    return layers
