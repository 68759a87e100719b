"""The networks as players run them: compiled, row by row the same to the last bit whatever the batch.

Layers are fully connected with leaky ReLU max(x, 0.001 x) between them. The first one takes a situation: of its 404
inputs at most 29 are not 0, so their rows of the weights are added up instead of a product being made. The others
are products (`luckless.products`), whose sums do not depend on the rows that are computed together.
"""

import hashlib
import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Generic, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.kernels import njit
from luckless.layers import Layers, new_layers
from luckless.learn.features import ACTIVE, FEATURES, check_seats, list_active
from luckless.learn.settings import Kind, as_values
from luckless.products import add_picked_rows, add_product
from luckless.rules.game import Game
from luckless.threads import core_count

LEAK = np.float32(0.001)
"""The slope of leaky ReLU below 0. The thesis prints it with a minus sign, which would not be a leaky ReLU."""

_LANES = 16  # layers are as wide as a multiple of this, so that loops need no remainder
_GROUP = 64  # rows that go through the network together: a layer's inputs and outputs stay in the cache
_ROWS_PER_TASK = 64


class Network(NamedTuple):
    """A network as the kernel takes it; widths are padded with zeros to whole vectors."""

    first: NDArray[np.float32]
    rest: NDArray[np.float32]
    """The biases of the first layer, then weights and biases of each further one."""
    widths: NDArray[np.int64]
    outputs: int


def compile_layers(layers: Layers) -> Network:
    """A copy of the layers in the form that the kernel takes."""
    widths = [-(-len(bias) // _LANES) * _LANES for _, bias in layers]
    parts = []
    inputs = layers[0][0].shape[0]
    for (weights, bias), width in zip(layers, widths, strict=True):
        padded = np.zeros((inputs, width), np.float32)
        padded[: weights.shape[0], : weights.shape[1]] = weights
        parts += [padded, np.pad(bias, (0, width - len(bias)))]
        inputs = width
    rest = np.concatenate([part.ravel() for part in parts[1:]])
    return Network(parts[0], rest, np.array(widths), len(layers[-1][1]))


@njit(cache=True, nogil=True)
def _copy(source: NDArray[np.float32], target: NDArray[np.float32]) -> None:
    for column in range(len(source)):
        target[column] = source[column]


@njit(cache=True, nogil=True)
def _leak(x: NDArray[np.float32]) -> None:
    for column in range(len(x)):
        x[column] = x[column] if x[column] > 0 else LEAK * x[column]


@njit(cache=True, nogil=True)
def _run_rows(net: Network, rows: NDArray[np.void], out: NDArray[np.float32]) -> None:
    """The outputs for each row, before any squashing."""
    widest, group = net.widths.max(), min(_GROUP, len(rows))
    x, y = np.empty((group, widest), np.float32), np.empty((group, widest), np.float32)
    slots, values = np.empty(ACTIVE, np.int32), np.empty(ACTIVE, np.float32)
    for start in range(0, len(rows), _GROUP):
        width, count = net.widths[0], min(_GROUP, len(rows) - start)
        for place in range(count):
            _copy(net.rest[:width], x[place])
            active = list_active(rows[start + place], slots, values)
            add_picked_rows(values, slots, active, net.first, x[place, :width])
        end = width
        for layer in range(1, len(net.widths)):
            inputs, width = width, net.widths[layer]
            weights = net.rest[end : end + inputs * width].reshape((inputs, width))
            end += (inputs + 1) * width
            for place in range(count):
                _leak(x[place, :inputs])
                _copy(net.rest[end - width : end], y[place])
            add_product(x[:count, :inputs], weights, y[:count, :width])
            x, y = y, x
        for place in range(count):
            _copy(x[place, : net.outputs], out[start + place])


@cache
def pool() -> ThreadPoolExecutor:
    """The threads that run and train networks, one a core."""
    return ThreadPoolExecutor(core_count(), thread_name_prefix="network")


def run(net: Network, rows: NDArray[np.void]) -> NDArray[np.float32]:
    """The outputs of a network for each situation, shape (n, outputs); the cores share large batches."""
    out = np.empty((len(rows), net.outputs), np.float32)
    size = max(_ROWS_PER_TASK, -(-len(rows) // core_count()))
    tasks = [slice(first, first + size) for first in range(0, len(rows), size)]
    if len(tasks) == 1:
        _run_rows(net, rows, out)
    else:
        list(pool().map(lambda part: _run_rows(net, rows[part], out[part]), tasks))
    return out


def new_network(hidden: Sequence[int], outputs: int, random: np.random.Generator, extra: int = 0) -> Layers:
    """Random layers for situations, with room for so many extra inputs after the features."""
    return new_layers(FEATURES + extra, hidden, outputs, random)


class NetworkPlayer(Generic[Kind]):
    """An agent at the table: it asks a network and keeps no memory. With `explore` it tries things out."""

    def __init__(self, settings: Kind, network: Network, explore: bool) -> None:
        self.settings = settings
        self.network = network
        self.explore = explore

    def match_starts(self, game: Game) -> None:
        """Refuses tables that it has no features for."""
        check_seats(game.seats)

    def ask(self, rows: NDArray[np.void]) -> NDArray[np.float32]:
        """What the network says of each situation."""
        return run(self.network, rows)

    def fingerprint(self) -> str:
        """A SHA-256 of the weights and the settings: players with the same one play alike."""
        facts = {"kind": self.settings.kind, "explore": self.explore, **as_values(self.settings)}
        digest = hashlib.sha256(json.dumps(facts, sort_keys=True).encode())
        for part in (self.network.widths, self.network.first, self.network.rest):
            digest.update(np.ascontiguousarray(part).tobytes())
        return digest.hexdigest()
