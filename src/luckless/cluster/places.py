"""Where work is done: `--on ray`, `--on auto` or `--on ray://HOST:PORT`."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from luckless.errors import InputError
from luckless.pieces import Crew, using
from luckless.threads import core_count

LOCAL_STORE_BYTES = 1 << 30
"""Memory for results on their way in a Ray that is started here."""

LOCAL_SETTINGS = {"RAY_agent_register_timeout_ms": "120000", "RAY_worker_niceness": "0"}
"""For a Ray that is started here: its 15 seconds for helpers of its own are not enough on a busy machine, and its
workers would give way to everything else."""

STARTS = 3
"""How often a Ray of this machine is started before we give up: it gives itself half a minute."""

_ADDRESS = re.compile(r"(ray://)?[^\s/:]+:[0-9]{1,5}")
"""`ray://HOST:PORT` reaches a cluster from outside, `HOST:PORT` from one of its machines."""


@contextmanager
def working_on(place: str | None, workers: int | None = None) -> Iterator[Crew | None]:
    """Lets the crew of a place do what can be shared out, until the block ends; None is this process alone."""
    if place is None:
        yield None
        return
    if place not in ("ray", "auto") and not _ADDRESS.fullmatch(place):
        raise InputError(f"--on is {place!r}; allowed is ray, auto or ray://HOST:PORT")
    ray = _ray()
    _connect(ray, place, workers)
    from luckless.cluster.ray_crew import RayCrew

    try:
        crew = RayCrew(ray, workers)
        try:
            with using(crew):
                yield crew
        finally:
            crew.close()
    finally:
        ray.shutdown()


def _ray() -> Any:
    try:
        import ray
    except ImportError:
        raise InputError("--on needs Ray: install it with `pip install 'luckless[scale]'`") from None
    return ray


def _connect(ray: Any, place: str, workers: int | None) -> None:
    """Starts a Ray on this machine, or finds the one that runs already."""
    for tries_left in reversed(range(STARTS if place == "ray" else 1)):
        try:
            ray.init(**_settings(place, workers), log_to_driver=False, logging_level="CRITICAL")
            return
        except Exception as error:  # Ray raises plain exceptions when it is too slow to start
            ray.shutdown()
            if tries_left == 0:
                raise _no_answer(place, error) from None


def _settings(place: str, workers: int | None) -> dict[str, Any]:
    if place != "ray":
        return {"address": place}
    for name, value in LOCAL_SETTINGS.items():
        os.environ.setdefault(name, value)
    cores = workers or core_count()
    return {"num_cpus": cores, "include_dashboard": False, "object_store_memory": LOCAL_STORE_BYTES}


def _no_answer(place: str, error: Exception) -> InputError:
    reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    advice = {"auto": "start it with `ray start --head`", "ray": "is this machine very busy?"}
    return InputError(f"--on {place}: no Ray answers ({reason}); {advice.get(place, 'look at its address and port')}")
