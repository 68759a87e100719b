"""The hidden layers of a network in training: outputs and gradients by kernels of our own, for torch's graph.

Torch's products use half of what a processor of today can do, and most inputs of the first layer are 0. The kernels
here add up in an order that depends on the rows alone, so a gradient is the same to the bit on whichever thread.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.kernels import njit
from luckless.learn.features import ACTIVE, FEATURES, list_active
from luckless.learn.networks import LEAK
from luckless.optional_torch import torch
from luckless.products import add_picked_rows, add_product, transpose

Matrix = NDArray[np.float32]


@njit(cache=True, nogil=True)
def _start_rows(bias: Matrix, y: Matrix) -> None:
    for row in range(len(y)):
        for column in range(len(bias)):
            y[row, column] = bias[column]


@njit(cache=True, nogil=True)
def _leak_rows(y: Matrix) -> None:
    for row in range(len(y)):
        for column in range(y.shape[1]):
            y[row, column] = y[row, column] if y[row, column] > 0 else LEAK * y[row, column]


@njit(cache=True, nogil=True)
def first_layer(rows: NDArray[np.void], extra: Matrix, weights: Matrix, bias: Matrix, y: Matrix) -> None:
    """What the first layer makes of situations and of extra inputs beside them."""
    slots, values = np.empty(ACTIVE, np.int32), np.empty(ACTIVE, np.float32)
    _start_rows(bias, y)
    for row in range(len(rows)):
        add_picked_rows(values, slots, list_active(rows[row], slots, values), weights, y[row])
    add_product(extra, weights[FEATURES:], y)
    _leak_rows(y)


@njit(cache=True, nogil=True)
def further_layer(x: Matrix, weights: Matrix, bias: Matrix, y: Matrix) -> None:
    """What another layer makes of the outputs of the one before."""
    _start_rows(bias, y)
    add_product(x, weights, y)
    _leak_rows(y)


@njit(cache=True, nogil=True)
def through_leak(y: Matrix, slopes: Matrix) -> None:
    """Turns the gradient of a layer's outputs into that of its sums."""
    for row in range(len(y)):
        for column in range(y.shape[1]):
            slopes[row, column] = slopes[row, column] if y[row, column] > 0 else LEAK * slopes[row, column]


@njit(cache=True, nogil=True)
def _sum_of_rows(slopes: Matrix, out: Matrix) -> None:
    out[:] = 0
    for row in range(len(slopes)):
        for column in range(len(out)):
            out[column] += slopes[row, column]


@njit(cache=True, nogil=True)
def weight_slopes(x: Matrix, slopes: Matrix, out: Matrix, bias_out: Matrix) -> None:
    """The gradient of a layer's weights and biases from that of its sums."""
    out[:] = 0
    add_product(x.T, slopes, out)
    _sum_of_rows(slopes, bias_out)


@njit(cache=True, nogil=True)
def input_slopes(slopes: Matrix, weights: Matrix, out: Matrix) -> None:
    """The gradient of a layer's inputs from that of its sums."""
    turned = np.empty((weights.shape[1], weights.shape[0]), np.float32)
    transpose(weights, turned)
    out[:] = 0
    add_product(slopes, turned, out)


@njit(cache=True, nogil=True, fastmath={"contract"})
def first_weight_slopes(rows: NDArray[np.void], extra: Matrix, slopes: Matrix, out: Matrix, bias_out: Matrix) -> None:
    """The gradient of the first layer's weights: each row's is added where its features are."""
    slots, values = np.empty(ACTIVE, np.int32), np.empty(ACTIVE, np.float32)
    out[:] = 0
    for row in range(len(rows)):
        slope = slopes[row]
        for place in range(list_active(rows[row], slots, values)):
            target, value = out[slots[place]], values[place]
            for column in range(len(slope)):
                target[column] += value * slope[column]
    add_product(extra.T, slopes, out[FEATURES:])
    _sum_of_rows(slopes, bias_out)


def _slopes_before(slopes: Matrix, weights: Matrix) -> Matrix:
    before = np.empty((len(slopes), len(weights)), np.float32)
    input_slopes(slopes, weights, before)
    return before


def _extra_slopes(ctx: Any, given: torch.Tensor) -> Matrix:
    """The gradient of the extra inputs alone. Of two critics only the lower one counts: half of the rows are 0."""
    all_slopes = given.numpy()
    out = np.zeros(ctx.extra.shape, np.float32)
    rows = np.flatnonzero(all_slopes.any(axis=1))
    slopes = all_slopes.take(rows, axis=0)
    for place in range(len(ctx.outputs) - 1, -1, -1):
        through_leak(ctx.outputs[place].take(rows, axis=0), slopes)
        slopes = _slopes_before(slopes, ctx.weights[place] if place else ctx.weights[0][FEATURES:])
    out[rows] = slopes
    return out


@cache
def _function() -> Any:
    """The layers as a function of torch's graph, made when torch is there."""

    class HiddenLayers(torch.autograd.Function):
        """Situations and extra inputs through all hidden layers: weights and biases of each follow."""

        @staticmethod
        def forward(ctx: Any, rows: NDArray[np.void], extra: torch.Tensor, *parameters: torch.Tensor) -> torch.Tensor:
            """The outputs of the last hidden layer."""
            arrays = [parameter.detach().numpy() for parameter in parameters]
            inputs = extra.detach().numpy()
            outputs = [np.empty((len(rows), len(bias)), np.float32) for bias in arrays[1::2]]
            first_layer(rows, inputs, arrays[0], arrays[1], outputs[0])
            for place in range(1, len(outputs)):
                further_layer(outputs[place - 1], arrays[2 * place], arrays[2 * place + 1], outputs[place])
            ctx.rows, ctx.extra, ctx.weights, ctx.outputs = rows, inputs, arrays[::2], outputs
            return torch.from_numpy(outputs[-1])

        @staticmethod
        def backward(ctx: Any, given: torch.Tensor) -> tuple[Any, ...]:
            """The gradients: of the extra inputs, of weights and biases; of those alone that learn."""
            if not ctx.needs_input_grad[2]:
                return (None, torch.from_numpy(_extra_slopes(ctx, given)), *[None] * (2 * len(ctx.outputs)))
            slopes, found = given.numpy().copy(), list[Any]()
            for place in range(len(ctx.outputs) - 1, -1, -1):
                pair = np.empty_like(ctx.weights[place]), np.empty(ctx.weights[place].shape[1], np.float32)
                through_leak(ctx.outputs[place], slopes)
                if place:
                    weight_slopes(ctx.outputs[place - 1], slopes, *pair)
                    slopes = _slopes_before(slopes, ctx.weights[place])
                else:
                    first_weight_slopes(ctx.rows, ctx.extra, slopes, *pair)
                found = [*map(torch.from_numpy, pair), *found]
            extra = _slopes_before(slopes, ctx.weights[0][FEATURES:]) if ctx.needs_input_grad[1] else None
            return (None, None if extra is None else torch.from_numpy(extra), *found)

    return HiddenLayers


def last_hidden(rows: NDArray[np.void], extra: torch.Tensor | None, parameters: list[torch.Tensor]) -> torch.Tensor:
    """The outputs of the last hidden layer; `parameters` are weights and biases of the hidden layers in turn."""
    if extra is None:
        extra = torch.empty((len(rows), 0), dtype=torch.float32)
    hidden: torch.Tensor = _function().apply(rows, extra, *parameters)
    return hidden
