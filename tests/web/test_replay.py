"""The replayer: hidden cards are in no answer before they may be seen, and what is said of a step is true."""

import re
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from luckless.cards import format_card
from luckless.divat.hand import report_hand
from luckless.histories.hand_detail import HandDetail, details
from luckless.histories.notation import WrittenHand
from luckless.histories.store import StoredHands
from luckless.skill.step_terms import hand_terms
from luckless.skill.verdict import NOTHING

CARD = re.compile(r"(?<![A-Za-z0-9])([2-9TJQKA][cdhs])(?![A-Za-z0-9])")


ALL_CARDS = ("equity", "rank", "baseline", "deal", "played", "moved", "choice", "divat")
"""What is worked out from cards that a hidden view does not know."""


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
            for path in (f"/replay/{place}", f"/api/replay/{place}", f"/api/look/{place}"):
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
        assert not any(told.get(key) for key in ALL_CARDS)


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


def looks(client: TestClient, place: str, key: int) -> list[dict[str, Any]]:
    """What is said of each step of a hand with all cards open."""
    steps = step_of(client, place, hand=key)["steps"]
    words: dict[str, Any] = {"hand": key, "view": "open"}
    return [client.get(f"/api/look/{place}", params={**words, "step": step}).json() for step in range(steps)]


@pytest.mark.parametrize("key", [4, 17, 101])
def test_money_is_the_sum_of_the_terms_of_all_steps(client: TestClient, runs: Path, key: int) -> None:
    """Heads-up the chance-only estimator splits a result into the seat, the actions and the cards."""
    hand = hand_of(runs, "match", key)
    told = looks(client, "match", key)
    moved = [look["moved"] for look in told if look.get("moved")]
    lucky = [look["deal"]["luck"] for look in told if look.get("deal")]
    assert len(moved) == len(hand.steps)
    assert len(lucky) == 1 + {0: 0, 3: 1, 4: 2, 5: 3}[len(hand.board)]
    columns = StoredHands.open(runs / "match").hand(key)
    for seat in range(2):
        explained = sum(one[seat] for one in (*moved, *lucky))
        begun = hand_terms(columns, int(columns.players[0, seat]), NOTHING).start / hand.game.big_blind
        assert explained + begun == pytest.approx(hand.payoffs[seat] / hand.game.big_blind)


def test_each_street_has_the_terms_of_divat(client: TestClient, runs: Path) -> None:
    """The numbers of `luckless divat --hand` for the same hand."""
    hand, told = hand_of(runs, "match", 17), looks(client, "match", 17)
    lines = [[step.action for step in hand.steps if step.street == street] for street in range(4)]
    letters = ["".join("f" if one < 0 else "c" if one == 0 else "r" for one in line) for line in lines if line]
    report = report_hand(WrittenHand((hand.hole(0), hand.hole(1)), list(hand.board), letters, 0))
    for look in told:
        if look.get("deal"):
            street = look["deal"]["street"]
            assert look["deal"]["divat"]["luck"][0] == pytest.approx(report.streets[street].luck)
            assert look["deal"]["unit"] == "small bets"
    skill = {hand.steps[number].street: look["divat"]["skill"] for number, look in enumerate(decided(told))}
    assert [skill[street][0] for street in sorted(skill)] == [pytest.approx(one.difference) for one in report.streets]
    assert all({action["does"] for action in look["divat"]["baseline"]} for look in decided(told))


def decided(told: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [look for look in told if "actor" in look]


def test_bots_that_state_their_probabilities_have_the_luck_of_their_choice(client: TestClient) -> None:
    for look in decided(looks(client, "match", 17)):
        assert set(look["choice"]) == {"mean", "luck"}
    for look in decided(looks(client, "deep/six", 3)):
        assert look["divat"] is None
        assert look["unit"] == "big blinds"
        assert len(look["moved"]) == 6


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
