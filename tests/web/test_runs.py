"""The list of runs, and how they are found."""

import shutil
import sqlite3
import threading
from pathlib import Path

from fastapi.testclient import TestClient

from luckless.histories.store import sole_writer
from luckless.web.finding import Finder
from web_client import client_of
from web_runs import HOSTILE


def test_the_list_has_every_run(client: TestClient) -> None:
    listed = {run["place"]: run for run in client.get("/api/runs").json()["runs"]}
    assert listed.keys() == {"match", "deep/six", "sessions"}
    match = listed["match"]
    assert (match["kind"], match["state"], match["done"], match["total"]) == ("match", "finished", 600, 600)
    assert match["title"] == "value-bet v pot-odds"
    assert "mbb/h" in match["verdict"]
    assert match["address"] == "/match/match"


def test_names_are_escaped(client: TestClient) -> None:
    assert HOSTILE in client.get("/api/runs").json()["runs"][0]["title"] + str(client.get("/api/runs").json())
    for path in ("/", "/match/deep/six"):
        assert HOSTILE not in client.get(path).text


def test_an_empty_folder_has_a_list(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        assert client.get("/").status_code == 200
        assert client.get("/api/runs").json() == {"runs": []}


def test_a_folder_that_is_a_run_itself_is_found(runs: Path) -> None:
    [found] = Finder(runs / "match").runs()
    assert (found.place, found.kind) == ("", "hands")
    with client_of(runs / "match") as client:
        assert client.get("/api/runs").json()["runs"][0]["address"] == "/match/"
        assert client.get("/match/").status_code == 200


def test_a_run_that_comes_changes_and_goes_is_noticed(runs: Path, tmp_path: Path) -> None:
    finder = Finder(tmp_path)
    assert finder.runs() == []
    (tmp_path / "new").mkdir()
    assert finder.runs() == []
    for file in (runs / "match").iterdir():
        shutil.copy(file, tmp_path / "new")
    [found] = finder.runs()
    assert found.outline is not None
    assert found.outline.state == "finished"
    with sqlite3.connect(tmp_path / "new" / "catalogue.sqlite") as database:
        database.execute("delete from settings where key = 'result'")
    [found] = finder.runs()
    assert found.outline is not None
    assert found.outline.state == "stopped"
    with sole_writer(tmp_path / "new"):
        [found] = finder.runs()
        assert found.outline is not None
        assert found.outline.state == "running"
    shutil.rmtree(tmp_path / "new")
    assert finder.runs() == []


def test_a_damaged_run_is_listed_with_the_reason(runs: Path, tmp_path: Path) -> None:
    shutil.copytree(runs / "match", tmp_path / "bad")
    (tmp_path / "bad" / "catalogue.sqlite").write_bytes(b"nothing of use" * 100)
    with client_of(tmp_path) as client:
        [run] = client.get("/api/runs").json()["runs"]
        assert run["state"] == "damaged"
        assert run["problem"]
        answer = client.get(run["address"])
        assert answer.status_code == 400
        assert client.get("/").status_code == 200


def test_a_run_deleted_while_it_is_looked_at(runs: Path, tmp_path: Path) -> None:
    shutil.copytree(runs / "match", tmp_path / "gone")
    with client_of(tmp_path) as client:
        assert client.get("/match/gone").status_code == 200
        shutil.rmtree(tmp_path / "gone")
        for path in ("/match/gone", "/api/match/gone", "/hands/gone", "/api/hands/gone", "/replay/gone?hand=1"):
            assert client.get(path).status_code == 404
        assert client.get("/api/runs").json() == {"runs": []}


def test_two_clients_at_once(client: TestClient) -> None:
    answers: list[int] = []

    def ask() -> None:
        answers.extend(client.get(path).status_code for path in ("/", "/api/runs", "/match/match") * 5)

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [200] * 30


def test_a_catalogue_that_a_writer_holds_is_read(runs: Path, tmp_path: Path) -> None:
    shutil.copytree(runs / "match", tmp_path / "held")
    writer = sqlite3.connect(tmp_path / "held" / "catalogue.sqlite")
    writer.execute("pragma journal_mode = wal")
    writer.execute("begin immediate")
    writer.execute("insert into settings values ('x', '1')")
    try:
        with client_of(tmp_path) as client:
            assert client.get("/api/runs").json()["runs"][0]["state"] == "finished"
            assert client.get("/match/held").status_code == 200
    finally:
        writer.rollback()
        writer.close()
