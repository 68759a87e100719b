"""A stand-in for Ray whose workers are threads of this process: machines can be lost at will, and nothing is slow."""

import itertools
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from types import SimpleNamespace
from typing import Any


class RayError(Exception):
    """Something of the cluster is lost."""


class RayTaskError(RayError):
    """A method raised."""


class _Method:
    def __init__(self, actor: "_Actor", name: str) -> None:
        self._actor, self._name = actor, name

    def remote(self, *arguments: Any) -> "Future[Any]":
        return self._actor.call(self._name, arguments)


class _Actor:
    """One worker on a machine of its own."""

    def __init__(self, made: Any) -> None:
        self._made, self._pool = made, ThreadPoolExecutor(1)
        self.lost = False
        self.calls: list[Future[Any]] = []

    def __getattr__(self, name: str) -> _Method:
        return _Method(self, name)

    def call(self, name: str, arguments: Sequence[Any]) -> "Future[Any]":
        future: Future[Any] = Future()
        self.calls.append(future)

        def work() -> None:
            try:
                result = getattr(self._made, name)(*arguments)
            except Exception as error:
                self._settle(future, RayTaskError(f"traceback\n{error}"))
            else:
                self._settle(future, result)

        if self.lost:
            self._settle(future, RayError("the actor is dead"))
        else:
            self._pool.submit(work)
        return future

    @staticmethod
    def _settle(future: "Future[Any]", result: Any) -> None:
        if not future.done():
            future.set_exception(result) if isinstance(result, RayError) else future.set_result(result)

    def lose(self) -> None:
        self.lost = True
        for future in self.calls:
            self._settle(future, RayError("its machine was lost"))


class StandInRay:
    """What `RayCrew` needs of the module `ray`."""

    exceptions = SimpleNamespace(RayError=RayError, RayTaskError=RayTaskError)

    def __init__(self, cores: int) -> None:
        self.cores = cores
        self.actors: list[_Actor] = []

    def remote(self, **_: Any) -> Any:
        def of(kind: Any) -> Any:
            def start() -> _Actor:
                made = kind.__new__(kind)  # without its settings of the environment, which is ours
                made._open = {}
                self.actors.append(_Actor(made))
                return self.actors[-1]

            return SimpleNamespace(remote=start)

        return of

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": float(self.cores)}

    def put(self, value: Any) -> Any:
        return value

    def get(self, reference: "Future[Any]") -> Any:
        return reference.result()

    def wait(self, references: Sequence[Any], num_returns: int, timeout: float) -> tuple[list[Any], list[Any]]:
        done, left = wait(references, timeout, FIRST_COMPLETED)
        return list(itertools.islice(done, num_returns)), list(left)

    def kill(self, actor: _Actor) -> None:
        actor.lose()
