"""Pages of stored matches and hands: they hold what is stored, lead to it, and refuse nonsense in words."""

import re
import shutil
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from fastapi.testclient import TestClient

import luckless as lk
from luckless.histories.reading import read_hands
from luckless.histories.store import StoredHands
from luckless.records import load_match
from luckless.report.result_text import result_text
from luckless.sitting.sitting import OPEN_HAND
from luckless.skill.hand_luck import hand_luck
from web_client import client_of


def finished_job(client: TestClient, address: str) -> dict[str, Any]:
    """A job once it has ended."""
    for _ in range(600):
        job: dict[str, Any] = client.get(address).json()
        if job["finished"]:
            return job
        time.sleep(0.1)
    raise AssertionError("the job does not end")


def test_the_match_page_prints_the_block_of_the_terminal(client: TestClient, runs: Path) -> None:
    text = client.get("/match/match").text
    block = re.search(r'<pre id="block">(.*?)</pre>', text, re.DOTALL)
    assert block is not None
    assert block[1].replace("&#39;", "'").replace("&gt;", ">") == result_text(load_match(runs / "match"))


def test_the_json_twin_is_the_result(client: TestClient, runs: Path) -> None:
    told = client.get("/api/match/match").json()
    assert told["bots"][0]["mbb"] == load_match(runs / "match").to_dict()["bots"][0]["mbb"]


@pytest.mark.parametrize("place", ["match", "deep/six"])
def test_every_cell_and_bar_leads_to_the_hands_behind_it(client: TestClient, runs: Path, place: str) -> None:
    text = client.get(f"/match/{place}").text
    links = set(re.findall(r'(/hands/[^"\\]*\?[^"\\]+)', text.replace("&amp;", "&").replace("\\u0026", "&")))
    assert len(links) > 10
    tally = load_match(runs / place).tally
    bars = sum(client.get(f"/api{link}").json()["count"] for link in links if "player=0&won_" in link)
    assert bars == tally.hands
    for seat in range(tally.seat_hands.shape[1]):
        link = next(link for link in links if link.endswith(f"player=1&seat={seat}"))
        got = client.get(f"/api{link}").json()
        assert got["count"] == tally.seat_hands[1, seat]
        assert got["won_bb"] == pytest.approx(tally.seat_chips[1, seat] / tally.big_blind)


def test_a_filter_is_an_address(client: TestClient) -> None:
    words = {"player": "0", "ending": "showdown", "cards": "22+", "sort": "won", "order": "down"}
    page = client.get("/hands/match", params=words)
    assert page.status_code == 200
    told = client.get("/api/hands/match", params=words).json()
    assert told["filter"] == {"player": "0", "ending": "showdown", "cards": "22+"}
    won = [row["won_bb"] for row in told["rows"]]
    assert won == sorted(won, reverse=True)
    assert {row["ending"] for row in told["rows"]} == {"showdown"}
    assert all(row["cards"][0] == row["cards"][2] for row in told["rows"])


def test_pages_of_hands_lead_on(client: TestClient) -> None:
    told = client.get("/api/hands/match").json()
    seen = [row["hand"] for row in told["rows"]]
    while told["next"]:
        told = client.get(f"/api{told['next']}").json()
        seen += [row["hand"] for row in told["rows"]]
    assert seen == list(range(600))
    assert client.get("/hands/match?line=rrrrrrrrr").text.count("No hand fits") == 1


def test_exports(client: TestClient, tmp_path: Path) -> None:
    told = client.get("/api/hands/match?ending=showdown").json()
    answer = client.get(told["export"]["phh"])
    assert "attachment" in answer.headers["content-disposition"]
    (tmp_path / "out.phhs").write_text(answer.text)
    assert len(read_hands(tmp_path / "out.phhs")) == told["count"]
    table = client.get(told["export"]["csv"]).text.splitlines()
    assert len(table) == 1 + 2 * told["count"]


@pytest.mark.parametrize(
    "words", ["player=x", "cards=ZZ", "line=DROP", "ending=x", "pot_from=abc", "sort=name", "luck_from=1", "deal=-4"]
)
def test_bad_filters_are_refused_in_words(client: TestClient, words: str) -> None:
    page, told = client.get(f"/hands/match?{words}"), client.get(f"/api/hands/match?{words}")
    assert (page.status_code, told.status_code) == (400, 400)
    assert len(told.json()["error"]) > 10
    assert client.get(f"/export/match?{words}").status_code == (200 if words == "sort=name" else 400)


def test_unknown_formats_are_refused(client: TestClient) -> None:
    assert client.get("/export/match?format=doc").status_code == 400


def test_a_run_of_another_kind_has_no_match_page(client: TestClient) -> None:
    assert client.get("/match/sessions").status_code == 404
    assert client.get("/hands/sessions").status_code == 200


def test_one_button_checks_a_run(client: TestClient) -> None:
    assert "SHA-256" in client.get("/verify/match").text
    started = client.post("/api/verify/match")
    assert started.status_code == 202
    job = finished_job(client, started.json()["address"])
    assert job["error"] == ""
    assert job["outcome"]["well"]
    assert job["outcome"]["hands"] == 600
    assert job["outcome"]["reproduced"]


def test_unknown_jobs_are_not_there(client: TestClient) -> None:
    assert client.get("/api/jobs/none").status_code == 404
    assert client.delete("/api/jobs/none").status_code == 404


def test_no_page_names_anything_outside(client: TestClient) -> None:
    """Scripts, styles and pictures come from this server, and no script or style stands in a page."""
    for path in ("/", "/match/match", "/hands/match", "/replay/match?hand=1", "/verify/match", "/nothing"):
        text = client.get(path).text
        for address in re.findall(r'(?:src|href)="([^"]*)"', text):
            assert urlsplit(address).netloc == "", address
        for script in re.findall(r"<script([^>]*)>", text):
            assert "src=" in script or "application/json" in script
        assert not re.search(r"<style|\son\w+=|\sstyle=", text)


@pytest.mark.parametrize("name", ["page.css", "dashboard.css", "lib.js", "figures.js", "plotly.min.js", "icon.svg"])
def test_files_are_served_and_asked_for_once(client: TestClient, name: str) -> None:
    answer = client.get(f"/static/{name}")
    assert answer.status_code == 200
    again = client.get(f"/static/{name}", headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("name", ["../settings.py", "%2e%2e/settings.py", "settings.py", "x.js", "page.css.map"])
def test_other_files_are_not(client: TestClient, name: str) -> None:
    assert client.get(f"/static/{name}").status_code == 404


def test_the_seed_of_a_match_that_is_being_played_is_told_nobody(runs: Path, tmp_path: Path) -> None:
    shutil.copytree(runs / "match", tmp_path / "sat")
    with client_of(tmp_path) as client:
        assert "seed 7," in client.get("/match/sat").text  # nobody sits there
        (tmp_path / "sat" / OPEN_HAND).write_text("{}")
        text = client.get("/match/sat").text
        assert "seed secret until the table is left" in text
        assert "seed 7" not in text
        assert client.get("/api/match/sat").json()["seed"] is None
        assert "7" not in dict(client.get("/api/verify/sat").json()["facts"])["seed"]


def test_sessions_have_the_page_of_their_report(client: TestClient, runs: Path) -> None:
    page = client.get("/session/sessions")
    assert page.status_code == 200
    assert "value-bet v pot-odds: sessions" in page.text
    assert not re.search(r"<style|\sstyle=", page.text)
    assert client.get("/api/session/sessions").json()["games"] == 3
    assert client.get("/session/match").status_code == 404
    assert client.get("/evaluation/sessions").status_code == 404


def test_luck_is_worked_out_on_demand_and_then_filtered_and_sorted_by(runs: Path, tmp_path: Path) -> None:
    shutil.copytree(runs / "match", tmp_path / "lucky")
    with pytest.MonkeyPatch.context() as patch, client_of(tmp_path) as client:
        patch.setattr("luckless.histories.hand_index.index_folder", lambda: tmp_path / "index")
        assert not client.get("/api/hands/lucky").json()["luck_known"]
        started = client.post("/api/luck/lucky")
        assert finished_job(client, started.json()["address"])["outcome"] == {"hands": 600}
        words: dict[str, Any] = {"player": 0, "luck_from": 2, "sort": "luck", "order": "down"}
        told = client.get("/api/hands/lucky", params=words).json()
        assert client.get("/hands/lucky", params=words).status_code == 200
        columns = next(iter(StoredHands.open(tmp_path / "lucky").columns()))
        mine = hand_luck(columns)[range(600), (columns.players == 0).argmax(axis=1)]
        assert told["luck_known"]
        assert told["count"] == (mine >= 2).sum() > 10
        assert [row["luck_bb"] for row in told["rows"]] == pytest.approx(sorted(mine[mine >= 2])[::-1][:50])


@pytest.mark.parametrize("by", ["all-in", "chance"])
def test_a_match_is_judged_on_demand(client: TestClient, by: str) -> None:
    job = finished_job(client, client.post(f"/api/judge/match?by={by}").json()["address"])
    assert job["error"] == ""
    told = job["outcome"]
    assert told["by"] == by
    money, adjusted = (told["verdict"]["players"][0][key] for key in ("money", "adjusted"))
    assert adjusted["stderr"] <= money["stderr"]
    assert len(told["figures"]) == 2
    for player in told["players"]:
        assert {"position", "pot"} <= player["groups"].keys()
        for street in player["streets"]:
            assert client.get(street["address"]).status_code == 200


def test_estimators_that_are_not_there_are_refused(client: TestClient) -> None:
    assert client.post("/api/judge/match?by=stars").status_code == 400
    assert client.post("/api/judge/nothing").status_code == 404


def test_faults_and_clocks_stand_on_the_page(tmp_path: Path) -> None:
    (tmp_path / "rude.py").write_text("class Rude:\n    def decide(self, view, dice):\n        return 10**9\n")
    lk.play([f"{tmp_path}/rude.py:Rude", "call"], game="limit-hu", hands=6, seed=1, save=tmp_path / "served" / "m")
    with client_of(tmp_path / "served") as client:
        text = client.get("/match/m").text
        faults = client.get("/api/match/m").json()["bots"][0]["faults"]
    assert "10 s for a decision" in text
    assert faults > 0
    assert re.search(rf'<td class="number bad">{faults}</td>', text)
    assert "First cases" in text
