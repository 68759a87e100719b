"""Files of a run of the fuzzer, and what is compared."""

import atexit
import functools
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any


@functools.cache
def scratch() -> Path:
    """A folder of this process, which is removed at its end."""
    folder = Path(tempfile.mkdtemp(prefix="luckless-fuzz-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def put(name: str, data: bytes) -> Path:
    """The bytes as a file of the scratch folder."""
    path = scratch() / name
    path.write_bytes(data)
    return path


def as_json(value: Any) -> str:
    """Plain values as a text that can be compared."""
    return json.dumps(value, sort_keys=True, default=str)
