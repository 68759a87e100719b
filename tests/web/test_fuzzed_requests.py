"""Thousands of odd requests: every answer is a page or a sentence, never an error of the server."""

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient

import luckless as lk
from league_season import play, use_fakes
from luckless.web.tables import OpenTable
from web_client import client_of

PLACES = (
    *("match", "deep/six", "sessions", "cup", "cup/table-00001", "tiny", "kuhn.safetensors", "river.safetensors"),
    *("", "nothing", "..", "%2e%2e", "a/b/c", "\x00", "ü", "match/hands", "x" * 300, "match/catalogue.sqlite"),
    *("played", "evaluation", "tiny/agents", "agents"),
)
KINDS = (
    *("run", "match", "hands", "replay", "verify", "export", "tools", "plan", "static", "tournament", "season"),
    *("session", "evaluation", "judgement", "agent", "solve", "solver", "play", "favicon.ico", ""),
)
ONLY_JSON = ("runs", "look", "jobs", "equity", "rank", "judge", "luck", "range", "nothing")
KEYS = (
    *("player", "seat", "ending", "street", "pot_from", "pot_to", "won_from", "won_above", "cards", "line", "deal"),
    *("sort", "order", "first", "hand", "step", "view", "format", "hands", "board", "hole", "edge", "sd", "by"),
    *("luck_from", "since", "token", "set_size", "name", "part", "text", "kind", "state", "game"),
)
VALUES = (
    *("0", "1", "-1", "5", "99999999999999999999", "1e999", "nan", "inf", "", " ", "x", "river", "showdown", "open"),
    *("hidden", "phh", "csv", "pot", "won", "luck", "down", "TT+", "AKs", "AcKc 7h6h", "AcAc", "??", "100%"),
    *("Ks5h3d", "*/k*", "'; drop table hands; --", "<script>", "\x00", "💥", "%00", "..", "A" * 5000, "0x10"),
    *("1_0", "½", "10%", "x b c", "c c c c", "b60 r c", "trueskill", "curves", "nash", "auto", "\u0661", "1e308"),
)
BODIES: tuple[Any, ...] = (
    *("", "{}", "[1", b"\xff\xfe", "null", '{"a": 1e999}', "[" * 3000),
    {"game": "nolimit-hu", "bots": ["call"]},
    {"game": "nolimit-3max", "bots": ["call", "uniform"], "hands": 3, "name": "<b>"},
    {"game": "nolimit-hu", "bots": ["exec:ls"], "name": "\u202e", "hands": 10**30},
    *({"do": do, "hand": 0, "step": step} for do in ("act", "deal", "leave", "sit") for step in (0, 1)),
    *({"do": do, "hand": 1, "step": -1} for do in ("deal", "leave")),
    *({"do": "act", "hand": 0, "step": step, "action": action} for step in (0, 1) for action in (-1, 0, 200, 2**31)),
    {"board": "KsTh7s4d2s", "ranges": ["AA", "KK"], "pot": 10, "stack": 10, "target": 50, "minutes": 0.01},
    {"board": "", "ranges": ["100%", "100%"], "pot": 1, "stack": 10**9},
    {"board": "KsKs", "ranges": ["x", ""], "pot": -1, "stack": 1, "sizes": "0%,nan,-5"},
)  # fmt: skip


@pytest.fixture(autouse=True)
def unjudged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables open quickly: what judges their hands has tests of its own."""
    monkeypatch.setattr(OpenTable, "_later", lambda self, work: None)


@pytest.fixture(autouse=True)
def own_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is worked out on demand here is not there for other tests."""
    monkeypatch.setattr("luckless.histories.hand_index.index_folder", lambda: tmp_path / "index")


@pytest.fixture
def asked(runs: Path, tmp_path: Path) -> Iterator[TestClient]:
    """A client of runs of several kinds, which requests may change."""
    folder = tmp_path / "served"
    shutil.copytree(runs, folder)
    lk.solve("kuhn", iterations=20, save=folder / "kuhn.safetensors")
    with client_of(folder) as one:
        yield one


@pytest.fixture
def all_kinds(asked: TestClient) -> TestClient:
    """The same with runs that take longer to make."""
    folder = asked.app.state.finder.root  # type: ignore[attr-defined]
    lk.tournament(["call", "raise", "fold"], game="limit-hu", hands=40, save=folder / "cup")
    lk.evaluate("call", against=["raise"], game="limit-hu", hands=40, save=folder / "evaluation")
    spot: dict[str, Any] = {"board": "KsTh7s4d2s", "pot": 200, "stack": 300, "ranges": ["TT+", "99+"], "sizes": "60%"}
    lk.solve("river-hu", **spot, iterations=10, save=folder / "river.safetensors")
    with pytest.MonkeyPatch.context() as patch:
        use_fakes(patch.setattr)
        assert play(folder / "tiny")
    return asked


def requests(count: int, seed: int) -> Iterator[tuple[str, str, bytes]]:
    """Methods, addresses and bodies."""
    dice = random.Random(seed)
    for _ in range(count):
        kind = dice.choice((*KINDS, *(f"api/{one}" for one in (*KINDS, *ONLY_JSON))))
        method = dice.choices(("GET", "HEAD", "POST", "DELETE", "PUT"), (80, 4, 12, 2, 2))[0]
        if method == "POST" and dice.random() < 0.6:
            kind = dice.choice(("api/play", "api/solver", "api/verify", "api/luck", "api/judge"))
        path = f"/{kind}"
        if dice.random() < 0.8:
            path += f"/{quote(dice.choice(PLACES))}" if dice.random() < 0.9 else f"/{dice.choice(PLACES[:8])}"
        chosen = [(dice.choice(KEYS), dice.choice(VALUES)) for _ in range(dice.randrange(4))]
        query = "&".join(f"{key}={quote(value)}" for key, value in chosen)
        body = dice.choice(BODIES)
        text = json.dumps(body) if isinstance(body, dict) else body
        content = text if isinstance(text, bytes) else text.encode()
        yield method, path + (f"?{query}" if query else ""), b"" if method in ("GET", "HEAD") else content


def check(client: TestClient, count: int, seed: int) -> None:
    """Asks all of them; tables that were opened are asked too, as places."""
    dice = random.Random(seed)
    tables: list[str] = []
    for method, asked, body in requests(count, seed):
        path = asked
        if tables and dice.random() < 0.08:
            path = dice.choice(("/api", "")) + dice.choice(tables)
        answer = client.request(method, path, content=body, headers={"content-type": "application/json"})
        said = f"{method} {path} {body!r}: {answer.status_code} {answer.text[:300]}"
        assert answer.status_code < 500, said
        if answer.status_code == 201:
            tables.append(answer.json()["address"])
        if answer.status_code >= 400 and answer.request.url.path.startswith("/api/") and method != "HEAD":
            guarded = answer.headers["content-type"].startswith("text/plain")  # refused before any page was asked
            assert answer.text.strip() if guarded else answer.json()["error"], said


def test_a_share_of_odd_requests(asked: TestClient) -> None:
    check(asked, 400, seed=1)


@pytest.mark.slow
def test_five_thousand_odd_requests(all_kinds: TestClient) -> None:
    check(all_kinds, 5_000, seed=2)
