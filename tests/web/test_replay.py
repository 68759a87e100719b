"""The replayer: hidden cards are in no answer before they may be seen, and what is said of a step is true."""

import re
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from luckless.cards import format_card
from luckless.histories.hand_detail import HandDetail, details
from luckless.histories.store import StoredHands

CARD = re.compile(r"(?<![A-Za-z0-9])([2-9TJQKA][cdhs])(?![A-Za-z0-9])")


def hand_of(runs: Path, place: str, key: int) -> HandDetail:
    return next(details(StoredHands.open(runs / place).hand(key)))


def step_of(client: TestClient, place: str, **words: Any) -> dict[str, Any]:
    answer = client.get(f"/api/replay/{place}", params=words)
    assert answer.status_code == 200, answer.text
    values: dict[str, Any] = answer.json()
    return values


@pytest.mark.parametrize(("place", "keys"), [("match", (0, 1, 17, 101)), ("deep/six", (3, 60, 61))])
@pytest.mark.parametrize("seat", [None, 0, 1])
def test_hidden_cards_are_in_no_answer_before_they_may_be_seen(
    client: TestClient, runs: Path, place: str, keys: tuple[int, ...], seat: int | None
) -> None:
    for key in keys:
        hand = hand_of(runs, place, key)
        words: dict[str, Any] = {"hand": key, **({} if seat is None else {"seat": seat})}
        steps = step_of(client, place, **words)["steps"]
        for step in range(steps):
            seen = step_of(client, place, **words, step=step)
            allowed = {format_card(card) for card in hand.board[: len(seen["board"])]}
            for place_at_table, one in enumerate(seen["seats"]):
                shows = any(f"{hand.names[place_at_table]} shows" in line for line in seen["story"])
                if place_at_table == seat or shows:
                    allowed |= {format_card(card) for card in hand.hole(place_at_table)}
                else:
                    assert one["cards"] is None
            for path in (f"/replay/{place}", f"/api/replay/{place}"):
                text = client.get(path, params={**words, "step": step}).text
                assert set(CARD.findall(text)) <= allowed
            assert len(seen["board"]) == {"preflop": 0, "flop": 3, "turn": 4}.get(seen["street"], len(seen["board"]))


def test_an_open_view_shows_all_hole_cards_but_no_later_board(client: TestClient, runs: Path) -> None:
    hand = hand_of(runs, "match", 17)
    first = step_of(client, "match", hand=17, view="open")
    assert first["board"] == []
    assert [seat["cards"] for seat in first["seats"]] == [
        [format_card(card) for card in hand.hole(seat)] for seat in range(2)
    ]


def test_a_hidden_view_gets_no_equity_and_no_luck(client: TestClient) -> None:
    for step in range(step_of(client, "match", hand=17)["steps"]):
        told = client.get("/api/look/match", params={"hand": 17, "step": step}).json()
        assert not any(told.get(key) for key in ("equity", "rank", "baseline", "deal", "played"))


def test_what_is_said_of_a_decision(client: TestClient, runs: Path) -> None:
    hand = hand_of(runs, "match", 17)
    seen = step_of(client, "match", hand=17, step=1, view="open")
    told = client.get("/api/look/match", params={"hand": 17, "step": 1, "view": "open"}).json()
    action = hand.steps[0]
    assert told["actor"] == action.seat
    assert sum(told["equity"]) == pytest.approx(1)
    assert 0 <= told["rank"]["ihr"] <= 1
    assert sum(one["chance"] for one in told["baseline"]["actions"]) == pytest.approx(1)
    assert seen["decision"]["pot_odds"] == pytest.approx(action.to_call / (action.pot + action.to_call))
    cells = told["grid"]["cells"]
    assert [len(row) for row in cells] == [13] * 13
    assert cells[0][0]["hand"] == "AA"
    assert cells[0][1]["hand"] == "AKs"
    assert cells[1][0]["hand"] == "AKo"
    for cell in (cell for row in cells for cell in row):
        assert cell["fold"] + cell["call"] + cell["raise"] == pytest.approx(1)


def test_heads_up_the_luck_of_one_is_the_bad_luck_of_the_other(client: TestClient) -> None:
    for step in range(step_of(client, "match", hand=17)["steps"]):
        told = client.get("/api/look/match", params={"hand": 17, "step": step, "view": "open"}).json()
        if told.get("deal"):
            assert sum(told["deal"]["luck"]) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/replay/match?hand=99999", 404),
        ("/replay/match?hand=-1", 404),
        ("/replay/match?hand=x", 400),
        ("/replay/match?hand=1&step=999", 400),
        ("/replay/match?hand=1&view=naked", 400),
        ("/replay/match?hand=1&seat=9", 400),
        ("/replay/match?hand=1&seat=-1", 400),
        ("/replay/nothing?hand=1", 404),
        ("/api/look/match?hand=1&step=999", 400),
        ("/api/look/match?hand=99999999999999999999999", 404),
        ("/replay/match?hand=1&step=-1", 200),
    ],
)
def test_bad_hands_steps_and_views(client: TestClient, path: str, status: int) -> None:
    assert client.get(path).status_code == status
