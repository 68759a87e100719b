"""A blueprint on disk: safetensors with its settings, the bounds of its buckets and a digest.

The probabilities of a decision are kept in parts of 255, the last one left out: it is what the others leave.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError
from luckless.kernels import njit
from luckless.solve.betting_tree import BettingTree
from luckless.solve.blueprint_settings import BlueprintSettings, settings_of
from luckless.solve.card_buckets import Bounds
from luckless.tensors import as_safetensors, content_digest, read_safetensors
from luckless.typed_toml import TypedReader
from luckless.whole_files import write_bytes

FORMAT = "1"
PARTS = 255
"""What the probabilities of a decision sum to."""


@dataclass(frozen=True)
class Blueprint:
    """A strategy for all buckets: `chances` has one array a street (bucket, slot), in parts of 255."""

    settings: BlueprintSettings
    bounds: Bounds
    iterations: int
    chances: tuple[NDArray[np.uint8], ...]
    digest: str = ""


@njit(cache=True, nogil=True)
def _round_row(tree: BettingTree, street: int, sums: NDArray[np.float32], out: NDArray[np.uint8]) -> None:
    """The numbers of one bucket as parts of 255. Where nothing was learned the player checks or calls."""
    for node in range(len(tree.player)):
        if tree.street[node] != street:
            continue
        first, count = tree.place[node], tree.size[node]
        total = 0.0
        for place in range(count):
            total += sums[first + place]
        if total <= 0:
            out[first : first + count] = 0
            out[first + (1 if tree.action[tree.first[node]] < 0 else 0)] = PARTS
            continue
        left, largest = PARTS, 0
        for place in range(count):
            parts = int(sums[first + place] / total * PARTS + 0.5)
            out[first + place] = min(parts, left)
            left -= min(parts, left)
            if sums[first + place] > sums[first + largest]:
                largest = place
        out[first + largest] += left


def rounded(settings: BlueprintSettings, average: NDArray[np.float32]) -> tuple[NDArray[np.uint8], ...]:
    """The average strategy of a solver in parts of 255."""
    parts, first = [], 0
    for street, (count, width) in enumerate(zip(settings.slices.buckets, settings.tree.width.tolist(), strict=True)):
        rows = average[first : first + count * width].reshape(count, width)
        first += count * width
        out = np.zeros((count, width), np.uint8)
        for bucket in range(count):
            _round_row(settings.tree, street, rows[bucket], out[bucket])
        parts.append(out)
    return tuple(parts)


def save_blueprint(path: Path, blueprint: Blueprint) -> str:
    """Writes a blueprint; returns its digest."""
    arrays = {f"bounds.{name}": array for name, array in blueprint.bounds._asdict().items()}
    for street, chances in enumerate(blueprint.chances):
        arrays[f"chances.{street}"] = chances[:, ~_last_slots(blueprint.settings.tree, street)]
    facts = {
        "luckless": "blueprint",
        "format": FORMAT,
        "settings": json.dumps(blueprint.settings.to_dict(), sort_keys=True),
        "iterations": str(blueprint.iterations),
    }
    digest = content_digest(arrays, facts)
    write_bytes(path, as_safetensors(arrays, {**facts, "digest": digest}))
    return digest


def load_blueprint(path: Path) -> Blueprint:
    """The blueprint of a file."""
    arrays, facts = read_safetensors(path, "blueprint")
    if facts.get("luckless") != "blueprint":
        raise InputError(
            f"{path} holds {facts.get('luckless', 'other tensors')}; a blueprint of `luckless solve` is required"
        )
    if facts.get("format") != FORMAT:
        raise InputError(f"{path} has format {facts.get('format')}; this program reads format {FORMAT}")
    if content_digest(arrays, {key: text for key, text in facts.items() if key != "digest"}) != facts.get("digest"):
        raise InputError(f"{path} is damaged: its content does not have the digest that is written in it")
    try:
        settings = settings_of(json.loads(facts["settings"]), TypedReader(str(path)))
        bounds = Bounds(*(arrays[f"bounds.{name}"] for name in Bounds._fields))
        chances = tuple(_unpacked(settings, street, arrays[f"chances.{street}"]) for street in range(4))
        return Blueprint(settings, bounds, int(facts["iterations"]), chances, facts["digest"])
    except (KeyError, ValueError, IndexError):
        raise InputError(f"{path} has no settings that can be read, or its arrays do not fit them") from None


def _last_slots(tree: BettingTree, street: int) -> NDArray[np.bool_]:
    """Which slots of a street are the last of their decision."""
    last = np.zeros(tree.width[street], bool)
    own = tree.street == street
    last[tree.place[own] + tree.size[own] - 1] = True
    return last


def _unpacked(settings: BlueprintSettings, street: int, kept: NDArray[np.uint8]) -> NDArray[np.uint8]:
    tree = settings.tree
    last = _last_slots(tree, street)
    out = np.zeros((settings.slices.buckets[street], len(last)), np.uint8)
    out[:, ~last] = kept
    starts = np.sort(tree.place[tree.street == street])
    sums = np.add.reduceat(out, starts, axis=1, dtype=np.uint16)
    if (sums > PARTS).any():
        raise ValueError("probabilities above 1")
    out[:, np.flatnonzero(last)] = PARTS - sums
    return out
