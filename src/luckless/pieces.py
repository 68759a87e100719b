"""Work in pieces that others may do: what a match, a league or a solver hands over, without knowing to whom.

A `Job` is work that was cut into pieces. It travels to workers, so it is a plain record at the top of a module, and
what it needs is made when a worker opens it. A `Crew` does pieces; while one is in use (`using`), parts of the
package that can share their work out give it their pieces. Without a crew they use their own threads and processes.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol

PIECE_SECONDS = 2.0
"""What a piece should take at least where its maker can choose: handing it over costs some milliseconds."""

Doer = Callable[[Any], Any]
"""Does one piece: a picklable value in, a picklable value out, the same one on every machine and every time."""


class Job(Protocol):
    """Work that can be done in pieces. Two equal jobs are one: workers open it once and keep it open."""

    def opened(self) -> AbstractContextManager[Doer]:
        """Gets a worker ready, compiled code included, and gives what does a piece."""


class Crew(Protocol):
    """Workers, here or elsewhere."""

    @property
    def workers(self) -> int:
        """How many workers are ready."""

    @property
    def slots(self) -> int:
        """How many pieces will be done at once as soon as all workers are ready; at least 1."""

    def submit(self, job: Job, piece: Any) -> "Future[Any]":
        """Hands a piece over. It is done again if it fails or its machine is lost."""


class _Used:
    crew: Crew | None = None
    lock = threading.Lock()


def crew() -> Crew | None:
    """The crew that is in use; None to work here."""
    return _Used.crew


@contextmanager
def using(workers: Crew | None) -> Iterator[None]:
    """Lets a crew do what can be shared out, until the block ends; None changes nothing."""
    with _Used.lock:
        before, _Used.crew = _Used.crew, workers or _Used.crew
    try:
        yield
    finally:
        _Used.crew = before


def in_order(workers: Crew, job: Job, pieces: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
    """Each piece with its result, in order. Pieces are taken from their maker only as workers need them: a few are
    under way or wait to be taken, so memory does not grow."""
    ahead: deque[tuple[Any, Future[Any]]] = deque()
    try:
        for piece in pieces:
            ahead.append((piece, workers.submit(job, piece)))
            while len(ahead) > 2 * workers.slots:
                yield _first(ahead)
        while ahead:
            yield _first(ahead)
    finally:
        for _, future in ahead:
            future.cancel()


def _first(ahead: "deque[tuple[Any, Future[Any]]]") -> tuple[Any, Any]:
    piece, future = ahead.popleft()
    return piece, future.result()
