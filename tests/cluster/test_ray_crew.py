"""How a crew hands pieces out, with a stand-in for Ray: lost machines, failures, growth, refusals."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from luckless import pieces
from luckless.cluster import ray_crew
from luckless.cluster.ray_crew import PieceFailed, RayCrew
from luckless.errors import InputError
from odd_jobs import Squares
from stand_in_ray import StandInRay

ALL = [(number, number * number) for number in range(40)]


@contextmanager
def _crew(ray: StandInRay) -> Iterator[RayCrew]:
    crew = RayCrew(ray)
    try:
        yield crew
    finally:
        crew.close()


def _squares(crew: RayCrew, job: Squares) -> list[tuple[int, int]]:
    return list(pieces.in_order(crew, job, range(40)))


def test_all_workers_take_part_and_results_are_in_order(tmp_path: Path) -> None:
    ray = StandInRay(3)
    with _crew(ray) as crew:
        assert _squares(crew, Squares(str(tmp_path), seconds=0.01)) == ALL
        assert crew.facts.pieces == 40
        assert crew.workers == 3
        assert all(len(actor.calls) > 5 for actor in ray.actors)


def test_a_piece_that_fails_is_done_again(tmp_path: Path) -> None:
    with _crew(StandInRay(2)) as crew:
        assert _squares(crew, Squares(str(tmp_path), fails=7)) == ALL
        assert crew.facts.again == 1


def test_machines_that_are_lost_cost_no_piece(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_crew, "GROW_SECONDS", 0.05)
    ray = StandInRay(3)

    with _crew(ray) as crew:
        found = []
        for result in pieces.in_order(crew, Squares(str(tmp_path), seconds=0.05), range(40)):
            found.append(result)
            if len(found) in (8, 16):
                ray.cores -= 1
                ray.actors[len(found) // 8 - 1].lose()
        assert found == ALL
        assert crew.facts.again >= 1
        ray.cores = 4
        assert _squares(crew, Squares(str(tmp_path), seconds=0.02)) == ALL  # machines that join are used
        assert crew.workers == 4


def test_what_is_refused_or_always_fails_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with _crew(StandInRay(2)) as crew:
        with pytest.raises(InputError, match="7 is refused"):
            _squares(crew, Squares(str(tmp_path), refuses=7))
        assert crew.facts.again == 0
        monkeypatch.setattr(Squares, "_is_first", lambda self, number: True)
        with pytest.raises(PieceFailed, match="failed 4 times on Ray, at last with: 7 failed"):
            _squares(crew, Squares(str(tmp_path), fails=7))


def test_a_machine_with_another_source_ends_the_crew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_crew, "source_digest", lambda: "ours")
    with _crew(StandInRay(2)) as crew, pytest.raises(InputError, match="has another luckless than this one"):
        _squares(crew, Squares(str(tmp_path)))


def test_a_ray_without_cores_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_crew, "GROW_SECONDS", 0.05)
    monkeypatch.setattr(ray_crew, "START_SECONDS", 0.2)
    with _crew(StandInRay(0)) as crew, pytest.raises(InputError, match="no worker of Ray was ready"):
        _squares(crew, Squares(str(tmp_path)))
