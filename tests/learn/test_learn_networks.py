"""The compiled network: against NumPy, against torch, and the same to the bit in any batch."""

import numpy as np
import pytest

from luckless.layers import Layers
from luckless.learn.features import expand, situations
from luckless.learn.networks import compile_layers, new_network, run
from luckless.rules.game import Game
from luckless.rules.table import Table

SHAPES = [((256, 256, 256), 201), ((20, 7), 3), ((16,), 1)]


def some_situations(count: int) -> np.ndarray:
    """Decisions before and after the flop."""
    table = Table.dealt(Game.load("nolimit-6max"), 3, np.arange(count))
    for _ in range(7):
        rows = table.waiting()[::2]
        table.act(rows, np.zeros(len(rows), np.int64))
    return situations(table.views(table.waiting()))


def plain_outputs(layers: Layers, rows: np.ndarray) -> np.ndarray:
    x = expand(rows).astype(np.float64)
    for place, (weights, biases) in enumerate(layers):
        if place:
            x = np.maximum(x, 0.001 * x)
        x = x @ weights + biases
    return x


@pytest.mark.parametrize(("hidden", "outputs"), SHAPES)
def test_outputs_equal_plain_products(hidden: tuple[int, ...], outputs: int) -> None:
    layers = new_network(hidden, outputs, np.random.default_rng(1))
    rows = some_situations(501)
    ours = run(compile_layers(layers), rows)
    assert ours.shape == (len(rows), outputs)
    np.testing.assert_allclose(ours, plain_outputs(layers, rows), atol=2e-6)


def test_a_row_does_not_depend_on_its_batch() -> None:
    network = compile_layers(new_network((256, 256, 256), 201, np.random.default_rng(2)))
    rows = some_situations(1000)
    whole = run(network, rows)
    for size in (1, 2, 3, 7, 64, 333):
        for first in (0, 5, 400):
            part = slice(first, first + size)
            np.testing.assert_array_equal(run(network, rows[part]), whole[part])
    assert len(run(network, rows[:0])) == 0


def test_torch_computes_the_same_and_its_gradient() -> None:
    torch = pytest.importorskip("torch")
    from luckless.learn.network_training import TorchNetwork

    layers = new_network((32, 16), 4, np.random.default_rng(3), extra=2)
    rows = some_situations(40)
    extra = torch.from_numpy(np.random.default_rng(4).normal(size=(40, 2)).astype(np.float32))
    network = TorchNetwork(layers)
    outputs = network(rows, extra)
    slopes = torch.autograd.grad(torch.square(outputs).sum(), network.parameters)

    dense = [torch.from_numpy(part.copy()).requires_grad_() for layer in layers for part in layer]
    x = torch.cat([torch.from_numpy(expand(rows)), extra], dim=1)
    for place in range(0, len(dense), 2):
        x = x if place == 0 else torch.nn.functional.leaky_relu(x, 0.001)
        x = x @ dense[place] + dense[place + 1]
    torch.testing.assert_close(outputs, x)
    for ours, plain in zip(slopes, torch.autograd.grad(torch.square(x).sum(), dense), strict=True):
        torch.testing.assert_close(ours, plain)


def test_torch_computes_chosen_outputs_alone() -> None:
    torch = pytest.importorskip("torch")
    from luckless.learn.network_training import TorchNetwork

    network = TorchNetwork(new_network((32, 16), 9, np.random.default_rng(5)))
    rows = some_situations(40)
    places = torch.from_numpy(np.random.default_rng(6).integers(0, 9, 40))
    chosen, gathered = network.chosen(rows, places), network(rows).gather(1, places[:, None])[:, 0]
    torch.testing.assert_close(chosen, gathered)
    slopes = [torch.autograd.grad(torch.square(values).sum(), network.parameters) for values in (chosen, gathered)]
    for ours, plain in zip(*slopes, strict=True):
        torch.testing.assert_close(ours, plain)
