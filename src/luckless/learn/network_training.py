"""Networks as torch trains them, and one step of training on all cores.

Torch itself works on one thread. A batch is cut into blocks of a fixed size, our own threads work out the gradient of
each, and these are added in order: so the result does not depend on the number of cores, and nobody's threads fight.
Torch is imported at its first use, so that files of learners can hold their players too, which do without it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from luckless.layers import Layers
from luckless.learn.hidden_layers import last_hidden
from luckless.learn.networks import pool
from luckless.optional_torch import torch
from luckless.threads import core_count

BLOCK = 256
"""Rows whose gradient one thread works out at a time."""


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

    def __call__(
        self, rows: NDArray[np.void], extra: torch.Tensor | None = None, *, learns: bool = True
    ) -> torch.Tensor:
        """The outputs for situations, before any squashing; without `learns` no gradient of the weights is found."""
        parameters = self.parameters if learns else [parameter.detach() for parameter in self.parameters]
        weights, biases = parameters[-2:]
        return torch.addmm(biases, last_hidden(rows, extra, parameters[:-2]), weights)

    def chosen(self, rows: NDArray[np.void], outputs: torch.Tensor) -> torch.Tensor:
        """One output for each situation; a third cheaper than all 201 of them and their gradients."""
        weights, biases = self.parameters[-2:]
        products = last_hidden(rows, None, self.parameters[:-2]) * weights.t().index_select(0, outputs)
        return products.sum(dim=1) + biases.index_select(0, outputs)


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

    blocks = range(0, rows, BLOCK)
    alone = len(blocks) == 1 or core_count() == 1
    parts = list(map(slopes_of, blocks) if alone else pool().map(slopes_of, blocks))
    for number, parameter in enumerate(parameters):
        total = parts[0][1][number]
        for _, slopes in parts[1:]:
            total = total + slopes[number]
        parameter.grad = total.contiguous()  # the fused optimiser mixes up elements of any other layout
    optimiser.step()
    return sum(loss for loss, _ in parts)
