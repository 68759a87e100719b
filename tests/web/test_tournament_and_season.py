"""Pages of tournaments and seasons: crosstable with links, boards, agents, live curves, and what is refused."""

import dataclasses
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

import luckless as lk
from league_season import play, use_fakes
from luckless.rankings.cycles import Cycle
from luckless.rankings.ranking import Rankings, rank
from luckless.tournaments.result import TournamentResult
from web_client import client_of
from web_runs import HOSTILE


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament in `cup` and a season in `tiny`."""
    folder = tmp_path_factory.mktemp("many")
    bots = {HOSTILE: "call", "odds": "pot-odds", "raise": "raise"}
    lk.tournament(bots, game="limit-hu", hands=40, save=folder / "cup")
    with pytest.MonkeyPatch.context() as patch:
        use_fakes(patch.setattr)
        assert play(folder / "tiny")
    return folder


@pytest.fixture(scope="module")
def many(folder: Path) -> Iterator[TestClient]:
    with client_of(folder) as one:
        yield one


def test_each_cell_of_the_crosstable_leads_to_its_match(many: TestClient) -> None:
    page = many.get("/tournament/cup")
    assert page.status_code == 200
    assert HOSTILE not in page.text
    for number in range(3):
        address = f"/match/cup/table-{number:05}"
        assert page.text.count(f"href='{address}'") == 2
        assert many.get(address).status_code == 200


def test_cycles_are_drawn(many: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots on a circle with arrows, beside the sentence that names them."""
    plain = many.get("/tournament/cup").text
    assert "No cycle of sure wins was found." in plain
    cycle = Cycle((0, 1, 2), (0.01, 0.01, 0.02))

    def with_a_cycle(result: TournamentResult) -> Rankings:
        return dataclasses.replace(rank(result.ranked, resamples=result.resamples), cycles=(cycle,))

    monkeypatch.setattr(TournamentResult, "rankings", property(with_a_cycle))
    page = many.get("/tournament/cup").text
    assert "beats odds beats raise beats" in page
    assert page.count('role="img"') > plain.count('role="img"')


def test_the_result_of_a_tournament_as_json(many: TestClient) -> None:
    told = many.get("/api/tournament/cup").json()
    assert len(told["mbb"]) == 3
    assert [table["address"] for table in told["tables"]] == [f"/match/cup/table-{n:05}" for n in range(3)]
    assert told["state"] == "finished"


def test_a_season_has_its_boards(many: TestClient) -> None:
    for by in ("trueskill", "mean", "median", "p20", "nash"):
        page = many.get(f"/season/tiny?by={by}")
        assert page.status_code == 200
        told = many.get(f"/api/season/tiny?by={by}").json()
        names = [agent["name"] for agent in told["agents"]]
        places = [page.text.index(name) for name in names]
        assert len(places) == len(names) > 5
    assert many.get("/season/tiny?by=luck").status_code == 400
    assert many.get("/api/season/tiny?part=all").status_code == 400


def test_learning_curves_are_figures(many: TestClient) -> None:
    told = many.get("/api/season/tiny?part=curves").json()
    assert len(told["figures"]) == 4
    assert all(name.startswith("live") for name in told["figures"])


def test_every_agent_has_a_page(many: TestClient) -> None:
    agents = many.get("/api/season/tiny").json()["agents"]
    clone = next(agent for agent in agents if agent["generation"])
    for agent in (agents[0], agents[-1], clone):
        page = many.get("/agent/tiny", params={"name": agent["name"]})
        assert page.status_code == 200
        told = many.get("/api/agent/tiny", params={"name": agent["name"]}).json()
        assert told["rank"] is not None
        assert told["best"]
        assert told["best"][0]["mbb"] >= told["worst"][0]["mbb"]
    told = many.get("/api/agent/tiny", params={"name": clone["name"]}).json()
    assert [one["name"] for one in told["family"] if one["self"]] == [clone["name"]]
    assert sum(one["student"] for one in told["family"]) == 1
    assert told["strategy"]
    assert all(sum(row["shares"]) == pytest.approx(1) for row in told["strategy"])


@pytest.mark.parametrize("name", ["", "nobody", "<b>", "../x"])
def test_agents_that_are_not_there(many: TestClient, name: str) -> None:
    for address in ("/agent/tiny", "/api/agent/tiny"):
        answer = many.get(address, params={"name": name})
        assert answer.status_code == 404
        assert "<b>" not in answer.text or answer.headers["content-type"] == "application/json"


@pytest.mark.parametrize("address", ["/tournament/tiny", "/season/cup", "/agent/cup", "/tournament/x"])
def test_places_of_another_kind(many: TestClient, address: str) -> None:
    assert many.get(address).status_code == 404
    assert many.get(f"/api{address}").status_code == 404


def test_runs_that_were_deleted_meanwhile(folder: Path, tmp_path: Path) -> None:
    for name in ("cup", "tiny"):
        shutil.copytree(folder / name, tmp_path / name)
    with client_of(tmp_path) as one:
        assert one.get("/tournament/cup").status_code == one.get("/season/tiny").status_code == 200
        shutil.rmtree(tmp_path / "cup" / "table-00001")
        assert one.get("/tournament/cup").status_code in (200, 400)
        for name in ("cup", "tiny"):
            shutil.rmtree(tmp_path / name)
        assert one.get("/tournament/cup").status_code == one.get("/season/tiny").status_code == 404
        assert one.get("/api/agent/tiny?name=x").status_code == 404
