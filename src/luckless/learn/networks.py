"""The networks as players run them: compiled, row by row the same to the last bit whatever the batch.

Layers are fully connected with leaky ReLU max(x, 0.001 x) between them. The first one takes a situation: of its 404
inputs at most 29 are not 0, so their rows of the weights are added up instead of a product being made. The others
are plain products, four rows of the batch at a time, which is about as fast as a BLAS.
"""

import hashlib
import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, Generic, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.kernels import njit
from luckless.layers import Layers, new_layers
from luckless.learn.features import ACTIVE, FEATURES, check_seats, list_active
from luckless.learn.settings import Kind, as_values
from luckless.rules.game import Game
from luckless.threads import core_count

LEAK = np.float32(0.001)
"""The slope of leaky ReLU below 0. The thesis prints it with a minus sign, which would not be a leaky ReLU."""

_LANES = 16  # layers are as wide as a multiple of this, so that loops need no remainder
_GROUP = 8  # rows that go through the network together: more would share weights better, but waste small batches
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


@njit(cache=True, nogil=True, fastmath={"contract"})
def add_rows(
    situation: Any, weights: NDArray[np.float32], slots: Any, values: Any, sums: NDArray[np.float32]
) -> None:
    """Adds the product of a situation's features with the weights to the sums; slots and values are room for it."""
    for place in range(list_active(situation, slots, values)):
        row, value = weights[slots[place]], values[place]
        for column in range(len(sums)):
            sums[column] += value * row[column]


@njit(cache=True, nogil=True, fastmath={"contract"})
def _multiply(x: NDArray[np.float32], weights: NDArray[np.float32], y: NDArray[np.float32]) -> None:
    """Adds x @ weights to the front of y: four rows by four inputs at a time, so that sums stay in registers."""
    for k in range(0, weights.shape[0], 4):
        w0, w1, w2, w3 = weights[k], weights[k + 1], weights[k + 2], weights[k + 3]
        for row in range(0, len(x), 4):
            a0, a1, a2, a3 = x[row, k], x[row, k + 1], x[row, k + 2], x[row, k + 3]
            b0, b1, b2, b3 = x[row + 1, k], x[row + 1, k + 1], x[row + 1, k + 2], x[row + 1, k + 3]
            c0, c1, c2, c3 = x[row + 2, k], x[row + 2, k + 1], x[row + 2, k + 2], x[row + 2, k + 3]
            d0, d1, d2, d3 = x[row + 3, k], x[row + 3, k + 1], x[row + 3, k + 2], x[row + 3, k + 3]
            y0, y1, y2, y3 = y[row], y[row + 1], y[row + 2], y[row + 3]
            for column in range(weights.shape[1]):
                v0, v1, v2, v3 = w0[column], w1[column], w2[column], w3[column]
                y0[column] = y0[column] + a0 * v0 + a1 * v1 + a2 * v2 + a3 * v3
                y1[column] = y1[column] + b0 * v0 + b1 * v1 + b2 * v2 + b3 * v3
                y2[column] = y2[column] + c0 * v0 + c1 * v1 + c2 * v2 + c3 * v3
                y3[column] = y3[column] + d0 * v0 + d1 * v1 + d2 * v2 + d3 * v3


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
    widest = net.widths.max()
    x, y = np.empty((_GROUP, widest), np.float32), np.empty((_GROUP, widest), np.float32)
    slots, values = np.empty(ACTIVE, np.int32), np.empty(ACTIVE, np.float32)
    for start in range(0, len(rows), _GROUP):
        width = net.widths[0]
        for place in range(_GROUP):
            _copy(net.rest[:width], x[place])
            # A group that is not full computes its last row again: every row takes the same path.
            add_rows(rows[min(start + place, len(rows) - 1)], net.first, slots, values, x[place, :width])
        end = width
        for layer in range(1, len(net.widths)):
            inputs, width = width, net.widths[layer]
            weights = net.rest[end : end + inputs * width].reshape((inputs, width))
            end += (inputs + 1) * width
            for place in range(_GROUP):
                _leak(x[place])
                _copy(net.rest[end - width : end], y[place])
            _multiply(x, weights, y)
            x, y = y, x
        for place in range(min(_GROUP, len(rows) - start)):
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
