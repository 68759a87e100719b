"""Tables in the browser: what may be chosen, what is told, what is refused, what survives. Raw answers are read."""

import re
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from luckless.cards import format_card
from luckless.errors import InputError
from luckless.histories.hand_detail import details
from luckless.histories.store import StoredHands
from luckless.records import load_match
from luckless.sitting.sitting import OPEN_HAND
from luckless.web.finding import Finder
from luckless.web.opponents import opponents, seat_bot
from luckless.web.tables import OpenTable
from web_client import client_of

CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")


@pytest.fixture(autouse=True)
def unjudged(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Judging is tested apart: it takes a while."""
    if "judged" not in request.keywords:
        monkeypatch.setattr(OpenTable, "_later", lambda self, work: None)


@pytest.fixture
def player(tmp_path: Path) -> Iterator[TestClient]:
    with client_of(tmp_path) as one:
        yield one


def sit(client: TestClient, *bots: str, game: str = "nolimit-hu", **more: Any) -> str:
    """The address of a new table."""
    answer = client.post("/api/play", json={"game": game, "bots": list(bots), **more})
    assert answer.status_code == 201, answer.text
    return f"/api{answer.json()['address']}"


def do(client: TestClient, table: str, state: dict[str, Any], what: str = "act", action: int = 0) -> dict[str, Any]:
    answer = client.post(table, json={"do": what, "hand": state["hand"], "step": state["step"], "action": action})
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def sitting_of(client: TestClient, table: str) -> Any:
    """The table behind an address, which knows all cards."""
    return client.app.state.tables.get(table.removeprefix("/api/play/"))._sitting  # type: ignore[attr-defined]


def test_the_form_offers_games_and_bots(player: TestClient) -> None:
    told = player.get("/api/play").json()
    assert {"nolimit-hu", "limit-hu", "nolimit-6max"} <= {game["name"] for game in told["games"]}
    assert {"blueprint", "nash", "call", "value-bet"} <= {bot["name"] for bot in told["bots"]}
    page = player.get("/play")
    assert page.status_code == 200
    assert "Sit down" in page.text


@pytest.mark.parametrize(
    "values",
    [
        {"game": "nolimit-hu", "bots": ["exec:touch /tmp/x"]},
        {"game": "nolimit-hu", "bots": ["examples/pairs_bot.py:PairsBot"]},
        {"game": "nolimit-hu", "bots": ["http://localhost:1/bot"]},
        {"game": "nolimit-hu", "bots": ["chat:c.toml"]},
        {"game": "nolimit-hu", "bots": ["agent:../x"]},
        {"game": "nolimit-hu", "bots": ["agent:/etc/passwd"]},
        {"game": "nolimit-hu", "bots": ["blueprint:x.safetensors"]},
        {"game": "nolimit-hu", "bots": ["you=call"]},
        {"game": "nolimit-hu", "bots": ["mix:call=1,raise=1"]},
        {"game": "nolimit-hu", "bots": []},
        {"game": "nolimit-hu", "bots": ["call", "call"]},
        {"game": "nolimit-6max", "bots": ["call"] * 6},
        {"game": "/etc/passwd", "bots": ["call"]},
        {"game": "nolimit-hu", "bots": ["call"], "hands": 0},
        {"game": "nolimit-hu", "bots": ["call"], "hands": "many"},
        {"game": "nolimit-hu", "bots": ["call"], "name": "\x1b[2J"},
        {"game": "nolimit-hu", "bots": ["nash"]},
        {"bots": ["call"]},
        [],
    ],
)
def test_nothing_but_the_list_can_be_chosen(player: TestClient, tmp_path: Path, values: Any) -> None:
    answer = player.post("/api/play", json=values)
    assert answer.status_code == 400
    assert answer.json()["error"]
    assert not (tmp_path / "played").exists()


def test_only_listed_texts_become_bots(tmp_path: Path) -> None:
    finder = Finder(tmp_path)
    assert all(seat_bot(finder, bot.name).name == bot.name for bot in opponents(finder))
    for text in ("exec:ls", "acpc:1", "pypoker:a.py:B", "https://x", "call:x=1", "person", "", "call "):
        with pytest.raises(InputError, match="no bot of this list"):
            seat_bot(finder, text)


@pytest.mark.parametrize(("game", "bots"), [("nolimit-3max", ("call", "raise")), ("limit-hu", ("call",))])
def test_no_hidden_card_is_in_any_answer(player: TestClient, game: str, bots: tuple[str, ...]) -> None:
    table = sit(player, *bots, game=game, hands=12)
    decisions = shown = 0
    for _ in range(200):
        for raw in (player.get(table).text, player.get(table.removeprefix("/api")).text.split('id="data"')[1]):
            sitting = sitting_of(player, table)
            hand = sitting.hand
            if hand is not None:
                view = hand.view()
                assert set(CARD.findall(raw)) == {format_card(card) for card in (*view.hole, *view.board)}
                decisions += 1
            else:
                shown += 1
        state = player.get(table).json()
        if state["complete"] and state["phase"] == "over":
            break
        state = do(player, table, state, "act" if state["phase"] == "decide" else "deal")
        if state["phase"] == "over":
            raw = player.get(table).text
            own = {card for seat in state["seats"] if seat["cards"] for card in seat["cards"]}
            assert set(CARD.findall(raw)) == own | set(state["board"])
    assert decisions > 20
    assert shown > 10


def test_no_page_tells_the_seed_of_a_match_that_is_being_played(player: TestClient) -> None:
    """All cards of hands to come follow from it."""
    table = sit(player, "call", hands=5)
    state = player.get(table).json()
    while state["phase"] == "decide":
        state = do(player, table, state)
    seed, place = str(sitting_of(player, table).match.seed), table.removeprefix("/api/play/")
    pages = [f"{api}/{kind}/{place}" for kind in ("play", "match", "verify", "hands") for api in ("", "/api")]
    for page in (*pages, "/api/runs", "/api/play"):
        answer = player.get(page)
        assert answer.status_code == 200, page
        assert seed not in answer.text
    do(player, table, state, "leave")
    assert seed in player.get(f"/match/{place}").text


def test_cards_of_opponents_who_fold_stay_hidden(player: TestClient) -> None:
    table = sit(player, "fold", game="nolimit-hu", hands=10)
    state = player.get(table).json()
    while state["phase"] == "decide":
        state = do(player, table, state, action=state["legal"]["raise"]["min"])
    assert state["phase"] == "over"
    assert state["won"] > 0
    [other] = [seat for seat in state["seats"] if not seat["you"]]
    assert other["cards"] is None


def test_no_other_page_opens_the_cards_of_a_match_that_is_being_played(player: TestClient, tmp_path: Path) -> None:
    """Hands that opponents threw away stay hidden in the list, the replayer and exports until the table is left."""
    table = sit(player, "fold", game="nolimit-hu", hands=10)
    state = player.get(table).json()
    while state["phase"] == "decide":
        state = do(player, table, state, action=state["legal"]["raise"]["min"])
    place = table.removeprefix("/api/play/")
    [own] = [seat["seat"] for seat in state["seats"] if seat["you"]]
    stored = next(details(StoredHands.open(tmp_path / place).hand(0)))
    hidden = {format_card(card) for card in stored.hole(1 - own)}
    asked = [f"replay/{place}?hand=0&step=-1", f"replay/{place}?hand=0&seat={own}", f"look/{place}?hand=0&step=1"]
    asked += [f"hands/{place}", f"hands/{place}?player=1", f"hands/{place}?player=0&cards=22%2B"]
    for path in (f"{api}/{one}" for one in asked for api in ("", "/api") if api or not one.startswith("look")):
        answer = player.get(path)
        assert answer.status_code == 200, path
        assert not hidden & {text[place : place + 2] for text in _quoted(answer.text) for place in (0, 2)}, path
    refused = [f"replay/{place}?hand=0&view=open", f"replay/{place}?hand=0&seat={1 - own}"]
    refused += [f"hands/{place}?cards=22%2B", f"hands/{place}?player=1&cards=22%2B"]
    for path in (*(f"{api}/{one}" for one in refused for api in ("", "/api")), f"/export/{place}"):
        answer = player.get(path)
        assert answer.status_code == 400, path
        assert "once the table is left" in answer.text
    do(player, table, state, "leave")
    assert player.get(f"/api/replay/{place}?hand=0&view=open").status_code == 200
    assert player.get(f"/export/{place}").status_code == 200


def _quoted(text: str) -> list[str]:
    """What may be cards: one card, or two written together."""
    return re.findall(r"(?<![A-Za-z0-9])((?:[2-9TJQKA][cdhs]){1,2})(?![A-Za-z0-9])", text)


def test_steps_out_of_order_do_nothing(player: TestClient) -> None:
    table = sit(player, "call", hands=3)
    first = player.get(table).json()
    second = do(player, table, first)
    for wrong in ({**first}, {**second, "step": second["step"] + 1}, {**second, "hand": 7}):
        answer = player.post(table, json={"do": "act", "hand": wrong["hand"], "step": wrong["step"], "action": 0})
        assert answer.status_code == 409
        assert answer.json()["now"]["step"] == second["step"]
    answer = player.post(table, json={"do": "deal", "hand": second["hand"], "step": second["step"]})
    assert answer.status_code == 409
    state = second
    while state["phase"] == "decide":
        state = do(player, table, state)
    answer = player.post(table, json={"do": "act", "hand": state["hand"], "step": state["step"], "action": 0})
    assert answer.status_code == 409
    assert "deal the next one" in answer.json()["error"]


@pytest.mark.parametrize("action", [1, 199, 20_001, -2, 2**40, "0", None, 0.5])
def test_illegal_actions_are_refused_and_change_nothing(player: TestClient, action: Any) -> None:
    table = sit(player, "call")
    before = player.get(table).json()
    values = {"do": "act", "hand": before["hand"], "step": before["step"], "action": action}
    assert player.post(table, json=values).status_code == 400
    assert player.get(table).json() == before


def test_two_windows_act_once(player: TestClient) -> None:
    table = sit(player, "call", hands=3)
    state = player.get(table).json()
    codes: list[int] = []

    def window() -> None:
        values = {"do": "act", "hand": state["hand"], "step": state["step"], "action": 0}
        codes.append(player.post(table, json=values).status_code)

    windows = [threading.Thread(target=window) for _ in range(6)]
    for one in windows:
        one.start()
    for one in windows:
        one.join()
    assert sorted(codes) == [200, 409, 409, 409, 409, 409]


def test_a_hand_goes_on_after_a_crash(tmp_path: Path) -> None:
    with client_of(tmp_path) as first:
        table = sit(first, "uniform", "call", game="nolimit-3max", name="Ada")
        state = first.get(table).json()
        for _ in range(9):
            state = do(first, table, state, "act" if state["phase"] == "decide" else "deal")
        while state["phase"] != "decide" or state["step"] == 0:
            state = do(first, table, state, "act" if state["phase"] == "decide" else "deal")
        sitting_of(first, table)._stack.close()  # what the system does for a process that is killed
    with client_of(tmp_path) as second:
        page = second.get(table.removeprefix("/api"))
        assert page.status_code == 200
        again = second.get(table).json()
        assert again == {**state, "judging": again["judging"]}
        state = do(second, table, again)
        while state["phase"] == "decide":
            state = do(second, table, state)
        folder = tmp_path / table.removeprefix("/api/play/")
        assert StoredHands.open(folder).hands == state["hands"] > 0


def test_a_damaged_note_of_the_open_hand_deals_it_anew(tmp_path: Path) -> None:
    with client_of(tmp_path) as first:
        table = sit(first, "call")
        cards = first.get(table).json()["seats"]
        sitting_of(first, table)._stack.close()
    folder = tmp_path / table.removeprefix("/api/play/")
    (folder / OPEN_HAND).write_text("{")
    with client_of(tmp_path) as second:
        assert second.get(table).json()["seats"] == cards


def test_leaving_ends_and_stores_the_match(player: TestClient, tmp_path: Path) -> None:
    table = sit(player, "call", hands=5)
    state = do(player, table, player.get(table).json(), "leave")
    assert state["phase"] == "ended"
    folder = tmp_path / table.removeprefix("/api/play/")
    assert load_match(folder).hands == 1
    assert not (folder / OPEN_HAND).exists()
    assert player.post(table, json={"do": "act", "hand": 1, "step": -1}).status_code == 409
    assert player.get(table.replace("/api/play/", "/match/")).status_code == 200
    assert player.get(table.replace("/play/", "/match/")).json()["hands"] == 1
    again = player.post(table, json={"do": "sit", "hands": 7}).json()
    assert (again["hands"], again["planned"]) == (1, 8)
    state = do(player, table, again, "deal")
    assert state["hand"] == 1
    assert [row["open"] for row in player.get("/api/play").json()["tables"]] == [True]


def test_all_planned_hands_can_be_played_and_no_more(player: TestClient) -> None:
    table = sit(player, "fold", hands=2)
    state = player.get(table).json()
    for _ in range(20):
        if state["complete"] and state["phase"] == "over":
            break
        state = do(player, table, state, "act" if state["phase"] == "decide" else "deal")
    answer = player.post(table, json={"do": "deal", "hand": state["hand"], "step": state["step"]})
    assert answer.status_code == 400
    assert "all hands that were planned" in answer.json()["error"]


def test_tables_are_limited(tmp_path: Path) -> None:
    with client_of(tmp_path, seats=1) as one:
        table = sit(one, "call")
        answer = one.post("/api/play", json={"game": "nolimit-hu", "bots": ["call"]})
        assert answer.status_code == 400
        assert "which is the limit" in answer.json()["error"]
        do(one, table, one.get(table).json(), "leave")
        sit(one, "call")


def test_a_table_that_was_deleted_meanwhile(player: TestClient, tmp_path: Path) -> None:
    table = sit(player, "call")
    state = player.get(table).json()
    shutil.rmtree(tmp_path / "played")
    answer = player.post(table, json={"do": "act", "hand": state["hand"], "step": state["step"]})
    assert answer.status_code == 400
    assert "deleted or moved" in answer.json()["error"]
    assert player.get(table).status_code == 404
    assert player.get(table.removeprefix("/api")).status_code == 404


@pytest.mark.parametrize("place", ["nothing", "%2e%2e/x", "match/%2e%2e/%2e%2e", "a" * 2000])
def test_places_that_are_no_tables(client: TestClient, place: str) -> None:
    for address in (f"/play/{place}", f"/api/play/{place}"):
        assert client.get(address).status_code == 404
    assert client.post(f"/api/play/{place}", json={"do": "sit"}).status_code == 404


def test_a_match_of_bots_is_no_table(client: TestClient) -> None:
    answer = client.get("/api/play/match")
    assert answer.status_code == 400
    assert "a match of bots" in answer.json()["error"]
    assert client.post("/api/play/match", json={"do": "sit"}).status_code == 400
    assert client.post("/api/play/match", json={"do": "dance"}).status_code == 400


def test_changes_need_the_key(player: TestClient) -> None:
    table = sit(player, "call")
    state = player.get(table).json()
    values = {"do": "act", "hand": state["hand"], "step": state["step"]}
    assert player.post(table, json=values, headers={"x-luckless-key": "no"}).status_code == 403
    assert player.post(table, json=values, headers={"origin": "http://evil.example"}).status_code == 403
    assert player.get(table).json() == state


def test_names_cannot_become_html(player: TestClient) -> None:
    table = sit(player, "call", name="<script>alert(1)</script>")
    page = player.get(table.removeprefix("/api")).text
    assert "<script>alert" not in page
