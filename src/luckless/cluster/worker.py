"""What a worker does on its machine: opens a job once and does its pieces, with one thread in every library."""

import os
import pickle
import socket
import tempfile
from contextlib import AbstractContextManager
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from luckless.pieces import Doer
from luckless.threads import THREADS

KEPT_OPEN = 4
"""Jobs that a worker keeps open at a time; the one that rested longest is closed for another."""

ONE_THREAD = (THREADS, "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


class Done(NamedTuple):
    """A piece that was done, or refused with a reason that doing it again would not change."""

    result: bytes
    refused: str
    seconds: float
    opening_seconds: float
    """What getting ready for the job took, before its first piece here."""


class Worker:
    """One process of a crew. It has one core."""

    def __init__(self) -> None:
        for name in ONE_THREAD:
            os.environ[name] = "1"
        self._open: dict[str, tuple[AbstractContextManager[Doer], Doer]] = {}

    def ready(self) -> tuple[str, str]:
        """The machine and the digest of the package there."""
        from luckless.cluster.cargo import source_digest

        return socket.gethostname(), source_digest()

    def do(self, number: str, job: bytes, piece: bytes) -> Done:
        """Does a piece of a job. What raises anything but `InputError` may be done again."""
        from luckless.errors import InputError

        started = perf_counter()
        try:
            doer = self._doer(number, job)
            opened = perf_counter()
            result = pickle.dumps(doer(pickle.loads(piece)), protocol=5)
        except InputError as error:
            return Done(b"", str(error), 0.0, 0.0)
        return Done(result, "", perf_counter() - opened, opened - started)

    def _doer(self, number: str, job: bytes) -> Doer:
        if number not in self._open:
            while len(self._open) >= KEPT_OPEN:
                context, _ = self._open.pop(next(iter(self._open)))
                context.__exit__(None, None, None)
            with _OneAtATime():  # the first process of a machine compiles, the others find it done
                context = pickle.loads(job).opened()
                self._open[number] = (context, context.__enter__())
            _one_torch_thread()
        self._open[number] = self._open.pop(number)  # the latest is the last to be closed
        return self._open[number][1]

    def close(self) -> None:
        """Ends what jobs have started, such as programs."""
        while self._open:
            context, _ = self._open.popitem()[1]
            context.__exit__(None, None, None)


class _OneAtATime:
    """A lock among the processes of one machine, where the system has such locks."""

    def __enter__(self) -> None:
        from luckless.file_locks import SYSTEM_HAS_LOCKS, lock

        user = os.getuid() if hasattr(os, "getuid") else 0
        self._file = (Path(tempfile.gettempdir()) / f"luckless-opening-{user}.lock").open("a")
        if SYSTEM_HAS_LOCKS:
            lock(self._file)

    def __exit__(self, *_: object) -> None:
        self._file.close()


def _one_torch_thread() -> None:
    import sys

    if torch := sys.modules.get("torch"):
        torch.set_num_threads(1)
