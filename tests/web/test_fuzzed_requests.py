"""Thousands of odd requests: every answer is a page or a sentence, never an error of the server."""

import random
from pathlib import Path
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient

PLACES = (
    "match",
    "deep/six",
    "sessions",
    "",
    "nothing",
    "..",
    "%2e%2e",
    "a/b/c",
    "\x00",
    "ü",
    "match/hands",
    "x" * 300,
)
KINDS = (
    *("run", "match", "hands", "replay", "verify", "export", "tools", "plan", "static", "tournament", "season"),
    *("api/runs", "api/match", "api/hands", "api/replay", "api/look", "api/verify", "api/jobs", "api/equity"),
    *("api/rank", "api/plan", "api/judge", "api/luck", "api/nothing", "favicon.ico", "solve", "play", ""),
)
KEYS = (
    *("player", "seat", "ending", "street", "pot_from", "pot_to", "won_from", "won_above", "cards", "line", "deal"),
    *("sort", "order", "first", "hand", "step", "view", "format", "hands", "board", "hole", "edge", "sd", "by"),
    *("luck_from", "since", "token", "set_size"),
)
VALUES = (
    *("0", "1", "-1", "5", "99999999999999999999", "1e999", "nan", "inf", "", " ", "x", "river", "showdown", "open"),
    *(
        "hidden",
        "phh",
        "csv",
        "pot",
        "won",
        "luck",
        "down",
        "TT+",
        "AKs",
        "AcKc 7h6h",
        "AcAc",
        "??",
        "100%",
        "Ks5h3d",
    ),
    *(
        "*/k*",
        "'; drop table hands; --",
        "<script>",
        "\x00",
        "💥",
        "%00",
        "..",
        "A" * 5000,
        "0x10",
        "1_0",
        "½",
        "10%",
    ),
)


def requests(count: int, seed: int) -> list[tuple[str, str, bytes]]:
    """Methods, addresses and bodies."""
    dice = random.Random(seed)
    made = []
    for _ in range(count):
        path = f"/{dice.choice(KINDS)}"
        if dice.random() < 0.8:
            path += f"/{quote(dice.choice(PLACES))}" if dice.random() < 0.9 else f"/{dice.choice(PLACES[:3])}"
        chosen = [(dice.choice(KEYS), dice.choice(VALUES)) for _ in range(dice.randrange(4))]
        query = "&".join(f"{key}={quote(value)}" for key, value in chosen)
        method = dice.choices(("GET", "HEAD", "POST", "DELETE", "PUT"), (90, 4, 2, 2, 2))[0]
        body = dice.choice((b"", b"{}", b"[1", b"\xff\xfe", b"null", b'{"a": 1e999}'))
        made.append((method, path + (f"?{query}" if query else ""), b"" if method in ("GET", "HEAD") else body))
    return made


def check(client: TestClient, count: int, seed: int) -> None:
    for method, path, body in requests(count, seed):
        if method == "POST" and ("judge" in path or "luck" in path):
            continue  # long work has tests of its own
        answer = client.request(method, path, content=body)
        assert answer.status_code < 500 or answer.status_code == 503, f"{method} {path}: {answer.status_code}"
        if answer.status_code >= 400 and answer.request.url.path.startswith("/api/") and method == "GET":
            guarded = answer.headers["content-type"].startswith("text/plain")  # refused before any page was asked
            assert answer.text.strip() if guarded else answer.json()["error"]


def test_a_share_of_odd_requests(client: TestClient) -> None:
    check(client, 400, seed=1)


@pytest.mark.slow
def test_five_thousand_odd_requests(client: TestClient, runs: Path) -> None:
    check(client, 5_000, seed=2)
