"""The small forms: the same numbers as the commands."""

import pytest
from fastapi.testclient import TestClient

from luckless.stats.planning import hands_needed


def test_equity(client: TestClient) -> None:
    told = client.get("/api/equity", params={"hands": "AcKc 7h6h", "board": "Ks5h3d"}).json()
    assert told["exact"]
    assert sum(told["equity"]) == pytest.approx(1)
    page = client.get("/tools", params={"hands": "AcKc 7h6h", "board": "Ks5h3d"})
    assert f"{100 * told['equity'][0]:.3f}" in page.text


def test_sampled_equities_have_intervals(client: TestClient) -> None:
    words = {"hands": "AcKc TT+", "board": "Ks5h3d"}
    told = client.get("/api/equity", params=words).json()
    assert not told["exact"]
    assert f"± {196 * told['stderr'][0]:.3f}" in client.get("/tools", params=words).text


def test_rank(client: TestClient) -> None:
    told = client.get("/api/rank", params={"hole": "AcKc", "board": "Ks5h3d"}).json()
    page = client.get("/tools", params={"hole": "AcKc", "board": "Ks5h3d"})
    assert f"{told['ehr']:.4f}" in page.text


@pytest.mark.parametrize("words", ["hands=AcAc+7h6h", "hands=Ac", "hole=AcKcQc", "hole=Zz", "hands=" + "A" * 500])
def test_bad_hands_are_refused_in_words(client: TestClient, words: str) -> None:
    page = client.get(f"/tools?{words}")
    assert page.status_code == 400
    assert 'role="alert"' in page.text


def test_the_planner(client: TestClient) -> None:
    told = client.get("/api/plan", params={"edge": "100", "sd": "15000"}).json()
    assert told["hands"] == hands_needed(100, 15_000) == 176_602
    assert "176,602" in client.get("/plan", params={"edge": "100", "sd": "15,000"}).text
    both = client.get("/api/plan", params={"hands": "100000", "sd": "10000"}).json()
    assert both["half_mbb"] == pytest.approx(1.96 * 10_000 / 100_000**0.5)


@pytest.mark.parametrize("words", ["edge=0", "edge=x", "hands=0", "hands=-5", "edge=1&sd=nan", "edge=1&set_size=0"])
def test_bad_plans_are_refused(client: TestClient, words: str) -> None:
    assert client.get(f"/api/plan?{words}").status_code == 400
    assert client.get(f"/plan?{words}").status_code == 400
