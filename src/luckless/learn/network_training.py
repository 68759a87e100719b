"""Networks as torch trains them, and one step of training on all cores.

Torch itself works on one thread. A batch is cut into blocks of a fixed size, our own threads work out the gradient of
each, and these are added in order: so the result does not depend on the number of cores, and nobody's threads fight.
Torch is imported at its first use, so that files of learners can hold their players too, which do without it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.kernels import njit
from luckless.layers import Layers
from luckless.learn.features import ACTIVE, FEATURES, list_active
from luckless.learn.networks import LEAK, add_rows, pool
from luckless.optional_torch import torch

BLOCK = 128
"""Rows whose gradient one thread works out at a time."""


@njit(cache=True, nogil=True)
def _sum_rows(rows: NDArray[np.void], weights: NDArray[np.float32], sums: NDArray[np.float32]) -> None:
    slots, values = np.empty(ACTIVE, np.int32), np.empty(ACTIVE, np.float32)
    for row in range(len(rows)):
        add_rows(rows[row], weights, slots, values, sums[row])


@njit(cache=True, nogil=True, fastmath={"contract"})
def _spread_rows(rows: NDArray[np.void], slopes: NDArray[np.float32], weight_slopes: NDArray[np.float32]) -> None:
    """The gradient of the weights from that of the sums: each row's is added where its features are."""
    slots, values = np.empty(ACTIVE, np.int32), np.empty(ACTIVE, np.float32)
    for row in range(len(rows)):
        slope = slopes[row]
        for place in range(list_active(rows[row], slots, values)):
            target, value = weight_slopes[slots[place]], values[place]
            for column in range(len(slope)):
                target[column] += value * slope[column]


@cache
def _first_layer() -> Any:
    """The function of the first layer, made when torch is there."""

    class FirstLayer(torch.autograd.Function):
        """The product of situations with weights, as sums of the rows of the weights that are not multiplied by 0."""

        @staticmethod
        def forward(ctx: Any, weights: torch.Tensor, rows: NDArray[np.void]) -> torch.Tensor:
            """The product."""
            ctx.rows = rows
            ctx.shape = weights.shape
            sums = np.zeros((len(rows), weights.shape[1]), np.float32)
            _sum_rows(rows, weights.detach().numpy(), sums)
            return torch.from_numpy(sums)

        @staticmethod
        def backward(ctx: Any, slopes: torch.Tensor) -> tuple[torch.Tensor, None]:
            """The gradient of the weights."""
            out = np.zeros(ctx.shape, np.float32)
            _spread_rows(ctx.rows, slopes.contiguous().numpy(), out)
            return torch.from_numpy(out), None

    return FirstLayer


class TorchNetwork:
    """A network of fully connected layers that takes situations, and any extra inputs beside them."""

    def __init__(self, layers: Layers) -> None:
        self.parameters = [torch.from_numpy(part.copy()).requires_grad_() for layer in layers for part in layer]

    def layers(self) -> Layers:
        """A copy of the layers."""
        arrays = [parameter.detach().numpy().copy() for parameter in self.parameters]
        return list(zip(arrays[::2], arrays[1::2], strict=True))

    def load(self, layers: Layers) -> None:
        """Takes over the values of other layers of the same shape."""
        with torch.no_grad():
            for parameter, part in zip(self.parameters, (part for layer in layers for part in layer), strict=True):
                parameter.copy_(torch.from_numpy(part))

    def follow(self, other: TorchNetwork, share: float) -> None:
        """Moves towards another network: this share of the own weights remains (polyak averaging)."""
        with torch.no_grad():
            for slow, new in zip(self.parameters, other.parameters, strict=True):
                slow.lerp_(new, 1 - share)

    def __call__(self, rows: NDArray[np.void], extra: torch.Tensor | None = None) -> torch.Tensor:
        """The outputs for situations, before any squashing."""
        weights, biases = self.parameters[-2:]
        return torch.addmm(biases, self._last_hidden(rows, extra), weights)

    def chosen(self, rows: NDArray[np.void], outputs: torch.Tensor) -> torch.Tensor:
        """One output for each situation; a third cheaper than all 201 of them and their gradients."""
        weights, biases = self.parameters[-2:]
        products = self._last_hidden(rows, None) * weights.t().index_select(0, outputs)
        return products.sum(dim=1) + biases.index_select(0, outputs)

    def _last_hidden(self, rows: NDArray[np.void], extra: torch.Tensor | None) -> torch.Tensor:
        weights, bias, *rest = self.parameters[:-2]
        x: torch.Tensor = _first_layer().apply(weights, rows) + bias
        if extra is not None:
            x = x + extra @ weights[FEATURES:]
        for place in range(0, len(rest), 2):
            x = torch.addmm(rest[place + 1], torch.nn.functional.leaky_relu(x, float(LEAK)), rest[place])
        return torch.nn.functional.leaky_relu(x, float(LEAK))


def adam(parameters: Sequence[torch.Tensor], rate: float) -> torch.optim.Adam:
    """The optimiser of the thesis; fused, it goes over the weights once instead of ten times."""
    return torch.optim.Adam(parameters, lr=rate, fused=True)


def descend(
    optimiser: torch.optim.Optimizer,
    parameters: Sequence[torch.Tensor],
    rows: int,
    loss_of: Callable[[slice], torch.Tensor],
) -> float:
    """One step down the sum of `loss_of(block)` over the blocks of a batch; returns the sum."""

    def slopes_of(first: int) -> tuple[float, tuple[torch.Tensor, ...]]:
        loss = loss_of(slice(first, first + BLOCK))
        return loss.item(), torch.autograd.grad(loss, parameters)

    parts = list(pool().map(slopes_of, range(0, rows, BLOCK)))
    for number, parameter in enumerate(parameters):
        total = parts[0][1][number]
        for _, slopes in parts[1:]:
            total = total + slopes[number]
        parameter.grad = total.contiguous()  # the fused optimiser mixes up elements of any other layout
    optimiser.step()
    return sum(loss for loss, _ in parts)
