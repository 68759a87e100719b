"""Work on a real Ray: in order, done again when it is lost, and the same bytes as alone."""

import os
import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from luckless import pieces
from luckless.bots.catalogue import load_bot
from luckless.cluster.places import LOCAL_SETTINGS, working_on
from luckless.errors import InputError
from luckless.histories.match_writer import play_stored
from luckless.matches.match import Match
from luckless.rules.game import Game
from odd_jobs import Squares

ray = pytest.importorskip("ray", reason="Ray is not installed (pip install 'luckless[scale]')")
SUPPORT = str(Path(__file__).parents[1] / "support")


@pytest.fixture(autouse=True)
def _workers_find_the_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([SUPPORT, *filter(None, sys.path)]))


def _squares(crew: Any, job: Squares, count: int = 12) -> list[tuple[int, int]]:
    return list(pieces.in_order(crew, job, range(count)))


def _ray_of_this_machine(stack: ExitStack) -> Any:
    try:
        return stack.enter_context(working_on("ray", workers=2))
    except InputError as error:
        pytest.skip(f"no Ray could be started here: {error}")


def test_pieces_on_a_ray_of_this_machine(tmp_path: Path) -> None:
    with ExitStack() as stack:
        crew = _ray_of_this_machine(stack)
        assert pieces.crew() == crew
        found = _squares(crew, Squares(str(tmp_path), fails=3, dies=7))
        assert found == [(number, number * number) for number in range(12)]
        assert crew.facts.again == 2
        with pytest.raises(InputError, match="5 is refused"):
            _squares(crew, Squares(str(tmp_path), refuses=5))
    assert pieces.crew() is None
    assert not ray.is_initialized()


@pytest.fixture
def nodes(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A Ray of a head without cores and three machines of one core, all here."""
    make = pytest.importorskip("ray.cluster_utils").Cluster
    for name, value in LOCAL_SETTINGS.items():
        monkeypatch.setenv(name, value)
    cluster = make(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    cluster.machines = [cluster.add_node(num_cpus=1) for _ in range(3)]
    yield cluster
    cluster.shutdown()


def _killed_one_by_one(cluster: Any, after: float) -> threading.Thread:
    def kill() -> None:
        for machine in cluster.machines[:2]:
            time.sleep(after)
            cluster.remove_node(machine, allow_graceful=False)

    thread = threading.Thread(target=kill)
    thread.start()
    return thread


@pytest.mark.slow
def test_machines_that_are_killed_cost_no_piece(nodes: Any, tmp_path: Path) -> None:
    with working_on(nodes.address) as crew:
        deadline = time.monotonic() + 300
        while crew.workers < 3 and time.monotonic() < deadline:  # type: ignore[union-attr]
            time.sleep(0.5)
        killing = _killed_one_by_one(nodes, 5)
        found = _squares(crew, Squares(str(tmp_path), seconds=0.5), 80)
        killing.join()
        assert found == [(number, number * number) for number in range(80)]
        assert crew.facts.again >= 1  # type: ignore[union-attr]
        assert crew.workers == 1  # type: ignore[union-attr]


@pytest.mark.slow
def test_a_stored_match_is_the_same_bytes_though_machines_are_killed(nodes: Any, tmp_path: Path) -> None:
    def played(folder: Path) -> None:
        bots = [load_bot("value-bet"), load_bot("pot-odds")]
        play_stored(Match.plan(Game.load("limit-hu"), bots, hands=60_000), folder)

    played(tmp_path / "alone")
    with working_on(nodes.address) as crew:
        while crew.workers < 3:  # type: ignore[union-attr]
            time.sleep(0.5)
        killing = _killed_one_by_one(nodes, 3)
        played(tmp_path / "shared")
        killing.join()
    files = [sorted((tmp_path / name).glob("*.parquet")) for name in ("alone", "shared")]
    assert [path.name for path in files[0]] == [path.name for path in files[1]]
    assert all(one.read_bytes() == other.read_bytes() for one, other in zip(*files, strict=True))
    assert np.all([path.stat().st_size for path in files[0]])
