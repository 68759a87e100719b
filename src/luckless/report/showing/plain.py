"""Rows of a table from the plain values of a result."""

import math
from collections.abc import Mapping
from typing import Any


def plain_row(values: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers and texts of some values; intervals become two columns, NaN a gap, deeper values are left out."""
    row: dict[str, Any] = {}
    for key, value in values.items():
        if key.startswith("ci95"):
            low, high = value if value is not None else (None, None)
            row[key.replace("ci95", "low")], row[key.replace("ci95", "high")] = low, high
        elif isinstance(value, float) and math.isnan(value):
            row[key] = None
        elif value is None or isinstance(value, str | int | float | bool):
            row[key] = value
    return row
