"""Networks as one vector of numbers each: trained by torch on weighted means, run by NumPy."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError
from luckless.layers import Layers, new_layers
from luckless.optional_torch import one_torch_thread, torch

Model = NDArray[Any]
"""All numbers of a network, layer by layer: weights, then biases."""
Floats = NDArray[np.float32]


class Lesson(NamedTuple):
    """What a model learns: for each row inputs, wanted outputs, and a weight for each output (0: any will do)."""

    inputs: Floats
    wanted: NDArray[np.float64]
    weights: NDArray[np.float64]


class Regression(Protocol):
    """Something that can be fitted to weighted means."""

    def new(self, inputs: int, outputs: int, random: np.random.Generator) -> Model:
        """A model that says 0 everywhere."""

    def fit(self, model: Model, lesson: Lesson, outputs: int, random: np.random.Generator) -> Model:
        """The model moved towards what is wanted."""

    def run(self, model: Model, inputs: Floats, outputs: int) -> Floats:
        """Its outputs for each row."""


@dataclass(frozen=True)
class NetworkRegression:
    """Fully connected layers with ReLU between them, trained by Adam at a rate that falls to 0 within each fit."""

    hidden: tuple[int, ...] = (64, 64)
    steps: int = 200
    rate: float = 2e-3
    batch: int = 1024

    def new(self, inputs: int, outputs: int, random: np.random.Generator) -> Model:
        """Random layers, the last of which is 0."""
        layers = new_layers(inputs, self.hidden, outputs, random)
        for part in layers[-1]:
            part[:] = 0.0
        return _pack(layers)

    def run(self, model: Model, inputs: Floats, outputs: int) -> Floats:
        """The outputs of each row."""
        layers = _unpack(model, self._shapes(inputs.shape[1], outputs))
        x = inputs
        for place, (weights, biases) in enumerate(layers):
            x = x @ weights + biases
            if place < len(layers) - 1:
                np.maximum(x, 0.0, out=x)
        return x

    def fit(self, model: Model, lesson: Lesson, outputs: int, random: np.random.Generator) -> Model:
        """Goes on from the model's own numbers, by the weighted mean of squared errors."""
        shapes = self._shapes(lesson.inputs.shape[1], outputs)
        rows = len(lesson.inputs)
        with one_torch_thread(), torch.no_grad():
            numbers, slopes = torch.from_numpy(model.copy()), torch.zeros(len(model))
            network, found = _views(numbers, shapes), _views(slopes, shapes)
            adam = _Adam(numbers, slopes)
            weights = lesson.weights / max(float(lesson.weights.max(initial=0.0)), 1e-30)
            parts = (lesson.inputs, lesson.wanted, weights)
            data = [torch.from_numpy(part.astype(np.float32)) for part in parts]
            part = data
            for step in range(self.steps):
                if rows > self.batch:
                    chosen = torch.from_numpy(random.integers(0, rows, self.batch))
                    part = [column[chosen] for column in data]
                find_slopes(network, part, found)
                adam.step(self.rate * (1 - step / self.steps))
            return numbers.numpy()

    def _shapes(self, inputs: int, outputs: int) -> list[tuple[int, int]]:
        widths = (inputs, *self.hidden, outputs)
        return list(itertools.pairwise(widths))


Views = list[tuple[Any, Any]]
"""Weights and biases of each layer, as views of one tensor."""


def _views(numbers: "torch.Tensor", shapes: Sequence[tuple[int, int]]) -> Views:
    parts: Views = []
    end = 0
    for inputs, outputs in shapes:
        first, end = end, end + inputs * outputs
        parts.append((numbers[first:end].view(inputs, outputs), numbers[end : end + outputs]))
        end += outputs
    return parts


def find_slopes(network: Views, part: Sequence[Any], slopes: Views) -> None:
    """The slopes of the weighted mean of squared errors, worked out by hand: for networks as small as these torch's
    own way takes five times as long."""
    inputs, wanted, weights = part
    passed = [inputs]
    for place, (factors, biases) in enumerate(network):
        x = torch.addmm(biases, passed[-1], factors)
        passed.append(x.relu_() if place < len(network) - 1 else x)
    back = (passed.pop() - wanted) * weights * (2 / weights.sum().clamp_min(1e-30))
    for place in range(len(network) - 1, -1, -1):
        torch.mm(passed[place].t(), back, out=slopes[place][0])
        torch.sum(back, 0, out=slopes[place][1])
        if place:
            back = (back @ network[place][0].t()) * passed[place].sign()


class _Adam:
    """Kingma and Ba, "Adam: a method for stochastic optimization", 2015, on one tensor."""

    def __init__(self, numbers: "torch.Tensor", slopes: "torch.Tensor") -> None:
        self.numbers, self.slopes, self.steps = numbers, slopes, 0
        self.mean, self.square = torch.zeros_like(slopes), torch.zeros_like(slopes)

    def step(self, rate: float) -> None:
        """One step down the slopes."""
        self.steps += 1
        self.mean.lerp_(self.slopes, 0.1)
        self.square.mul_(0.999).addcmul_(self.slopes, self.slopes, value=0.001)
        spread = (self.square / (1 - 0.999**self.steps)).sqrt_().add_(1e-8)
        self.numbers.addcdiv_(self.mean, spread, value=-rate / (1 - 0.9**self.steps))


def _pack(layers: Layers) -> Model:
    return np.concatenate([part.ravel() for layer in layers for part in layer])


def _unpack(model: Model, shapes: Sequence[tuple[int, int]]) -> Layers:
    layers: Layers = []
    end = 0
    for inputs, outputs in shapes:
        first, end = end, end + inputs * outputs
        weights = model[first:end].reshape(inputs, outputs)
        layers.append((weights, model[end : end + outputs]))
        end += outputs
    return layers


def check_finite(numbers: NDArray[np.floating], what: str) -> None:
    """Refuses a network or an answer of one that holds no numbers."""
    if not np.isfinite(numbers).all():
        raise InputError(
            f"{what} holds numbers that are not finite: its training has gone astray; "
            "go on from an earlier solution, or begin again with another --seed"
        )
