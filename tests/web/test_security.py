"""Who may ask the dashboard for what."""

import json
import re
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from luckless.web.security import HEADERS
from luckless.web.settings import WebSettings, is_loopback
from web_client import KEY, ORIGIN, client_of
from web_runs import HOSTILE

KINDS = (
    *("run", "match", "session", "evaluation", "judgement", "tournament", "season", "agent", "solve", "hands"),
    *("replay", "export", "verify", "play", "static", "look"),
)
"""What addresses of places begin with."""
INLINE = re.compile(r"<style|<[a-z][^<>]*\s(?:on\w+|style)\s*=|javascript:|<script(?![^>]*(?:src=|application/json))")


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/match/deep/six", "/hands/deep/six", "/replay/deep/six?hand=3&view=open", "/session/sessions"),
        *(
            "/verify/deep/six",
            "/play",
            "/solver",
            "/tools?hands=<b>x",
            "/plan?edge=<b>",
            "/<script>alert(1)</script>",
        ),
        *("/hands/deep/six?line=<script>", "/match/<img src=x onerror=alert(1)>"),
    ],
)
def test_no_page_holds_a_script_a_style_or_a_foreign_name_as_markup(client: TestClient, path: str) -> None:
    text = re.sub(
        r'(<script type="application/json"[^>]*>).*?</script>', r"\1", client.get(path).text, flags=re.DOTALL
    )
    assert "<h1" in text
    assert not INLINE.search(text), INLINE.search(text)
    assert HOSTILE not in text


def test_data_for_scripts_cannot_end_its_element(client: TestClient) -> None:
    """A name with `</script>` in it stays a text in the data of a page too."""
    for path in ("/", "/match/deep/six", "/replay/deep/six?hand=3&view=open"):
        text = client.get(path).text
        blocks = re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', text, re.DOTALL)
        assert blocks
        for block in blocks:
            json.loads(block)
            assert "<" not in block


@pytest.mark.parametrize("host", ["evil.example:8765", "127.0.0.1", "127.0.0.1:9999", "127.0.0.1:8765@x", "", "x:y"])
def test_other_hosts_get_nothing(client: TestClient, host: str) -> None:
    answer = client.get("/", headers={"host": host})
    assert answer.status_code == 421
    assert "runs" not in answer.text.lower()


@pytest.mark.parametrize("host", ["localhost:8765", "127.0.0.1:8765", "[::1]:8765"])
def test_names_of_this_machine_are_answered(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("path", ["/", "/nothing", "/static/page.css", "/api/runs"])
def test_every_answer_carries_the_policy(client: TestClient, path: str) -> None:
    answer = client.get(path)
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    assert "unsafe" not in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    "headers",
    [
        {"x-luckless-key": ""},
        {"x-luckless-key": "wrong"},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_changes_from_other_sites_are_refused(client: TestClient, method: str, headers: dict[str, str]) -> None:
    assert client.request(method, "/api/verify/match", headers=headers).status_code == 403


def test_large_bodies_are_refused(runs: Path) -> None:
    with client_of(runs, most_bytes=1000) as client:
        assert client.post("/api/verify/match", content=b"x" * 2000).status_code == 413
        pieces = (b"x" * 600 for _ in range(3))
        assert client.post("/api/plan", content=pieces).status_code in (404, 405, 413)


def test_long_addresses_are_refused(client: TestClient) -> None:
    assert client.get("/?" + "x" * 20_000).status_code == 414


def test_another_address_needs_the_token(runs: Path) -> None:
    with client_of(runs, host="192.0.2.1", token="secret") as client:
        ours = {"host": "192.0.2.1:8765"}
        assert client.get("/", headers=ours).status_code == 401
        assert client.get("/?token=wrong", headers=ours).status_code == 401
        assert client.get("/static/page.css", headers=ours).status_code == 401
        entered = client.get("/?token=secret&kind=match", headers=ours, follow_redirects=False)
        assert entered.status_code == 303
        assert entered.headers["location"] == "/?kind=match"
        assert "HttpOnly" in entered.headers["set-cookie"]
        assert "SameSite=Strict" in entered.headers["set-cookie"]
        assert client.get("/", headers={**ours, "cookie": "luckless-token=secret"}).status_code == 200
        assert client.get("/", headers={**ours, "authorization": "Bearer secret"}).status_code == 200
        assert client.get("/", headers={"host": "evil.example:8765"}).status_code == 421


def test_the_address_tells_the_token_only_where_it_is_needed() -> None:
    assert WebSettings(port=9).address == "http://127.0.0.1:9/"
    assert WebSettings(host="::1").address == "http://[::1]:8765/"
    assert WebSettings(host="0.0.0.0", token="t").address == "http://127.0.0.1:8765/?token=t"
    assert [is_loopback(host) for host in ("127.3.4.5", "::1", "localhost", "10.0.0.1", "example")] == [True] * 3 + [
        False
    ] * 2


@pytest.mark.parametrize(
    "place",
    ["../outside", "%2e%2e/outside", "match/../../outside", ".hidden", "a%00b", "a\\b", "link", "x" * 3000, "//etc"],
)
def test_places_outside_are_refused(tmp_path: Path, place: str) -> None:
    (tmp_path / "served").mkdir()
    (tmp_path / "outside").mkdir()
    (tmp_path / "served" / "link").symlink_to(tmp_path / "outside")
    with client_of(tmp_path / "served") as client:
        for kind in KINDS:
            for path in (f"/{kind}/{place}", f"/api/{kind}/{place}"):
                assert client.get(path).status_code == 404, path
        for kind in ("play", "judge", "luck", "verify"):
            assert client.post(f"/api/{kind}/{place}", json={"do": "sit"}).status_code == 404


def test_pages_carry_the_key_and_the_same_origin_may_change(client: TestClient) -> None:
    assert KEY in client.get("/").text
    assert client.post("/api/verify/nothing", headers={"origin": ORIGIN}).status_code == 404
