"""JSON that comes from a file: read strictly, so that whatever it holds, the only error is a `ValueError`."""

import json
import math
from typing import Any

MOST_BYTES = 1 << 28
"""The largest text that is read: the result of a million sessions is smaller."""


def read_json(text: str | bytes) -> Any:
    """The value of a JSON text; numbers that are not finite and keys that stand twice are refused too."""
    if len(text) > MOST_BYTES:
        raise ValueError(f"it is too large; allowed is up to {MOST_BYTES:,} bytes")
    try:
        return json.loads(text, parse_float=_finite, parse_constant=_finite, object_pairs_hook=_table)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except UnicodeDecodeError:
        raise ValueError("it is not a text") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"it is not JSON: {error}") from None


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:20]} is not a finite number")
    return number


def _table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        raise ValueError("a key stands in it twice")
    return table
