"""Solver pages: a solution walked, ranges both ways, spots solved as jobs, and what is refused."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import luckless as lk
from luckless.solve.holdem import HoldemSolver
from luckless.solve.strategy_file import Task, save_solution
from web_client import client_of

SPOT = {"board": "KsTh7s4d2s", "pot": 200, "stack": 300, "ranges": ["TT+,AQ+,76s", "99+,AJ+,T9s"],
        "sizes": {"bets": "60%"}}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("solved")
    task = Task("spot", SPOT, "dcfr+")
    solver = task.solver()
    assert isinstance(solver, HoldemSolver)
    solver.run(20)
    save_solution(folder / "river.safetensors", task, solver, solver.judge().exploitability, [(10, 3.0), (20, 1.5)])
    lk.solve("kuhn", iterations=20, save=folder / "kuhn.safetensors")
    return folder


@pytest.fixture(scope="module")
def solver(folder: Path) -> Iterator[TestClient]:
    with client_of(folder) as one:
        yield one


def test_a_solution_is_walked(solver: TestClient) -> None:
    page = solver.get("/solve/river.safetensors")
    assert page.status_code == 200
    assert "exploitability" in page.text
    start = solver.get("/api/solve/river.safetensors").json()
    assert start["curve"] == [[10, 3.0], [20, 1.5]]
    node = start["node"]
    assert (node["player"], node["pot"], len(node["cells"])) == ("first", 200, 169)
    assert sum(action["share"] for action in node["actions"]) == pytest.approx(1)
    bet = node["actions"][1]["word"]
    facing = solver.get(f"/api/solve/river.safetensors?line={bet}").json()["node"]
    assert (facing["player"], [one["word"] for one in facing["actions"][:2]]) == ("second", ["f", "c"])
    assert facing["pot"] == 200 + int(bet[1:])
    shown = solver.get(f"/api/solve/river.safetensors?line={bet}%20c").json()["node"]
    assert shown["over"] == "showdown"
    assert solver.get(f"/solve/river.safetensors?line={bet}%20f").status_code == 200


def test_hands_of_a_class_are_those_of_its_cell(solver: TestClient) -> None:
    node = solver.get("/api/solve/river.safetensors").json()["node"]
    aces = node["cells"][0]
    assert aces["label"] == "AA"
    hands = [hand for hand in node["hands"] if hand[0][0] == hand[0][2] == "A"]
    assert len(hands) == 6
    assert aces["weight"] == pytest.approx(6)
    assert aces["ev"] == pytest.approx(sum(hand[3] for hand in hands) / 6, abs=0.02)


def test_small_games_list_their_decisions(solver: TestClient) -> None:
    told = solver.get("/api/solve/kuhn.safetensors").json()
    assert len(told["decisions"]) == 12
    assert told["node"] is None
    assert solver.get("/solve/kuhn.safetensors").status_code == 200
    assert solver.get("/api/solve/kuhn.safetensors?line=x").status_code == 400


@pytest.mark.parametrize("line", ["zz", "x x x", "b", "f", "x%00", "x " * 500])
def test_lines_that_are_not_there(solver: TestClient, line: str) -> None:
    for address in ("/solve/river.safetensors", "/api/solve/river.safetensors"):
        assert solver.get(address, params={"line": line}).status_code == 400


@pytest.mark.parametrize("place", ["nothing", "%2e%2e/x", "nothing.safetensors", "river.safetensors/x"])
def test_solutions_that_are_not_there(solver: TestClient, place: str) -> None:
    assert solver.get(f"/solve/{place}").status_code == 404
    assert solver.get(f"/api/solve/{place}").status_code == 404


def test_a_solution_that_was_damaged_or_deleted(folder: Path, tmp_path: Path) -> None:
    data = bytearray((folder / "river.safetensors").read_bytes())
    data[-1] ^= 1
    (tmp_path / "bad.safetensors").write_bytes(data)
    with client_of(tmp_path) as one:
        answer = one.get("/api/solve/bad.safetensors")
        assert answer.status_code == 400
        assert "damaged" in answer.json()["error"]
        (tmp_path / "bad.safetensors").unlink()
        assert one.get("/api/solve/bad.safetensors").status_code == 404


def test_ranges_as_text_and_as_weights(solver: TestClient) -> None:
    told = solver.get("/api/range", params={"text": "AA,AKs:0.5,76o"}).json()
    assert told["weights"][0][:2] == [1.0, 0.5]
    assert told["weights"][8][7] == 1.0
    assert told["hands"] == 6 + 2 + 12
    assert solver.get("/api/range", params={"text": "AhKh"}).json()["mixed"] is True
    for text in ("", "zz", "AA:2", "x" * 5000):
        assert solver.get("/api/range", params={"text": text}).status_code == 400


WANTED: dict[str, Any] = {"board": "KsTh7s4d2s", "ranges": ["TT+,AQ+", "99+,AJ+"], "pot": 200, "stack": 300,
                          "sizes": "60%", "target": 2, "minutes": 5}  # fmt: skip


def wait_for(client: TestClient, address: str) -> dict[str, Any]:
    for _ in range(1200):
        told: dict[str, Any] = client.get(address).json()
        if told["finished"]:
            return told
        time.sleep(0.05)
    raise AssertionError("the job does not end")


def test_a_spot_is_solved_watched_and_stored(tmp_path: Path) -> None:
    with client_of(tmp_path) as one:
        answer = one.post("/api/solver", json=WANTED)
        assert answer.status_code == 202
        told = wait_for(one, answer.json()["address"])
        assert told["error"] == ""
        assert told["outcome"]["exploitability_pot"] <= 0.02
        points = [line.split() for line in told["lines"]]
        assert [int(point[0]) for point in points] == sorted(int(point[0]) for point in points)
        solved = one.get(f"/api{told['outcome']['address']}").json()
        assert len(solved["curve"]) == len(points)
        [listed] = one.get("/api/solver").json()["solutions"]
        assert listed["address"] == told["outcome"]["address"]


def test_a_job_can_be_stopped_and_is_kept(tmp_path: Path) -> None:
    with client_of(tmp_path) as one:
        begun = one.post("/api/solver", json={**WANTED, "target": 0.000001}).json()
        assert one.delete(begun["address"]).status_code == 200
        told = wait_for(one, begun["address"])
        assert told["outcome"]["stopped"] is True
        assert one.get(told["outcome"]["address"]).status_code == 200


@pytest.mark.parametrize(
    "change",
    [{"board": "Ks"}, {"board": "KsKs7s4d2s"}, {"board": ""}, {"ranges": ["", "??"]}, {"ranges": ["AA"]},
     {"ranges": ["zz", "??"]}, {"pot": 0}, {"pot": "much"}, {"stack": -1}, {"sizes": "x"}, {"target": 0},
     {"minutes": 1e9}, {"ranges": ["KsKh", "KsKd"]}, {"board": "KsTh7s", "ranges": ["??", "??"], "stack": 20000,
      "sizes": "20%,33%,50%,75%,100%,150%,all-in"}],
)  # fmt: skip
def test_spots_that_are_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    with client_of(tmp_path) as one:
        answer = one.post("/api/solver", json={**WANTED, **change})
        assert answer.status_code == 400
        assert answer.json()["error"]
        assert not list(tmp_path.iterdir())


def test_the_page_of_an_empty_folder(tmp_path: Path) -> None:
    with client_of(tmp_path) as one:
        assert one.get("/solver").status_code == 200
        assert one.get("/api/solver").json() == {"solutions": []}
