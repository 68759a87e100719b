"""How soon a short match from the shell is over: computing time of its process, compiled code kept and not."""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from luckless.bench.timing import Row

COMMAND = ("match", "value-bet", "pot-odds", "--hands", "100")
WARM_SECONDS, COLD_SECONDS = 0.8, 10.0
REPEATS = 5


def measure() -> Iterator[Row]:
    """All rows."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"NUMBA_CACHE_DIR": str(Path(folder) / "kernels")}
        cold = _computed(environment)
        _computed(environment)  # files of Python itself are read, too
        warm = statistics.median(_computed(environment) for _ in range(REPEATS))
    words = " ".join(("luckless", *COMMAND))
    yield Row(f"{words!r}, all compiled", warm, "the aim of 0.8 s of computing", WARM_SECONDS, 1.0)
    yield Row(f"{words!r}, nothing compiled", cold, "the aim of 10 s of computing", COLD_SECONDS, 1.0)


def _computed(environment: dict[str, str]) -> float:
    """Processor time of the command in a process of its own, that of the system included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "luckless", *COMMAND], env=environment, check=True, capture_output=True, timeout=600
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
