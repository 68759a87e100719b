"""A crew for tests that does pieces in this process, as workers elsewhere do them: all that travels goes by bytes."""

import pickle
from concurrent.futures import Future
from typing import Any

from luckless.cluster.cargo import dumped
from luckless.cluster.worker import Worker
from luckless.errors import InputError
from luckless.pieces import Job


class PickledCrew:
    """Does each piece at once."""

    def __init__(self, workers: int = 2) -> None:
        self.workers = self.slots = workers
        self.pieces: list[Any] = []
        self._worker = Worker.__new__(Worker)  # without its settings of the environment
        self._worker._open = {}

    def submit(self, job: Job, piece: Any) -> "Future[Any]":
        self.pieces.append(piece)
        future: Future[Any] = Future()
        done = self._worker.do(str(id(job)), dumped(job), dumped(piece))
        if done.refused:
            future.set_exception(InputError(done.refused))
        else:
            future.set_result(pickle.loads(done.result))
        return future
