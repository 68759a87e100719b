"""What a table says after a hand: skill with the luck removed, each decision graded, the result at the end."""

import re
import time
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from web_client import client_of

CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")


def judged(client: TestClient, table: str) -> dict[str, Any]:
    """The table once nothing waits to be judged."""
    for _ in range(1200):
        state: dict[str, Any] = client.get(table).json()
        if not state["judging"]:
            return state
        time.sleep(0.05)
    raise AssertionError("the hands are never judged")


def change(client: TestClient, table: str, state: dict[str, Any], what: str, action: int = 0) -> dict[str, Any]:
    answer = client.post(table, json={"do": what, "hand": state["hand"], "step": state["step"], "action": action})
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def test_hands_are_graded_and_skill_is_told_also_after_a_crash(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        answer = client.post("/api/play", json={"game": "limit-hu", "bots": ["call"], "hands": 5})
        table = f"/api{answer.json()['address']}"
        state = client.get(table).json()
        decisions = 0
        while state["phase"] == "decide":
            decisions += 1
            state = change(client, table, state, "act")
        state = judged(client, table)
        assert state["problem"] == ""
        assert len(state["grades"]) == decisions > 0
        for grade in state["grades"]:
            assert grade["grade"] in ("best", "good", "inaccurate", "mistake")
            assert grade["loss"] == pytest.approx(grade["best"]["worth"] - grade["made"]["worth"])
            assert {advice["bot"] for advice in grade["advice"]} == {"call", "blueprint"}
        skill = state["skill"]
        assert (skill["hands"], skill["by"]) == (1, "aivat")
        assert skill["last"]["money"] == pytest.approx(state["won"] / state["big_blind"])
        shown = {card for seat in state["seats"] for card in seat["cards"] or ()} | set(state["board"])
        assert set(CARD.findall(client.get(table).text)) == shown
        client.app.state.tables.get(table.removeprefix("/api/play/"))._sitting._stack.close()  # type: ignore[attr-defined]
    with client_of(tmp_path) as client:
        again = judged(client, table)
        assert (again["grades"], again["skill"]) == (state["grades"], skill)
        change(client, table, change(client, table, again, "deal"), "leave")
        lines = judged(client, table)["lines"]
        assert lines[0].startswith("money: ")
        assert "AIVAT" in lines[1]
