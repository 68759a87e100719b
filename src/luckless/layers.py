"""Fully connected layers as plain arrays: how networks are kept, whoever trains or runs them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Layers = list[tuple[NDArray[np.float32], NDArray[np.float32]]]
"""Weights (inputs x outputs) and biases of each layer."""


def new_layers(inputs: int, hidden: Sequence[int], outputs: int, random: np.random.Generator) -> Layers:
    """Random layers: weights and biases uniform within 1 / sqrt(inputs of the layer), as torch starts them."""
    layers: Layers = []
    for width in (*hidden, outputs):
        bound = inputs**-0.5
        weights = random.uniform(-bound, bound, (inputs, width)).astype(np.float32)
        layers.append((weights, random.uniform(-bound, bound, width).astype(np.float32)))
        inputs = width
    return layers
