"""How commands speak: results on standard output (text or JSON), errors as one line on standard error."""

import json
import sys
from typing import Annotated, Any, NoReturn

import typer

JsonFlag = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


def print_json(result: dict[str, Any]) -> None:
    """Prints one JSON object; numbers that are not finite are an error of ours, never of the reader's."""
    print(json.dumps(result, indent=2, allow_nan=False))


def fail(message: str, code: int) -> NoReturn:
    """One line on standard error, then the exit code."""
    print(f"error: {' '.join(message.split())}", file=sys.stderr)
    sys.exit(code)
